//! The parts of a page's URL, as inputs.
//!
//! For `https://example.com/en/guide/intro.html?tab=2`:
//!
//! | name | value | |
//! |---|---|---|
//! | `url:href` | the whole | without its fragment |
//! | `url:host` | `example.com` | and its port |
//! | `url:route` | `en/guide/intro.html` | the path without slashes around it |
//! | `url:page` | `en/guide/intro.html` | the same, `index` for `/` |
//! | `url:document` | `en/guide/intro.html` | the same, `index` after a slash at the end |
//! | `url:folder` | `en/guide` | the directory, without slashes around it |
//! | `url:file`, `url:stem` | `intro.html`, `intro` | |
//! | `url:seg:0`, `url:end:0` | `en`, `intro.html` | segments from the front and from the end |
//! | `url:lang` | `en` | the first that looks like a language |
//! | `url:query`, `url:query:tab` | `tab=2`, `2` | |
//! | `base:dir` | `https://example.com/en/guide/` | of what URLs are resolved against |
//!
//! No part has slashes at its ends, which would be another name for the same: they are literals.

use url::Url;

/// Segments that have a name, from either end.
const MAX_SEGMENTS: usize = 8;
/// Query parameters that have a name.
const MAX_PARAMETERS: usize = 16;

/// Parts that every URL may have.
const PARTS: [&str; 11] = [
    "url:href",
    "url:host",
    "url:route",
    "url:page",
    "url:document",
    "url:folder",
    "url:file",
    "url:stem",
    "url:lang",
    "url:query",
    "base:dir",
];

/// The names of the parts that a URL has.
pub(super) fn names(url: &Url) -> Vec<String> {
    let segments = segments(url).count().min(MAX_SEGMENTS);
    let keys = url.query_pairs().take(MAX_PARAMETERS);
    PARTS
        .iter()
        .map(|name| (*name).to_owned())
        .chain((0..segments).map(|nth| format!("url:seg:{nth}")))
        .chain((0..segments).map(|nth| format!("url:end:{nth}")))
        .chain(keys.map(|(key, _)| format!("url:query:{key}")))
        .collect()
}

/// The part of that name.
pub(super) fn part(url: &Url, base: &Url, name: &str) -> Option<String> {
    let Some(name) = name.strip_prefix("url:") else {
        return (name == "base:dir").then(|| directory(base.as_str()).to_owned());
    };
    if let Some(key) = name.strip_prefix("query:") {
        let mut pairs = url.query_pairs().take(MAX_PARAMETERS);
        return pairs.find(|(k, _)| k == key).map(|(_, v)| v.into_owned());
    }
    if let Some(nth) = name.strip_prefix("seg:") {
        return nth_of(segments(url), nth);
    }
    if let Some(nth) = name.strip_prefix("end:") {
        return nth_of(segments(url).rev(), nth);
    }
    named(url, name)
}

fn named(url: &Url, name: &str) -> Option<String> {
    let path = url.path();
    let route = path.trim_matches('/');
    let file = &path[directory(path).len()..];
    let text = match name {
        "href" => return Some(without_fragment(url)),
        "host" => return host(url),
        "route" => route,
        "page" if route.is_empty() => "index",
        "page" => route,
        "document" => return Some(document(path)),
        "folder" => directory(path).trim_matches('/'),
        "file" => file,
        "stem" => without_extension(file),
        "lang" => segments(url).find(|segment| is_language(segment))?,
        "query" => url.query()?,
        _ => return None,
    };
    Some(text.to_owned())
}

/// The text of a URL as it is asked for.
pub(super) fn without_fragment(url: &Url) -> String {
    let text = url.as_str();
    text.split('#').next().unwrap_or(text).to_owned()
}

/// A name without what is behind its last dot.
pub(super) fn without_extension(name: &str) -> &str {
    let file = name.rfind('/').map_or(0, |slash| slash + 1);
    match name.rfind('.') {
        Some(dot) if dot > file => &name[..dot],
        _ => name,
    }
}

