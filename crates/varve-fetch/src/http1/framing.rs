//! How the end of a body is known (RFC 9112, section 6.3).

use crate::incoming::Framing;
use crate::trouble::Trouble;
use varve_model::HttpHead;

/// What a head says about what follows it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Follows {
    /// How the body ends.
    pub(crate) framing: Framing,
    /// Whether the connection can be used again after it.
    pub(crate) keep: bool,
}

/// Reads the framing from the head of a response.
pub(crate) fn follows(method: &str, head: &HttpHead) -> Result<Follows, Trouble> {
    let fields = Fields::of(head);
    if fields.lengths_differ && fields.chunked.is_none() {
        return Err(Trouble::Malformed("it gives two lengths".into()));
    }
    let status = head.status().unwrap_or_default();
    let bodiless = method == "HEAD" || matches!(status, 100..=199 | 204 | 304);
    let framing = match (bodiless, fields.chunked, fields.length) {
        (true, ..) => Framing::Empty,
        (false, Some(true), _) => Framing::Chunked,
        (false, Some(false), _) => Framing::UntilClose,
        (false, None, Some(0)) => Framing::Empty,
        (false, None, Some(length)) => Framing::Length(length),
        (false, None, None) => Framing::UntilClose,
    };
    // Where two fields disagree about the end, or a body is announced that must not be there,
    // nobody knows where the next response would begin.
    let clear = match framing {
        Framing::Chunked => fields.length.is_none() && fields.version_11,
        Framing::UntilClose => false,
        _ if status == 204 => fields.length.unwrap_or(0) == 0 && fields.chunked.is_none(),
        _ => method == "HEAD" || fields.chunked.is_none(),
    };
    let keep = clear && !fields.close && (fields.version_11 || fields.keep_alive);
    Ok(Follows { framing, keep })
}

#[derive(Default)]
struct Fields {
    version_11: bool,
    length: Option<u64>,
    lengths_differ: bool,
    /// Whether there is a transfer coding, and whether the last one is `chunked`.
    chunked: Option<bool>,
    close: bool,
    keep_alive: bool,
}

impl Fields {
    fn of(head: &HttpHead) -> Fields {
        let mut fields = Fields {
            version_11: head.start_line().starts_with(b"HTTP/1.1"),
            ..Fields::default()
        };
        for (name, value) in head.fields() {
            if name.eq_ignore_ascii_case(b"content-length") {
                fields.add_lengths(&value);
            } else if name.eq_ignore_ascii_case(b"transfer-encoding") {
                fields.add_codings(&value);
            } else if name.eq_ignore_ascii_case(b"connection") {
                let has = |wanted: &[u8]| list(&value).any(|it| it.eq_ignore_ascii_case(wanted));
                fields.close |= has(b"close");
                fields.keep_alive |= has(b"keep-alive");
            }
        }
        fields
    }

    /// Equal lengths are one length. What is no number is not there, as browsers have it.
    fn add_lengths(&mut self, value: &[u8]) {
        for length in list(value).filter_map(number) {
            self.lengths_differ |= self.length.is_some_and(|known| known != length);
            self.length = Some(length);
        }
    }

    fn add_codings(&mut self, value: &[u8]) {
        for coding in list(value).filter(|it| !it.eq_ignore_ascii_case(b"identity")) {
            self.chunked = Some(coding.eq_ignore_ascii_case(b"chunked"));
        }
    }
}

/// The elements of a comma-separated list that are not empty.
fn list(value: &[u8]) -> impl Iterator<Item = &[u8]> {
    let parts = value.split(|byte| *byte == b',').map(<[u8]>::trim_ascii);
    parts.filter(|part| !part.is_empty())
}

/// A decimal number; one that is too large is as large as can be.
fn number(digits: &[u8]) -> Option<u64> {
    let add = |sum: u64, digit: &u8| {
        sum.saturating_mul(10)
            .saturating_add(u64::from(digit - b'0'))
    };
    let good = digits.iter().all(u8::is_ascii_digit);
    good.then(|| digits.iter().fold(0, add))
}
