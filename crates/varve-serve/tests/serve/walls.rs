//! What every answer of a replay origin says, whatever it answers.

use crate::archive::{Saved, TIME};
use crate::asking::{Answer, BOTH, Running, answer, raw};

/// The headers that are the walls.
#[track_caller]
fn check(answer: &Answer, what: &str) {
    let policy = answer.header("content-security-policy");
    assert!(
        policy.starts_with("default-src 'self'") || policy.starts_with("default-src 'none'"),
        "{what}: {policy}"
    );
    for word in policy.split([' ', ';']) {
        assert!(
            !matches!(word, "*" | "http:" | "https:" | "ws:" | "wss:"),
            "{what}: {policy}"
        );
    }
    assert_eq!(
        answer.header("referrer-policy"),
        "strict-origin-when-cross-origin",
        "{what}"
    );
    assert!(
        answer.header("permissions-policy").contains("camera=()"),
        "{what}"
    );
    assert!(
        answer
            .header("cross-origin-opener-policy")
            .starts_with("same-origin"),
        "{what}"
    );
    assert!(
        answer
            .header("connection-allowlist")
            .starts_with("(response-origin"),
        "{what}"
    );
    assert_eq!(answer.header("origin-agent-cluster"), "?1", "{what}");
    assert_eq!(answer.header("x-dns-prefetch-control"), "off", "{what}");
    for name in [
        "set-cookie",
        "clear-site-data",
        "service-worker-allowed",
        "refresh",
        "nel",
    ] {
        assert_eq!(answer.header(name), "", "{what}: {name}");
    }
    let policies = answer
        .headers
        .iter()
        .filter(|(name, _)| name == "content-security-policy");
    assert_eq!(policies.count(), 1, "{what}");
}

fn saved() -> Vec<Saved> {
    let hostile = |saved: Saved| {
        saved
            .field("Set-Cookie", "a=1; Domain=localhost")
            .field("Content-Security-Policy", "default-src *")
            .field("Clear-Site-Data", "\"*\"")
            .field("Service-Worker-Allowed", "/")
            .field("Referrer-Policy", "unsafe-url")
            .field("Cross-Origin-Opener-Policy", "unsafe-none")
            .field("NEL", "{}")
    };
    vec![
        hostile(Saved::page("https://h/", "<p>x")),
        hostile(Saved::new("https://h/s.css", "text/css", "a{}")),
        hostile(Saved::redirect("https://h/r", 301, "/")),
        hostile(Saved::page("https://h/e", "gone").status(410)),
        hostile(Saved::new("https://h/v", "video/mp4", vec![0; 9 << 20])),
    ]
}

#[test]
fn every_answer_has_the_walls() {
    for place in BOTH {
        let running = Running::new(&[&saved()], place);
        for url in [
            "https://h/",
            "https://h/s.css",
            "https://h/r",
            "https://h/e",
            "https://h/v",
            "https://h/missing",
        ] {
            for purpose in ["document", "iframe", "style", "empty", ""] {
                check(&running.get(url, purpose), &format!("{url} {purpose}"));
            }
        }
        let here = running.url("https://h/", TIME);
        let origin = &here[..here["http://".len()..].find('/').unwrap() + "http://".len()];
        for (method, target, fields) in [
            ("GET", "/__varve/shim.js", ""),
            ("GET", "/__varve/worker.js?config={}", ""),
            ("GET", "/__varve/worker.js?config=alert(1)", ""),
            ("GET", "/__varve/nothing", ""),
            ("GET", "/__varve/ws?time=20260101000000&url=wss://h/", ""),
            ("POST", "/__varve/rewrite?as=script", ""),
            (
                "POST",
                "/__varve/rewrite?as=script",
                "Sec-Fetch-Site: cross-site\r\n",
            ),
            ("GET", "/web/2026id_/https://h/", ""),
            ("GET", "/", "Service-Worker: script\r\n"),
            ("DELETE", "/", ""),
            (
                "OPTIONS",
                "/",
                "Origin: http://evil.test\r\nAccess-Control-Request-Method: GET\r\n",
            ),
            ("GET", "/", "Range: bytes=9999-\r\n"),
        ] {
            let answer = running.send(method, &format!("{origin}{target}"), fields, "");
            check(&answer, &format!("{method} {target}"));
        }
    }
}

