#![allow(clippy::unwrap_used)]

use super::*;

const HOST: (&str, &str) = ("host", "127.0.0.1:8765");
const OURS: (&str, &str) = ("x-varve-token", "0123abcd");

fn doorman() -> Doorman {
    Doorman {
        names: names("127.0.0.1:8765".parse().unwrap()),
        token: "0123abcd".into(),
    }
}

#[track_caller]
fn check(method: Method, headers: &[(&str, &str)], let_in: bool) {
    let mut map = HeaderMap::new();
    for (name, value) in headers {
        let name: HeaderName = name.parse().unwrap();
        map.append(name, value.parse().unwrap());
    }
    let refusal = doorman().refusal(&method, None, &map).map(str::to_owned);
    assert_eq!(refusal.is_none(), let_in, "{headers:?}: {refusal:?}");
}

#[test]
fn only_requests_that_name_us_are_answered() {
    check(Method::GET, &[HOST], true);
    check(Method::GET, &[("host", "localhost:8765")], true);
    check(Method::GET, &[("host", "LOCALHOST:8765")], true);
    check(Method::GET, &[], false);
    check(Method::GET, &[("host", "127.0.0.1")], false);
    check(Method::GET, &[("host", "127.0.0.1:80")], false);
    check(Method::GET, &[("host", "evil.example:8765")], false);
    check(
        Method::GET,
        &[("host", "localhost.evil.example:8765")],
        false,
    );
    check(Method::GET, &[HOST, ("host", "evil.example")], false);
}

#[test]
fn a_proxy_request_for_another_server_is_refused() {
    let mut headers = HeaderMap::new();
    headers.insert(header::HOST, "127.0.0.1:8765".parse().unwrap());
    let doorman = doorman();
    let refusal = doorman.refusal(&Method::GET, Some("evil.example"), &headers);
    assert!(refusal.is_some());
}

#[test]
fn orders_need_the_token() {
    check(Method::POST, &[HOST, OURS], true);
    check(Method::POST, &[HOST], false);
    check(Method::POST, &[HOST, ("x-varve-token", "")], false);
    check(Method::POST, &[HOST, ("x-varve-token", "0123abce")], false);
    check(Method::POST, &[HOST, ("x-varve-token", "0123abcd0")], false);
    check(Method::POST, &[HOST, OURS, OURS], false);
    check(Method::DELETE, &[HOST], false);
}

#[test]
fn orders_from_other_pages_are_refused() {
    let origin = |origin| ("origin", origin);
    let site = |site| ("sec-fetch-site", site);
    check(
        Method::POST,
        &[HOST, OURS, origin("http://127.0.0.1:8765")],
        true,
    );
    check(
        Method::POST,
        &[HOST, OURS, origin("http://localhost:8765")],
        true,
    );
    check(
        Method::POST,
        &[HOST, OURS, origin("https://127.0.0.1:8765")],
        false,
    );
    check(
        Method::POST,
        &[HOST, OURS, origin("http://evil.example")],
        false,
    );
    check(Method::POST, &[HOST, OURS, origin("null")], false);
    check(Method::POST, &[HOST, OURS, site("same-origin")], true);
    check(Method::POST, &[HOST, OURS, site("same-site")], false);
    check(Method::POST, &[HOST, OURS, site("cross-site")], false);
    check(Method::POST, &[HOST, OURS, site("none")], false);
}

#[test]
fn the_usual_port_need_not_be_named() {
    let check = |address: &str, expected: &[&str]| {
        assert_eq!(names(address.parse().unwrap()), expected);
    };
    check("127.0.0.1:9", &["127.0.0.1:9", "localhost:9"]);
    let bare = ["[::1]:80", "localhost:80", "[::1]", "localhost"];
    check("[::1]:80", &bare);
}
