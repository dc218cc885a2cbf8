//! URLs in headers: `Location`, `Content-Location`, `Refresh` and `Link`, led into the archive.

use crate::layout::MapAt;
use axum::http::header::{self, HeaderName};
use url::Url;
use varve_model::HttpHead;
use varve_page::{UrlMap, Use};

/// Links of one header that are looked at.
const MAX_LINKS: usize = 100;
/// Longer values are left out.
const MAX_VALUE: usize = 64 << 10;

/// Relations that make browsers do something that stays inside.
const KEPT: [&str; 8] = [
    "alternate",
    "canonical",
    "icon",
    "manifest",
    "modulepreload",
    "next",
    "prev",
    "preload",
];

/// The headers that hold URLs, with replay URLs in them. What leads nowhere is left out.
pub(super) fn mapped(captured: &HttpHead, base: &Url, map: &MapAt) -> Vec<(HeaderName, String)> {
    let text = |name: &str| {
        let value = captured
            .get(name)
            .filter(|value| value.len() <= MAX_VALUE)?;
        Some(String::from_utf8_lossy(&value).into_owned())
    };
    let mut found = Vec::new();
    for (name, wire) in [
        (header::LOCATION, "Location"),
        (header::CONTENT_LOCATION, "Content-Location"),
    ] {
        let url = text(wire).and_then(|value| replay_url(&value, base, map, Use::Navigate));
        found.extend(url.map(|url| (name, url)));
    }
    let refresh = text("Refresh").and_then(|value| refresh(&value, base, map));
    found.extend(refresh.map(|value| (header::REFRESH, value)));
    let links = captured.get_all("Link").take(MAX_LINKS);
    for value in links.filter(|value| value.len() <= MAX_VALUE) {
        let value = String::from_utf8_lossy(&value).into_owned();
        found.extend(link(&value, base, map).map(|value| (header::LINK, value)));
    }
    found
}

/// The full replay URL of what is written in a header.
fn replay_url(written: &str, base: &Url, map: &MapAt, used_for: Use) -> Option<String> {
    let resolved = base.join(written.trim()).ok()?;
    // As an absolute URL it is mapped whatever the layout leaves as written.
    map.map(resolved.as_str(), &resolved, used_for)
}

fn refresh(value: &str, base: &Url, map: &MapAt) -> Option<String> {
    let reference = varve_page::refresh_header(value, base)?;
    let digits = value.trim_start().bytes().take_while(u8::is_ascii_digit);
    let seconds = digits.count().min(9);
    let seconds = &value.trim_start()[..seconds];
    let seconds = if seconds.is_empty() { "0" } else { seconds };
    let url = replay_url(reference.url.as_str(), base, map, Use::Navigate)?;
    Some(format!("{seconds}; url={url}"))
}

/// A `Link` header with the relations that are kept; `None` if none is.
fn link(value: &str, base: &Url, map: &MapAt) -> Option<String> {
    let mut kept = Vec::new();
    for (url, parameters) in split(value) {
        let relations = parameter(parameters, "rel")
            .unwrap_or_default()
            .to_ascii_lowercase();
        let mut words = relations.split_ascii_whitespace().peekable();
        if words.peek().is_none() || !words.all(|word| KEPT.contains(&word)) {
            continue;
        }
        let kind = parameter(parameters, "as").unwrap_or_default();
        let used_for = match (relations.as_str(), kind.as_str()) {
            ("modulepreload", _) => Use::Module,
            (_, "script") => Use::Script,
            (_, "style") => Use::Style,
            (_, "image") => Use::Image,
            _ => Use::Other,
        };
        // A preloaded image may name others that nobody maps.
        let names_others = parameters.to_ascii_lowercase().contains("imagesrcset");
        if let Some(url) = replay_url(url, base, map, used_for).filter(|_| !names_others) {
            kept.push(format!("<{url}>{}", parameters.trim_end()));
        }
    }
    (!kept.is_empty()).then(|| kept.join(", "))
}

/// The links of a header: each URL and the parameters after it.
fn split(value: &str) -> Vec<(&str, &str)> {
    let mut links = Vec::new();
    let mut rest = value;
    while let Some(start) = rest.find('<') {
        let Some(end) = rest[start..].find('>').map(|end| start + end) else {
            break;
        };
        let after = &rest[end + 1..];
        let length = unquoted_comma(after).unwrap_or(after.len());
        links.push((&rest[start + 1..end], &after[..length]));
        rest = after.get(length + 1..).unwrap_or("");
        if links.len() >= MAX_LINKS {
            break;
        }
    }
    links
}

fn unquoted_comma(text: &str) -> Option<usize> {
    let mut quoted = false;
    text.bytes().position(|byte| {
        quoted ^= byte == b'"';
        byte == b',' && !quoted
    })
}

fn parameter(parameters: &str, name: &str) -> Option<String> {
    parameters.split(';').find_map(|part| {
        let (key, value) = part.split_once('=')?;
        let value = value.trim().trim_matches('"');
        key.trim()
            .eq_ignore_ascii_case(name)
            .then(|| value.to_owned())
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::layout::{HostLayout, Layout};
    use varve_model::Timestamp;

    #[track_caller]
    fn check(name: &str, value: &str, expected: &str) {
        let base = Url::parse("https://h/d/").unwrap();
        let time = Timestamp::parse("20260101000000").unwrap();
        let layout = Layout::Host(HostLayout::new("r", 80));
        let map = MapAt::new(layout, time, base.clone());
        let captured = HttpHead::from_parts("HTTP/1.1 200 OK", &[(name, value)]);
        let found = mapped(&captured, &base, &map);
        let found = found.first().map_or("", |(_, value)| value.as_str());
        assert_eq!(found.replace(".20260101000000.r", "~"), expected, "{value}");
    }

    #[test]
    fn urls_in_headers_stay_inside() {
        check("Location", "/x?y", "http://h.https~/x?y");
        check("Location", "//o/", "http://o.https~/");
        check("Location", " http://o:81/ ", "http://o.http-81~/");
        check("Location", "mailto:a@b", "");
        check("Location", "javascript:alert(1)", "");
        check(
            "Content-Location",
            "a.en.html",
            "http://h.https~/d/a.en.html",
        );
        check("Refresh", "5; url=/x", "5; url=http://h.https~/x");
        check("Refresh", "0;http://o/", "0; url=http://o.http~/");
        check("Refresh", "5", "");
        check(
            "Link",
            "</a.css>; rel=preload; as=style",
            "<http://h.https~/a.css>; rel=preload; as=style",
        );
        check("Link", "<https://o>; rel=preconnect", "");
        check(
            "Link",
            "<//o>; rel=dns-prefetch, <b>; rel=\"next\"",
            "<http://h.https~/d/b>; rel=\"next\"",
        );
        check("Link", "<a>; rel=\"preload preconnect\"", "");
        check("Link", "<a>; rel=prerender", "");
        check("Link", "<a", "");
        check(
            "Link",
            "<a>; rel=preload; as=image; imagesrcset=\"http://live/ 2x\"",
            "",
        );
    }
}
