//! A site that links to its folders with and without a slash, and answers the one with the other.

use crate::support::server::{Asked, send, server};
use crate::support::stage::{assert_sound, words_of};
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::process::Command;
use std::sync::{Arc, Mutex};

/// Each has a page `/NAME/`. Of the last one no page knows the whole name.
const FOLDERS: [&str; 5] = ["one", "two", "three", "four", "hidden"];

type Paths = Arc<Mutex<Vec<String>>>;

fn start() -> (SocketAddr, Paths) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let asked = Paths::default();
    let log = asked.clone();
    // It ends with the tests.
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let log = log.clone();
            std::thread::spawn(move || answer(stream, &log));
        }
    });
    (address, asked)
}

fn answer(stream: TcpStream, asked: &Paths) -> std::io::Result<()> {
    let mut lines = BufReader::new(&stream).lines();
    let first = lines.next().unwrap_or_else(|| Ok(String::new()))?;
    let path = first.split(' ').nth(1).unwrap_or_default().to_owned();
    for line in lines {
        if line?.is_empty() {
            break;
        }
    }
    asked.lock().unwrap().push(path.clone());
    let reply = match path.ends_with('/') {
        true => {
            let body = page(&path);
            let length = body.len();
            format!(
                "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}"
            )
        }
        false => format!(
            "HTTP/1.1 301 Moved\r\nLocation: {path}/\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
        ),
    };
    (&stream).write_all(reply.as_bytes())
}

fn page(path: &str) -> String {
    let mut page = format!("<!doctype html><title>{path}</title>");
    for name in FOLDERS {
        page.push_str(&format!("<a href=/{name}>{name}</a>"));
        if name != "hidden" {
            page.push_str(&format!("<a href=/{name}/>{name}</a>"));
        }
    }
    page
}

/// Crawls the site from this path and gives the summary, and how often each path was asked for.
fn crawl(seed: &str, workers: &str) -> (serde_json::Value, BTreeMap<String, usize>) {
    let (address, asked) = start();
    let dir = tempfile::tempdir().unwrap();
    let archive = dir.path().join("archive");
    let output = Command::new(env!("CARGO_BIN_EXE_varve"))
        .args(["crawl", &format!("http://folders.example{seed}")])
        .args(["--tier", "http", "--delay", "0", "--scope", "host"])
        .args(["--ignore-robots", "--no-sitemaps", "--json"])
        .args(["--workers", workers, "--map-host"])
        .arg(format!("*={address}"))
        .args(["--allow-net", "127.0.0.0/8", "-c"])
        .arg(&archive)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", words_of(&output));
    assert_sound(&archive);
    let mut times = BTreeMap::new();
    for path in asked.lock().unwrap().iter() {
        *times.entry(path.clone()).or_default() += 1;
    }
    let summary = serde_json::from_slice(&output.stdout).unwrap();
    (summary, times)
}

#[test]
fn a_page_that_redirects_lead_to_is_fetched_once() {
    for workers in ["1", "8"] {
        let (summary, asked) = crawl("/", workers);
        let once = FOLDERS
            .iter()
            .flat_map(|name| [format!("/{name}"), format!("/{name}/")]);
        let once: BTreeMap<String, usize> =
            once.chain(["/".into()]).map(|path| (path, 1)).collect();
        assert_eq!(asked, once);
        assert_eq!(summary["saved"], 1 + FOLDERS.len(), "{summary}");
        let account = &summary["account"];
        assert_eq!(account["requested"], once.len(), "{summary}");
        assert_eq!(account["recorded"]["count"], once.len(), "{summary}");
    }
}

#[test]
fn a_seed_is_followed_wherever_it_redirects_to() {
    let (summary, asked) = crawl("/one", "1");
    assert_eq!(asked["/one/"], 1);
    assert_eq!(summary["saved"], FOLDERS.len(), "{summary}");
}

/// A site that keeps crawlers out of a folder, and has redirects into it.
fn secluded(asked: &Asked, stream: &mut TcpStream, log: &Mutex<Vec<String>>) {
    log.lock().unwrap().push(asked.path.clone());
    let page = |body: &str| {
        let length = body.len();
        format!(
            "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}"
        )
    };
    let reply = match asked.path.as_str() {
        "/robots.txt" => page("User-agent: *\nDisallow: /secluded/\n").replace("text/html", "text/plain"),
        "/go" => "HTTP/1.1 302 Found\r\nLocation: /secluded/a\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".into(),
        "/soon" => page("<meta http-equiv=refresh content='0;url=/secluded/b'><script>1</script>"),
        _ => page("<!doctype html><a href=/go>go</a> <a href=/soon>soon</a> <a href=/other>other</a>"),
    };
    send(stream, &reply);
}

#[test]
fn redirects_lead_nowhere_that_robots_are_kept_from() {
    for seeds in [&["/"][..], &["/go", "/other"]] {
        let log: Arc<Mutex<Vec<String>>> = Arc::default();
        let asked = log.clone();
        let port = server(move |asked, stream| secluded(asked, stream, &log));
        let dir = tempfile::tempdir().unwrap();
        let output = Command::new(env!("CARGO_BIN_EXE_varve"))
            .arg("crawl")
            .args(
                seeds
                    .iter()
                    .map(|path| format!("http://garden.example{path}")),
            )
            .args(["--delay", "0", "--scope", "host", "--no-sitemaps"])
            .arg("--map-host")
            .arg(format!("*=127.0.0.1:{port}"))
            .args(["--allow-net", "127.0.0.0/8", "-c"])
            .arg(dir.path().join("archive"))
            .output()
            .unwrap();
        let asked = asked.lock().unwrap();
        let secluded = asked.iter().filter(|path| path.starts_with("/secluded"));
        assert_eq!(secluded.count(), 0, "{asked:?}");
        for path in ["/go", "/other"] {
            assert!(asked.iter().any(|it| it == path), "{path}: {asked:?}");
        }
        let told = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(told.contains("robots."), "{told} {}", words_of(&output));
    }
}
