//! Scripts of third parties that cannot work in an archive are not asked for, in either tier.

use crate::support::server::{Asked, send, server};
use crate::support::stage::words_of;
use serde_json::Value;
use std::collections::BTreeSet;
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::Command;
use std::sync::{Arc, Mutex};

const PAGE: &str = "<!doctype html><title>paper</title>\
    <script src=http://counter.yadro.ru/hit.js></script>\
    <script src=http://static.paper.example/matomo.js></script>\
    <script src=http://cdn.other.example/lib.js></script>\
    <img src=http://counter.yadro.ru/pixel.gif>";
/// Only a browser finds out about the script that this one adds.
const LIBRARY: &str = "const it = document.createElement('script');\
    it.src = 'http://counter.rambler.ru/late.js'; document.head.append(it);";

/// A page that does not do without the counter.
const NEEDY: &str = "<!doctype html><title>needy</title>\
    <script src=http://counter.yadro.ru/hit.js></script>\
    <script>hit(); document.title = 'counted'</script>";
const HIT: &str = "counter.yadro.ru/hit.js";

struct Paper {
    port: u16,
    asked: Arc<Mutex<BTreeSet<String>>>,
    dir: tempfile::TempDir,
}

impl Paper {
    fn start() -> Paper {
        let asked = Arc::new(Mutex::new(BTreeSet::new()));
        let log = asked.clone();
        Paper {
            port: server(move |asked, stream| answer(asked, stream, &log)),
            asked,
            dir: tempfile::tempdir().unwrap(),
        }
    }

    fn archive(&self) -> PathBuf {
        self.dir.path().join("archive")
    }

    #[track_caller]
    fn crawl(&self, words: &[&str]) -> Value {
        self.crawl_page("http://paper.example/", words)
    }

    #[track_caller]
    fn crawl_page(&self, page: &str, words: &[&str]) -> Value {
        let output = Command::new(env!("CARGO_BIN_EXE_varve"))
            .args(["crawl", page, "--scope", "page"])
            .args(["--ignore-robots", "--no-sitemaps", "--json", "--map-host"])
            .arg(format!("*=127.0.0.1:{}", self.port))
            .args(["--allow-net", "127.0.0.0/8", "-c"])
            .arg(self.archive())
            .args(words)
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(0), "{}", words_of(&output));
        serde_json::from_slice(&output.stdout).unwrap()
    }

    /// What was asked for since the last time, of those that matter here.
    fn asked(&self) -> Vec<String> {
        let asked = std::mem::take(&mut *self.asked.lock().unwrap());
        asked
            .into_iter()
            .filter(|url| !url.ends_with(".ico"))
            .collect()
    }

    /// The URLs that were not asked for by a rule, with what the log says.
    fn left_out(&self) -> Vec<(String, String)> {
        let layers = std::fs::read_dir(self.archive().join("layers")).unwrap();
        let layer = layers.flatten().next().unwrap().path();
        let log = std::fs::read_to_string(layer.join("logs/crawl.jsonl")).unwrap();
        let lines = log
            .lines()
            .map(|line| serde_json::from_str::<Value>(line).unwrap());
        let left_out = lines.filter(|line| line["reason"] == "blocked.filter");
        let mut left_out: Vec<_> = left_out
            .map(|line| {
                let word = |name: &str| line[name].as_str().unwrap().to_owned();
                assert_eq!(word("page"), "http://paper.example/");
                (word("url"), word("message"))
            })
            .collect();
        left_out.sort();
        left_out
    }
}