#[test]
fn names_below_the_replay_host_that_are_nothing_are_walled_too() {
    let running = Running::host(&saved());
    for host in [
        "replay.localhost",
        "x.replay.localhost",
        "h.https.2026.replay.localhost",
        "a@b.https.20260101000000.replay.localhost",
    ] {
        let request = format!("GET / HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
        let bytes = raw(running.replay_address(), request.as_bytes());
        if let Some(answer) = answer(&bytes).filter(|answer| answer.status != 400) {
            check(&answer, host);
            assert_eq!(answer.status, 404, "{host}");
        }
    }
}

#[test]
fn archived_service_workers_cannot_register() {
    for place in BOTH {
        let running = Running::new(
            &[&[Saved::new("https://h/sw.js", "text/javascript", "x")]],
            place,
        );
        let url = running.url("https://h/sw.js", TIME);
        let fields = "Service-Worker: script\r\nSec-Fetch-Dest: serviceworker\r\n";
        assert_eq!(running.send("GET", &url, fields, "").status, 403);
    }
}

#[test]
fn only_the_archive_may_frame_it_and_nothing_of_it_reaches_the_ui() {
    let running = Running::host(&saved());
    let policy = running
        .get("https://h/", "document")
        .header("content-security-policy")
        .to_owned();
    let ancestors = policy
        .split("; ")
        .find(|part| part.starts_with("frame-ancestors"))
        .unwrap();
    assert!(
        ancestors.contains(&format!("http://{}", running.ui())),
        "{ancestors}"
    );
    let connects = policy
        .split("; ")
        .find(|part| part.starts_with("connect-src"))
        .unwrap();
    assert!(!connects.contains(&running.ui().to_string()), "{connects}");
}

#[test]
fn a_page_in_a_sandbox_may_have_frames() {
    for place in BOTH {
        let running = Running::new(&[&[Saved::page("https://h/", "<p>x")]], place);
        let url = running.url("https://h/", TIME);
        let may_be_framed_by_anybody = |fields: &str| {
            let answer = running.send("GET", &url, fields, "");
            let policy = answer.header("content-security-policy");
            assert!(policy.contains("default-src"), "{policy}");
            !policy.contains("frame-ancestors")
        };
        // Pages in a sandbox have no origin, and tell no address.
        let frame = "Sec-Fetch-Dest: iframe\r\nSec-Fetch-Site: cross-site\r\n";
        assert!(may_be_framed_by_anybody(frame));
        let stranger = format!("{frame}Referer: https://stranger.example/\r\n");
        assert!(!may_be_framed_by_anybody(&stranger));
        assert!(!may_be_framed_by_anybody("Sec-Fetch-Dest: document\r\n"));
    }
}

#[test]
fn documents_that_nobody_completed_do_not_run() {
    let html = "http://www.w3.org/1999/xhtml";
    let xml = |body: &str| Saved::new("https://h/", "text/xml", body);
    for (saved, purpose, is_still) in [
        (Saved::page("https://h/", "<p>x"), "document", false),
        (xml("<x/>"), "document", true),
        (xml(&format!("<x xmlns:h='{html}'/>")), "document", true),
        (
            xml(&format!("<x xmlns:h='{html}'><h:p/></x>")),
            "iframe",
            false,
        ),
        (xml("<x/>"), "empty", false),
        (
            Saved::new("https://h/", "image/png", "x"),
            "document",
            false,
        ),
        (
            Saved::new("https://h/", "application/pdf", "x"),
            "document",
            false,
        ),
    ] {
        let what = format!("{saved:?} {purpose}");
        let running = Running::host(&[saved]);
        let answer = running.get("https://h/", purpose);
        let policy = answer.header("content-security-policy");
        assert_eq!(policy.contains("sandbox"), is_still, "{what}: {policy}");
    }
}

#[test]
fn signed_exchanges_lead_nowhere() {
    let saved = Saved::new("https://h/", "application/signed-exchange;v=b3", "sxg1-b3");
    let answer = Running::host(&[saved]).get("https://h/", "document");
    assert_eq!(answer.header("content-type"), "application/octet-stream");
}
