//! Redirects stay inside, and lead somewhere.

use crate::archive::{Saved, TIME};
use crate::asking::{BOTH, Running};

#[test]
fn archived_redirects_lead_to_archived_targets() {
    for place in BOTH {
        let running = Running::new(
            &[&[
                Saved::redirect("https://h/a", 301, "/b?c"),
                Saved::redirect("https://h/x", 307, "https://other.example/"),
                Saved::redirect("https://h/m", 302, "mailto:someone@example.org"),
            ]],
            place,
        );
        let check = |url: &str, status: u16, target: &str| {
            let answer = running.get(url, "iframe");
            assert_eq!(answer.status, status, "{url}");
            let expected = match target {
                "" => String::new(),
                target => running.url(target, TIME),
            };
            assert_eq!(answer.header("location"), expected, "{url}");
        };
        check("https://h/a", 301, "https://h/b?c");
        check("https://h/x", 307, "https://other.example/");
        check("https://h/m", 404, "");
    }
}

#[test]
fn a_redirect_to_itself_is_followed_or_skipped() {
    let running = Running::host(&[
        // https has a capture of its own.
        Saved::redirect("http://h/", 301, "https://h/"),
        Saved::page("https://h/", "secure").at("20260101000001"),
        // Only another capture of the same URL has content.
        Saved::redirect("http://www.o/", 301, "http://o/"),
        Saved::page("http://www.o/", "content").at("20260101000009"),
        // A redirect to the very same URL, as cookies are checked.
        Saved::redirect("http://c/", 302, "http://c/"),
        Saved::page("http://c/", "with cookie").at("20260101000001"),
    ]);
    let answer = running.get("http://h/", "iframe");
    assert_eq!(
        (answer.status, answer.header("location")),
        (301, running.url("https://h/", TIME).as_str())
    );
    let text = |url: &str| running.get(url, "iframe").text();
    assert!(text("https://h/").ends_with("secure"));
    assert!(text("http://www.o/").ends_with("content"));
    assert!(text("http://o/").ends_with("content"));
    assert!(text("http://c/").ends_with("with cookie"));
}

#[test]
fn a_redirect_that_leads_nowhere_else_is_no_loop() {
    let running = Running::host(&[Saved::redirect("http://h/", 301, "http://www.h/")]);
    assert_eq!(running.get("http://h/", "iframe").status, 404);
}

#[test]
fn in_the_path_layout_a_lost_path_finds_its_page() {
    let running = Running::path(&[Saved::page("https://h/a/b", "x")]);
    let origin = running.layout().place().to_owned();
    let page = running.url("https://h/a/b", TIME);
    let fields = format!("Referer: {page}\r\nSec-Fetch-Dest: style\r\n");
    let answer = running.send("GET", &format!("{origin}/s.css?v"), &fields, "");
    assert_eq!(answer.status, 307);
    assert_eq!(
        answer.header("location"),
        format!("{origin}/web/{TIME}cs_/https://h/s.css?v")
    );
    for referrer in ["", "http://evil.test/web/2026/http://h/", "x"] {
        let fields = format!("Referer: {referrer}\r\n");
        let answer = running.send("GET", &format!("{origin}/s.css"), &fields, "");
        assert_eq!((answer.status, answer.header("location")), (404, ""));
    }
}

#[test]
fn no_request_leads_outside() {
    for place in BOTH {
        let running = Running::new(&[&[Saved::page("https://h/", "x")]], place);
        let place = running.layout().sources(None).replace("*.", "");
        let ui = format!("http://{}", running.ui());
        let targets = [
            "//evil.test/",
            "/\\evil.test/",
            "/go?url=//evil.test",
            "/go?url=http://evil.test/",
            "/web///evil.test/",
            "/web/2026mp_///evil.test/",
            "/web/2026/https://h/",
            "/web/2026mp_/https://h/",
            "/web/https://h/",
            "/web/2026mp_/http://evil.test/",
            "/go?url=%0d%0aLocation:http://evil.test/",
        ];
        for target in targets {
            let answer = running.own(target);
            let location = answer.header("location");
            let host_end = place.rsplit("://").next().unwrap();
            let inside = location.is_empty()
                || (location.starts_with('/')
                    && !location.starts_with("//")
                    && !location.starts_with("/\\"))
                || location.starts_with(&ui)
                || location.strip_prefix("http://").is_some_and(|rest| {
                    rest.split('/')
                        .next()
                        .is_some_and(|host| host.ends_with(host_end))
                });
            assert!(inside, "{target}: {location}");
        }
    }
}
