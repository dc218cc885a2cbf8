//! `ReplayUrl`: what someone asks an archive for, in the Wayback form.
//!
//! It is the part of a replay path after the prefix (`/web/`): a time, perhaps a *modifier*
//! that says how the answer is used, and the URL. A star in place of the time asks for a list.
//!
//! | text | asks for |
//! |---|---|
//! | `20140216050221/URL` | the memento closest to that time |
//! | `2014im_/URL` | the same, to be used as an image |
//! | `URL` | the latest memento |
//! | `*/URL` | all captures of the URL |
//! | `2014*/URL`, `2009-2015*/URL` | its captures of those years |
//! | `*/URL*`, `URL*` | the captured URLs that start with it |
//!
//! The URL is kept byte for byte, with two repairs: a scheme that lost a slash on the way
//! (`http:/example.com`: servers and browsers collapse them) gets it back, and a URL without a
//! scheme gets `http://`.

mod modifier;
mod repair;

use crate::{PartialTimestamp, Timestamp};
pub use modifier::Modifier;
use std::fmt;

/// A parsed replay path.
///
/// ```
/// use varve_model::{Modifier, ReplayUrl, Wanted};
/// let asked = ReplayUrl::parse("20140216im_/http:/example.com/a.png").expect("a URL");
/// assert_eq!(asked.url, "http://example.com/a.png");
/// assert!(matches!(asked.wanted, Wanted::Memento { modifier: Some(Modifier::Image), .. }));
/// assert_eq!(asked.to_string(), "20140216im_/http://example.com/a.png");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ReplayUrl {
    /// What is asked for about the URL.
    pub wanted: Wanted,
    /// The URL, always with a scheme.
    pub url: String,
}

/// What is asked for about a URL.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Wanted {
    /// The memento closest to a time; the latest if the time is empty.
    Memento {
        /// When, as precisely as it was typed.
        timestamp: PartialTimestamp,
        /// How the answer is used.
        modifier: Option<Modifier>,
    },
    /// The captures of the URL within a span of time.
    Captures(Span),
    /// The captured URLs that start with the URL, within a span of time.
    Urls(Span),
}

/// A span of time, as precisely as it was typed.
///
/// Without an end it is the span that its start names: `2014` is that year, nothing is all time.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Span {
    /// The start.
    pub from: PartialTimestamp,
    /// The end; often empty.
    pub to: PartialTimestamp,
}

impl Span {
    /// The first instant of the span; `None` if it has no start.
    pub fn earliest(&self) -> Option<Timestamp> {
        self.from.earliest()
    }

    /// The last instant of the span; `None` if it has no end.
    pub fn latest(&self) -> Option<Timestamp> {
        let end = if self.to.is_empty() {
            &self.from
        } else {
            &self.to
        };
        end.latest()
    }

    /// Reads what stands before the slash: `*`, `2014*`, `2009-2015*`, or pywb's `2009*2015`.
    fn parse(text: &str) -> Option<Span> {
        let (from, to) = match text.strip_suffix('*') {
            Some(rest) => rest.split_once('-').unwrap_or((rest, "")),
            None => text.split_once('*')?,
        };
        Some(Span {
            from: PartialTimestamp::parse(from)?,
            to: PartialTimestamp::parse(to)?,
        })
    }
}

impl ReplayUrl {
    /// The memento of a URL at a time.
    pub fn memento(timestamp: Timestamp, modifier: Option<Modifier>, url: &str) -> ReplayUrl {
        let timestamp = timestamp.into();
        ReplayUrl {
            wanted: Wanted::Memento {
                timestamp,
                modifier,
            },
            url: repair::repair(url),
        }
    }

    /// Reads a replay path, query included, after its prefix. `None` if it holds no URL.
    pub fn parse(path: &str) -> Option<ReplayUrl> {
        let (wanted, url) = split_wanted(path);
        let (wanted, url) = match wanted {
            Wanted::Captures(span) => match url.strip_suffix('*') {
                Some(prefix) => (Wanted::Urls(span), prefix),
                None => (Wanted::Captures(span), url),
            },
            memento => (memento, url),
        };
        let url = url.trim_start_matches('/');
        (!url.is_empty()).then(|| ReplayUrl {
            wanted,
            url: repair::repair(url),
        })
    }
}

/// What stands before the URL, and the URL.
fn split_wanted(path: &str) -> (Wanted, &str) {
    let latest = || Wanted::Memento {
        timestamp: PartialTimestamp::default(),
        modifier: None,
    };
    if let Some((first, url)) = path.split_once('/') {
        if let Some(span) = Span::parse(first) {
            return (Wanted::Captures(span), url);
        }
        if let Some(wanted) = parse_memento(first) {
            return (wanted, url);
        }
    }
    match path.ends_with('*') {
        true => (Wanted::Captures(Span::default()), path),
        false => (latest(), path),
    }
}

/// Digits, a modifier, or both.
fn parse_memento(text: &str) -> Option<Wanted> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (timestamp, modifier) = text.split_at(digits);
    if text.is_empty() {
        return None;
    }
    let modifier = match modifier {
        "" => None,
        _ => Some(Modifier::parse(modifier)?),
    };
    let timestamp = PartialTimestamp::parse(timestamp)?;
    Some(Wanted::Memento {
        timestamp,
        modifier,
    })
}

impl fmt::Display for ReplayUrl {
    /// The path after its prefix; reading it gives the same value back. (One made by hand may
    /// not come back: the latest memento of a URL that ends with a star reads as a list.)
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.wanted {
            Wanted::Memento {
                timestamp,
                modifier,
            } => {
                let modifier = modifier.as_ref().map_or("", Modifier::as_str);
                let slash = if timestamp.is_empty() && modifier.is_empty() {
                    ""
                } else {
                    "/"
                };
                write!(f, "{timestamp}{modifier}{slash}{}", self.url)
            }
            Wanted::Captures(span) => write!(f, "{span}/{}", self.url),
            Wanted::Urls(span) => write!(f, "{span}/{}*", self.url),
        }
    }
}

impl fmt::Display for Span {
    /// `*`, `2014*` or `2009-2015*`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let dash = if self.to.is_empty() { "" } else { "-" };
        write!(f, "{}{dash}{}*", self.from, self.to)
    }
}

#[cfg(test)]
mod tests;