fn host(url: &Url) -> Option<String> {
    let host = url.host_str()?;
    Some(match url.port() {
        Some(port) => format!("{host}:{port}"),
        None => host.to_owned(),
    })
}

/// What is before the last slash, and that.
fn directory(path: &str) -> &str {
    let path = path.split(['?', '#']).next().unwrap_or(path);
    &path[..path.rfind('/').map_or(0, |slash| slash + 1)]
}

fn document(path: &str) -> String {
    match path.ends_with('/') {
        true => format!("{}index", path.trim_start_matches('/')),
        false => path.trim_start_matches('/').to_owned(),
    }
}

fn segments(url: &Url) -> impl DoubleEndedIterator<Item = &str> {
    url.path().split('/').filter(|segment| !segment.is_empty())
}

fn nth_of<'a>(mut segments: impl Iterator<Item = &'a str>, nth: &str) -> Option<String> {
    let nth: usize = nth.parse().ok().filter(|nth| *nth < MAX_SEGMENTS)?;
    segments.nth(nth).map(str::to_owned)
}

/// Whether a segment is `en`, `pt-BR` or `zh_hant`.
fn is_language(segment: &str) -> bool {
    let (language, region) = match segment.split_once(['-', '_']) {
        Some((language, region)) => (language, Some(region)),
        None => (segment, None),
    };
    let letters = |text: &str| text.bytes().all(|byte| byte.is_ascii_alphabetic());
    language.len() == 2
        && letters(language)
        && region.is_none_or(|region| (2..=4).contains(&region.len()) && letters(region))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    fn check(url: &str, name: &str, expected: &str) {
        let url = Url::parse(url).unwrap();
        let found = part(&url, &url, name);
        assert_eq!(found.unwrap_or_default(), expected, "{name} of {url}");
    }

    #[test]
    fn parts_are_those_of_the_table() {
        let url = "https://example.com:81/en/guide/intro.html?tab=2&q=a%20b#top";
        for (name, expected) in [
            (
                "url:href",
                "https://example.com:81/en/guide/intro.html?tab=2&q=a%20b",
            ),
            ("url:host", "example.com:81"),
            ("url:route", "en/guide/intro.html"),
            ("url:page", "en/guide/intro.html"),
            ("url:document", "en/guide/intro.html"),
            ("url:folder", "en/guide"),
            ("url:file", "intro.html"),
            ("url:stem", "intro"),
            ("url:seg:0", "en"),
            ("url:seg:2", "intro.html"),
            ("url:seg:3", ""),
            ("url:end:0", "intro.html"),
            ("url:end:1", "guide"),
            ("url:end:99999999999999999999", ""),
            ("url:lang", "en"),
            ("url:query:tab", "2"),
            ("url:query:q", "a b"),
            ("base:dir", "https://example.com:81/en/guide/"),
            ("something else", ""),
        ] {
            check(url, name, expected);
        }
    }

    #[test]
    fn directories_have_pages_too() {
        check("https://h/", "url:route", "");
        check("https://h/", "url:page", "index");
        check("https://h/guide/", "url:page", "guide");
        check("https://h/guide/", "url:document", "guide/index");
        check("https://h/guide/", "url:file", "");
        check("https://h/guide/", "url:end:0", "guide");
    }

    #[test]
    fn extensions_belong_to_the_last_segment() {
        for (name, expected) in [
            ("a.html", "a"),
            ("a.b/c", "a.b/c"),
            ("a.b/c.d.e", "a.b/c.d"),
            (".hidden", ".hidden"),
            ("", ""),
        ] {
            assert_eq!(without_extension(name), expected);
        }
    }

    #[test]
    fn every_named_part_is_there_or_empty() {
        let url = Url::parse("https://h/a/b/c/d/e/f/g/h/i/j?x=1&y=2").unwrap();
        for name in names(&url) {
            assert!(
                part(&url, &url, &name).is_some() || name == "url:lang",
                "{name}"
            );
        }
    }
}
