//! Documents as replay serves them. Tables of small cases, by theme.
//!
//! The page stands at `http://h/d/p.html`. The map of the tests writes `~`, a letter for what the
//! URL is used for, and the URL, without `http://h` where it is that: `<a href=x>` becomes
//! `<a href="~n/d/x">`.

use std::borrow::Cow;

use url::Url;
use varve_page::{Destination, Document, Rewriting, Rewritten, UrlMap, Use, rewrite};

mod attributes;
mod charsets;
mod css;
mod fragments;
mod frames;
mod head;
mod headers;
mod hostile;
mod images;
mod media_features;
mod other_kinds;
mod playlists;
mod properties;
mod scripts;
mod untouched;
mod xml;

pub(crate) const PAGE: &str = "http://h/d/p.html";

/// The map of the tests.
pub(crate) struct Letters;

impl UrlMap for Letters {
    fn map(&self, written: &str, resolved: &Url, used_for: Use) -> Option<String> {
        if written.starts_with('~') {
            return None;
        }
        let url = resolved.as_str();
        let short = url.strip_prefix("http://h").unwrap_or(url);
        let slash = if short.starts_with('/') { "" } else { "/" };
        Some(format!("~{}{slash}{short}", letter(used_for)))
    }
}

fn letter(used_for: Use) -> char {
    match used_for {
        Use::Navigate => 'n',
        Use::Frame => 'f',
        Use::Object => 'o',
        Use::Script => 's',
        Use::Module => 'm',
        Use::Worker => 'w',
        Use::Style => 'c',
        Use::Image => 'i',
        Use::Font => 't',
        Use::Media => 'v',
        Use::Manifest => 'a',
        Use::Fetch => 'x',
        Use::Base => 'b',
        Use::Other => 'z',
    }
}

pub(crate) fn page() -> Url {
    Url::parse(PAGE).unwrap()
}

/// Rewrites bytes that were declared as something.
pub(crate) fn rewritten(
    content_type: &str,
    bytes: &[u8],
    how: &Rewriting<'_>,
) -> Rewritten<'static> {
    let url = page();
    let destination = match content_type.split(';').next() {
        Some("text/css") => Destination::Style,
        Some("text/javascript") => Destination::Script,
        _ => Destination::Document,
    };
    let document = Document {
        content_type: Some(content_type),
        destination,
        ..Document::new(&url, bytes)
    };
    let found = rewrite(&document, how);
    Rewritten {
        body: Cow::Owned(found.body.into_owned()),
        kind: found.kind,
        charset: found.charset,
        counts: found.counts,
        notes: found.notes,
        async_scripts: found.async_scripts,
    }
}

pub(crate) fn text(content_type: &str, text: &str, how: &Rewriting<'_>) -> String {
    let bytes = rewritten(content_type, text.as_bytes(), how)
        .body
        .into_owned();
    String::from_utf8(bytes).unwrap()
}

/// Checks what becomes of a piece of HTML.
#[track_caller]
pub(crate) fn check(html: &str, expected: &str) {
    check_how(html, expected, &Rewriting::new(&Letters));
}

#[track_caller]
pub(crate) fn check_how(html: &str, expected: &str, how: &Rewriting<'_>) {
    assert_eq!(
        text("text/html; charset=utf-8", html, how),
        expected,
        "{html}"
    );
}

/// Checks that nothing becomes of a piece of HTML.
#[track_caller]
pub(crate) fn same(html: &str) {
    check(html, html);
}
