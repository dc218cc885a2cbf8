//! `varve aggregate` over archives that `varve serve` serves.

use crate::serving::{interrupt, serve};
use crate::setup::{judge, root, run, stderr, stdout, succeed, varve};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Output, Stdio};
use std::time::{Duration, Instant};

const HOME: &str = "http://example.org/";
const ABOUT: &str = "http://example.org/about";
const NEWS: &str = "http://news.example/";

/// Archives with different holdings, each served by the program.
struct Archives {
    dir: tempfile::TempDir,
    served: Vec<(String, Child, String)>,
}

impl Archives {
    /// One for each name, with captures of URLs in years.
    fn with(holdings: &[(&str, &[(&str, u32)])]) -> Archives {
        let dir = tempfile::tempdir().unwrap();
        let served = holdings.iter().map(|(name, captures)| {
            let collection = collection(dir.path(), name, captures);
            let more = ["--layout", "path", "--replay-listen", "127.0.0.1:0"];
            let (child, line) = serve(&collection, &more);
            let origin = line.strip_prefix("open ").unwrap();
            let origin = origin.split(' ').next().unwrap().trim_end_matches('/');
            ((*name).to_owned(), child, origin.to_owned())
        });
        Archives {
            served: served.collect(),
            dir,
        }
    }

    fn three() -> Archives {
        Archives::with(&[
            ("one", &[(HOME, 2010), (ABOUT, 2011), (HOME, 2014)]),
            ("two", &[(HOME, 2012), (NEWS, 2013)]),
            ("three", &[(NEWS, 2011)]),
        ])
    }

    /// Writes `archives.json`; with more entries, if wanted.
    fn list(&self, more: &[Value]) -> PathBuf {
        let ours = self.served.iter().map(|(name, _, origin)| {
            json!({
                "id": name,
                "name": format!("Archive {name}"),
                "timemap": format!("{origin}/timemap/link/"),
                "timegate": format!("{origin}/timegate/"),
            })
        });
        let all: Value = ours.chain(more.iter().cloned()).collect();
        let file = self.dir.path().join("archives.json");
        std::fs::write(&file, all.to_string()).unwrap();
        file
    }

    fn aggregate(&self, words: &[&str]) -> Output {
        let mut command = varve();
        command.arg("aggregate").args(words).arg("--archives");
        command.arg(self.list(&[])).output().unwrap()
    }

    fn stop(self) {
        for (_, child, _) in self.served {
            assert_eq!(interrupt(child), Some(0));
        }
    }
}

/// A collection with these captures.
fn collection(dir: &Path, name: &str, captures: &[(&str, u32)]) -> PathBuf {
    let (warc, collection) = (dir.join(format!("{name}.warc")), dir.join(name));
    let mut text = String::new();
    for (number, (url, year)) in captures.iter().enumerate() {
        let body = format!("<title>{url} in {year}</title>");
        let length = body.len();
        let http = format!(
            "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: {length}\r\n\r\n{body}"
        );
        write!(
            text,
            "WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-{number:012}>\r\n\
             WARC-Date: {year}-06-01T00:00:00Z\r\nWARC-Target-URI: {url}\r\n\
             Content-Type: application/http; msgtype=response\r\nContent-Length: {}\r\n\r\n{http}\r\n\r\n",
            http.len()
        )
        .unwrap();
    }
    std::fs::write(&warc, text).unwrap();
    run(&[&"-q", &"import", &warc, &"-c", &collection], 0);
    collection
}

/// Starts the aggregator on any port; gives its address.
fn aggregator(list: &Path, words: &[&str]) -> (Child, String) {
    let mut child = varve()
        .args([
            "aggregate",
            "--json",
            "--listen",
            "127.0.0.1:0",
            "--allow-net",
            "127.0.0.0/8",
        ])
        .args(words)
        .arg("--archives")
        .arg(list)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    let mut lines = BufReader::new(child.stdout.take().unwrap());
    lines.read_line(&mut line).unwrap();
    let place: Value = serde_json::from_str(&line).unwrap();
    (child, place["listen"].as_str().unwrap().to_owned())
}

