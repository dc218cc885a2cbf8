//! `Surt`: the key under which a URL is sorted and found.
//!
//! A SURT (Sort-friendly URI Reordering Transform) turns the host around and forgets what
//! rarely distinguishes pages, so that a site's captures lie together and spellings of one URL
//! meet: `http://www.Example.com:80/A/?b=2&a=1#x` becomes `com,example)/a?a=1&b=2`. The field's
//! indexes are sorted by the keys of one program, the Python package `surt`; ours are equal to
//! them, accidents included, or lookups in other archives' indexes would miss. `docs/surt.md`
//! lists the few differences.
//!
//! A URL becomes a key in this order, a submodule for each step: *split* cleans the URL and
//! cuts it up; *host*, *path* and *query* each append their canonical form to the key. No
//! step takes more than linear time on any bytes, except that parameters are sorted.

mod escape;
mod host;
mod idn;
mod ipv4;
mod path;
mod query;
mod range;
mod split;

pub use range::{KeyRange, UrlMatch, key_range};
use std::fmt;

/// The sort key of a URL.
///
/// A key holds no space and no control character and does not start with an exclamation mark, so
/// that it is always one word of an index line and never a header. Order is by bytes.
///
/// ```
/// use varve_model::Surt;
/// let key = Surt::from_url("http://www.Example.com:80/A/?b=2&a=1#x");
/// assert_eq!(key.as_str(), "com,example)/a?a=1&b=2");
/// assert_eq!(key, Surt::from_url("https://example.com/a?a=1&b=2"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Surt(String);

impl Surt {
    /// The key of a URL. Every text has one: what cannot be understood as a URL is its own key.
    pub fn from_url(url: &str) -> Surt {
        Surt::from_url_bytes(url.as_bytes())
    }

    /// The key of a URL that may not be UTF-8.
    pub fn from_url_bytes(url: &[u8]) -> Surt {
        if url.is_empty() {
            return Surt("-".to_owned());
        }
        // The first record of an ARC file is named so; its name is not to be touched.
        if url.starts_with(b"filedesc") {
            return Surt(escape::one_word(url));
        }
        let key = canonical(url).and_then(|key| String::from_utf8(key).ok());
        key.map_or_else(|| Surt(escape::one_word(url)), Surt::from_key)
    }

    /// A key that someone else has made: taken as it is, except that spaces, control
    /// characters and an exclamation mark at the start are percent-encoded.
    pub fn from_key(key: String) -> Surt {
        match key.starts_with('!') || key.bytes().any(escape::ends_a_word) {
            true => Surt(escape::one_word(key.as_bytes())),
            false => Surt(key),
        }
    }

    /// The key as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl AsRef<str> for Surt {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Surt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The canonical key, which is ASCII; `None` where the Python package raises an exception.
fn canonical(url: &[u8]) -> Option<Vec<u8>> {
    let url = split::clean(url);
    let parts = split::split(&url)?;
    let mut key = Vec::with_capacity(url.len() + 8);
    let has_host = host::push(&mut key, &parts)?;
    if !has_host {
        key.extend_from_slice(parts.scheme);
        key.push(b':');
    }
    path::push(&mut key, parts.path, has_host);
    let before_query = key.len();
    if !parts.query.is_empty() {
        let no_path = !has_host && parts.path.is_empty();
        key.extend_from_slice(if no_path { b"/?" } else { b"?" });
        if !query::push(&mut key, parts.query) {
            key.truncate(before_query);
        }
    }
    Some(key)
}

#[cfg(test)]
mod tests;
