//! What was not saved, and what stands in for it.

use crate::archive::{Saved, TIME};
use crate::asking::{BOTH, Running};

/// Asks for `asked` where `saved` were saved (each answering with its own URL) and compares the
/// rule and the saved URL.
#[track_caller]
fn check(saved: &[&str], asked: &str, purpose: &str, expected: Option<(&str, &str)>) {
    let all: Vec<Saved> = saved
        .iter()
        .map(|url| Saved::new(&format!("https://h{url}"), "text/plain", url))
        .collect();
    let running = Running::host(&all);
    let answer = running.get(&format!("https://h{asked}"), purpose);
    let found =
        (answer.status == 200).then(|| (answer.header("x-varve-match").to_owned(), answer.text()));
    let found = found
        .as_ref()
        .map(|(rule, text)| (rule.as_str(), text.as_str()));
    assert_eq!(found, expected, "{asked}");
}

#[test]
fn differences_that_come_with_every_visit() {
    check(
        &["/a?_=1700000000001"],
        "/a?_=1800000000002",
        "empty",
        Some(("query", "/a?_=1700000000001")),
    );
    check(
        &["/a?x=1"],
        "/a?x=1&utm_source=y",
        "empty",
        Some(("query", "/a?x=1")),
    );
    check(
        &["/a?r=0.123456789"],
        "/a?r=0.987654321",
        "image",
        Some(("query", "/a?r=0.123456789")),
    );
    check(
        &["/a"],
        "/a?cachebuster=123",
        "script",
        Some(("query", "/a")),
    );
}

#[test]
fn tokens_are_matched_by_similarity() {
    let near = "/a?s=0123456789abcdef0";
    check(
        &["/a?s=fedcba9876543210f", near],
        "/a?s=0123456789abcdef1",
        "empty",
        Some(("distance", near)),
    );
}

#[test]
fn files_are_themselves_whatever_their_version() {
    check(
        &["/a.js?v=1"],
        "/a.js?v=2",
        "script",
        Some(("query", "/a.js?v=1")),
    );
    check(
        &["/a.woff2"],
        "/a.woff2?h=abc",
        "font",
        Some(("query", "/a.woff2")),
    );
    check(
        &["/a.png?w=100"],
        "/a.png?w=200",
        "image",
        Some(("query", "/a.png?w=100")),
    );
}

#[test]
fn what_matters_is_never_mistaken() {
    for (saved, asked) in [
        ("/watch?v=dQw4w9WgXcQ", "/watch?v=abcdefghijk"),
        ("/a?id=1", "/a?id=2"),
        ("/a?page=1", "/a?page=2"),
        ("/a", "/a?page=2"),
        ("/a.jpg?id=17", "/a.jpg?id=18"),
        ("/a?q=cats", "/a?q=dogs"),
        ("/a?n=5", "/a?n=6"),
        ("/b", "/a"),
        ("/a/1", "/a/2"),
    ] {
        check(&[saved], asked, "empty", None);
    }
}

#[test]
fn documents_are_never_matched() {
    let saved = "/a?_=1700000000001";
    for purpose in ["document", ""] {
        check(&[saved], "/a?_=1800000000002", purpose, None);
    }
}

#[test]
fn in_frames_only_what_comes_with_every_visit_may_differ() {
    let saved = "/a?zone=1&_=1700000000001";
    let found = Some(("query", saved));
    check(&[saved], "/a?zone=1&_=1800000000002", "iframe", found);
    check(&[saved], "/a?zone=2&_=1700000000001", "iframe", None);
    let signed = "/a?sig=0123456789abcdef";
    check(&[signed], "/a?sig=fedcba9876543210", "iframe", None);
}

#[test]
fn where_there_are_several_an_unknown_parameter_is_not_ignored() {
    check(&["/a"], "/a?sort=up", "empty", Some(("query", "/a")));
    check(&["/a", "/a?view=list"], "/a?sort=up", "empty", None);
}

#[test]
fn the_nearest_in_time_of_equals() {
    let running = Running::host(&[
        Saved::new("https://h/a?_=1", "text/plain", "far").at("20260105000000"),
        Saved::new("https://h/a?_=2", "text/plain", "near").at(TIME),
    ]);
    assert_eq!(running.get("https://h/a?_=3", "empty").text(), "near");
}

#[test]
fn a_page_that_asks_again_gets_the_next_answer() {
    for place in BOTH {
        let polled = |second: u8| {
            let url = format!("https://h/poll?_=170000000000{second}");
            let saved = Saved::new(&url, "text/plain", format!("answer {second}"));
            saved.at(&format!("2026010100000{second}"))
        };
        let page = Saved::page("https://h/", "<!doctype html><p>x");
        let running = Running::new(&[&[page, polled(1), polled(2), polled(3)]], place);
        let from = running.url("https://h/", TIME);
        let ask = |moment: &str| {
            let url = running.url(&format!("https://h/poll?_={moment}"), TIME);
            let fields = format!("Sec-Fetch-Dest: empty\r\nReferer: {from}\r\n");
            running.send("GET", &url, &fields, "").text()
        };
        for _ in 0..2 {
            running.get("https://h/", "document");
            let answers = ["1900000000001", "1900000000002", "1900000000003"].map(&ask);
            assert_eq!(answers, ["answer 1", "answer 2", "answer 3"], "{place:?}");
        }
        // To a page that nobody opened all are the first.
        let elsewhere = Running::new(&[&[polled(1), polled(2)]], place);
        let ask = |moment: &str| elsewhere.get(&format!("https://h/poll?_={moment}"), "empty");
        assert_eq!(ask("1900000000001").text(), "answer 1");
        assert_eq!(ask("1900000000001").text(), "answer 1");
    }
}
