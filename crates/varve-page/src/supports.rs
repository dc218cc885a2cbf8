//! `@supports` conditions. Nearly everything that is asked for is supported by a current
//! Chromium, so a question is answered with yes unless it names what other browsers are known by.

use cssparser::{Parser, Token};

use crate::length::{Result, unexpected};

/// Properties that only other browsers know.
const FOREIGN_PREFIXES: &[&str] = &["-moz-", "-ms-", "-o-", "-khtml-", "-apple-", "-epub-"];

/// Properties with our prefix that Chromium does not know all the same.
const FOREIGN_PROPERTIES: &[&str] = &[
    "-webkit-touch-callout",
    "-webkit-overflow-scrolling",
    "-webkit-nbsp-mode",
];

/// Whether a `@supports` condition holds, as far as can be told. What cannot be read does not.
pub(crate) fn supports(condition: &str) -> bool {
    let mut parser = Parser::new(condition);
    combination(&mut parser).unwrap_or(false)
}

/// The `supports()` of an `@import`. Chromium lets only a bare declaration decide: with a
/// condition, even one that does not hold, the sheet is loaded.
pub(crate) fn import_supports(text: &str) -> bool {
    declaration(&mut Parser::new(text)).unwrap_or(true)
}

fn combination(parser: &mut Parser<'_>) -> Result<bool> {
    if parser.try_parse(|p| p.expect_ident_matching("not")).is_ok() {
        return Ok(!term(parser)?);
    }
    let mut truth = term(parser)?;
    loop {
        if parser.try_parse(|p| p.expect_ident_matching("and")).is_ok() {
            truth &= term(parser)?;
        } else if parser.try_parse(|p| p.expect_ident_matching("or")).is_ok() {
            truth |= term(parser)?;
        } else {
            parser.expect_exhausted()?;
            return Ok(truth);
        }
    }
}

fn term(parser: &mut Parser<'_>) -> Result<bool> {
    match parser.next()?.clone() {
        Token::ParenthesisBlock => parser.parse_nested_block(|inner| {
            let declared = inner.try_parse(declaration);
            declared.or_else(|_| combination(inner))
        }),
        Token::Function(_) => parser.parse_nested_block(|inner| {
            let start = inner.position();
            while inner.next().is_ok() {}
            Ok(!is_foreign(inner.slice_from(start)))
        }),
        _ => Err(unexpected()),
    }
}

/// `property: value`.
fn declaration(parser: &mut Parser<'_>) -> Result<bool> {
    let property = parser.expect_ident_cloned()?.to_ascii_lowercase();
    parser.expect_colon()?;
    let start = parser.position();
    while parser.next().is_ok() {}
    let value = parser.slice_from(start);
    let foreign = FOREIGN_PROPERTIES.contains(&property.as_str())
        || is_foreign(&property)
        || is_foreign(value);
    Ok(!foreign)
}

fn is_foreign(text: &str) -> bool {
    FOREIGN_PREFIXES.iter().any(|prefix| {
        text.split(|c: char| c.is_whitespace() || c == ':' || c == '(')
            .any(|word| word.starts_with(prefix))
    })
}

#[cfg(test)]
mod tests {
    use super::{import_supports, supports};

    #[test]
    fn everything_is_supported_but_what_others_are_known_by() {
        for (condition, expected) in [
            ("(display: grid)", true),
            ("not (display: grid)", false),
            ("(display: grid) and (not (display: inline-grid))", false),
            ("(display: grid) or (-moz-appearance: none)", true),
            ("(-moz-appearance: none)", false),
            ("(-ms-ime-align: auto)", false),
            ("(-webkit-touch-callout: none)", false),
            ("not (-webkit-touch-callout: none)", true),
            ("(-webkit-appearance: none)", true),
            ("(width: -moz-available)", false),
            ("selector(:focus-visible)", true),
            ("selector(::-moz-range-thumb)", false),
            ("((a: b) and (c: d))", true),
            ("", false),
            ("nonsense", false),
            ("((", false),
        ] {
            assert_eq!(supports(condition), expected, "{condition}");
        }
        assert!(import_supports("display: grid"));
        assert!(import_supports("not (display: grid)"));
        assert!(!import_supports("-moz-x: y"));
    }
}
