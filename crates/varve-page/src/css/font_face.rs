//! `@font-face`: of its sources Chromium takes the first whose format it knows.

use cssparser::{Delimiter, Parser, Token};

use super::{Found, url};
use crate::Need;
use crate::length::Result;

/// The sources of a face, and how much each is needed.
pub(super) fn sources(parser: &mut Parser<'_>, need: Need) -> Vec<(Found, Need)> {
    let mut all: Vec<(Found, Need)> = Vec::new();
    while !parser.is_exhausted() {
        let list: Result<Vec<Source>> = parser.parse_until_after(Delimiter::Semicolon, |inner| {
            inner.expect_ident_matching("src")?;
            inner.expect_colon()?;
            Ok(list(inner))
        });
        let Ok(list) = list else { continue };
        // A later declaration replaces the earlier one.
        for (_, earlier) in &mut all {
            *earlier = need.max(Need::Variant);
        }
        let chosen = list.iter().position(|source| source.supported);
        all.extend(list.into_iter().enumerate().map(|(index, source)| {
            let chosen = chosen == Some(index);
            (
                source.found,
                if chosen {
                    need
                } else {
                    need.max(Need::Variant)
                },
            )
        }));
    }
    all
}

/// The source of a face that is taken, after `src:`.
pub(crate) fn chosen(parser: &mut Parser<'_>) -> Option<String> {
    let mut sources = list(parser).into_iter();
    let chosen = sources.find(|source| source.supported);
    chosen.map(|source| source.found.url)
}

struct Source {
    found: Found,
    supported: bool,
}

fn list(parser: &mut Parser<'_>) -> Vec<Source> {
    let mut sources = Vec::new();
    while !parser.is_exhausted() {
        let source: Result<Option<Source>> =
            parser.parse_until_after(Delimiter::Comma, |inner| Ok(source(inner)));
        sources.extend(source.ok().flatten());
    }
    sources
}

/// `url("x") format("woff2") tech(variations)`; `local("x")` is not for us.
fn source(parser: &mut Parser<'_>) -> Option<Source> {
    parser.skip_whitespace();
    let start = parser.position();
    let token = parser.next().ok()?.clone();
    let found = url(&token, start, parser)?;
    let mut supported = true;
    while let Ok(token) = parser.next().cloned() {
        if let Token::Function(name) = &token
            && name.eq_ignore_ascii_case("format")
        {
            supported = parser.parse_nested_block(any_known).unwrap_or(false);
        }
    }
    Some(Source { found, supported })
}

/// `"woff2"`, `woff2` or a list of them.
fn any_known(parser: &mut Parser<'_>) -> Result<bool> {
    let mut known = false;
    while let Ok(token) = parser.next() {
        if let Token::Ident(name) | Token::QuotedString(name) = token {
            known |= is_known(&name.to_ascii_lowercase());
        }
    }
    Ok(known)
}

fn is_known(format: &str) -> bool {
    let plain = format.strip_suffix("-variations").unwrap_or(format);
    matches!(
        plain,
        "woff2" | "woff" | "truetype" | "opentype" | "collection"
    )
}
