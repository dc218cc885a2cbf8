//! `Original`: the URL whose mementos are wanted (URI-R).

use std::fmt;
use url::Url;
use varve_model::{ReplayUrl, Surt, Timestamp};

/// Longer URLs are not looked for.
const LONGEST: usize = 8 * 1024;

/// A URL of the web whose mementos are wanted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Original {
    url: String,
    key: Surt,
}

/// A text that is no URL of the web.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("it is missing, too long, or no URL of the web")]
pub struct NoOriginal;

impl Original {
    /// Reads a URL as people write it, and as it stands at the end of a path: without a scheme, with
    /// a slash lost on the way, or percent-encoded as a whole.
    pub fn parse(written: &str) -> Result<Original, NoOriginal> {
        let written = written.trim();
        if written.is_empty() || written.len() > LONGEST {
            return Err(NoOriginal);
        }
        let lower = written.to_ascii_lowercase();
        let encoded = ["http%3a", "https%3a"];
        let decoded = match encoded.iter().any(|start| lower.starts_with(start)) {
            true => unescape(written)?,
            false => written.to_owned(),
        };
        let somewhen = Timestamp::from_unix_millis(0).ok_or(NoOriginal)?;
        let repaired = ReplayUrl::memento(somewhen, None, &decoded).url;
        let mut url = Url::parse(&repaired).map_err(|_| NoOriginal)?;
        if !matches!(url.scheme(), "http" | "https") || !url.has_host() {
            return Err(NoOriginal);
        }
        url.set_fragment(None);
        let key = Surt::from_url(url.as_str());
        Ok(Original {
            url: url.into(),
            key,
        })
    }

    /// The URL.
    pub fn as_str(&self) -> &str {
        &self.url
    }

    /// The key by which archives find it.
    pub fn key(&self) -> &Surt {
        &self.key
    }
}

impl fmt::Display for Original {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.url)
    }
}

fn unescape(text: &str) -> Result<String, NoOriginal> {
    let mut out = Vec::with_capacity(text.len());
    let mut bytes = text.bytes();
    while let Some(byte) = bytes.next() {
        match byte {
            b'%' => {
                let mut digit = || char::from(bytes.next()?).to_digit(16);
                let (high, low) = (digit().ok_or(NoOriginal)?, digit().ok_or(NoOriginal)?);
                out.push((high * 16 + low) as u8);
            }
            other => out.push(other),
        }
    }
    String::from_utf8(out).map_err(|_| NoOriginal)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urls_are_read_as_people_write_them() {
        let check = |written: &str, expected: Option<&str>| {
            let read = Original::parse(written).ok();
            assert_eq!(read.as_ref().map(Original::as_str), expected, "{written}");
        };
        check("http://a.example/", Some("http://a.example/"));
        check("a.example/x?y=z#part", Some("http://a.example/x?y=z"));
        check("https:/a.example", Some("https://a.example/"));
        check(
            "http%3A%2F%2Fa.example%2F%3Fb%3D%2520c",
            Some("http://a.example/?b=%20c"),
        );
        check("http://a.example/%3F", Some("http://a.example/%3F"));
        for bad in [
            "",
            " ",
            "ftp://a.example/",
            "javascript:alert(1)",
            "http://",
            "http%3A%2",
        ] {
            check(bad, None);
        }
        check(&format!("http://a.example/{}", "x".repeat(LONGEST)), None);
    }
}
