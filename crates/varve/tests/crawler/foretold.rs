//! Sites whose pages are alike: a few are visited in Chromium, and the others lose nothing by
//! going without.

use crate::support::server::{Asked, send, server};
use crate::support::stage::words_of;
use serde_json::Value;
use std::collections::BTreeSet;
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::Command;
use std::sync::{Arc, Mutex};

const PAGES: usize = 30;

/// On every page it asks for an index; where there is a map, for tiles; everywhere for the data of
/// the page; and it shows pictures late.
const SCRIPT: &str = "fetch('/index.json'); fetch('/data/' + location.pathname.slice(1) + '.json');\
    if (document.querySelector('.map')) { const it = new Image(); it.src = '/tiles.png'; }\
    for (const it of document.querySelectorAll('[data-late]')) { it.src = it.dataset.late; }";

struct Nursery {
    port: u16,
    asked: Arc<Mutex<Vec<String>>>,
    dir: tempfile::TempDir,
}

impl Nursery {
    fn start(script: &'static str) -> Nursery {
        let asked = Arc::new(Mutex::new(Vec::new()));
        let log = asked.clone();
        Nursery {
            port: server(move |asked, stream| answer(asked, stream, &log, script)),
            asked,
            dir: tempfile::tempdir().unwrap(),
        }
    }

    fn archive(&self) -> PathBuf {
        self.dir.path().join("archive")
    }

    /// Crawls all pages; gives the summary, and what the server was asked for.
    #[track_caller]
    fn crawl(&self, words: &[&str]) -> (Value, BTreeSet<String>) {
        let output = Command::new(env!("CARGO_BIN_EXE_varve"))
            .args(["crawl", "http://nursery.example/p0", "--scope", "host"])
            .args(["--ignore-robots", "--no-sitemaps", "--json", "--map-host"])
            .arg(format!("*=127.0.0.1:{}", self.port))
            .args(["--allow-net", "127.0.0.0/8", "--delay", "0", "-c"])
            .arg(self.archive())
            .args(words)
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(0), "{}", words_of(&output));
        let asked = std::mem::take(&mut *self.asked.lock().unwrap());
        let asked = asked.into_iter().filter(|path| path != "/favicon.ico");
        (
            serde_json::from_slice(&output.stdout).unwrap(),
            asked.collect(),
        )
    }
}

fn answer(asked: &Asked, stream: &mut TcpStream, log: &Mutex<Vec<String>>, script: &str) {
    log.lock().unwrap().push(asked.path.clone());
    let (kind, body) = match asked.path.as_str() {
        "/app.js" => ("text/javascript", script.to_owned()),
        path if path.ends_with(".json") => ("application/json", format!("[\"{path}\"]")),
        path if path.ends_with(".png") => ("image/png", format!("picture {path}")),
        path if path.starts_with("/old") => ("text/html", moved(path)),
        path => ("text/html", page(path)),
    };
    let length = body.len();
    let fields = format!("Content-Type: {kind}\r\nContent-Length: {length}\r\nConnection: close");
    send(
        stream,
        &format!("HTTP/1.1 200 OK\r\n{fields}\r\n\r\n{body}"),
    );
}

/// A page that sends everybody on, in two ways.
fn moved(path: &str) -> String {
    let next = path.replace("/old", "/p");
    format!(
        "<!doctype html><meta http-equiv=refresh content='0; url={next}'><title>Moved</title>\
         <script>location.replace('{next}' + location.hash)</script>"
    )
}

/// Every third page has a map, every one its own late picture, and links to two more.
fn page(path: &str) -> String {
    let number: usize = path[2..].parse().unwrap_or(0);
    let map = match number % 3 {
        0 => "<div class=map></div>",
        _ => "",
    };
    let links: String = [2 * number + 1, 2 * number + 2]
        .iter()
        .filter(|next| **next < PAGES)
        .map(|next| format!("<a href=/p{next}>more</a>"))
        .collect();
    format!(
        "<!doctype html><title>Bed {number}</title>{map}<p>Bed number {number}, {links}</p>\
         <img data-late=/late-{number}.png><script src=/app.js></script>"
    )
}