fn get(address: &str, path: &str) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    let request = format!("GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

/// The archive and year of each memento of a TimeMap in JSON.
fn told(json: &str) -> Vec<String> {
    let map: Value = serde_json::from_str(json).unwrap();
    let list = map["mementos"]["list"].as_array().unwrap();
    let one = |memento: &Value| {
        let year = &memento["datetime"].as_str().unwrap()[..4];
        format!("{} {year}", memento["archive"].as_str().unwrap())
    };
    list.iter().map(one).collect()
}

const LOCAL: [&str; 2] = ["--allow-net", "127.0.0.0/8"];

#[test]
fn many_archives_are_asked_as_one() {
    let archives = Archives::three();
    let ask = |words: &[&str]| {
        let output = archives.aggregate(&[words, &LOCAL].concat());
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        output
    };
    let json = stdout(&ask(&[HOME, "-f", "JSON"]));
    assert_eq!(told(&json), ["one 2010", "two 2012", "one 2014"]);
    assert_eq!(told(&stdout(&ask(&["example.org", "--json"]))).len(), 3);
    let link = stdout(&ask(&[HOME]));
    assert!(
        link.starts_with("<http://example.org/>; rel=\"original\",\n"),
        "{link}"
    );
    assert!(
        link.contains("rel=\"last memento\"; datetime=\"Sun, 01 Jun 2014 00:00:00 GMT\""),
        "{link}"
    );
    let cdxj = stdout(&ask(&[HOME, "2012", "-f", "cdxj"]));
    assert!(
        cdxj.contains("\n20120601000000 {\"archive\":\"two\""),
        "{cdxj}"
    );
    let nothing = ask(&["http://nowhere.example/"]);
    assert_eq!(stdout(&nothing), "");
    assert!(stderr(&nothing).contains("no archive has http://nowhere.example/"));
    archives.stop();
}

#[test]
fn private_addresses_are_not_contacted_unless_allowed() {
    let archives = Archives::with(&[("one", &[(HOME, 2010)])]);
    let output = archives.aggregate(&[HOME]);
    assert_eq!(output.status.code(), Some(1));
    let words = stderr(&output);
    assert!(
        words.contains("is not a public address (allow it with --allow-net)"),
        "{words}"
    );
    assert!(words.contains("no archive could be asked"), "{words}");
    archives.stop();
}

#[test]
fn one_that_hangs_is_named_and_the_others_are_heard() {
    let archives = Archives::with(&[("one", &[(HOME, 2010)])]);
    let hangs = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = hangs.local_addr().unwrap();
    let list = archives.list(&[json!({"id": "slow", "timemap": format!("http://{address}/")})]);
    let words = [
        &"aggregate",
        &HOME,
        &"--json",
        &"--deadline",
        &"2s",
        &LOCAL[0],
        &LOCAL[1],
        &"-a",
    ];
    let words: Vec<&dyn AsRef<std::ffi::OsStr>> = words.iter().map(|word| *word as _).collect();
    let output = run(&[words, vec![&list]].concat(), 0);
    assert_eq!(told(&stdout(&output)), ["one 2010"]);
    assert!(
        stderr(&output).contains("slow: it did not answer in time"),
        "{}",
        stderr(&output)
    );
    archives.stop();
}

#[test]
fn maps_spare_requests_and_lose_nothing() {
    let archives = Archives::three();
    let maps = archives.dir.path().join("maps");
    std::fs::create_dir(&maps).unwrap();
    for (name, lines) in [
        ("one", "org,example)/* 3/2\n"),
        ("two", "example,news) 1\norg,example) 1\n"),
        ("three", "!context []\nexample,news,* 1\n"),
    ] {
        std::fs::write(maps.join(format!("{name}.ukvs")), lines).unwrap();
    }
    let list = archives.list(&[]);
    let (plain, at_plain) = aggregator(&list, &["--no-fetched-maps"]);
    let (mapped, at_mapped) = aggregator(&list, &["--maps", maps.to_str().unwrap()]);
    for url in [HOME, ABOUT, NEWS, "http://nowhere.example/"] {
        let path = format!("/timemap/json/{url}");
        let [without, with] = [&at_plain, &at_mapped].map(|address| get(address, &path));
        let found = |answer: &str| {
            answer
                .split_once("\r\n\r\n{")
                .map(|(_, map)| told(&format!("{{{}", unchunked(map))))
        };
        assert_eq!(found(&without), found(&with), "{url}");
    }
    let asked = |address: &str| {
        let metrics = get(address, "/metrics");
        let lines = metrics
            .lines()
            .filter_map(|line| line.strip_prefix("varve_aggregate_asked_total"));
        lines
            .map(|line| line.rsplit(' ').next().unwrap().parse::<u32>().unwrap())
            .sum::<u32>()
    };
    assert_eq!((asked(&at_plain), asked(&at_mapped)), (12, 5));
    assert_eq!(interrupt(plain), Some(0));
    assert_eq!(interrupt(mapped), Some(0));
    archives.stop();
}

#[test]
fn archives_publish_their_own_maps() {
    let archives = Archives::three();
    let (child, address) = aggregator(&archives.list(&[]), &[]);
    let value = |name: &str| -> u32 {
        let metrics = get(&address, "/metrics");
        let lines = metrics.lines().filter(|line| line.starts_with(name));
        let numbers = lines.map(|line| line.rsplit(' ').next().unwrap().parse::<u32>().unwrap());
        numbers.sum()
    };
    let begun = Instant::now();
    // Two of the first, two of the second, one of the third.
    while value("varve_aggregate_map_lines{") < 5 {
        assert!(begun.elapsed() < Duration::from_secs(60));
        std::thread::sleep(Duration::from_millis(50));
    }
    for (url, mementos) in [
        (HOME, 3),
        (ABOUT, 1),
        (NEWS, 2),
        ("http://nowhere.example/", 0),
    ] {
        let answer = get(&address, &format!("/timemap/link/{url}"));
        let found = answer.matches("memento\"; datetime").count();
        assert_eq!(found, mementos, "{url}: {answer}");
    }
    assert_eq!(value("varve_aggregate_asked_total{"), 5);
    assert_eq!(interrupt(child), Some(0));
    archives.stop();
}

/// What is left of a short body without the sizes of its chunks.
fn unchunked(body: &str) -> String {
    let lines = body
        .split("\r\n")
        .filter(|line| u32::from_str_radix(line, 16).is_err());
    lines.collect()
}

#[test]
fn clients_of_memento_find_what_there_is() {
    let archives = Archives::three();
    let (child, address) = aggregator(&archives.list(&[]), &[]);
    let script = root().join("tests/judges/memento.py");
    let origin = format!("http://{address}");
    let found = succeed(judge("python").arg(script).args([&origin, HOME, "2012"]));
    let lines: Vec<&str> = found.lines().collect();
    let timegate = format!("3 {HOME} {origin}/timegate/{HOME}");
    assert_eq!(lines[0], timegate, "{found}");
    let nearest = format!(
        "/web/20120601000000mp_/{HOME} {HOME} ['closest', 'first', 'last', 'next', 'prev']"
    );
    assert!(
        lines[1].starts_with("200 ") && lines[1].ends_with(&nearest),
        "{found}"
    );
    assert_eq!(interrupt(child), Some(0));
    archives.stop();
}

#[test]
fn mementos_are_passed_on_as_they_were_archived() {
    let archives = Archives::three();
    let (child, address) = aggregator(&archives.list(&[]), &[]);
    let page = get(&address, &format!("/memento/proxy/2012/{HOME}"));
    assert!(
        page.contains(&format!("<title>{HOME} in 2012</title>")),
        "{page}"
    );
    assert!(
        page.contains("memento-datetime: Fri, 01 Jun 2012 00:00:00 GMT\r\n"),
        "{page}"
    );
    assert_eq!(interrupt(child), Some(0));
    archives.stop();
}

#[test]
fn what_cannot_be_used_is_said() {
    let dir = tempfile::tempdir().unwrap();
    let list = dir.path().join("archives.json");
    std::fs::write(&list, "[{\"id\": \"x\"}]").unwrap();
    let words = stderr(&run(&[&"aggregate", &HOME, &"-a", &list], 1));
    assert!(
        words.contains("entry 1 (\"x\"): it has neither a timemap nor a timegate"),
        "{words}"
    );
    let words = stderr(&run(
        &[&"aggregate", &HOME, &"-a", &dir.path().join("none")],
        1,
    ));
    assert!(words.contains("docs/aggregate.md"), "{words}");
    std::fs::write(
        &list,
        "[{\"id\": \"x\", \"timemap\": \"http://127.0.0.1:1/\"}]",
    )
    .unwrap();
    let words = stderr(&run(&[&"aggregate", &"ftp://x/", &"-a", &list], 1));
    assert!(words.contains("no URL of the web"), "{words}");
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let words = stderr(&run(
        &[&"aggregate", &"--listen", &address, &"-a", &list],
        1,
    ));
    assert!(words.contains("choose another with --listen"), "{words}");
    run(&[&"aggregate", &HOME, &"201", &"-a", &list], 2);
    run(&[&"aggregate", &HOME, &"-r", &"soon", &"-a", &list], 2);
    run(&[&"aggregate", &"-a", &list], 2);
}
