//! Which capture answers.

use crate::archive::{Saved, add_layer};
use crate::asking::{BOTH, In, Running};
use std::time::{Duration, Instant};

const JANUARY: &str = "20260101000000";
const MARCH: &str = "20260301000000";
const MAY: &str = "20260501000000";

fn style(url: &str, text: &str) -> Saved {
    Saved::new(url, "text/css", text)
}

#[test]
fn a_page_is_shown_at_the_time_of_its_capture() {
    for place in BOTH {
        let running = Running::new(
            &[
                &[Saved::page("http://h/", "january").at(JANUARY)],
                &[Saved::page("http://h/", "may").at(MAY)],
            ],
            place,
        );
        let answer = running.get_at("http://h/", "20260110000000", "document");
        assert_eq!(answer.status, 302);
        assert_eq!(answer.header("location"), running.url("http://h/", JANUARY));
        assert!(
            running
                .get_at("http://h/", MAY, "document")
                .text()
                .ends_with("may")
        );
        // In a frame it stays at the time of the page around it.
        let framed = running.get_at("http://h/", "20260110000000", "iframe");
        assert_eq!(
            (framed.status, framed.header("x-varve-drift")),
            (200, "-777600")
        );
    }
}

#[test]
fn what_a_page_needs_is_of_its_own_layer() {
    let running = Running::new(
        &[
            &[
                Saved::page("http://h/", "january").at(JANUARY),
                style("http://h/s.css", "january").at("20260101000900"),
                style("http://h/only.css", "old").at("20260101000900"),
            ],
            // Nearer in time to the page of January, but of another crawl.
            &[
                Saved::page("http://h/other", "march").at(MARCH),
                style("http://h/s.css", "march").at("20260101000100"),
                style("http://h/new.css", "new").at("20260301000001"),
            ],
        ],
        In::Host,
    );
    let check = |url: &str, time: &str, expected: &str| {
        assert_eq!(
            running.get_at(url, time, "style").text(),
            expected,
            "{url} {time}"
        );
    };
    check("http://h/s.css", JANUARY, "january");
    check("http://h/s.css", MARCH, "march");
    check("http://h/only.css", MARCH, "old");
    check("http://h/new.css", JANUARY, "new");
}

#[test]
fn the_very_url_comes_before_those_that_sort_alike() {
    let running = Running::host(&[
        style("http://www.h/a.css?x=1&y=2", "www"),
        style("https://h/a.css?y=2&x=1", "other order"),
    ]);
    let answer = running.get("http://www.h/a.css?x=1&y=2", "style");
    assert_eq!(
        (answer.text().as_str(), answer.header("x-varve-match")),
        ("www", "exact")
    );
    let answer = running.get("https://h/a.css?y=2&x=1", "style");
    assert_eq!(answer.text(), "other order");
    let answer = running.get("https://H/a.css?x=1&y=2", "style");
    assert_eq!(answer.header("x-varve-match"), "canonical");
}

#[test]
fn revisits_have_the_content_that_they_refer_to() {
    let page = Saved::page("http://h/", "<p>the same").field("X-Seen", "first");
    let running = Running::new(
        &[
            std::slice::from_ref(&page),
            &[Saved::page("http://h/", "<p>the same")
                .field("X-Seen", "second")
                .at(MAY)],
        ],
        In::Host,
    );
    let answer = running.get_at("http://h/", MAY, "document");
    assert!(answer.text().ends_with("<p>the same"));
    assert_eq!(answer.header("x-archive-orig-x-seen"), "second");
}

#[test]
fn failures_of_the_server_come_last_and_other_methods_do_not_count() {
    let running = Running::host(&[
        style("http://h/s.css", "busy").status(503),
        style("http://h/s.css", "fine").at("20260101000005"),
        Saved::new("http://h/api", "text/plain", "preflight").asked_by("OPTIONS", "", ""),
        Saved::new("http://h/api", "text/plain", "data").at("20260101000005"),
    ]);
    assert_eq!(running.get("http://h/s.css", "style").text(), "fine");
    assert_eq!(running.get("http://h/api", "empty").text(), "data");
}

#[test]
fn archived_errors_are_shown_as_such() {
    let running = Running::host(&[Saved::page("http://h/gone", "it is gone").status(404)]);
    let answer = running.get("http://h/gone", "document");
    assert_eq!(answer.status, 404);
    assert!(answer.text().ends_with("it is gone"));
    assert_eq!(answer.header("x-varve-notice"), "");
}

#[test]
fn new_captures_appear() {
    let running = Running::host(&[Saved::page("http://h/", "first")]);
    assert_eq!(running.get_at("http://h/new", MAY, "document").status, 404);
    add_layer(
        running.dir.path(),
        &[Saved::page("http://h/new", "second").at(MAY)],
    );
    let started = Instant::now();
    loop {
        let answer = running.get_at("http://h/new", MAY, "document");
        if answer.status == 200 {
            break;
        }
        assert!(
            started.elapsed() < Duration::from_secs(30),
            "it never appeared"
        );
        std::thread::sleep(Duration::from_millis(100));
    }
}
