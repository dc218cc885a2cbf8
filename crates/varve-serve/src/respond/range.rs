//! Parts of bodies: what a `Range` asks for, of a body that is stored whole or in part.

use varve_model::HttpHead;

/// What one range of bytes asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Asking {
    /// From here, up to and with there.
    From(u64, Option<u64>),
    /// The last so many.
    Last(u64),
}

impl Asking {
    /// Reads a `Range` header. Several ranges at once, and other units, count as none.
    pub(crate) fn parse(value: &str) -> Option<Asking> {
        let (first, last) = value
            .trim()
            .strip_prefix("bytes=")?
            .trim()
            .split_once('-')?;
        let number = |text: &str| -> Option<u64> {
            let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
            digits.then(|| text.parse().ok())?
        };
        match (first.trim(), last.trim()) {
            ("", last) => Some(Asking::Last(number(last)?)),
            (first, "") => Some(Asking::From(number(first)?, None)),
            (first, last) => {
                let (first, last) = (number(first)?, number(last)?);
                (first <= last).then_some(Asking::From(first, Some(last)))
            }
        }
    }

    /// Where the range begins, if it says so.
    pub(crate) fn first(self) -> Option<u64> {
        match self {
            Asking::From(first, _) => Some(first),
            Asking::Last(_) => None,
        }
    }
}

/// Which bytes of the full content a stored body is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stored {
    /// Its first byte.
    pub(crate) first: u64,
    /// How many bytes are stored.
    pub(crate) length: u64,
    /// How many bytes the full content has, if it is known.
    pub(crate) total: Option<u64>,
}

/// Which bytes are sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Part {
    /// Bytes of the stored body before the first one that is sent.
    pub(crate) skip: u64,
    /// How many are sent.
    pub(crate) length: u64,
}

impl Stored {
    /// A body that is there from its beginning to its end.
    pub(crate) fn whole(length: u64) -> Stored {
        Stored {
            first: 0,
            length,
            total: Some(length),
        }
    }

    /// The body of a 206, as its `Content-Range` says.
    pub(crate) fn partial(head: &HttpHead, length: u64) -> Option<Stored> {
        let (first, total) = content_range(head)?;
        Some(Stored {
            first,
            length,
            total,
        })
    }

    /// Whether there is nothing but this.
    pub(crate) fn is_whole(&self) -> bool {
        self.first == 0 && self.total == Some(self.length)
    }

    /// The part that answers; `None` if nothing that is asked for is stored.
    pub(crate) fn part(&self, asking: Asking) -> Option<Part> {
        let end = self.first.checked_add(self.length)?;
        let (first, last) = match asking {
            Asking::From(first, last) => (first, last.unwrap_or(u64::MAX)),
            Asking::Last(count) => (self.total?.saturating_sub(count), u64::MAX),
        };
        let last = last.min(end.checked_sub(1)?);
        let inside = first >= self.first && first <= last;
        inside.then(|| Part {
            skip: first - self.first,
            length: last - first + 1,
        })
    }

    /// The `Content-Range` of a part.
    pub(crate) fn content_range(&self, part: Part) -> String {
        let first = self.first + part.skip;
        let last = first + part.length.saturating_sub(1);
        match self.total {
            Some(total) => format!("bytes {first}-{last}/{total}"),
            None => format!("bytes {first}-{last}/*"),
        }
    }
}

/// First byte and total length that a `Content-Range` names.
pub(crate) fn content_range(head: &HttpHead) -> Option<(u64, Option<u64>)> {
    let value = head.get("Content-Range")?;
    let text = std::str::from_utf8(&value).ok()?.trim();
    let (range, total) = text.strip_prefix("bytes ")?.split_once('/')?;
    let first = range.split_once('-')?.0.trim().parse().ok()?;
    Some((first, total.trim().parse().ok()))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn ranges_of_whole_and_partial_bodies() {
        let whole = Stored::whole(10);
        let middle = Stored {
            first: 5,
            length: 10,
            total: Some(100),
        };
        let check = |stored: &Stored, range: &str, expected: &str| {
            let asking = Asking::parse(range).unwrap();
            let said = stored.part(asking).map(|part| stored.content_range(part));
            assert_eq!(said.unwrap_or_default(), expected, "{range}");
        };
        check(&whole, "bytes=0-", "bytes 0-9/10");
        check(&whole, "bytes=2-3", "bytes 2-3/10");
        check(&whole, "bytes=2-99", "bytes 2-9/10");
        check(&whole, "bytes=-3", "bytes 7-9/10");
        check(&whole, "bytes=-30", "bytes 0-9/10");
        check(&whole, "bytes=10-", "");
        check(&whole, "bytes=-0", "");
        check(&Stored::whole(0), "bytes=0-", "");
        check(&middle, "bytes=5-", "bytes 5-14/100");
        check(&middle, "bytes=7-8", "bytes 7-8/100");
        check(&middle, "bytes=0-8", "");
        check(&middle, "bytes=15-", "");
        check(&middle, "bytes=-90", "bytes 10-14/100");
        for range in [
            "bytes=",
            "bytes=-",
            "bytes=3-2",
            "bytes=0-1,3-4",
            "lines=0-1",
            "bytes=x-",
            "bytes=+1-",
            "bytes=99999999999999999999-",
        ] {
            assert_eq!(Asking::parse(range), None, "{range}");
        }
    }
}
