//! Queries: from a URL to the range of keys that it asks for.

use super::Surt;

/// Which keys a query for a URL asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum UrlMatch {
    /// That URL only.
    Exact,
    /// Every URL whose key starts with its key.
    Prefix,
    /// Every URL of its host.
    Host,
    /// Every URL of its host and of the hosts below it.
    Domain,
}

impl UrlMatch {
    /// Reads the wildcards of a query: `*.example.com` is a domain, `example.com/*` a prefix,
    /// anything else exact. Gives back the URL without its wildcard.
    ///
    /// ```
    /// use varve_model::UrlMatch;
    /// let (url, wanted) = UrlMatch::infer("*.example.com");
    /// assert_eq!((url.as_str(), wanted), ("example.com", UrlMatch::Domain));
    /// ```
    pub fn infer(url: &str) -> (String, UrlMatch) {
        let (url, wanted) = if let Some(domain) = url.strip_prefix("*.") {
            (domain, UrlMatch::Domain)
        } else if let Some(prefix) = url.strip_suffix('*') {
            (prefix, UrlMatch::Prefix)
        } else {
            (url, UrlMatch::Exact)
        };
        (url.to_owned(), wanted)
    }
}

/// A range of keys: from `start`, up to and not including `end`.
///
/// It holds for bare keys and for whole index lines alike: no key has a character that sorts
/// before `!`, and a space follows it in a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyRange {
    /// The first key that may match.
    pub start: String,
    /// The first key that no longer does; `None` if there is none.
    pub end: Option<String>,
}

impl KeyRange {
    /// Whether a key, or an index line, lies in the range.
    pub fn contains(&self, key: &str) -> bool {
        let before_end = self.end.as_deref().is_none_or(|end| key < end);
        self.start.as_str() <= key && before_end
    }
}

/// The keys that a query for `url` asks for, in the ranges of pywb.
///
/// ```
/// use varve_model::{UrlMatch, key_range};
/// let range = key_range("http://example.com/a/", UrlMatch::Prefix);
/// assert!(range.contains("com,example)/a/b"));
/// assert!(!range.contains("com,example)/ab"));
/// ```
pub fn key_range(url: &str, wanted: UrlMatch) -> KeyRange {
    let key = Surt::from_url(url);
    match wanted {
        UrlMatch::Exact => range(key.as_str(), format!("{key}!")),
        UrlMatch::Prefix => prefix_range(url, key.as_str()),
        UrlMatch::Host => {
            let host = host_of(key.as_str());
            range(&format!("{host})/"), format!("{host}*"))
        }
        UrlMatch::Domain => {
            let host = host_of(key.as_str());
            // A top-level domain has no pages of its own.
            let start = if host.contains(',') { ")/" } else { "," };
            range(&format!("{host}{start}"), format!("{host}-"))
        }
    }
}

fn range(start: &str, end: String) -> KeyRange {
    KeyRange {
        start: start.to_owned(),
        end: Some(end),
    }
}

fn host_of(key: &str) -> &str {
    key.split_once(")/").map_or(key, |(host, _)| host)
}

/// A key loses the slash or question mark at its end; a prefix means it.
fn prefix_range(url: &str, key: &str) -> KeyRange {
    let mut start = key.to_owned();
    for end in ['/', '?'] {
        if url.ends_with(end) && !start.ends_with(end) {
            start.push(end);
        }
    }
    let end = after_all_with_prefix(&start);
    KeyRange { start, end }
}

/// The first text that sorts after everything that starts with a prefix.
fn after_all_with_prefix(prefix: &str) -> Option<String> {
    let mut end = prefix.to_owned();
    while let Some(last) = end.pop() {
        // The range steps over the surrogates, which no text holds.
        if let Some(next) = (last..=char::MAX).nth(1) {
            end.push(next);
            return Some(end);
        }
    }
    None
}
