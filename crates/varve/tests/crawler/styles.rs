//! Pages that share a style sheet, without a browser: what their rules ask for is fetched where it
//! counts, and what is in doubt on all of them once.

use crate::support::server::{Asked, send, server};
use crate::support::stage::words_of;
use std::collections::BTreeMap;
use std::net::TcpStream;
use std::process::Command;
use std::sync::{Arc, Mutex};

const PAGES: usize = 60;

/// Of a rule on every page, of one that counts on a late page alone, of one about nothing, and of
/// one about something that is never shown.
const SHEET: &str = "body{background:url(/all.png)} .rare{background:url(/rare.png)} \
    .gone{background:url(/gone.png)} .shut{display:none} .shut .deep{background:url(/deep.png)} \
    @font-face{font-family:F;src:url(/f.woff2)} @font-face{font-family:F;font-weight:700;src:url(/bold.woff2)} \
    p{font-family:F}";

type Count = Arc<Mutex<BTreeMap<String, usize>>>;

fn answer(asked: &Asked, stream: &mut TcpStream, count: &Count) {
    *count.lock().unwrap().entry(asked.path.clone()).or_default() += 1;
    let (kind, body) = match asked.path.as_str() {
        "/style.css" => ("text/css", SHEET.to_owned()),
        path if path.ends_with(".png") => ("image/png", "picture".to_owned()),
        path if path.ends_with(".woff2") => ("font/woff2", "letters".to_owned()),
        path => ("text/html", page(path[2..].parse().unwrap_or(0))),
    };
    let length = body.len();
    let fields = format!("Content-Type: {kind}\r\nContent-Length: {length}\r\nConnection: close");
    send(
        stream,
        &format!("HTTP/1.1 200 OK\r\n{fields}\r\n\r\n{body}"),
    );
}

fn page(number: usize) -> String {
    let own = match number {
        50 => "<p class=rare>Rare</p>",
        55 => "<p><b>Bold</b></p>",
        _ => "",
    };
    let next = number + 1;
    let link = match next < PAGES {
        true => format!("<a href=/p{next}>more</a>"),
        false => String::new(),
    };
    format!(
        "<!doctype html><link rel=stylesheet href=/style.css><link rel=icon href=data:,>\
         <p>{link}</p><div class=shut><i class=deep></i></div>{own}"
    )
}

#[test]
fn what_rules_ask_for_is_fetched_where_it_counts() {
    let count = Count::default();
    let log = count.clone();
    let port = server(move |asked, stream| answer(asked, stream, &log));
    let dir = tempfile::tempdir().unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_varve"))
        .args(["crawl", "http://styles.example/p0", "--scope", "host"])
        .args(["--tier", "http", "--ignore-robots", "--no-sitemaps"])
        .arg("--map-host")
        .arg(format!("*=127.0.0.1:{port}"))
        .args(["--allow-net", "127.0.0.0/8", "--delay", "0", "-c"])
        .arg(dir.path().join("archive"))
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", words_of(&output));
    let count = count.lock().unwrap();
    let times = |path: &str| count.get(path).copied().unwrap_or(0);
    let pages = count.keys().filter(|path| path.starts_with("/p"));
    assert_eq!(pages.count(), PAGES);
    for path in [
        "/style.css",
        "/all.png",
        "/rare.png",
        "/f.woff2",
        "/bold.woff2",
    ] {
        assert_eq!(times(path), 1, "{path}");
    }
    assert_eq!(times("/gone.png"), 0);
    // Nothing shows it, but to know that takes a closer look at every page.
    assert_eq!(times("/deep.png"), 1);
}
