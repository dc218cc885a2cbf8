//! Media features that replay cannot pin by the size and zoom of a frame: they are decided here,
//! for the client that captured the page.

use cssparser::{Parser, Token};

use super::edits::Edits;
use crate::Viewport;
use crate::length::Result;
use crate::media::feature_holds;

/// What stands for true: no browser draws on a grid of characters.
const HOLDS: &str = "(grid:0)";

/// What stands for false.
const HOLDS_NOT: &str = "(grid:1)";

/// Features of the device and of its user. `min-` and `max-` are taken off before.
const DECIDED: &[&str] = &[
    "any-hover",
    "any-pointer",
    "color-gamut",
    "device-aspect-ratio",
    "device-height",
    "device-width",
    "display-mode",
    "dynamic-range",
    "forced-colors",
    "hover",
    "inverted-colors",
    "pointer",
    "prefers-color-scheme",
    "prefers-contrast",
    "prefers-reduced-data",
    "prefers-reduced-motion",
    "prefers-reduced-transparency",
];

/// Words of which one is in every query that is decided.
const SIGNS: &[&str] = &[
    "device", "hover", "pointer", "prefers", "gamut", "display", "dynamic", "colors",
];

/// The edits of media queries, or of a `sizes` attribute.
pub(super) fn edits(queries: &str, client: &Viewport) -> Edits {
    let mut edits = Edits::default();
    let lower = queries.to_ascii_lowercase();
    // Escapes are rare enough to be looked at in any case.
    if SIGNS.iter().any(|sign| lower.contains(sign)) || lower.contains('\\') {
        conditions(&mut Parser::new(queries), client, &mut edits);
    }
    edits
}

/// Looks for features in parentheses, and in parentheses in them.
fn conditions(parser: &mut Parser<'_>, client: &Viewport, edits: &mut Edits) {
    loop {
        parser.skip_whitespace();
        let start = parser.position().byte_index();
        let Ok(token) = parser.next().cloned() else {
            return;
        };
        match token {
            Token::ParenthesisBlock => {
                let decided: Result<Option<bool>> =
                    parser.parse_nested_block(|inner| Ok(decide(inner, client, edits)));
                if let Ok(Some(holds)) = decided {
                    let end = parser.position().byte_index();
                    let constant = if holds { HOLDS } else { HOLDS_NOT };
                    edits.replace(start..end, constant.to_owned());
                }
            }
            Token::Function(_) => {
                let _: Result<()> = parser.parse_nested_block(|inner| {
                    while inner.next().is_ok() {}
                    Ok(())
                });
            }
            _ => {}
        }
    }
}

/// Whether the feature in these parentheses holds, if it is one to be decided here.
fn decide(parser: &mut Parser<'_>, client: &Viewport, edits: &mut Edits) -> Option<bool> {
    let start = parser.state();
    let from = parser.position();
    let mut named = false;
    while let Ok(token) = parser.next() {
        if let Token::Ident(name) = token {
            named |= is_decided(&name.to_ascii_lowercase());
        }
    }
    if named {
        return feature_holds(parser.slice_from(from), client);
    }
    parser.reset(&start);
    conditions(parser, client, edits);
    None
}

fn is_decided(name: &str) -> bool {
    let name = name
        .strip_prefix("min-")
        .or(name.strip_prefix("max-"))
        .unwrap_or(name);
    DECIDED.contains(&name)
}
