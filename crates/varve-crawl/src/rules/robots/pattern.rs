//! Paths with `*` and `$`, and the form in which they are compared.
//!
//! RFC 9309 compares octets after bringing percent-encoding into one form: octets beyond ASCII are
//! escaped, unreserved characters are not, and everything else stays as it was written. In a
//! query `:` and `/` may be escaped or not; both are taken as the same. A `*` or `$` that a URL
//! holds is written as an escape, so that it never meets a wildcard.

use crate::rules::canonical::{escape_at, is_unreserved};
use std::fmt::Write;
use url::Url;

/// The path of a rule, in the form in which it is compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Pattern {
    /// Literal text with `*` for anything.
    text: String,
    /// Whether it must reach to the end of the path.
    anchored: bool,
}

impl Pattern {
    pub(super) fn new(bytes: &[u8]) -> Pattern {
        let (bytes, anchored) = match bytes.strip_suffix(b"$") {
            Some(rest) => (rest, true),
            None => (bytes, false),
        };
        let mut text = String::with_capacity(bytes.len());
        write_comparable(bytes, Wildcards::Kept, &mut text);
        Pattern { text, anchored }
    }

    /// How many octets it has: the longer of two patterns says more.
    pub(super) fn len(&self) -> usize {
        self.text.len() + usize::from(self.anchored)
    }

    /// Whether a path in comparable form matches. Each piece between wildcards is taken at its
    /// first place: if any choice leads to a match, that one does.
    pub(super) fn matches(&self, path: &str) -> bool {
        let (first, rest) = match self.text.split_once('*') {
            Some((first, rest)) => (first, Some(rest)),
            None => (self.text.as_str(), None),
        };
        let Some(mut left) = path.strip_prefix(first) else {
            return false;
        };
        let Some(rest) = rest else {
            return !self.anchored || left.is_empty();
        };
        let (middle, last) = rest.rsplit_once('*').unwrap_or(("", rest));
        for piece in middle.split('*').filter(|piece| !piece.is_empty()) {
            match left.find(piece) {
                Some(at) => left = &left[at + piece.len()..],
                None => return false,
            }
        }
        match self.anchored {
            true => left.ends_with(last),
            false => left.contains(last),
        }
    }
}

/// Path and query of a URL in the form in which they are compared.
pub(super) fn comparable(url: &Url) -> String {
    let mut text = String::with_capacity(url.path().len());
    let path = match url.query() {
        Some(query) => format!("{}?{query}", url.path()),
        None => url.path().to_owned(),
    };
    write_comparable(path.as_bytes(), Wildcards::Escaped, &mut text);
    text
}

/// What `*` and `$` are in a text.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wildcards {
    /// A `*` is a wildcard. (A `$` at the end was taken off before; others are literal.)
    Kept,
    /// Literal.
    Escaped,
}

fn write_comparable(bytes: &[u8], wildcards: Wildcards, to: &mut String) {
    let mut rest = bytes;
    let mut in_query = false;
    while let Some((&first, after)) = rest.split_first() {
        let escaped = rest
            .get(..3)
            .and_then(|three| std::str::from_utf8(three).ok());
        let escaped = escaped.and_then(escape_at);
        rest = escaped.map_or(after, |_| &rest[3..]);
        in_query |= first == b'?';
        match (escaped, first) {
            (Some(byte), _) if is_unreserved(byte) => to.push(char::from(byte)),
            (Some(byte @ (b':' | b'/')), _) if in_query => to.push(char::from(byte)),
            (Some(byte), _) => escape(byte, to),
            (None, b'*') if wildcards == Wildcards::Kept => to.push('*'),
            (None, b'*' | b'$' | 0x80..) => escape(first, to),
            (None, _) => to.push(char::from(first)),
        }
    }
}

fn escape(byte: u8, to: &mut String) {
    // Writing to a string does not fail.
    let _ = write!(to, "%{byte:02X}");
}
