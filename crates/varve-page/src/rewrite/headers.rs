//! URLs in response headers: `Location`, `Content-Location`, `Refresh`, `Link`.
//!
//! Headers act by themselves, so only what is known to stay inside is kept: a URL that the map
//! cannot place is left out, and so are links whose relation is not known to be harmless.

use encoding_rs::UTF_8;
use url::Url;

use super::mapping::Mapping;
use super::{Rewriting, UrlMap, Use};
use crate::headers::{links, refresh_url};
use crate::rewrite::markup::link_used_for;

/// Longest header value that is looked at.
const MAX_VALUE: usize = 64 << 10;

/// Links of one header that are looked at.
const MAX_LINKS: usize = 100;

/// Relations that make browsers do nothing, or something that stays inside.
const KEPT: &[&str] = &[
    "alternate",
    "canonical",
    "icon",
    "manifest",
    "modulepreload",
    "next",
    "prev",
    "preload",
];

/// Parameters that are left out: digests are of what was not rewritten yet, and images in a list
/// are not mapped.
const DROPPED: &[&str] = &["integrity", "imagesrcset"];

/// The value of a `Location` or `Content-Location` header of a response from `base`, as a whole
/// URL.
pub fn rewrite_location(
    value: &str,
    base: &Url,
    map: &dyn UrlMap,
    used_for: Use,
) -> Option<String> {
    if value.len() > MAX_VALUE {
        return None;
    }
    let how = Rewriting::new(map);
    let resolved = Mapping::new(&how, base.clone(), UTF_8).resolve(value.trim())?;
    // As an absolute URL it is mapped whatever the map leaves as written.
    let mapped = map.map(resolved.as_str(), &resolved, used_for)?;
    Some(in_header(&mapped))
}

/// The value of a `Refresh` header of a response from `base`.
pub fn rewrite_refresh(value: &str, base: &Url, map: &dyn UrlMap) -> Option<String> {
    let Some(range) = refresh_url(value) else {
        let again = value.trim();
        let is_time = again.bytes().all(|b| b.is_ascii_digit() || b == b'.');
        return (is_time && !again.is_empty()).then(|| again.to_owned());
    };
    let url = rewrite_location(&value[range.clone()], base, map, Use::Navigate)?;
    Some([&value[..range.start], &url, &value[range.end..]].concat())
}

/// The value of a `Link` header of a response from `base`. `None` if nothing is left.
pub fn rewrite_link_header(value: &str, base: &Url, map: &dyn UrlMap) -> Option<String> {
    if value.len() > MAX_VALUE {
        return None;
    }
    let mut out: Vec<String> = Vec::new();
    for link in links(value).into_iter().take(MAX_LINKS) {
        let parameter = |name: &str| {
            let found = link.parameters.iter().find(|(n, _)| n == name);
            found.map_or("", |(_, value)| value)
        };
        let rel = parameter("rel").to_ascii_lowercase();
        let words: Vec<&str> = rel.split_ascii_whitespace().collect();
        let harmless = !words.is_empty() && words.iter().all(|word| KEPT.contains(word));
        let url = match link_used_for(&words, parameter("as")) {
            Some(Some(used_for)) if harmless => rewrite_location(link.url, base, map, used_for),
            Some(None) if harmless => Some(in_header(link.url)),
            _ => None,
        };
        let Some(url) = url else { continue };
        let mut written = format!("<{url}>");
        for (name, value) in &link.parameters {
            if !DROPPED.contains(&name.as_str()) && is_token(name) {
                written.push_str(&format!("; {name}=\"{value}\""));
            }
        }
        out.push(written);
    }
    (!out.is_empty()).then(|| out.join(", "))
}

fn is_token(name: &str) -> bool {
    !name.is_empty()
        && name
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'*'))
}

/// A URL as it can stand in a header, and in angle brackets there.
fn in_header(url: &str) -> String {
    let fits = |b: u8| b > b' ' && b < 0x7f && !matches!(b, b'<' | b'>');
    match url.bytes().all(fits) {
        true => url.to_owned(),
        false => {
            let encoded = url.bytes().map(|b| match fits(b) {
                true => char::from(b).to_string(),
                false => format!("%{b:02X}"),
            });
            encoded.collect()
        }
    }
}
