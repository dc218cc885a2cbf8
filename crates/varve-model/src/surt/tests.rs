//! Keys against those of the Python package, and what holds for any bytes.
#![allow(clippy::unwrap_used)]

use super::*;
use proptest::prelude::*;
use std::borrow::Cow;

fn check(url: &str, expected: &str) {
    assert_eq!(Surt::from_url(url).as_str(), expected, "{url}");
}

/// `tests/keys.txt` holds what the Python package answers for the lines of `tests/urls.txt`, made
/// one word of UTF-8 as differences 1 and 2 of `docs/surt.md` say.
#[test]
fn keys_are_those_of_the_python_package() {
    let urls = include_bytes!("../../tests/urls.txt").split(|b| *b == b'\n');
    let keys = include_str!("../../tests/keys.txt").split('\n');
    for (url, key) in urls.zip(keys).filter(|(url, _)| !url.is_empty()) {
        let shown = String::from_utf8_lossy(url);
        assert_eq!(Surt::from_url_bytes(url).as_str(), key, "{shown}");
    }
}

#[test]
fn what_every_reader_should_know() {
    check("", "-");
    check(
        "http://www.Example.com:80/A/?b=2&a=1#x",
        "com,example)/a?a=1&b=2",
    );
    check("example.com", "com,example)/");
    check("https://example.com:8443/", "com,example:8443)/");
    check("http://user:pass@example.com/", "com,example)/");
    check("http://127.1/", "1,0,0,127)/");
    check("http://[::1]/", "::1)/");
    check("http://bücher.de/", "de,xn--bcher-kva)/");
    check("http://example.com/%2541%20b/../c", "com,example)/c");
    check("mailto:Me@Example.com", "mailto:me@example.com");
    check("dns:www.example.com", "dns:www.example.com");
}

/// The differences of `docs/surt.md`.
#[test]
fn differences_from_the_python_package() {
    check(
        "http://example.com:port/a b",
        "http://example.com:port/a%20b",
    );
    check("filedesc://a b.arc", "filedesc://a%20b.arc");
    check(" ", "%20");
    check("http://256.1.1.1/", "1,1,1,256)/");
    check("http://\u{fdfa}.com/", "com,%ef%b7%ba)/");
    check("http://a\u{2024}b.com/", "com,a%e2%80%a4b)/");
    check("http://\u{13a0}.com/", "com,xn--58d)/");
    assert_eq!(
        Surt::from_url_bytes(b"filedesc:\xff").as_str(),
        "filedesc:%ff"
    );
}

#[test]
fn keys_of_others_stay_as_they_are() {
    let check = |key: &str, expected: &str| {
        assert_eq!(Surt::from_key(key.to_owned()).as_str(), expected);
    };
    check("com,example)/A?B", "com,example)/A?B");
    check("com,example)/é%2F", "com,example)/é%2F");
    check("a b\n\u{7f}", "a%20b%0a%7f");
}

#[test]
fn ranges_are_those_of_pywb() {
    let check = |url: &str, wanted: UrlMatch, start: &str, end: &str| {
        let range = key_range(url, wanted);
        assert_eq!(
            (range.start.as_str(), range.end.as_deref()),
            (start, Some(end)),
            "{url}"
        );
    };
    let url = "http://example.com/path/file.html";
    let key = "com,example)/path/file.html";
    check(url, UrlMatch::Exact, key, &format!("{key}!"));
    check(url, UrlMatch::Prefix, key, "com,example)/path/file.htmm");
    check(url, UrlMatch::Host, "com,example)/", "com,example*");
    check(url, UrlMatch::Domain, "com,example)/", "com,example-");
    check("com", UrlMatch::Domain, "com,", "com-");
    check(
        "http://example.com/path/",
        UrlMatch::Prefix,
        "com,example)/path/",
        "com,example)/path0",
    );
    check(
        "http://example.com/path?",
        UrlMatch::Prefix,
        "com,example)/path?",
        "com,example)/path@",
    );
    check(
        "http://example.com/path/?",
        UrlMatch::Prefix,
        "com,example)/path?",
        "com,example)/path@",
    );
}

