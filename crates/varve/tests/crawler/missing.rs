//! A site that says of everything that it is there (soft 404).

use crate::support::server::{html, server};
use crate::support::stage::words_of;
use serde_json::Value;
use std::process::Command;
use std::sync::{Arc, Mutex};

/// How many real pages the site has, the first one aside.
const REAL: usize = 5;

/// Real pages have words of their own. All others are sorry, and lead to two more of their kind.
fn page(path: &str) -> String {
    let link = |to: String| format!("<a href='{to}'>on</a> ");
    match path.strip_prefix("/real/").map(str::parse::<usize>) {
        _ if path == "/" => {
            let real: String = (1..=REAL).map(|n| link(format!("/real/{n}"))).collect();
            format!(
                "<p>The garden, where all plants grow that we know of</p>{real}<a href=/lost/x>"
            )
        }
        Some(Ok(number @ 1..=REAL)) => {
            let plant = ["rose", "iris", "fern", "moss", "reed"][number - 1];
            format!("<p>About the {plant}, how the {plant} grows, and what a {plant} needs</p>")
        }
        _ => {
            let sorry = "We are sorry, this page does not grow here any more";
            let more = link(format!("{path}y")) + &link(format!("{path}z"));
            format!("<p>{sorry}</p>{more}")
        }
    }
}

#[test]
fn a_site_is_asked_once_for_what_it_cannot_have() {
    check("http");
}

#[test]
fn in_chromium_too() {
    check("browser");
}

fn check(tier: &str) {
    let asked: Arc<Mutex<Vec<String>>> = Arc::default();
    let noted = asked.clone();
    let port = server(move |asked, stream| {
        noted.lock().unwrap().push(asked.path.clone());
        match asked.path.as_str() {
            "/robots.txt" => html(stream, "User-agent: *\nAllow: /"),
            path => html(stream, &page(path)),
        }
    });
    let dir = tempfile::tempdir().unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_varve"))
        .args(["crawl", "--tier", tier, "--delay", "0", "--json"])
        .args([
            "--no-sitemaps",
            "--allow-net",
            "127.0.0.0/8",
            "--workers",
            "1",
        ])
        .arg(format!("http://127.0.0.1:{port}/"))
        .arg("-c")
        .arg(dir.path())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", words_of(&output));
    let asked = asked.lock().unwrap();
    let probes = |path: &&String| path.ends_with(".html");
    let probe: Vec<&String> = asked.iter().filter(probes).collect();
    assert_eq!(probe.len(), 1, "{asked:?}");
    for real in 1..=REAL {
        assert!(asked.contains(&format!("/real/{real}")), "{asked:?}");
    }
    let lost = asked.iter().filter(|path| path.starts_with("/lost/"));
    assert!((3..20).contains(&lost.count()), "{asked:?}");
    let lines = log(dir.path());
    let with = |kind: &str, reason: &str| {
        let lines = lines.iter();
        let lines = lines.filter(|line| line["kind"] == kind && line["reason"] == reason);
        lines.map(path_of).collect::<Vec<_>>()
    };
    // What the site said is in the archive as an exchange, and is no page.
    assert_eq!(with("probe", "probe.soft404"), [probe[0].as_str()]);
    let missing = with("page", "ok.soft404");
    assert!(!missing.is_empty() && missing.iter().all(|path| path.starts_with("/lost/")));
    assert!(
        !with("page", "ok")
            .iter()
            .any(|path| path.ends_with(".html"))
    );
    let summary: Value = serde_json::from_slice(&output.stdout).unwrap();
    let saved = with("page", "ok").len() + missing.len();
    assert_eq!(summary["saved"], saved, "{summary}");
}

fn path_of(line: &Value) -> String {
    let url = url::Url::parse(line["url"].as_str().unwrap()).unwrap();
    url.path().to_owned()
}

/// The lines of the only layer's log.
fn log(archive: &std::path::Path) -> Vec<Value> {
    let layer = std::fs::read_dir(archive.join("layers")).unwrap().next();
    let log = layer.unwrap().unwrap().path().join("logs/crawl.jsonl");
    let text = std::fs::read_to_string(log).unwrap();
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}