fn answer(asked: &Asked, stream: &mut TcpStream, log: &Mutex<BTreeSet<String>>) {
    let host = asked.field("host");
    let url = format!("{host}{}", asked.path);
    let (kind, body) = match url.as_str() {
        "paper.example/" => ("text/html", PAGE),
        "paper.example/needy" => ("text/html", NEEDY),
        "cdn.other.example/lib.js" => ("text/javascript", LIBRARY),
        "counter.yadro.ru/hit.js" => ("text/javascript", "function hit() {}"),
        _ if url.ends_with(".js") => ("text/javascript", "0"),
        _ => ("image/gif", "GIF89a"),
    };
    log.lock().unwrap().insert(url);
    let length = body.len();
    let fields = format!("Content-Type: {kind}\r\nContent-Length: {length}\r\nConnection: close");
    send(
        stream,
        &format!("HTTP/1.1 200 OK\r\n{fields}\r\n\r\n{body}"),
    );
}

const KEPT: [&str; 4] = [
    "cdn.other.example/lib.js",
    "counter.yadro.ru/pixel.gif",
    "paper.example/",
    "static.paper.example/matomo.js",
];

#[test]
fn without_a_browser() {
    let paper = Paper::start();
    let summary = paper.crawl(&["--tier", "http"]);
    assert_eq!(paper.asked(), KEPT);
    assert_eq!(summary["account"]["by_reason"]["blocked.filter"], 1);
    let left_out = paper.left_out();
    assert_eq!(left_out[0].0, "http://counter.yadro.ru/hit.js");
    // Which of several lists, is not of interest here.
    assert!(
        left_out[0].1.contains("by the rule ||counter.yadro.ru^"),
        "{left_out:?}"
    );
}

#[test]
fn in_the_browser() {
    let paper = Paper::start();
    let summary = paper.crawl(&["--tier", "browser"]);
    assert_eq!(paper.asked(), KEPT);
    assert_eq!(summary["account"]["by_reason"]["blocked.filter"], 2);
    let left_out: Vec<String> = paper.left_out().into_iter().map(|(url, _)| url).collect();
    let expected = [
        "http://counter.rambler.ru/late.js",
        "http://counter.yadro.ru/hit.js",
    ];
    assert_eq!(left_out, expected);
}

#[test]
fn everything_is_asked_for_if_wanted() {
    let paper = Paper::start();
    let summary = paper.crawl(&["--tier", "browser", "--no-filter"]);
    let asked = paper.asked();
    for url in ["counter.yadro.ru/hit.js", "counter.rambler.ru/late.js"] {
        assert!(asked.iter().any(|known| known == url), "{asked:?}");
    }
    assert_eq!(summary["account"]["by_reason"].get("blocked.filter"), None);
}

#[test]
fn a_page_that_needs_what_is_left_out_gets_it_after_a_sample() {
    let paper = Paper::start();
    let crawl = |words: &[&str]| {
        let words = [&["--tier", "browser"], words].concat();
        paper.crawl_page("http://paper.example/needy", &words);
        paper.asked().iter().any(|url| url == HIT)
    };
    assert!(!crawl(&[]), "there is nothing yet to compare with");
    assert!(!crawl(&["--sample", "0"]));
    assert!(crawl(&["--sample", "1"]));
    // From now on it is visited without the filter.
    assert!(crawl(&[]));
    // A page that does without is a sample as well, and stays filtered.
    assert!(!paper.crawl(&["--tier", "browser"])["saved"].is_null());
    paper.crawl(&["--tier", "browser", "--sample", "1"]);
    paper.asked();
    paper.crawl(&["--tier", "browser"]);
    assert!(!paper.asked().iter().any(|url| url == HIT));
}

#[test]
fn a_list_of_ones_own_counts_too_and_can_except() {
    let paper = Paper::start();
    let list = paper.dir.path().join("mine.txt");
    std::fs::write(&list, "||other.example^\n@@||counter.yadro.ru^\n").unwrap();
    paper.crawl(&["--tier", "http", "--filter", list.to_str().unwrap()]);
    let expected = [
        "counter.yadro.ru/hit.js",
        "counter.yadro.ru/pixel.gif",
        "paper.example/",
        "static.paper.example/matomo.js",
    ];
    assert_eq!(paper.asked(), expected);
}
