//! What a peer says about a URL, held against what can be checked.
//!
//! A peer may be wrong or lie. A memento whose address names another URL, that is from the future
//! or from before there was a web, or whose date contradicts its own address, is not passed on.

use crate::original::Original;
use url::Url;
use varve_model::{Surt, Timestamp};

/// Addresses of mementos that are longer are not believed.
const LONGEST: usize = 16 * 1024;
/// Nothing was archived before this: 1990, when there was no page.
const BEGINNING: i64 = 631_152_000_000;
/// Clocks and time zones may differ by this much.
const SLACK: i64 = 26 * 3_600_000;

/// Why a memento is not believed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lie {
    /// Its address is no address of the web.
    Address,
    /// Its date cannot be read, or cannot be.
    Date,
    /// It is one of another URL.
    OtherUrl,
}

/// What may be claimed about one URL.
#[derive(Clone, Debug)]
pub(crate) struct Claims {
    key: Surt,
    now: i64,
}

impl Claims {
    /// About this URL, at this time in milliseconds since 1970.
    pub(crate) fn about(original: &Original, now: i64) -> Claims {
        Claims {
            key: original.key().clone(),
            now,
        }
    }

    /// Whether a URL that a peer names is the one in question.
    pub(crate) fn is_it(&self, url: &str) -> bool {
        match Original::parse(url) {
            Ok(other) => *other.key() == self.key,
            Err(_) => Surt::from_url(url) == self.key,
        }
    }

    /// A memento, if it is believable.
    pub(crate) fn memento(
        &self,
        page: &Url,
        target: &str,
        date: Option<&str>,
    ) -> Result<(Timestamp, Box<str>), Lie> {
        if target.len() > LONGEST {
            return Err(Lie::Address);
        }
        let url = page.join(target).map_err(|_| Lie::Address)?;
        if !matches!(url.scheme(), "http" | "https") || !url.has_host() {
            return Err(Lie::Address);
        }
        let inside = Inside::of(url.as_str());
        if inside.url.is_some_and(|url| !self.is_it(url)) {
            return Err(Lie::OtherUrl);
        }
        let said = date.map(read_date).transpose()?;
        let time = match (said, inside.time) {
            (Some(said), Some(inside)) if apart(said, inside) > SLACK => return Err(Lie::Date),
            (Some(said), _) => said,
            (None, Some(inside)) => inside,
            (None, None) => return Err(Lie::Date),
        };
        let possible = (BEGINNING..=self.now + SLACK).contains(&time.unix_millis());
        match possible {
            // Only the form is made sure of; the address stays as it was written if it can.
            true if target.starts_with("http") => Ok((time, target.into())),
            true => Ok((time, url.as_str().into())),
            false => Err(Lie::Date),
        }
    }
}

fn apart(a: Timestamp, b: Timestamp) -> i64 {
    (a.unix_millis() - b.unix_millis()).abs()
}

/// HTTP dates, and what some write in their place.
fn read_date(text: &str) -> Result<Timestamp, Lie> {
    let text = text.trim();
    let read = Timestamp::parse_http_date(text)
        .or_else(|_| Timestamp::parse_w3c(text))
        .or_else(|_| Timestamp::parse(text));
    read.map(Timestamp::to_seconds).map_err(|_| Lie::Date)
}

/// What the address of a memento says by itself, in archives with addresses such as
/// `/web/20140216050221id_/http://example.org/`.
struct Inside<'u> {
    time: Option<Timestamp>,
    url: Option<&'u str>,
}

impl<'u> Inside<'u> {
    fn of(address: &'u str) -> Inside<'u> {
        let nothing = Inside {
            time: None,
            url: None,
        };
        let Some((digits, rest)) = stamp(address) else {
            return nothing;
        };
        let url = ["http:/", "https:/"].iter().any(|it| rest.starts_with(it));
        match url {
            true => Inside {
                time: Timestamp::parse(digits).ok(),
                url: Some(rest),
            },
            // Fourteen digits may be anything.
            false => nothing,
        }
    }
}

/// The first part of a path that is a timestamp, with or without a modifier, and what follows it.
pub(crate) fn stamp(address: &str) -> Option<(&str, &str)> {
    let mut rest = address;
    loop {
        let (_, after) = rest.split_once('/')?;
        let part = after.split('/').next().unwrap_or("");
        let (digits, modifier) = part.split_at_checked(14).unwrap_or((part, ""));
        let digital = digits.len() == 14 && digits.bytes().all(|it| it.is_ascii_digit());
        let modified = modifier.is_empty() || modifier.ends_with('_') && modifier.len() <= 5;
        if digital && modified {
            let follows = after.get(part.len() + 1..)?;
            return Some((digits, follows));
        }
        rest = after;
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    const URL: &str = "http://www.a.example/x?b=1";
    const DATE: &str = "Sun, 16 Feb 2014 05:02:21 GMT";

    fn claim(target: &str, date: Option<&str>) -> Result<(String, String), Lie> {
        let now = 1_735_689_600_000;
        let claims = Claims::about(&Original::parse(URL).unwrap(), now);
        let page = Url::parse("http://archive.example/timemap/").unwrap();
        let (time, uri) = claims.memento(&page, target, date)?;
        Ok((time.digits14(), uri.into()))
    }

    #[track_caller]
    fn check(target: &str, date: Option<&str>, expected: Result<&str, Lie>) {
        let told = claim(target, date).map(|(time, _)| time);
        assert_eq!(told, expected.map(str::to_owned), "{target} {date:?}");
    }

    #[test]
    fn mementos_are_believed_as_archives_write_them() {
        let at = Ok("20140216050221");
        check(
            "http://m/web/20140216050221/http://a.example/x?b=1",
            Some(DATE),
            at,
        );
        check(
            "http://m/web/20140216050221id_/https://a.example/x?b=1",
            Some(DATE),
            at,
        );
        check("http://m/20140216050221/http:/A.example:80/x?b=1", None, at);
        // A day off is a time zone.
        check(
            "http://m/web/20140216000221/http://a.example/x?b=1",
            Some(DATE),
            at,
        );
        // Nothing inside to compare with.
        check("http://perma.example/AB12-CD34", Some(DATE), at);
        check("http://m/19991231235959/other", Some(DATE), at);
        check("http://m/1", Some("2014-02-16T05:02:21Z"), at);
        assert_eq!(
            claim("/m/1", Some(DATE)).unwrap().1,
            "http://archive.example/m/1"
        );
    }

    #[test]
    fn what_cannot_be_is_not_believed() {
        check(
            "http://m/web/20140216050221/http://b.example/",
            Some(DATE),
            Err(Lie::OtherUrl),
        );
        check(
            "http://m/web/20120216050221/http://a.example/x?b=1",
            Some(DATE),
            Err(Lie::Date),
        );
        check(
            "http://m/1",
            Some("Sun, 16 Feb 2034 05:02:21 GMT"),
            Err(Lie::Date),
        );
        check(
            "http://m/1",
            Some("Sun, 16 Feb 1914 05:02:21 GMT"),
            Err(Lie::Date),
        );
        check("http://m/1", Some("yesterday"), Err(Lie::Date));
        check("http://m/1", None, Err(Lie::Date));
        check("javascript:alert(1)", Some(DATE), Err(Lie::Address));
        check("http://", Some(DATE), Err(Lie::Address));
        check(
            &format!("http://m/{}", "x".repeat(LONGEST)),
            Some(DATE),
            Err(Lie::Address),
        );
    }
}
