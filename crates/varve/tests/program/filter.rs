//! `varve filter` explains what crawls leave out.

use crate::setup::{stderr, stdout, varve};
use serde_json::Value;

const PAGE: &str = "https://news.example/";

fn test(script: &str, words: &[&str]) -> std::process::Output {
    let mut command = varve();
    command.args(["filter", "test", script, "--page", PAGE]);
    command.args(words).output().unwrap()
}

#[test]
fn a_decision_is_told_with_its_rule_and_why() {
    let told = stdout(&test("https://js.stripe.com/v3/", &[]));
    assert!(told.starts_with("not asked for: "), "{told}");
    let json = stdout(&test("https://js.stripe.com/v3/", &["--json"]));
    let json: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["asked"], false);
    assert!(
        json["rule"]["rule"]
            .as_str()
            .unwrap()
            .contains("js.stripe.com")
    );
    let told = stdout(&test("https://www.news.example/matomo.js", &[]));
    assert_eq!(told, "asked for: it belongs to the page's own site\n");
    let told = stdout(&test("https://cdn.other.example/app.js", &[]));
    assert_eq!(told, "asked for: no rule is against it\n");
}

#[test]
fn lists_of_ones_own_are_named_with_their_lines() {
    let dir = tempfile::tempdir().unwrap();
    let list = dir.path().join("mine.txt");
    std::fs::write(&list, "! mine\n||other.example^\n").unwrap();
    let list = list.to_str().unwrap();
    let told = stdout(&test(
        "https://cdn.other.example/app.js",
        &["--filter", list],
    ));
    let expected = format!("not asked for: ||other.example^ (line 2 of {list})\n");
    assert_eq!(told, expected);
    let lists = varve()
        .args(["filter", "lists", "--filter", list])
        .output()
        .unwrap();
    assert!(stdout(&lists).ends_with(&format!("{list} (1 rule)\n")));
}

#[test]
fn what_cannot_be_read_is_named() {
    let output = test("https://a.example/x.js", &["--filter", "/no/such/list"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("cannot read /no/such/list"));
    let output = test("nonsense", &[]);
    assert!(stderr(&output).contains("nonsense is no URL"));
}
