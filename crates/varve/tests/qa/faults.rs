//! Known faults, each in the archive of a page of its own: all are found for what they are, and no
//! other page is accused.

use crate::damage::{Change, copy};
use crate::site::{HARMED, UNHARMED, capture, capture_with, image, page_url};
use crate::{accusations, qa, report_of};
use serde_json::Value;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::LazyLock;
use tempfile::TempDir;

/// The site as it was captured, and its copy with all faults.
struct Archives {
    dir: TempDir,
}

static ARCHIVES: LazyLock<Archives> = LazyLock::new(|| {
    let archives = Archives {
        dir: tempfile::tempdir().unwrap(),
    };
    capture(&archives.sound());
    let changes: Vec<(String, Change)> = faults()
        .into_iter()
        .map(|fault| {
            (
                format!("{}{}", page_url(fault.page), fault.file),
                fault.change,
            )
        })
        .collect();
    copy(&archives.sound(), &archives.faulty(), &changes);
    archives
});

impl Archives {
    fn sound(&self) -> PathBuf {
        self.dir.path().join("sound")
    }

    fn faulty(&self) -> PathBuf {
        self.dir.path().join("faulty")
    }

    fn report(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }
}

/// Something that is wrong with a page, and what must be found.
struct Fault {
    page: &'static str,
    file: &'static str,
    change: Change,
    found: &'static str,
}

fn fault(page: &'static str, file: &'static str, change: Change, found: &'static str) -> Fault {
    Fault {
        page,
        file,
        change,
        found,
    }
}

/// Another script.
fn script(source: &str) -> Change {
    // What it did before it still does, so that only this is wrong.
    let said = "said.textContent = 'said by a script: ' + location.pathname.split('/')[1];";
    let source = format!("{said}\n{source}");
    Change::Replaced(200, "text/javascript", source)
}

fn faults() -> Vec<Fault> {
    use Change::{Damaged, LeftOut, Replaced};
    let other = |kind, body: &str| Replaced(200, kind, body.to_owned());
    let style = |body| other("text/css", body);
    let html = |body| other("text/html", body);
    vec![
        fault("image-gone", "own.svg", LeftOut, "missing"),
        fault(
            "image-other",
            "own.svg",
            other("image/svg+xml", &image("crimson")),
            "picture",
        ),
        fault(
            "image-cut",
            "own.svg",
            other("image/svg+xml", &image("teal")[..70]),
            "picture",
        ),
        fault("image-damaged", "own.svg", Damaged, "failed"),
        fault("script-gone", "own.js", LeftOut, "missing"),
        fault(
            "script-other",
            "own.js",
            other("text/javascript", "said.textContent = 'other words'"),
            "text",
        ),
        fault(
            "script-throws",
            "own.js",
            script("nowhere.to.be.found()"),
            "console",
        ),
        fault(
            "script-asks",
            "own.js",
            script("fetch('/something/new.json').catch(() => {})"),
            "missing",
        ),
        fault("script-leaks", "own.js", script(LEAK), "leaked"),
        fault(
            "script-leaves",
            "own.js",
            script("location.href = '/plain/'"),
            "page",
        ),
        fault("style-gone", "own.css", LeftOut, "missing"),
        fault(
            "style-other",
            "own.css",
            style("#shown { color: crimson; font-size: 40px }"),
            "picture",
        ),
        fault(
            "style-hides",
            "own.css",
            style("#shown { display: none }"),
            "text",
        ),
        fault("font-gone", "own.woff2", LeftOut, "missing"),
        fault(
            "font-other",
            "own.woff2",
            other("font/woff2", "no font"),
            "picture",
        ),
        fault("frame-gone", "own.html", LeftOut, "missing"),
        fault("frame-other", "own.html", html("<p>another frame"), "text"),
        fault("answer-gone", "own.json", LeftOut, "missing"),
        fault(
            "answer-other",
            "own.json",
            other("application/json", r#"{"words": "another answer"}"#),
            "text",
        ),
        fault(
            "answer-refused",
            "own.json",
            Replaced(500, "application/json", r#"{"words": ""}"#.to_owned()),
            "failed",
        ),
        fault(
            "text-other",
            "",
            html(
                "<!doctype html><meta charset=utf-8><title>text-other</title><h1>text-other</h1>\
                 <p>These words changed.</p><p>And this stays.</p>",
            ),
            "text",
        ),
        fault("page-gone", "", LeftOut, "page"),
        fault("page-damaged", "", Damaged, "page"),
    ]
}

/// Asks for something outside in a document that no script of replay has seen.
pub(crate) const LEAK: &str = "const frame = document.createElement('iframe'); document.body.append(frame);\
    frame.contentWindow.setTimeout(\"self['locatio' + 'n'] = 'http://outside.test/leak'\", 0)";

fn page<'a>(report: &'a Value, name: &str) -> &'a Value {
    let pages = report["pages"].as_array().unwrap();
    let mut named = pages
        .iter()
        .filter(|page| page["url"] == page_url(name).as_str());
    named.next().unwrap()
}

/// The report of the whole faulty archive.
static REPORT: LazyLock<Value> = LazyLock::new(|| {
    let report = ARCHIVES.report("faults");
    report_of(
        &qa(&ARCHIVES.faulty(), &report, &["--all", "--workers", "4"]),
        5,
    )
});

