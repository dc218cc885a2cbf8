//! What may not be shown is not shown, whoever asks and however.

use crate::archive::{Saved, TIME};
use crate::asking::{Answer, Running};
use std::time::{Duration, Instant};

const OPEN: &str = "https://h.test/open";
const BLOCKED: &str = "https://h.test/blocked";
const EXCLUDED: &str = "https://h.test/excluded";

const RULES: &str = "test,h)/blocked - {\"access\": \"block\"}\n\
                     test,h)/excluded - {\"access\": \"exclude\"}\n\
                     test,h)/year 2026 {\"access\": \"block\"}\n";

fn archive() -> Running {
    let saved = [
        Saved::page(OPEN, "<img src=/blocked.png><a href=/excluded>x</a>"),
        Saved::page(BLOCKED, "blocked text"),
        Saved::page(EXCLUDED, "excluded text"),
        Saved::new("https://h.test/blocked.png", "image/png", "blocked text"),
        Saved::page("https://h.test/year", "old text").at("20200101000000"),
        Saved::page("https://h.test/year", "new text"),
    ];
    Running::within(&saved, RULES)
}

/// Whether an answer gives anything away of what may not be shown.
fn tells(answer: &Answer) -> bool {
    let text = answer.text();
    ["blocked", "excluded"]
        .iter()
        .any(|word| text.contains(word))
}

#[test]
fn mementos() {
    let running = archive();
    let status = |url: &str, time: &str| running.get_at(url, time, "document").status;
    assert_eq!(status(OPEN, TIME), 200);
    assert_eq!(status(BLOCKED, TIME), 451);
    assert_eq!(status(EXCLUDED, TIME), 404);
    let raw = running.url(BLOCKED, TIME).replace("mp_/", "id_/");
    assert_eq!(running.send("GET", &raw, "", "").status, 451);
    let part = running.get("https://h.test/blocked.png", "image");
    assert_eq!(
        (part.status, part.text().contains("blocked text")),
        (451, false)
    );
}

#[test]
fn a_capture_of_another_time_is_found_instead() {
    let running = archive();
    let year = running.get_at("https://h.test/year", TIME, "");
    assert!(year.text().contains("old text"), "{}", year.text());
    assert_eq!(
        year.header("memento-datetime"),
        "Wed, 01 Jan 2020 00:00:00 GMT"
    );
}

#[test]
fn interfaces() {
    let running = archive();
    for target in [
        "/cdx?url=h.test/*",
        "/cdx?url=*.h.test&sort=reverse",
        "/cdx/search/cdx?url=h.test/*",
        "/cdx/search/cdx?url=h.test&matchType=host&output=json",
        "/",
    ] {
        let answer = running.own(target);
        assert_eq!((answer.status, tells(&answer)), (200, false), "{target}");
    }
    let nothing = running.own("/cdx?url=h.test/blocked");
    assert_eq!((nothing.status, nothing.text().as_str()), (200, ""));
    for (url, expected) in [(BLOCKED, 451), (EXCLUDED, 404), (OPEN, 200)] {
        let map = running.own(&format!("/timemap/link/{url}"));
        assert_eq!(map.status, expected, "the TimeMap of {url}");
        let gate = running.own(&format!("/timegate/{url}"));
        let expected = if expected == 200 { 302 } else { expected };
        assert_eq!(gate.status, expected, "the TimeGate of {url}");
        let framed = running.own(&format!("/web/{TIME}/{url}"));
        assert_eq!(framed.status == 200, url == OPEN, "the page of {url}");
    }
    let available = running.own("/wayback/available?url=h.test/blocked").text();
    assert!(
        available.contains("\"archived_snapshots\":{}"),
        "{available}"
    );
    let listed = running.own("/web/*/https://h.test/*");
    assert!(
        !listed.text().contains("/web/*/https://h.test/blocked"),
        "{}",
        listed.text()
    );
}

#[test]
fn downloads() {
    let running = archive();
    for (target, expected) in [
        (format!("/record/{TIME}/{OPEN}"), 200),
        (format!("/record/{TIME}/{BLOCKED}"), 451),
        (format!("/record/{TIME}/{EXCLUDED}"), 404),
    ] {
        assert_eq!(running.own(&target).status, expected, "{target}");
    }
    let name = running.dir.path().file_name().unwrap();
    let name = name.to_str().unwrap().trim_start_matches('.');
    let listed = running.own("/collections.json").text();
    assert_eq!(listed, "{\"collections\":[]}\n");
    for name in [name.to_owned(), format!(".{name}")] {
        for file in [format!("{name}.wacz"), "files.json".to_owned()] {
            let answer = running.own(&format!("/collections/{name}/{file}"));
            assert!(
                matches!(answer.status, 403 | 404),
                "{file}: {}",
                answer.status
            );
        }
    }
}

#[test]
fn pages_about_it() {
    let running = archive();
    for page in [
        "record-view",
        "compare/20200101000000",
        "thumbnail",
        "picture",
        "beside",
    ] {
        for url in [BLOCKED, EXCLUDED] {
            let answer = running.own(&format!("/{page}/{TIME}/{url}"));
            let text = answer.text();
            assert!(
                !text.contains("blocked text") && !text.contains("excluded text"),
                "{page}"
            );
            assert_ne!(answer.status, 200, "{page} {url}: {text}");
        }
    }
}

#[test]
fn a_takedown_holds_within_moments_and_mistakes_in_it_close_nothing_else() {
    let running = archive();
    let list = running.dir.path().join("access.aclj");
    let until = |what: &str, holds: &dyn Fn() -> bool| {
        let begun = Instant::now();
        while !holds() {
            assert!(begun.elapsed() < Duration::from_secs(20), "{what}");
            std::thread::sleep(Duration::from_millis(50));
        }
    };
    assert_eq!(running.get(OPEN, "document").status, 200);
    let more = format!("{RULES}test,h)/open - {{\"access\": \"block\"}}\n");
    std::fs::write(&list, more).unwrap();
    until("the new rule holds", &|| {
        running.get(OPEN, "document").status == 451
    });
    std::fs::write(&list, "no rule").unwrap();
    until("the mistake is told", &|| {
        running.own("/healthz").status == 503
    });
    let told = running.own("/healthz").text();
    assert!(told.contains("access.aclj: line 1"), "{told}");
    assert_eq!(running.get(OPEN, "document").status, 451);
    std::fs::write(&list, RULES).unwrap();
    until("it is open again", &|| {
        running.get(OPEN, "document").status == 200
    });
    assert_eq!(running.own("/healthz").status, 200);
}

#[test]
fn what_repeats_something_withheld_still_has_its_payload() {
    let saved = [
        Saved::page(BLOCKED, "the same text").at("20200101000000"),
        Saved::page(OPEN, "the same text"),
    ];
    let running = Running::within(&saved, RULES);
    assert!(
        running
            .get(OPEN, "document")
            .text()
            .contains("the same text")
    );
}
