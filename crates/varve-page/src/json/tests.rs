#![allow(clippy::unwrap_used)]

use encoding_rs::UTF_8;
use url::Url;

use super::{linked_data, manifest, speculation_rules};
use crate::collector::Collector;
use crate::{Note, Viewport};

#[track_caller]
fn check(find: fn(&str, &mut Collector<'_>), text: &str, expected: &str) {
    let viewport = Viewport::default();
    let base = Url::parse("http://h/d/").unwrap();
    let mut collector = Collector::new(&viewport, base, UTF_8);
    find(text, &mut collector);
    let found: Vec<_> = collector.references.iter().map(|r| r.url.path()).collect();
    assert_eq!(found.join(" "), expected, "{text}");
}

#[test]
fn manifests() {
    check(
        manifest,
        r#"{"start_url": "/start", "icons": [{"src": "i1.png"}, {"src": "/i2.png"}, {}],
            "screenshots": [{"src": "s.png"}], "shortcuts": [{"url": "/go", "icons": [{"src": "g.png"}]}]}"#,
        "/start /d/i1.png /i2.png /d/s.png /go /d/g.png",
    );
    check(manifest, r#"{"icons": {"src": "x"}, "start_url": 5}"#, "");
    check(manifest, "[]", "");
}

#[test]
fn linked_data_by_the_names_of_properties() {
    check(
        linked_data,
        r#"{"@context": "https://schema.org/", "@type": "Article", "url": "http://h/a", "name": "/no",
            "image": ["http://h/1.png", {"@type": "ImageObject", "url": "http://h/2.png"}],
            "publisher": {"logo": {"url": "http://h/logo.png"}, "url": "/p"}, "contentUrl": "/v.mp4"}"#,
        "/v.mp4 /1.png /2.png /logo.png /p /a",
    );
}

#[test]
fn speculation_rules_list_urls() {
    check(
        speculation_rules,
        r#"{"prefetch": [{"urls": ["a", "/b"]}], "prerender": [{"where": {}}, {"urls": ["c"]}]}"#,
        "/d/a /b /d/c",
    );
}

#[test]
fn what_is_not_json_gives_a_note() {
    let viewport = Viewport::default();
    let base = Url::parse("http://h/d/").unwrap();
    for text in ["", "{", &"[".repeat(100_000), "\u{0}"] {
        let mut collector = Collector::new(&viewport, base.clone(), UTF_8);
        linked_data(text, &mut collector);
        assert!(matches!(collector.notes[..], [Note::Json(_)]));
    }
}
