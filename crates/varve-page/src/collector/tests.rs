#![allow(clippy::unwrap_used)]

use encoding_rs::{Encoding, UTF_8, WINDOWS_1252};
use url::Url;

use super::{Collector, MAX_REFERENCES, Offer};
use crate::{Need, Note, Role, Viewport};

fn offer<'o>(url: &'o str, role: Role, need: Need) -> Offer<'o> {
    Offer {
        url,
        role,
        need,
        context: "test",
        span: None,
    }
}

fn resolved(encoding: &'static Encoding, written: &str) -> Option<String> {
    let viewport = Viewport::default();
    let base = Url::parse("https://example.com/dir/page?q#f").unwrap();
    let mut collector = Collector::new(&viewport, base, encoding);
    collector.offer(offer(written, Role::Link, Need::Needed));
    collector.references.first().map(|r| r.url.to_string())
}

#[test]
fn urls_are_resolved_as_browsers_do() {
    for (written, expected) in [
        ("a", "https://example.com/dir/a"),
        (" \n/a\t", "https://example.com/a"),
        ("?x", "https://example.com/dir/page?x"),
        ("//other.example", "https://other.example/"),
        ("HTTP:\\\\other.example\\a", "http://other.example/a"),
        ("a#b", "https://example.com/dir/a"),
        ("a b", "https://example.com/dir/a%20b"),
        (
            "http://bücher.example/ü",
            "http://xn--bcher-kva.example/%C3%BC",
        ),
        ("x:y", ""),
        ("a/x:y", "https://example.com/dir/a/x:y"),
        ("#b", ""),
        ("", ""),
        ("data:,x", ""),
        ("mailto:a@example.com", ""),
        ("JavaScript:void(0)", ""),
        ("http://", ""),
        ("http://a b/", ""),
    ] {
        let found = resolved(UTF_8, written).unwrap_or_default();
        assert_eq!(found, expected, "{written}");
    }
    let found = resolved(WINDOWS_1252, "ü?ü").unwrap();
    assert_eq!(found, "https://example.com/dir/%C3%BC?%FC");
}

#[test]
fn each_url_is_kept_once_per_role_with_its_strongest_need() {
    let viewport = Viewport::default();
    let base = Url::parse("https://example.com/").unwrap();
    let mut collector = Collector::new(&viewport, base, UTF_8);
    for (url, role, need) in [
        ("/a", Role::Link, Need::Weak),
        ("a", Role::Link, Need::Needed),
        ("/a#x", Role::Frame, Need::Variant),
        ("/a", Role::Link, Need::Variant),
    ] {
        collector.offer(offer(url, role, need));
    }
    let kept: Vec<_> = collector
        .references
        .iter()
        .map(|r| (r.role, r.need))
        .collect();
    assert_eq!(
        kept,
        [(Role::Link, Need::Needed), (Role::Frame, Need::Variant)]
    );
}

#[test]
fn limits_leave_notes() {
    let viewport = Viewport::default();
    let base = Url::parse("https://example.com/").unwrap();
    let mut collector = Collector::new(&viewport, base, UTF_8);
    collector.offer(offer(&"a".repeat(1 << 20), Role::Link, Need::Needed));
    assert_eq!(collector.notes, [Note::UrlTooLong]);
    for n in 0..MAX_REFERENCES + 10 {
        collector.offer(offer(&format!("/{n}"), Role::Link, Need::Needed));
    }
    assert_eq!(collector.references.len(), MAX_REFERENCES);
    assert_eq!(collector.notes, [Note::UrlTooLong, Note::TooManyReferences]);
}