#[test]
fn every_fault_is_found_for_what_it_is() {
    let faults = faults();
    assert_eq!(faults.len(), HARMED.len());
    let mut wrong = Vec::new();
    for fault in faults {
        let page = page(&REPORT, fault.page);
        let findings = page["findings"].as_array().unwrap();
        let found = findings
            .iter()
            .any(|finding| finding["kind"] == fault.found);
        if !found || page["verdict"] != "bad" {
            wrong.push(format!("{}, not {}: {page}", fault.page, fault.found));
        }
    }
    assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn no_page_beside_them_is_accused() {
    for (name, ..) in UNHARMED {
        let page = page(&REPORT, name);
        assert_eq!(page["findings"], serde_json::json!([]), "{page}");
        assert_eq!(page["verdict"], "good");
    }
}

#[test]
fn findings_name_what_is_missing() {
    let findings = &page(&REPORT, "image-gone")["findings"];
    let missing = findings.as_array().unwrap().iter();
    let missing: Vec<&Value> = missing.filter(|it| it["kind"] == "missing").collect();
    assert_eq!(missing.len(), 1);
    assert_eq!(missing[0]["url"], "http://site.test/image-gone/own.svg");
    let what = missing[0]["what"].as_str().unwrap();
    assert!(what.contains("was answered at capture (200)"), "{what}");
}

#[test]
fn the_report_is_a_page_with_pictures_side_by_side() {
    let files = &page(&REPORT, "image-other")["picture"]["files"];
    let dir = ARCHIVES.report("faults");
    let html = std::fs::read_to_string(dir.join("index.html")).unwrap();
    for picture in ["capture", "replay", "difference"] {
        let name = files[picture].as_str().unwrap();
        assert!(html.contains(&format!("<img loading=\"lazy\" src=\"{name}\"")));
        let bytes = std::fs::read(dir.join(name)).unwrap();
        assert!(bytes.starts_with(b"\x89PNG"), "{name}");
    }
    let json = std::fs::read(dir.join("report.json")).unwrap();
    let json: Value = serde_json::from_slice(&json).unwrap();
    assert_eq!(json["summary"], REPORT["summary"]);
}

fn only<'a>(pattern: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    [&["--all", "--url", pattern], more].concat()
}

#[test]
fn thresholds_decide_what_is_good() {
    let check = |more: &[&str], code: i32| {
        let dir = tempfile::tempdir().unwrap();
        let words = only("*/image-other/", more);
        let report = report_of(&qa(&ARCHIVES.faulty(), dir.path(), &words), code);
        assert_eq!(accusations(&report).len(), 1, "told all the same");
    };
    check(&["--max-picture", "100"], 0);
    check(&["--max-picture", "0.01"], 5);
}

#[test]
fn a_sample_is_spread_over_the_collection() {
    let dir = tempfile::tempdir().unwrap();
    let words = ["--pages", "2", "--url", "*a*"];
    let report = report_of(&qa(&ARCHIVES.sound(), dir.path(), &words), 0);
    assert_eq!(report["summary"]["checked"], 2);
    assert!(report["summary"]["pages"].as_u64().unwrap() > 2);
}

#[test]
fn an_interrupted_check_reports_what_it_has() {
    let dir = tempfile::tempdir().unwrap();
    let mut child = Command::new(env!("CARGO_BIN_EXE_varve"))
        .args(["qa", "--json", "--all", "--workers", "1", "--report"])
        .args([dir.path(), &ARCHIVES.sound()])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
    assert!(lines.next().unwrap().unwrap().starts_with("good "));
    let id = child.id().to_string();
    let interrupt = Command::new("kill").args(["-INT", &id]).status().unwrap();
    assert!(interrupt.success());
    lines.for_each(drop);
    let report = report_of(&child.wait_with_output().unwrap(), 130);
    assert_eq!(report["summary"]["interrupted"], true);
    let checked = report["summary"]["checked"].as_u64().unwrap();
    assert!((1..5).contains(&checked), "{checked}");
}

#[test]
fn what_was_not_answered_over_http_is_not_missed() {
    let dir = tempfile::tempdir().unwrap();
    let (archive, report) = (dir.path().join("archive"), dir.path().join("report"));
    capture_with(&["lacks"], "http", &archive);
    let report = report_of(&qa(&archive, &report, &["--all"]), 0);
    assert_eq!(accusations(&report), [""; 0]);
    assert_eq!(report["summary"]["without_visit"], 1);
}

#[test]
fn words_that_make_no_sense_are_refused() {
    let check = |words: &[&str], dir: &Path, code: i32| {
        let output = qa(&ARCHIVES.sound(), dir, words);
        assert_eq!(output.status.code(), Some(code), "{words:?}");
    };
    let dir = tempfile::tempdir().unwrap();
    check(&["--max-picture", "101"], dir.path(), 2);
    check(&["--pages", "3", "--all"], dir.path(), 2);
    check(&["--url", "nothing like this"], dir.path(), 1);
    std::fs::write(dir.path().join("report.json"), "").unwrap();
    let others = tempfile::tempdir().unwrap();
    std::fs::write(others.path().join("mine.txt"), "").unwrap();
    check(&[], others.path(), 1);
    assert!(others.path().join("mine.txt").exists());
}
