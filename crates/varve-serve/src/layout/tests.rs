#![allow(clippy::unwrap_used)]

use super::*;
use proptest::prelude::*;

fn time() -> Timestamp {
    Timestamp::parse("20260101000000").unwrap()
}

fn host() -> Layout {
    Layout::Host(HostLayout::new("replay.localhost", 8080))
}

fn path() -> Layout {
    Layout::Path(PathLayout::new("http://127.0.0.1:8081"))
}

/// What a browser that follows a replay URL asks the server for.
fn ask(layout: &Layout, replay: &str) -> Option<Asked> {
    let replay = Url::parse(replay).unwrap();
    let authority = match replay.port() {
        Some(port) => format!("{}:{port}", replay.host_str().unwrap()),
        None => replay.host_str().unwrap().to_owned(),
    };
    let target = &replay[url::Position::BeforePath..url::Position::AfterQuery];
    layout.parse(&authority, target)
}

#[test]
fn archived_urls_have_replay_urls() {
    let check = |layout: Layout, url: &str, expected: &str| {
        let url = Url::parse(url).unwrap();
        let replay = layout.url(&url, time(), Use::Navigate);
        assert_eq!(replay.as_deref().unwrap_or(""), expected, "{url}");
    };
    let at = "20260101000000.replay.localhost:8080";
    for (url, expected) in [
        (
            "https://www.example.org/a?b",
            format!("http://www.example.org.https.{at}/a?b"),
        ),
        (
            "http://x.test:8080/",
            format!("http://x.test.http-8080.{at}/"),
        ),
        (
            "http://[::1]/#f",
            format!("http://v6-0-0-0-0-0-0-0-1.http.{at}/#f"),
        ),
        (
            "http://127.0.0.1:81/",
            format!("http://127.0.0.1.http-81.{at}/"),
        ),
        ("https://user:secret@h/", format!("http://h.https.{at}/")),
        ("ftp://h/", String::new()),
        ("mailto:a@b", String::new()),
        ("http://v6-0-0-0-0-0-0-0-1/", String::new()),
        ("http://h./", String::new()),
        ("http://a!b/", String::new()),
    ] {
        check(host(), url, &expected);
    }
    let long = format!("http://{}/", "a.".repeat(120) + "b");
    check(host(), &long, "");
    check(
        path(),
        "https://www.example.org/a?b#c",
        "http://127.0.0.1:8081/web/20260101000000mp_/https://www.example.org/a?b#c",
    );
    check(path(), "data:,x", "");
}

#[test]
fn requests_ask_for_archived_urls() {
    let check = |layout: Layout, to: &str, target: &str, expected: &str| {
        let asked = layout.parse(to, target).map(|asked| asked.url.to_string());
        assert_eq!(asked.unwrap_or_default(), expected, "{to} {target}");
    };
    let at = |name: &str| format!("{name}.20260101000000.replay.localhost:8080");
    check(host(), &at("h.https"), "/a?b", "https://h/a?b");
    check(host(), &at("H.HTTPS").to_uppercase(), "/", "https://h/");
    check(host(), &at("h.https"), "//a/../b", "https://h//b");
    for name in [
        "https",
        "h",
        "h.ftp",
        ".https",
        "a@b.https",
        "a/b.http",
        "h.http-x",
        "h.http-80",
    ] {
        check(host(), &at(name), "/", "");
    }
    for name in [
        "replay.localhost",
        "h.https.2026.replay.localhost",
        "h.https.20261301000000.replay.localhost",
        "",
        ":",
        "h.https.20260101000000.evil.test",
    ] {
        check(host(), name, "/", "");
    }
    check(host(), &at("h.https"), "*", "");
    check(
        path(),
        "anything",
        "/web/2026mp_/http:/h/a?b",
        "http://h/a?b",
    );
    check(path(), "", "/web/h", "http://h/");
    for target in [
        "/web/*/http://h/",
        "/web/",
        "/web/2026/",
        "/web/2026id_/urn:x",
        "/x",
        "",
    ] {
        check(path(), "", target, "");
    }
}

