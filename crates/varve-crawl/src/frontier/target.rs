//! A Target: a URL to visit, where it came from, and the key under which it is seen once.

use std::fmt;
use url::Url;

/// A longer URL is refused. Servers and browsers end far below; the queue must hold any it takes.
pub const LONGEST_URL: usize = 64 * 1024;

/// What makes a URL the same as another: 128 bits of the BLAKE3 hash of its canonical text.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct UrlKey(pub [u8; 16]);

impl UrlKey {
    /// The key of a URL's canonical text.
    pub fn of(canonical: &str) -> UrlKey {
        let hash = blake3::hash(canonical.as_bytes());
        let mut key = [0; 16];
        key.copy_from_slice(&hash.as_bytes()[..16]);
        UrlKey(key)
    }
}

impl fmt::Display for UrlKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for UrlKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "UrlKey({self})")
    }
}

/// How a URL was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Found {
    /// The user named it.
    Seed,
    /// A page links to it.
    Link,
    /// A server redirected to it.
    Redirect,
    /// A sitemap lists it.
    Sitemap,
    /// It is a sitemap itself, or may be one.
    SitemapFile,
}

/// A URL to visit and where it came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// Where to go.
    pub url: Url,
    /// The key of its canonical form.
    pub key: UrlKey,
    /// How many links away from a seed.
    pub depth: u32,
    /// How many steps outside the scope so far.
    pub hops: u32,
    /// Lower comes first.
    pub priority: u8,
    /// The page that named it.
    pub via: Option<Url>,
    /// How it was found.
    pub found: Found,
    /// How often it was tried before.
    pub tries: u32,
}

impl Target {
    /// What the user named: comes first.
    pub fn seed(url: Url, key: UrlKey) -> Target {
        Target {
            url,
            key,
            depth: 0,
            hops: 0,
            priority: 0,
            via: None,
            found: Found::Seed,
            tries: 0,
        }
    }

    /// The host to be polite to.
    pub fn host(&self) -> Option<String> {
        host_of(&self.url)
    }
}

/// The unit of politeness: the host and, unless it is the usual one, the port. `http` and `https`
/// of one name are one host. None for URLs that have no host.
pub fn host_of(url: &Url) -> Option<String> {
    let name = url.host_str().filter(|name| !name.is_empty())?;
    Some(match url.port() {
        Some(port) => format!("{name}:{port}"),
        None => name.to_owned(),
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn check(url: &str, expected: Option<&str>) {
        let host = host_of(&Url::parse(url).unwrap());
        assert_eq!(host.as_deref(), expected, "{url}");
    }

    #[test]
    fn the_host_of_a_url() {
        check("https://example.org/a", Some("example.org"));
        check("http://example.org/a", Some("example.org"));
        check("http://EXAMPLE.org:80/", Some("example.org"));
        check("http://example.org:8080/", Some("example.org:8080"));
        check("http://[::1]:8080/", Some("[::1]:8080"));
        check(
            "https://user@bücher.example/",
            Some("xn--bcher-kva.example"),
        );
        check("data:text/plain,a", None);
        check("mailto:a@example.org", None);
        check("file:///etc/passwd", None);
    }

    #[test]
    fn a_key_is_sixteen_bytes_of_blake3() {
        let key = UrlKey::of("https://example.org/");
        assert_eq!(key, UrlKey::of("https://example.org/"));
        assert_ne!(key, UrlKey::of("https://example.org/a"));
        // The published test vector for no input at all.
        assert_eq!(
            UrlKey::of("").to_string(),
            "af1349b9f5f9a1a6a0404dea36dcc949"
        );
    }
}