/// What browsers ask for on all pages.
fn everything() -> BTreeSet<String> {
    let each = |n: usize| {
        [
            format!("/p{n}"),
            format!("/data/p{n}.json"),
            format!("/late-{n}.png"),
        ]
    };
    let common = ["/app.js", "/index.json", "/tiles.png"].map(str::to_owned);
    (0..PAGES).flat_map(each).chain(common).collect()
}

#[test]
fn most_pages_go_without_a_browser_and_lack_nothing() {
    let nursery = Nursery::start(SCRIPT);
    let (summary, asked) = nursery.crawl(&[]);
    assert_eq!(asked, everything());
    let tiers = &summary["tiers"];
    assert_eq!(summary["saved"], PAGES);
    assert!(tiers["foretold"].as_u64().unwrap() >= 15, "{tiers}");
    assert!(tiers["looked_at"].as_u64().unwrap() >= 3, "{tiers}");
    assert_eq!(tiers["recall"], 1.0, "{tiers}");
    // The next crawl begins with what this one learned.
    let (summary, asked) = nursery.crawl(&[]);
    assert_eq!(asked, everything());
    let again = &summary["tiers"];
    assert!(again["browser"].as_u64().unwrap() <= 1, "{again}");
}

#[test]
fn pages_that_lead_elsewhere_at_once_are_followed_without_a_browser() {
    let nursery = Nursery::start(SCRIPT);
    let old: Vec<String> = (20..PAGES).map(|n| format!("/old{n}")).collect();
    let seeds: Vec<String> = old
        .iter()
        .map(|path| format!("http://nursery.example{path}"))
        .collect();
    let seeds: Vec<&str> = seeds.iter().map(String::as_str).collect();
    let (summary, asked) = nursery.crawl(&seeds);
    assert_eq!(asked, everything().into_iter().chain(old).collect());
    let tiers = &summary["tiers"];
    // They are no reason for visits: those of the pages that they lead to are enough.
    assert!(tiers["browser"].as_u64().unwrap() <= 10, "{tiers}");
    assert_eq!(tiers["recall"], 1.0, "{tiers}");
}

#[test]
fn pages_whose_scripts_can_ask_for_nothing_need_no_browser() {
    let nursery = Nursery::start("window.layer = window.layer || []; layer.push(['seen', Date()])");
    let (summary, asked) = nursery.crawl(&[]);
    let pages = (0..PAGES).map(|number| format!("/p{number}"));
    assert_eq!(asked, pages.chain(["/app.js".to_owned()]).collect());
    let tiers = &summary["tiers"];
    assert_eq!(tiers["read"], PAGES, "{tiers}");
}

#[test]
fn what_no_other_page_tells_keeps_pages_in_the_browser() {
    // Nothing that a page shows has the name that it asks for.
    let nursery = Nursery::start(
        "let n = 7; for (const c of location.pathname) n = (n * 31 + c.charCodeAt(0)) % 99991;\
         fetch('/data/' + n + '.json')",
    );
    let (summary, asked) = nursery.crawl(&[]);
    let data = asked.iter().filter(|path| path.starts_with("/data/"));
    assert_eq!(data.count(), PAGES, "{:?}", summary["tiers"]);
}

#[test]
fn what_was_learned_can_be_read_and_forgotten() {
    let nursery = Nursery::start(SCRIPT);
    nursery.crawl(&[]);
    let memo = |words: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_varve"));
        command.arg("memo").arg(words[0]).arg(nursery.archive());
        let output = command.args(&words[1..]).output().unwrap();
        (
            output.status.code(),
            String::from_utf8(output.stdout).unwrap(),
        )
    };
    let (code, list) = memo(&["ls"]);
    assert_eq!(code, Some(0));
    assert!(list.starts_with("http://nursery.example: "), "{list}");
    let (_, told) = memo(&["show", "http://nursery.example"]);
    assert!(told.contains("made of what pages give"), "{told}");
    assert_eq!(memo(&["show", "http://other.example"]).0, Some(1));
    assert_eq!(memo(&["clear"]).0, Some(0));
    assert_eq!(memo(&["ls"]).1, "");
}
