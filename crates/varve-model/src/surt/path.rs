//! The path of a key: dots resolved, slashes single, session and final slash gone.

use super::escape;
use std::borrow::Cow;

/// Appends a path. Only a path after a host has segments; any other (`mailto:`, `urn:`) is
/// just text.
pub(super) fn push(key: &mut Vec<u8>, path: &[u8], has_host: bool) {
    let start = key.len();
    let path = escape::unescape(path);
    match has_host {
        true => escape::push_escaped(key, &normalize(&path)),
        false => escape::push_escaped(key, &path),
    }
    strip_session(key, start);
    if key.len() - start > 1 && key.ends_with(b"/") {
        key.pop();
    }
}

/// Resolves `.` and `..` and drops empty segments.
///
/// `..` with nothing before it stays, but the next `..` takes it away again.
fn normalize(path: &[u8]) -> Cow<'_, [u8]> {
    if path.is_empty() {
        return Cow::Borrowed(b"/");
    }
    let odd = |a, b| (a == b'/') & ((b == b'/') | (b == b'.'));
    if !escape::has_pair(path, odd) {
        return Cow::Borrowed(path);
    }
    let mut kept: Vec<&[u8]> = Vec::new();
    for segment in path.split(|b| *b == b'/').skip(1) {
        match segment {
            b"." => {}
            b".." if kept.pop().is_some() => {}
            _ => kept.push(segment),
        }
    }
    let mut out = vec![b'/'];
    let last = kept.pop().unwrap_or_default();
    for segment in kept.iter().filter(|segment| !segment.is_empty()) {
        out.extend_from_slice(segment);
        out.push(b'/');
    }
    out.extend_from_slice(last);
    Cow::Owned(out)
}

/// Takes the session of ASP.NET out of the path: `/(s(24 characters))/page.aspx`, then the same
/// in the older form `/(24 characters)/page.aspx`.
fn strip_session(key: &mut Vec<u8>, start: usize) {
    if !escape::has_pair(&key[start..], |a, b| (a == b'/') & (b == b'(')) {
        return;
    }
    for session_length in [labelled_sessions, bare_session] {
        if let Some((at, length)) = last_session(&key[start..], session_length) {
            key.drain(start + at..start + at + length);
        }
    }
}

/// The last session segment that an `.aspx` page follows: where it starts and how long it is,
/// its slash included.
fn last_session(path: &[u8], session_length: fn(&[u8]) -> Option<usize>) -> Option<(usize, usize)> {
    let page_follows = page_follows(path);
    let is_page = |at: usize| {
        // The page's name has at least one character before its ending.
        path.get(at).is_some_and(|b| *b != b'?') && page_follows.get(at + 1) == Some(&true)
    };
    let slashes = (0..path.len()).rev().filter(|at| path[*at] == b'/');
    slashes.map(|slash| slash + 1).find_map(|at| {
        let length = session_length(&path[at..])?;
        is_page(at + length).then_some((at, length))
    })
}

/// For each position, whether `.aspx` starts there or later, before any question mark.
fn page_follows(path: &[u8]) -> Vec<bool> {
    let mut follows = false;
    let mut all = vec![false; path.len()];
    for at in (0..path.len()).rev() {
        follows = path[at] != b'?' && (follows || path[at..].starts_with(b".aspx"));
        all[at] = follows;
    }
    all
}

/// The length of `(s(...)f(...))/`, if the text starts so.
fn labelled_sessions(text: &[u8]) -> Option<usize> {
    let mut rest = text.strip_prefix(b"(")?;
    let mut count = 0;
    while let [label, b'(', inner @ ..] = rest {
        if !label.is_ascii_lowercase() || !is_session(inner) {
            return None;
        }
        rest = inner.get(24..)?.strip_prefix(b")")?;
        count += 1;
    }
    let rest = rest.strip_prefix(b")/").filter(|_| count > 0)?;
    Some(text.len() - rest.len())
}

/// The length of `(...)/`, if the text starts so.
fn bare_session(text: &[u8]) -> Option<usize> {
    let rest = text.strip_prefix(b"(").filter(|rest| is_session(rest))?;
    let rest = rest.get(24..)?.strip_prefix(b")/")?;
    Some(text.len() - rest.len())
}

/// Whether text starts with the 24 letters and digits of a session. Keys are in lower case.
fn is_session(text: &[u8]) -> bool {
    let all_known = |id: &[u8]| {
        id.iter()
            .all(|b| b.is_ascii_digit() || b.is_ascii_lowercase())
    };
    text.get(..24).is_some_and(all_known)
}
