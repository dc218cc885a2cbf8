//! The everything page's table against the server and its documentation.

use crate::client::{ask, start};
use std::collections::BTreeSet;
use varve_demo::{Scheme, When, everything};

#[test]
fn there_are_many_kinds_over_either_scheme() {
    for scheme in [Scheme::Http, Scheme::Https] {
        let due = everything()
            .iter()
            .filter(|expected| expected.is_due(scheme));
        assert!(due.count() >= 80);
    }
    let names: BTreeSet<&str> = everything().iter().map(|expected| expected.name).collect();
    assert_eq!(
        names.len(),
        everything().len(),
        "every kind has a name of its own"
    );
}

#[tokio::test]
async fn every_request_is_answered_as_meant() {
    let web = start().await;
    for expected in everything() {
        let target = expected.target.replace('*', "1x");
        if ["WebSocket", "EventSource"].contains(&expected.name) {
            // They stay open: their own tests read them.
            continue;
        }
        let response = ask(&web, expected.method, expected.host, &target, "").await;
        let status = match (expected.name, expected.method) {
            ("404", _) => 404,
            ("204", _) => 204,
            ("redirect 302", _) => 302,
            ("redirect 307", _) => 307,
            ("frame that is redirected", _) => 301,
            (name, "POST") if !name.starts_with("POST") && !name.starts_with("form") => 204,
            (_, "OPTIONS") => 204,
            _ => 200,
        };
        assert_eq!(response.status(), status, "{}", expected.name);
        let log = web.log();
        assert!(expected.matches(log.last().unwrap()), "{}", expected.name);
    }
}

#[test]
fn patterns_match_what_they_should() {
    let expected = everything()
        .iter()
        .find(|expected| expected.name == "image by srcset")
        .unwrap();
    assert!(expected.is_target("/everything/srcset-2x.png"));
    assert!(!expected.is_target("/everything/srcset-.jpg"));
    assert!(!expected.is_target("/everything/srcset-png"));
}

/// A row of the table in `EVERYTHING.md`.
#[test]
fn the_documentation_has_every_row() {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../examples/site/EVERYTHING.md"
    );
    let text = std::fs::read_to_string(path).unwrap();
    let documented: Vec<&str> = text
        .lines()
        .filter(|line| line.starts_with("| ") && line.contains('`'))
        .collect();
    let rows: Vec<String> = everything()
        .iter()
        .enumerate()
        .map(|(n, expected)| {
            let when = match expected.when {
                When::Loading => "loading",
                When::LoadingSecurely => "loading, https only",
                When::Scrolling => "scrolling",
                When::Leaving => "leaving",
                When::Perhaps => "perhaps",
            };
            let (name, method, host, target) = (
                expected.name,
                expected.method,
                expected.host,
                expected.target,
            );
            format!(
                "| {} | {name} | {method} | `{host}{target}` | {when} |",
                n + 1
            )
        })
        .collect();
    assert_eq!(
        documented,
        rows,
        "the table should be:\n{}\n",
        rows.join("\n")
    );
}
