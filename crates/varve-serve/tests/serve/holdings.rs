//! The archive publishes what it holds, as a MementoMap that is never out of date.

use crate::archive::{Saved, TIME, add_crawl, add_layer};
use crate::asking::{Answer, In, Running, answer, raw};
use std::time::{Duration, Instant};
use tempfile::TempDir;

const MAP: &str = "/.well-known/mementomap";
const OPEN: &str = "https://h.test/open";

/// The lines of a map, without its headers.
fn lines(map: &Answer) -> Vec<String> {
    let text = map.text();
    let lines = text.lines().filter(|line| !line.starts_with('!'));
    lines.map(str::to_owned).collect()
}

fn ask(running: &Running, method: &str, fields: &str) -> Answer {
    let host = running.ui();
    let head = format!("{method} {MAP} HTTP/1.1\r\nHost: {host}\r\n{fields}");
    let request = format!("{head}Connection: close\r\n\r\n");
    answer(&raw(host, request.as_bytes())).unwrap()
}

/// Asks for the map until it is as expected.
fn until(running: &Running, expected: &[&str]) {
    let begun = Instant::now();
    loop {
        let told = lines(&running.own(MAP));
        if told == expected {
            return;
        }
        assert!(begun.elapsed() < Duration::from_secs(20), "{told:?}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn a_map_tells_what_is_held() {
    let first = [
        Saved::page("https://h.test/", "one").at("20200101000000"),
        Saved::page("https://h.test/a?b=1", "two"),
        Saved::page("https://h.test/a?b=2", "three"),
    ];
    let second = [Saved::page("https://www.h.test/", "four")];
    let running = Running::new(&[&first, &second], In::Host);
    let map = running.own(MAP);
    assert_eq!(map.status, 200);
    assert_eq!(map.header("content-type"), "text/plain; charset=utf-8");
    assert_eq!(map.header("content-disposition"), "");
    let origin = running.ui();
    let text = map.text();
    assert!(
        text.starts_with("!context [") && text.contains("\"type\":\"MementoMap\""),
        "{text}"
    );
    let id = format!("!id {{\"uri\":\"http://{origin}/\"}}");
    assert!(text.lines().any(|line| line == id), "{text}");
    assert_eq!(lines(&map), ["test,h) 2", "test,h)/a 2"]);
}

#[test]
fn an_empty_archive_holds_nothing() {
    let running = Running::new(&[&[]], In::Host);
    let map = running.own(MAP);
    assert_eq!((map.status, lines(&map).len()), (200, 0));
}

#[test]
fn records_of_our_own_are_not_in_it() {
    let dir = TempDir::new().unwrap();
    let pictures: [(&str, &[u8]); 2] = [
        ("urn:thumbnail:https://h.test/(open)", b"picture"),
        ("urn:text:https://h.test/open", b"text"),
    ];
    add_crawl(dir.path(), &[Saved::page(OPEN, "x")], &[], &pictures);
    let running = Running::over(dir, In::Host);
    assert_eq!(lines(&running.own(MAP)), ["test,h)/open 1"]);
}

#[test]
fn what_may_not_be_shown_is_neither_named_nor_counted() {
    let saved = [
        Saved::page(OPEN, "open"),
        Saved::page("https://h.test/blocked", "blocked"),
        Saved::page("https://h.test/excluded", "excluded"),
        Saved::page("https://h.test/year", "old").at("20200101000000"),
        Saved::page("https://h.test/year", "new"),
    ];
    let rules = "test,h)/blocked - {\"access\": \"block\"}\n\
                 test,h)/excluded - {\"access\": \"exclude\"}\n\
                 test,h)/year 2026 {\"access\": \"block\"}\n";
    let running = Running::within(&saved, rules);
    until(&running, &["test,h)/open 1", "test,h)/year 1"]);
    let list = running.dir.path().join("access.aclj");
    std::fs::write(&list, "test,h)/open - {\"access\": \"block\"}\n").unwrap();
    let all = ["test,h)/blocked 1", "test,h)/excluded 1", "test,h)/year 2"];
    until(&running, &all);
}

#[test]
fn a_new_layer_is_in_the_next_map() {
    let running = Running::host(&[Saved::page(OPEN, "open")]);
    let before = running.own(MAP);
    assert_eq!(lines(&before), ["test,h)/open 1"]);
    add_layer(
        running.dir.path(),
        &[
            Saved::page(OPEN, "again").at("20270101000000"),
            Saved::page("https://new.test/", "new"),
        ],
    );
    until(&running, &["test,h)/open 2", "test,new) 1"]);
    assert_ne!(running.own(MAP).header("etag"), before.header("etag"));
}

#[test]
fn who_has_it_is_told_so() {
    let running = Running::host(&[Saved::page(OPEN, "open")]);
    let map = running.own(MAP);
    let (tag, date) = (map.header("etag"), map.header("last-modified"));
    for fields in [
        format!("If-None-Match: {tag}\r\n"),
        format!("If-Modified-Since: {date}\r\n"),
        format!(
            "If-None-Match: {tag}\r\nIf-Modified-Since: {}\r\n",
            "Thu, 01 Jan 1970 00:00:00 GMT"
        ),
    ] {
        let again = ask(&running, "GET", &fields);
        assert_eq!((again.status, again.body.len()), (304, 0), "{fields}");
        assert_eq!(again.header("etag"), tag);
    }
    for fields in [
        format!("If-None-Match: \"other\"\r\nIf-Modified-Since: {date}\r\n"),
        "If-Modified-Since: Thu, 01 Jan 1970 00:00:00 GMT\r\n".to_owned(),
    ] {
        assert_eq!(ask(&running, "GET", &fields).status, 200, "{fields}");
    }
}

#[test]
fn after_a_restart_it_is_the_same() {
    let running = Running::host(&[Saved::page(OPEN, "open")]);
    // It names the archive by its address, which is another one then.
    let map = |running: &Running| {
        let address = running.ui().to_string();
        running.own(MAP).text().replace(&address, "here")
    };
    let before = map(&running);
    let again = Running::over(running.stop(), In::Host);
    assert_eq!(map(&again), before);
}

#[test]
fn its_head_can_be_asked_for_and_nothing_written() {
    let running = Running::host(&[Saved::page(OPEN, "open")]);
    let (map, head) = (running.own(MAP), ask(&running, "HEAD", ""));
    assert_eq!((head.status, head.body.len()), (200, 0));
    for name in ["etag", "content-length", "content-type", "last-modified"] {
        assert_eq!(head.header(name), map.header(name), "{name}");
    }
    assert_eq!(map.header("content-length"), map.body.len().to_string());
    for method in ["POST", "PUT", "DELETE"] {
        assert_eq!(ask(&running, method, "").status, 405, "{method}");
    }
}

#[test]
fn answers_of_memento_say_where_it_is() {
    let running = Running::path(&[Saved::page(OPEN, "open")]);
    let link = format!("<http://{}{MAP}>; rel=\"mementomap\"", running.ui());
    for target in [
        format!("/timemap/link/{OPEN}"),
        format!("/timemap/json/{OPEN}"),
        format!("/web/timemap/cdxj/{OPEN}"),
        format!("/timegate/{OPEN}"),
        "/timegate/https://h.test/none".to_owned(),
    ] {
        let told = running.own(&target);
        assert!(
            told.header("link").ends_with(&link),
            "{target}: {:?}",
            told.headers
        );
    }
    let memento = running.get_at(OPEN, TIME, "document");
    assert!(memento.header("link").contains(&link));
}
