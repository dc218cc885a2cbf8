//! URLs in response headers: `Location`, `Content-Location`, `Refresh`, `Link`.

use encoding_rs::UTF_8;
use url::Url;

use super::mapping::Mapping;
use super::{Rewriting, UrlMap, Use};
use crate::headers::{links, refresh_url};
use crate::rewrite::markup::link_used_for;

/// Longest header value that is looked at.
const MAX_VALUE: usize = 256 << 10;

/// The value of a `Location` or `Content-Location` header of a response from `base`. Where the
/// map says nothing, it stays as it is.
pub fn rewrite_location(value: &str, base: &Url, map: &dyn UrlMap, used_for: Use) -> String {
    let how = Rewriting::new(map);
    let mut mapping = Mapping::new(&how, base.clone(), UTF_8);
    in_header(mapping.url(value, used_for)).unwrap_or_else(|| value.to_owned())
}

/// The value of a `Refresh` header of a response from `base`. Where the map says nothing, it
/// stays as it is.
pub fn rewrite_refresh(value: &str, base: &Url, map: &dyn UrlMap) -> String {
    let how = Rewriting::new(map);
    let mut mapping = Mapping::new(&how, base.clone(), UTF_8);
    let Some(range) = refresh_url(value) else {
        return value.to_owned();
    };
    match in_header(mapping.url(&value[range.clone()], Use::Navigate)) {
        Some(url) => [&value[..range.start], &url, &value[range.end..]].concat(),
        None => value.to_owned(),
    }
}

/// The value of a `Link` header of a response from `base`: its URLs are mapped, and links that
/// only make connections are left out. `None` if nothing is left.
pub fn rewrite_link_header(value: &str, base: &Url, map: &dyn UrlMap) -> Option<String> {
    if value.len() > MAX_VALUE {
        return None;
    }
    let how = Rewriting::new(map);
    let mut mapping = Mapping::new(&how, base.clone(), UTF_8);
    let mut out: Vec<String> = Vec::new();
    for link in links(value) {
        let parameter = |name: &str| {
            let found = link.parameters.iter().find(|(n, _)| n == name);
            found.map_or("", |(_, value)| value)
        };
        let rel = parameter("rel").to_ascii_lowercase();
        let words: Vec<&str> = rel.split_ascii_whitespace().collect();
        let Some(used_for) = link_used_for(&words, parameter("as")) else {
            continue;
        };
        let url = used_for.and_then(|used_for| in_header(mapping.url(link.url, used_for)));
        let mut written = format!("<{}>", url.as_deref().unwrap_or(link.url));
        for (name, value) in &link.parameters {
            // Digests are of what was not rewritten yet.
            if name != "integrity" && is_token(name) {
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

/// A URL that can stand in a header, and in angle brackets there.
fn in_header(url: Option<String>) -> Option<String> {
    let url = url?;
    let fits = |b: u8| b > b' ' && b < 0x7f && !matches!(b, b'<' | b'>');
    match url.bytes().all(fits) {
        true => Some(url),
        false => {
            let encoded = url.bytes().map(|b| match fits(b) {
                true => char::from(b).to_string(),
                false => format!("%{b:02X}"),
            });
            Some(encoded.collect())
        }
    }
}
