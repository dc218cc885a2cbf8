//! Requests that send something.

use crate::archive::{Saved, TIME};
use crate::asking::{Answer, Running};

const FORM: &str = "application/x-www-form-urlencoded";
const JSON: &str = "application/json";

fn saved(kind: &str, sent: &str, body: &str) -> Saved {
    Saved::new("https://h/api", "text/plain", body).asked_by("POST", kind, sent)
}

fn post(running: &Running, method: &str, kind: &str, body: &str) -> Answer {
    let fields = format!("Sec-Fetch-Dest: empty\r\nContent-Type: {kind}\r\n");
    running.send(method, &running.url("https://h/api", TIME), &fields, body)
}

#[test]
fn answers_are_found_by_what_was_sent() {
    let running = Running::host(&[
        Saved::new("https://h/api", "text/plain", "asked"),
        saved(FORM, "a=1", "form 1"),
        saved(FORM, "a=2", "form 2"),
        saved(JSON, r#"{"query": "cats", "n": [1, 2]}"#, "json cats"),
        saved(JSON, r#"{"query": "dogs", "n": [1, 2]}"#, "json dogs"),
        saved("application/octet-stream", "\u{1}\u{2}", "bytes"),
    ]);
    let check = |method: &str, kind: &str, body: &str, expected: &str| {
        let answer = post(&running, method, kind, body);
        let text = if answer.status == 200 {
            answer.text()
        } else {
            String::new()
        };
        assert_eq!(text, expected, "{method} {kind} {body}");
    };
    check("POST", FORM, "a=1", "form 1");
    check("POST", FORM, "a=2", "form 2");
    check("POST", FORM, "a=3", "");
    check(
        "POST",
        JSON,
        r#"{"n": [1, 2], "query": "dogs"}"#,
        "json dogs",
    );
    check("POST", JSON, r#"{"query": "birds", "n": [1, 2]}"#, "");
    check("POST", "application/octet-stream", "\u{1}\u{2}", "bytes");
    check("PUT", FORM, "a=1", "");
    assert_eq!(running.get("https://h/api", "empty").text(), "asked");
}

#[test]
fn the_rule_is_told() {
    let running = Running::host(&[saved(
        JSON,
        r#"{"op": "list", "ts": 1700000000000}"#,
        "list",
    )]);
    let answer = post(
        &running,
        "POST",
        JSON,
        r#"{"op": "list", "ts": 1700000000000}"#,
    );
    assert_eq!(answer.header("x-varve-match"), "exact");
    let answer = post(
        &running,
        "POST",
        JSON,
        r#"{"op": "list", "ts": 1800000000000}"#,
    );
    assert_eq!(
        (answer.text().as_str(), answer.header("x-varve-match")),
        ("list", "query")
    );
}

#[test]
fn too_much_is_refused() {
    let running = Running::host(&[saved(FORM, "a=1", "x")]);
    let body = "a".repeat(5 << 20);
    let answer = post(&running, "POST", FORM, &body);
    assert_eq!(answer.status, 413);
    assert!(
        answer
            .header("content-security-policy")
            .starts_with("default-src 'self'")
    );
}
