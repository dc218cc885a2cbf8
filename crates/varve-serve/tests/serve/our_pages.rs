//! The archive's own pages.

use crate::archive::{Saved, TIME};
use crate::asking::{BOTH, Running, answer, raw};

#[test]
fn the_first_page_lists_pages() {
    let running = Running::host(&[Saved::page("https://h/?a=1&b=<2>", "x")]);
    let answer = running.own("/");
    assert_eq!(answer.status, 200);
    let text = answer.text();
    assert!(text.contains("A &lt;page&gt;"), "{text}");
    assert!(
        text.contains(&format!("href=\"/web/{TIME}/https://h/?a=1&amp;b=")),
        "{text}"
    );
    let policy = answer.header("content-security-policy");
    assert!(
        policy.starts_with("default-src 'none'; script-src 'self';"),
        "{policy}"
    );
    assert!(!policy.contains("unsafe"), "{policy}");
}

#[test]
fn a_page_is_framed_from_another_origin() {
    for place in BOTH {
        let running = Running::new(&[&[Saved::page("https://h/", "x")]], place);
        let answer = running.own("/web/2026/https://h/");
        assert_eq!(answer.header("location"), format!("/web/{TIME}/https://h/"));
        let answer = running.own(&format!("/web/{TIME}/https://h/"));
        let source = format!("src=\"{}\"", running.url("https://h/", TIME));
        assert!(answer.text().contains(&source), "{}", answer.text());
        assert!(!answer.text().contains("allow-top-navigation"));
        let memento = running.own(&format!("/web/{TIME}mp_/https://h/"));
        assert_eq!(memento.status, 302);
        assert_eq!(memento.header("location"), running.url("https://h/", TIME));
    }
}

#[test]
fn the_page_in_our_frame_is_the_topmost() {
    let running = Running::host(&[Saved::page("https://h/", "x")]);
    let ask = |referrer: &str| {
        let fields = format!("Sec-Fetch-Dest: iframe\r\nReferer: {referrer}\r\n");
        let answer = running.send("GET", &running.url("https://h/", TIME), &fields, "");
        let config = answer.config();
        (config["top"].clone(), config["referrer"].clone())
    };
    assert_eq!(
        ask(&format!("http://{}/", running.ui())),
        (true.into(), "".into())
    );
    let page = running.url("https://h/page", TIME);
    assert_eq!(ask(&page), (false.into(), "https://h/page".into()));
    assert_eq!(ask("http://evil.test/"), (false.into(), "".into()));
}

#[test]
fn captures_are_listed() {
    let running = Running::host(&[
        Saved::page("https://h/", "x"),
        Saved::page("https://h/b", "x"),
    ]);
    let text = running.own("/web/*/https://h/").text();
    assert!(
        text.contains("Thu, 01 Jan 2026") && !text.contains("https://h/b"),
        "{text}"
    );
    assert!(
        running
            .own("/web/*/https://h/*")
            .text()
            .contains("https://h/b")
    );
    let to = running.own("/go?url=h").header("location").to_owned();
    assert_eq!(to, "/web/*/http://h");
}

#[test]
fn texts_of_others_are_texts() {
    let running = Running::host(&[Saved::page("https://h/", "x")]);
    for target in [
        "/web/2026/https://h/%22%3E%3Cscript%3E",
        "/web/*/https://h/%3Cscript%3E",
        "/web/2026/https://x/?%3Cscript%3Ealert(1)%3C/script%3E",
    ] {
        assert!(!running.own(target).text().contains("<script>"), "{target}");
    }
}

#[test]
fn other_names_and_methods_are_refused() {
    let running = Running::host(&[Saved::page("https://h/", "x")]);
    let ask = |method: &str, host: &str| {
        let request = format!("{method} / HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
        answer(&raw(running.ui(), request.as_bytes()))
            .unwrap()
            .status
    };
    let port = running.ui().port();
    assert_eq!(ask("GET", &format!("localhost:{port}")), 200);
    assert_eq!(ask("GET", &format!("rebound.test:{port}")), 403);
    assert_eq!(ask("POST", &format!("localhost:{port}")), 405);
}