#[test]
fn a_prefix_can_end_with_the_last_character() {
    let prefix = |url: &str| key_range(url, UrlMatch::Prefix).end;
    assert_eq!(prefix("filedesc\u{10ffff}").as_deref(), Some("filedesd"));
    assert_eq!(
        prefix("filedesc\u{d7ff}").as_deref(),
        Some("filedesc\u{e000}")
    );
}

#[test]
fn wildcards() {
    let check = |url: &str, expected: &str, wanted: UrlMatch| {
        assert_eq!(UrlMatch::infer(url), (expected.to_owned(), wanted), "{url}");
    };
    check("*.example.com", "example.com", UrlMatch::Domain);
    check("*.example.com/*", "example.com/*", UrlMatch::Domain);
    check("example.com/*", "example.com/", UrlMatch::Prefix);
    check("example.com", "example.com", UrlMatch::Exact);
    check("*", "", UrlMatch::Prefix);
    check("", "", UrlMatch::Exact);
}

/// Half a megabyte of what invites a second look, a third, and so on: quadratic steps would show
/// as a test that does not end.
#[test]
fn hostile_urls_have_keys_too() {
    let escapes = format!("http://a/%{}41", "25".repeat(250_000));
    check(&escapes, "a)/a");
    let dots = format!("http://a/{}", "../".repeat(170_001));
    check(&dots, "a)/..");
    let sessions = format!(
        "http://a{}.aspx",
        "/(0123456789abcdefghijklmn)".repeat(20_000)
    );
    assert_eq!(
        Surt::from_url(&sessions).as_str().len(),
        sessions.len() - 7 - 27 + 1
    );
    let tokens = format!("http://a/?{}&cftoken=", "cfid=".repeat(100_000));
    assert!(Surt::from_url(&tokens).as_str().starts_with("a)/?cfid="));
}

/// Escapes taken off in whole passes, until nothing changes.
fn unescape_in_passes(text: &[u8]) -> Vec<u8> {
    let mut text = text.to_vec();
    loop {
        let mut out = Vec::new();
        let mut rest = text.as_slice();
        while let Some((first, tail)) = rest.split_first() {
            let pair = tail
                .get(..2)
                .and_then(|pair| std::str::from_utf8(pair).ok());
            let pair = pair.filter(|pair| pair.bytes().all(|b| b.is_ascii_hexdigit()));
            match pair.filter(|_| *first == b'%') {
                Some(pair) => {
                    out.push(u8::from_str_radix(pair, 16).unwrap());
                    rest = &tail[2..];
                }
                None => {
                    out.push(*first);
                    rest = tail;
                }
            }
        }
        if out == text {
            return out;
        }
        text = out;
    }
}

proptest! {
    #[test]
    fn one_pass_unescapes_as_many_do(text in "[%0-9a-fA-F]{0,40}|(%|2|5|4|1|%25|%32|%35){0,20}") {
        let once: Cow<'_, [u8]> = escape::unescape(text.as_bytes());
        prop_assert_eq!(once.into_owned(), unescape_in_passes(text.as_bytes()));
    }

    #[test]
    fn any_bytes_have_a_key_of_one_word(bytes: Vec<u8>) {
        let key = Surt::from_url_bytes(&bytes);
        prop_assert!(!key.as_str().is_empty());
        prop_assert!(!key.as_str().bytes().any(escape::ends_a_word));
        prop_assert_eq!(&Surt::from_key(key.as_str().to_owned()), &key);
    }

    #[test]
    fn any_url_lies_in_its_ranges(url in "(https?://)?[a-z0-9.@:\\[\\]é]{0,20}(/[a-z./%()]{0,12})?(\\?[a-z=&%]{0,12})?|\\PC{0,40}") {
        let key = Surt::from_url(&url);
        for wanted in [UrlMatch::Exact, UrlMatch::Host, UrlMatch::Domain] {
            let range = key_range(&url, wanted);
            // A key without host, or of a bare top-level domain, is in no host's range.
            let has_place = key.as_str().split_once(")/").is_some_and(|(host, _)| host.contains(','));
            prop_assert!(range.contains(key.as_str()) || (wanted != UrlMatch::Exact && !has_place));
        }
        prop_assert!(key_range(&url, UrlMatch::Prefix).end.is_some());
    }
}
