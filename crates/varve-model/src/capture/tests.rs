//! The spellings that are read, the one that is written, and what holds for any line.
#![allow(clippy::unwrap_used)]

use super::*;
use proptest::prelude::*;
use serde_json::json;

const LINE: &str = r#"com,example)/ 20140216050221 {"url": "http://example.com/", "mime": "text/html", "status": "200", "digest": "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ", "length": "1043", "offset": "333", "filename": "a.warc.gz"}"#;

/// What the JSON object `json` reads as, written again; or the error.
fn rewritten(json: &str) -> String {
    let line = format!("com,example)/ 20140216050221 {json}\n");
    match Capture::parse(&line) {
        Ok(capture) => capture.to_line().split_off(29),
        Err(error) => format!("! {error}"),
    }
}

fn check(json: &str, expected: &str) {
    assert_eq!(rewritten(json), expected, "{json}");
}

#[test]
fn a_line_of_cdxj_indexer_stays_as_it_is() {
    assert_eq!(Capture::parse(LINE).unwrap().to_line(), LINE);
}

#[test]
fn other_spellings_become_one() {
    let place = r#""length": "7", "offset": "5", "filename": "f"}"#;
    check(
        r#"{"url":"u","mimetype":"a/b","statuscode":200,"length":7,"offset":5,"filename":"f"}"#,
        &format!(r#"{{"url": "u", "mime": "a/b", "status": "200", {place}"#),
    );
    check(
        r#"{"filename":"f","offset":"5","length":"7","digest":"3I42","status":"-","mime":null,"url":"u"}"#,
        &format!(r#"{{"url": "u", "digest": "3I42", {place}"#),
    );
    check(
        r#"{"url":"u","offset":5,"filename":"f"}"#,
        r#"{"url": "u", "length": "0", "offset": "5", "filename": "f"}"#,
    );
    check(
        r#"{"url":"u","url":"v","length":7,"offset":18446744073709551615,"filename":"f","length":"-"}"#,
        r#"{"url": "v", "length": "0", "offset": "18446744073709551615", "filename": "f"}"#,
    );
    check(
        r#"{"recordDigest":"sha256:1","url":"u","mime":"","length":7,"offset":5,"filename":"f","b":[1,{"c":null}],"a":true}"#,
        r#"{"url": "u", "mime": "", "length": "7", "offset": "5", "filename": "f", "recordDigest": "sha256:1", "b": [1, {"c": null}], "a": true}"#,
    );
}

#[test]
fn escapes_are_those_of_python() {
    check(
        "{\"url\":\"é\u{1f600}\\u00e9\\ud83d\\ude00\\n\\\"\\\\/\u{7f}\\u0000\\b\\f\\t\\r\",\"offset\":5,\"filename\":\"f\"}",
        r#"{"url": "\u00e9\ud83d\ude00\u00e9\ud83d\ude00\n\"\\/\u007f\u0000\b\f\t\r", "length": "0", "offset": "5", "filename": "f"}"#,
    );
}

#[test]
fn broken_objects() {
    let number =
        |name: &str| format!("! the field \"{name}\" is not a number between 0 and 2^64-1");
    let missing = |name: &str| format!("! the field \"{name}\" is missing");
    check(
        r#"{"url":"u","offset":-1,"filename":"f"}"#,
        &number("offset"),
    );
    check(
        r#"{"url":"u","offset":"-1","filename":"f"}"#,
        &number("offset"),
    );
    check(
        r#"{"url":"u","offset":"+1","filename":"f"}"#,
        &number("offset"),
    );
    check(
        r#"{"url":"u","offset":"","filename":"f"}"#,
        &number("offset"),
    );
    check(
        r#"{"url":"u","offset":1.5,"filename":"f"}"#,
        &number("offset"),
    );
    check(
        r#"{"url":"u","offset":18446744073709551616,"filename":"f"}"#,
        &number("offset"),
    );
    check(
        r#"{"url":"u","offset":5,"length":"x","filename":"f"}"#,
        &number("length"),
    );
    check(
        r#"{"url":"u","offset":"-","filename":"f"}"#,
        &missing("offset"),
    );
    check(r#"{"url":"u","offset":5}"#, &missing("filename"));
    check(r#"{"offset":5,"filename":"f"}"#, &missing("url"));
    assert!(rewritten(r#"{"url":["u"],"offset":5,"filename":"f"}"#).starts_with("! the JSON"));
    assert!(rewritten("{").starts_with("! the JSON"));
    assert!(rewritten(r#"{"url":"u"} x"#).starts_with("! the JSON"));
    assert!(rewritten(&"{\"a\":".repeat(100_000)).starts_with("! the JSON"));
}

#[test]
fn broken_lines() {
    let check = |line: &str, expected: fn(&CdxjError) -> bool| {
        let error = Capture::parse(line).unwrap_err();
        assert!(expected(&error), "{line}: {error}");
    };
    check("", |e| matches!(e, CdxjError::Shape));
    check("a", |e| matches!(e, CdxjError::Shape));
    check("a 20140216050221", |e| matches!(e, CdxjError::Shape));
    check("a 20140216050221 http://a/ text/html", |e| {
        matches!(e, CdxjError::Shape)
    });
    check(" CDX N b a m s k r M S V g", |e| {
        matches!(e, CdxjError::Shape)
    });
    check("a 2014 {}", |e| matches!(e, CdxjError::Timestamp(_)));
    check("a 20141316050221 {}", |e| {
        matches!(e, CdxjError::Timestamp(_))
    });
    check(&(LINE.to_owned() + &" ".repeat(MAX_LINE)), |e| {
        matches!(e, CdxjError::TooLong)
    });
}

#[test]
fn a_line_is_cut_in_three() {
    let line = CdxjLine::split("com,a)/ 2014 {\"a\": \"b c\"}\r\n").unwrap();
    assert_eq!(
        (line.key, line.timestamp, line.json),
        ("com,a)/", "2014", "{\"a\": \"b c\"}")
    );
    assert_eq!(CdxjLine::split("com,a)/  {}"), None);
    assert_eq!(CdxjLine::split(" 2014 {}"), None);
}

#[test]
fn no_key_breaks_its_line() {
    let mut capture = Capture::parse(LINE).unwrap();
    capture.key = Surt::from_key("a b\nc\u{0}".to_owned());
    assert!(capture.to_line().starts_with("a%20b%0ac%00 2014"));
    assert_eq!(Capture::parse(&capture.to_line()).unwrap(), capture);
}

#[test]
fn extra_members_cannot_replace_fields() {
    let mut capture = Capture::parse(LINE).unwrap();
    capture.extra = vec![
        ("offset".to_owned(), json!("9")),
        ("mimetype".to_owned(), json!("x")),
    ];
    assert_eq!(capture.to_line(), LINE);
}

fn extra_value() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        (-1e9..1e9).prop_map(|n: f64| json!(n)),
        ".{0,8}".prop_map(Value::from),
        proptest::collection::vec(".{0,4}", 0..3).prop_map(Value::from),
        (".{0,4}", ".{0,4}").prop_map(|(name, value)| json!({ name: value })),
    ]
}

fn field() -> impl Strategy<Value = Option<String>> {
    proptest::option::of(".{0,20}".prop_filter("means absent", |text| text != "-"))
}

prop_compose! {
    fn capture()(
        key in ".{0,30}", millis in -60_000_000_000_000i64..250_000_000_000_000, seconds: bool,
        url in "[^-].{0,30}", mime in field(), status in field(), digest in field(),
        length: u64, offset: u64, filename in "[^-].{0,10}",
        extra in proptest::collection::vec(("x.{0,6}", extra_value()), 0..4),
    ) -> Capture {
        let timestamp = Timestamp::from_unix_millis(millis).unwrap();
        let timestamp = if seconds { timestamp.to_seconds() } else { timestamp };
        // An empty key is none: even an empty URL has one.
        let key = Surt::from_key(if key.is_empty() { "-".to_owned() } else { key });
        Capture { key, timestamp, url, mime, status, digest, length, offset, filename, extra }
    }
}

proptest! {
    #[test]
    fn reads_what_it_writes(capture in capture()) {
        let line = capture.to_line();
        prop_assert!(!line.contains('\n'));
        let json = CdxjLine::split(&line).unwrap().json;
        prop_assert!(json.is_ascii());
        prop_assert_eq!(Capture::parse(&line).unwrap(), capture);
    }

    #[test]
    fn parse_never_panics(line in "\\PC{0,80}|[a-z] 20140216050221 \\{\\PC{0,60}\\}?") {
        let _ = Capture::parse(&line);
        let _ = CdxjLine::split(&line);
    }
}