#[test]
fn what_is_written_stays_where_it_can() {
    let base = Url::parse("https://h/a/b/c.html").unwrap();
    let check = |layout: Layout, written: &str, stays: bool| {
        let map = MapAt::new(layout, time(), base.clone());
        let resolved = base.join(written).unwrap();
        let mapped = map.map(written, &resolved, Use::Image);
        assert_eq!(mapped.is_none(), stays, "{written}: {mapped:?}");
    };
    for (written, in_host, in_path) in [
        ("d.png", true, true),
        ("../d.png", true, true),
        ("../../d.png", true, true),
        ("../../../d.png", true, false),
        ("x/../../../../d.png", true, false),
        ("%2e%2e/d.png", true, false),
        ("/d.png", true, false),
        ("?q", true, true),
        ("#f", true, true),
        ("", true, true),
        ("//o/d.png", false, false),
        ("\\\\o/d.png", false, false),
        ("/\t/o/d.png", false, false),
        (" https://o/d.png", false, false),
        ("ht\ntps://o/", false, false),
        ("http:d.png", false, false),
    ] {
        check(host(), written, in_host);
        check(path(), written, in_path);
    }
}

#[test]
fn a_map_leaves_its_own_answers() {
    for layout in [host(), path()] {
        let base = Url::parse("https://h/").unwrap();
        let map = MapAt::new(layout.clone(), time(), base.clone());
        let replay = layout.url(&base, time(), Use::Image).unwrap();
        let resolved = Url::parse(&replay).unwrap();
        assert_eq!(map.map(&replay, &resolved, Use::Image), None);
    }
}

#[test]
fn origins_of_one_time_know_each_other() {
    let layout = host();
    let check = |origin: &str, expected: bool| {
        assert_eq!(layout.is_origin_of(origin, time()), expected, "{origin}");
    };
    check("http://h.https.20260101000000.replay.localhost:8080", true);
    check("http://h.https.20260101000001.replay.localhost:8080", false);
    check(
        "https://h.https.20260101000000.replay.localhost:8080",
        false,
    );
    check("http://h.https.20260101000000.replay.localhost:8081", false);
    check("http://replay.localhost:8080", false);
    check("null", false);
    assert!(layout.is_replay_host("replay.localhost:8080"));
    assert!(!layout.is_replay_host("evilreplay.localhost:8080"));
}

fn archived() -> impl Strategy<Value = Url> {
    let host = prop_oneof![
        "[a-z0-9_-]{1,12}(\\.[a-z0-9-]{1,12}){0,3}",
        "[0-9]{1,3}\\.[0-9]{1,3}\\.[0-9]{1,3}\\.[0-9]{1,3}",
        "\\[::[0-9a-f]{1,4}\\]",
    ];
    (
        any::<bool>(),
        host,
        proptest::option::of(1u16..),
        "(/[\\PC&&[^#]]{0,10}){0,4}",
    )
        .prop_filter_map("no URL", |(secure, host, port, path)| {
            let scheme = if secure { "https" } else { "http" };
            let port = port.map_or(String::new(), |port| format!(":{port}"));
            Url::parse(&format!("{scheme}://{host}{port}{path}")).ok()
        })
}

proptest! {
    #[test]
    fn what_is_mapped_is_asked_for_again(url in archived()) {
        for layout in [host(), path()] {
            if let Some(replay) = layout.url(&url, time(), Use::Style) {
                let asked = ask(&layout, &replay).unwrap();
                prop_assert_eq!(&asked.url, &url);
                prop_assert_eq!(asked.when, When::At(time()));
                let raw = ask(&layout, &layout.raw_url(&url, time()).unwrap()).unwrap();
                prop_assert_eq!(&raw.url, &url);
                prop_assert_eq!(raw.modifier, Some(Modifier::Identity));
            }
        }
    }

    #[test]
    fn no_request_panics(to in "\\PC{0,60}", target in "\\PC{0,60}") {
        for layout in [host(), path()] {
            let _ = layout.parse(&to, &target);
            let _ = layout.parse(&to, &format!("/web/{target}"));
            let _ = layout.parse(&format!("{to}.20260101000000.replay.localhost"), &target);
            let _ = layout.is_origin_of(&to, time());
            let base = Url::parse("https://h/a").unwrap();
            if let Ok(resolved) = base.join(&to) {
                let _ = MapAt::new(layout, time(), base).map(&to, &resolved, Use::Other);
            }
        }
    }
}
