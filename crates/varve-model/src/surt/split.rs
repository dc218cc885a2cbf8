//! Cleaning a URL and cutting it into the parts that its key is made of.

use super::escape;
use std::borrow::Cow;

/// The parts of a URL, as written.
pub(super) struct Parts<'a> {
    pub(super) scheme: &'a [u8],
    /// The host without user, port and brackets; empty if there is none.
    pub(super) host: &'a [u8],
    /// The port, if one is given and it is not 0.
    pub(super) port: Option<u16>,
    pub(super) path: &'a [u8],
    /// What follows the first `?`; empty if there is none.
    pub(super) query: &'a [u8],
}

/// Python counts digits before it converts a number, and refuses more than this.
pub(super) const MAX_DIGITS: usize = 4300;

/// Takes white space off the ends, and tabs and line breaks out of the middle.
pub(super) fn clean(url: &[u8]) -> Cow<'_, [u8]> {
    let is_space = |b: &u8| matches!(b, b' ' | b'\t'..=b'\r');
    let start = url.iter().position(|b| !is_space(b)).unwrap_or(url.len());
    let end = url
        .iter()
        .rposition(|b| !is_space(b))
        .map_or(start, |at| at + 1);
    let url = &url[start..end];
    let is_break = |b: &u8| matches!(b, b'\t' | b'\n' | b'\r');
    match escape::has(url, |b| is_break(&b)) {
        true => Cow::Owned(url.iter().copied().filter(|b| !is_break(b)).collect()),
        false => Cow::Borrowed(url),
    }
}

/// Cuts a cleaned URL up; `None` if it is empty or its port is impossible.
pub(super) fn split(url: &[u8]) -> Option<Parts<'_>> {
    if url.is_empty() {
        return None;
    }
    let (scheme, rest) = split_scheme(last_of_repeated_schemes(url));
    let rest = &rest[..find(rest, b'#')];
    let (rest, query) = rest.split_at(find(rest, b'?'));
    let (netloc, path) = match (scheme, rest.strip_prefix(b"//")) {
        (None, _) => rest.split_at(find(rest, b'/')),
        (Some(_), Some(rest)) => rest.split_at(find(rest, b'/')),
        (Some(_), None) => (&b""[..], rest),
    };
    let (host, port) = split_netloc(netloc);
    let parts = Parts {
        scheme: scheme.unwrap_or(b"http"),
        host,
        port: parse_port(port)?,
        path,
        query: query.get(1..).unwrap_or_default(),
    };
    Some(host_from_path(parts))
}

/// Where a byte first is, or the end.
fn find(text: &[u8], wanted: u8) -> usize {
    text.iter().position(|b| *b == wanted).unwrap_or(text.len())
}

/// `https://http://x` is a slip of the pen: the last scheme counts.
fn last_of_repeated_schemes(mut url: &[u8]) -> &[u8] {
    let without = |url: &'_ [u8]| -> Option<usize> {
        [&b"http://"[..], b"https://"]
            .iter()
            .find(|s| url.starts_with(s))
            .map(|s| s.len())
    };
    while let Some(length) = without(url) {
        let rest = &url[length..];
        if without(rest).is_none() {
            break;
        }
        url = rest;
    }
    url
}

/// The scheme without its colon, and what follows.
fn split_scheme(url: &[u8]) -> (Option<&[u8]>, &[u8]) {
    let in_scheme = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-' | b'.');
    let end = url.iter().position(|b| !in_scheme(b)).unwrap_or(url.len());
    let starts_well = url.first().is_some_and(u8::is_ascii_alphabetic);
    match starts_well && url.get(end) == Some(&b':') {
        true => (Some(&url[..end]), &url[end + 1..]),
        false => (None, url),
    }
}

/// Host and port of `user:password@host:port`, brackets of an IPv6 address taken off.
fn split_netloc(netloc: &[u8]) -> (&[u8], &[u8]) {
    let colons = netloc.iter().rev().take_while(|b| **b == b':').count();
    let netloc = &netloc[..netloc.len() - colons];
    let at = netloc
        .iter()
        .rposition(|b| *b == b'@')
        .map_or(0, |at| at + 1);
    let place = &netloc[at..];
    let after = |text: &'_ [u8], at: usize| at + usize::from(at < text.len());
    let open = find(place, b'[');
    let (host, rest) = match open < place.len() {
        true => {
            let inside = &place[open + 1..];
            let close = find(inside, b']');
            (&inside[..close], &inside[after(inside, close)..])
        }
        false => place.split_at(find(place, b':')),
    };
    (host, &rest[after(rest, find(rest, b':'))..])
}

/// The port, or that there is none; outer `None` if it is no port at all.
fn parse_port(text: &[u8]) -> Option<Option<u16>> {
    let digits = text.len() <= MAX_DIGITS && text.iter().all(u8::is_ascii_digit);
    let step = |port: u16, d: &u8| port.checked_mul(10)?.checked_add(u16::from(d - b'0'));
    let port = digits.then(|| text.iter().try_fold(0, step)).flatten()?;
    Some((port != 0).then_some(port))
}

/// `http:////example.com/x` and `http:example.com/x`: the host is where the path was.
fn host_from_path(parts: Parts<'_>) -> Parts<'_> {
    let misplaced = parts.scheme.starts_with(b"http") && parts.host.is_empty();
    if !misplaced || parts.path.is_empty() {
        return parts;
    }
    let start = parts
        .path
        .iter()
        .position(|b| *b != b'/')
        .unwrap_or(parts.path.len());
    let (host, path) = parts.path[start..].split_at(find(&parts.path[start..], b'/'));
    let path = if path.is_empty() { b"/" } else { path };
    Parts {
        host,
        path,
        ..parts
    }
}
