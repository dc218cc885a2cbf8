//! Archived origins among themselves.

use crate::archive::{Saved, TIME};
use crate::asking::Running;

fn running() -> Running {
    Running::host(&[
        Saved::new("https://api/open", "application/json", "{}")
            .field("Access-Control-Allow-Origin", "*")
            .field("Access-Control-Expose-Headers", "X-Total, bad name"),
        Saved::new("https://api/closed", "application/json", "{}"),
        Saved::new("https://api/f.woff2", "font/woff2", "wOF2"),
    ])
}

fn origin(running: &Running, host: &str, time: &str) -> String {
    running
        .url(&format!("https://{host}/"), time)
        .trim_end_matches('/')
        .to_owned()
}

#[test]
fn what_was_allowed_at_capture_is_allowed_within_one_time() {
    let running = running();
    let page = origin(&running, "h", TIME);
    let check = |url: &str, purpose: &str, from: &str, expected: &str| {
        let fields = format!("Origin: {from}\r\nSec-Fetch-Dest: {purpose}\r\n");
        let answer = running.send("GET", &running.url(url, TIME), &fields, "");
        assert_eq!(
            answer.header("access-control-allow-origin"),
            expected,
            "{url} {from}"
        );
    };
    check("https://api/open", "empty", &page, &page);
    check("https://api/closed", "empty", &page, "");
    check("https://api/f.woff2", "font", &page, &page);
    for other in [
        origin(&running, "h", "20260101000001"),
        "http://evil.test".into(),
        "null".into(),
        format!("http://{}", running.ui()),
    ] {
        check("https://api/open", "empty", &other, "");
    }
}

#[test]
fn preflights_are_answered_and_names_are_readable() {
    let running = running();
    let page = origin(&running, "h", TIME);
    let url = running.url("https://api/open", TIME);
    let fields = format!(
        "Origin: {page}\r\nAccess-Control-Request-Method: PUT\r\nAccess-Control-Request-Headers: x-a\r\n"
    );
    let answer = running.send("OPTIONS", &url, &fields, "");
    assert_eq!(answer.status, 204);
    assert_eq!(answer.header("access-control-allow-origin"), page);
    assert_eq!(answer.header("access-control-allow-methods"), "PUT");
    assert_eq!(answer.header("access-control-allow-headers"), "x-a");
    let answer = running.send(
        "GET",
        &url,
        &format!("Origin: {page}\r\nSec-Fetch-Dest: empty\r\n"),
        "",
    );
    assert_eq!(
        answer.header("access-control-expose-headers"),
        "X-Total, X-Archive-Orig-X-Total"
    );
}
