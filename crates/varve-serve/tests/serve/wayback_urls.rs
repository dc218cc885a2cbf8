//! Wayback URLs in all their forms lead to the memento that they mean.

use crate::archive::Saved;
use crate::asking::{BOTH, Running};

const URL: &str = "https://h.test/a";

fn archive(place: crate::asking::In) -> Running {
    let page = |year: &str| Saved::page(URL, year).at(&format!("{year}0101000000"));
    Running::new(&[&[page("2020"), page("2021"), page("2022")]], place)
}

/// The memento that a path on the archive's own origin leads to, and its text.
fn memento(running: &Running, path: &str) -> (String, String) {
    let mut answer = running.own(path);
    for _ in 0..3 {
        let to = answer.header("location").to_owned();
        match answer.status {
            302 => answer = running.send("GET", &to, "", ""),
            _ => break,
        }
    }
    assert_eq!(answer.status, 200, "{path}: {}", answer.text());
    (answer.header("memento-datetime").to_owned(), answer.text())
}

#[test]
fn every_modifier() {
    for place in BOTH {
        let running = archive(place);
        for modifier in ["id_", "if_", "mp_", "js_", "cs_", "im_", "oe_", "fr_"] {
            let path = format!("/web/20210101000000{modifier}/{URL}");
            let (time, text) = memento(&running, &path);
            assert_eq!(time, "Fri, 01 Jan 2021 00:00:00 GMT", "{place:?} {path}");
            assert!(text.contains("2021"), "{place:?} {path}: {text}");
        }
        let (_, raw) = memento(&running, &format!("/web/20210101000000id_/{URL}"));
        assert_eq!(raw, "2021");
    }
}

#[test]
fn times_that_are_not_told_in_full() {
    for place in BOTH {
        let running = archive(place);
        for (when, year) in [
            ("2021id_/", "2021"),
            ("202111id_/", "2022"),
            ("1999id_/", "2020"),
            ("2030id_/", "2022"),
            ("20210101000001id_/", "2021"),
        ] {
            let (_, text) = memento(&running, &format!("/web/{when}{URL}"));
            assert_eq!(text, year, "{place:?} {when}");
        }
    }
}

#[test]
fn urls_without_a_scheme_and_with_one_slash() {
    let running = archive(crate::asking::In::Path);
    for url in ["h.test/a", "https:/h.test/a", "http://www.h.test/a"] {
        let (_, text) = memento(&running, &format!("/web/2021id_/{url}"));
        assert_eq!(text, "2021", "{url}");
    }
}

#[test]
fn lists() {
    let running = archive(crate::asking::In::Host);
    let all = running.own(&format!("/web/*/{URL}")).text();
    assert!(
        all.contains("3 captures from 2020-01-01 to 2022-01-01"),
        "{all}"
    );
    for (span, shown, other) in [("2021*", "2021", "2022"), ("2020-2021*", "2021", "2022")] {
        let text = running.own(&format!("/web/{span}/{URL}")).text();
        let lists = |year: &str| text.contains(&format!("/web/{year}0101000000/{URL}"));
        assert!(lists(shown) && !lists(other), "{span}: {text}");
    }
    let below = running.own("/web/*/https://h.test/*").text();
    assert!(below.contains("/web/*/https://h.test/a"), "{below}");
}
