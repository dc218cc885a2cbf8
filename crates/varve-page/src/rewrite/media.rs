//! Media features that replay cannot pin by the size and zoom of a frame: they are decided here,
//! for the client that captured the page. So are those of the window where they choose a picture:
//! browsers look for pictures before they know how large the frame will be.

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

/// Features of the window.
const OF_WINDOW: &[&str] = &[
    "aspect-ratio",
    "height",
    "orientation",
    "resolution",
    "width",
];

/// What is decided.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Decided {
    /// Features of the device and of its user.
    Device,
    /// Those of the window, too.
    Window,
}

/// Words of which one is in every query that is decided.
const SIGNS: &[&str] = &[
    "device", "hover", "pointer", "prefers", "gamut", "display", "dynamic", "colors",
];

/// The edits of media queries, or of a `sizes` attribute.
pub(super) fn edits(queries: &str, client: &Viewport, decided: Decided) -> Edits {
    let mut edits = Edits::default();
    let lower = queries.to_ascii_lowercase();
    let has_sign = || SIGNS.iter().any(|sign| lower.contains(sign));
    // Escapes are rare enough to be looked at in any case.
    if decided == Decided::Window || has_sign() || lower.contains('\\') {
        let known = Known { client, decided };
        conditions(&mut Parser::new(queries), &known, &mut edits);
    }
    edits
}

/// What features are decided by.
struct Known<'a> {
    client: &'a Viewport,
    decided: Decided,
}

/// Looks for features in parentheses, and in parentheses in them.
fn conditions(parser: &mut Parser<'_>, known: &Known<'_>, edits: &mut Edits) {
    loop {
        parser.skip_whitespace();
        let start = parser.position().byte_index();
        let Ok(token) = parser.next().cloned() else {
            return;
        };
        match token {
            Token::ParenthesisBlock => {
                let decided: Result<Option<bool>> =
                    parser.parse_nested_block(|inner| Ok(decide(inner, known, edits)));
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
fn decide(parser: &mut Parser<'_>, known: &Known<'_>, edits: &mut Edits) -> Option<bool> {
    let start = parser.state();
    let from = parser.position();
    let mut named = false;
    while let Ok(token) = parser.next() {
        if let Token::Ident(name) = token {
            named |= known.decide(&name.to_ascii_lowercase());
        }
    }
    if named {
        return feature_holds(parser.slice_from(from), known.client);
    }
    parser.reset(&start);
    conditions(parser, known, edits);
    None
}

impl Known<'_> {
    fn decide(&self, name: &str) -> bool {
        let name = name
            .strip_prefix("min-")
            .or(name.strip_prefix("max-"))
            .unwrap_or(name);
        let of_window = self.decided == Decided::Window && OF_WINDOW.contains(&name);
        of_window || DECIDED.contains(&name)
    }
}
