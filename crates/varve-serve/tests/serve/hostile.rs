//! Any bytes as a request: never a panic, never a header that was not meant.

use crate::archive::Saved;
use crate::asking::{BOTH, In, Running, answer, raw, raw_and_hang_up};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

/// Names that answers may have, besides those that begin with `x-archive-orig-`.
const KNOWN: [&str; 38] = [
    "accept-ranges",
    "access-control-allow-credentials",
    "access-control-allow-headers",
    "access-control-allow-methods",
    "access-control-allow-origin",
    "access-control-expose-headers",
    "access-control-max-age",
    "allow",
    "cache-control",
    "connection",
    "content-disposition",
    "content-language",
    "content-length",
    "content-location",
    "content-range",
    "connection-allowlist",
    "content-security-policy",
    "content-type",
    "cross-origin-opener-policy",
    "cross-origin-resource-policy",
    "date",
    "etag",
    "link",
    "location",
    "memento-datetime",
    "origin-agent-cluster",
    "permissions-policy",
    "referrer-policy",
    "refresh",
    "retry-after",
    "transfer-encoding",
    "vary",
    "x-content-type-options",
    "x-dns-prefetch-control",
    "x-frame-options",
    "x-varve-drift",
    "x-varve-match",
    "x-varve-notice",
];

fn running(place: In) -> Running {
    Running::new(&[&[Saved::page("https://h/", "<p>x")]], place)
}

fn check(bytes: &[u8], what: &str) -> Result<(), TestCaseError> {
    let Some(answer) = answer(bytes) else {
        // Hung up on, or answered with nothing but a status.
        return Ok(());
    };
    prop_assert!(answer.status != 500, "{what}");
    for (name, _) in &answer.headers {
        let known = KNOWN.contains(&name.as_str()) || name.starts_with("x-archive-orig-");
        prop_assert!(known, "{what}: {name}");
    }
    prop_assert!(answer.header("set-cookie").is_empty());
    Ok(())
}

#[test]
fn targets_and_headers_of_any_kind() {
    let part = "[\\x20-\\x7e\\r\\n\\x80-\\xff]{0,40}";
    let targets = prop_oneof![
        Just("/".to_owned()),
        part.prop_map(|text| format!("/{text}")),
        part.prop_map(|text| format!("/web/2026mp_/https://h/{text}")),
        part.prop_map(|text| format!("/web/{text}")),
        part.prop_map(|text| format!("/__varve/{text}")),
        part.prop_map(|text| format!("/go?url={text}")),
        part.prop_map(|text| format!("/record/2026/https://h/{text}")),
        part.prop_map(|text| format!("/record/{text}")),
        part.prop_map(|text| format!("/collections{text}")),
    ];
    let hosts = prop_oneof![
        Just("h.https.20260101000000.replay.localhost".to_owned()),
        Just("127.0.0.1".to_owned()),
        part.prop_map(|text| format!("{text}.20260101000000.replay.localhost")),
    ];
    let names = proptest::sample::select(vec![
        "Range",
        "Origin",
        "Referer",
        "Sec-Fetch-Dest",
        "Sec-Fetch-Mode",
        "If-None-Match",
        "Access-Control-Request-Method",
        "Access-Control-Request-Headers",
        "Content-Type",
        "X",
    ]);
    let methods = proptest::sample::select(vec!["GET", "HEAD", "POST", "OPTIONS", "X"]);
    let input = (methods, targets, hosts, names, part);
    for place in BOTH {
        let running = running(place);
        let mut runner = TestRunner::new(Config::with_cases(150));
        let result = runner.run(&input, |(method, target, host, name, value)| {
            let request = format!(
                "{method} {target} HTTP/1.1\r\nHost: {host}\r\n{name}: {value}\r\nConnection: close\r\n\r\n"
            );
            check(&raw(running.replay_address(), request.as_bytes()), &request)?;
            check(&raw(running.ui(), request.as_bytes()), &request)
        });
        result.unwrap();
        // It still stands.
        assert_eq!(running.get("https://h/", "document").status, 200);
    }
}

#[test]
fn bytes_of_any_kind() {
    let running = running(In::Host);
    let mut runner = TestRunner::new(Config::with_cases(100));
    let bytes = proptest::collection::vec(any::<u8>(), 0..200);
    let result = runner.run(&bytes, |bytes| {
        check(&raw_and_hang_up(running.replay_address(), &bytes), "bytes")
    });
    result.unwrap();
    assert_eq!(running.get("https://h/", "document").status, 200);
}

#[test]
fn archived_headers_of_any_kind() {
    let values = "[\\x20-\\x7e\\x80-\\xff]{0,60}";
    let names = proptest::sample::select(vec![
        "Content-Type",
        "Content-Disposition",
        "Content-Language",
        "Location",
        "Refresh",
        "Link",
        "Content-Range",
        "Content-Encoding",
        "Transfer-Encoding",
        "Set-Cookie",
        "Content-Location",
    ]);
    let mut runner = TestRunner::new(Config::with_cases(40));
    let fields = proptest::collection::vec((names, values), 1..6);
    let result = runner.run(&fields, |fields| {
        let mut saved = Saved::new("https://h/", "text/html", "<p>x");
        for (name, value) in &fields {
            saved = saved.field(name, value);
        }
        let running = Running::host(&[saved]);
        for purpose in ["document", "empty"] {
            let url = running.url("https://h/", crate::archive::TIME);
            let host = url["http://".len()..].trim_end_matches('/').to_owned();
            let request = format!("GET / HTTP/1.1\r\nHost: {host}\r\nSec-Fetch-Dest: {purpose}\r\nConnection: close\r\n\r\n");
            let bytes = raw(running.replay_address(), request.as_bytes());
            prop_assert!(!bytes.is_empty());
            check(&bytes, &format!("{fields:?}"))?;
        }
        Ok(())
    });
    result.unwrap();
}
