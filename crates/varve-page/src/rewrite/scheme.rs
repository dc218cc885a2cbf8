//! `color-scheme`: what a page says it can be drawn in. Controls and colours follow from it and
//! from what the client prefers, so only what the client that captured the page got is left.

use super::edits::Edits;
use crate::{ColourScheme, Viewport};

const PROPERTY: &str = "color-scheme";

/// The edits of a style sheet: of its `color-scheme` declarations.
pub(super) fn in_styles(text: &str, client: &Viewport) -> Edits {
    let mut edits = Edits::default();
    for (at, _) in text.match_indices(PROPERTY) {
        let named =
            at > 0 && matches!(text.as_bytes()[at - 1], b'-' | b'_' | b'a'..=b'z' | b'A'..=b'Z');
        let rest = &text[at + PROPERTY.len()..];
        let Some(value) = rest.trim_start().strip_prefix(':').filter(|_| !named) else {
            continue;
        };
        let from = text.len() - value.len();
        let length = value
            .find([';', '}', '!', '"', '\''])
            .unwrap_or(value.len());
        edits.append(from, of_value(&value[..length], client));
    }
    edits
}

/// The edits of a value that names both schemes: it names one then.
pub(super) fn of_value(value: &str, client: &Viewport) -> Edits {
    let mut edits = Edits::default();
    let dropped = match client.colour_scheme {
        ColourScheme::Light => "dark",
        ColourScheme::Dark => "light",
    };
    let words: Vec<&str> = value.split_ascii_whitespace().collect();
    let both = words.contains(&"light") && words.contains(&"dark");
    if let Some(at) = value.find(dropped).filter(|_| both) {
        edits.replace(at..at + dropped.len(), String::new());
    }
    edits
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let client = Viewport::default();
        assert_eq!(in_styles(text, &client).apply(text), expected, "{text}");
    }

    #[test]
    fn the_scheme_of_the_capture_is_left() {
        check(
            ":root{color-scheme:light dark}",
            ":root{color-scheme:light }",
        );
        check(
            "a{color-scheme : dark light;x:y}",
            "a{color-scheme :  light;x:y}",
        );
        check("a{color-scheme:dark}", "a{color-scheme:dark}");
        check("a{color-scheme:normal}", "a{color-scheme:normal}");
        check(
            "@media (prefers-color-scheme: dark) {}",
            "@media (prefers-color-scheme: dark) {}",
        );
        check("color-scheme", "color-scheme");
        check("color-scheme:", "color-scheme:");
    }
}
