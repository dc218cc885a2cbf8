//! Media queries, evaluated for a viewport as Chromium does.
//!
//! What is unknown is neither true nor false (`Option<bool>`): `not (unknown)` does not match
//! either, but `(unknown) or (width)` does.

use cssparser::{Parser, Token};

use self::feature::feature;
use crate::Viewport;
use crate::length::{Result, unexpected};

mod feature;

/// True, false or unknown.
pub(crate) type Truth = Option<bool>;

/// Whether a list of media queries matches. An empty list does.
pub fn media_matches(queries: &str, viewport: &Viewport) -> bool {
    if queries.trim().is_empty() {
        return true;
    }
    Parser::new(queries)
        .parse_comma_separated_ignoring_errors(|parser| -> Result<bool> {
            let truth = query(parser, viewport)?;
            parser.expect_exhausted()?;
            Ok(truth == Some(true))
        })
        .contains(&true)
}

/// Whether a feature, as it stands in parentheses, holds; `None` if Chromium does not know it.
pub(crate) fn feature_holds(text: &str, viewport: &Viewport) -> Truth {
    let mut parser = Parser::new(text);
    let truth = feature(&mut parser, viewport).ok()?;
    parser.expect_exhausted().ok()?;
    truth
}

/// One media query: a media type with conditions, or conditions alone.
fn query(parser: &mut Parser<'_>, viewport: &Viewport) -> Result<Truth> {
    match parser.try_parse(media_type) {
        Ok((negated, type_matches)) => {
            let mut truth = Some(type_matches);
            while parser.try_parse(|p| p.expect_ident_matching("and")).is_ok() {
                let negated = parser.try_parse(|p| p.expect_ident_matching("not")).is_ok();
                let next = in_parentheses(parser, viewport)?;
                truth = and(truth, if negated { not(next) } else { next });
            }
            Ok(if negated { not(truth) } else { truth })
        }
        Err(_) => condition(parser, viewport),
    }
}

/// `[not | only]? type`: whether it was negated, and whether the type is ours.
fn media_type(parser: &mut Parser<'_>) -> Result<(bool, bool)> {
    let mut name = parser.expect_ident_cloned()?;
    let negated = name.eq_ignore_ascii_case("not");
    if negated || name.eq_ignore_ascii_case("only") {
        name = parser.expect_ident_cloned()?;
    }
    let name = name.to_ascii_lowercase();
    match name.as_str() {
        "not" | "only" | "and" | "or" | "layer" => Err(unexpected()),
        _ => Ok((negated, matches!(name.as_str(), "all" | "screen"))),
    }
}

/// A media condition: `not (...)`, or parentheses joined by `and` or by `or`.
pub(crate) fn condition(parser: &mut Parser<'_>, viewport: &Viewport) -> Result<Truth> {
    if parser.try_parse(|p| p.expect_ident_matching("not")).is_ok() {
        return Ok(not(in_parentheses(parser, viewport)?));
    }
    let mut truth = in_parentheses(parser, viewport)?;
    for (word, join) in [("and", and as fn(Truth, Truth) -> Truth), ("or", or)] {
        let mut joined = false;
        while parser.try_parse(|p| p.expect_ident_matching(word)).is_ok() {
            truth = join(truth, in_parentheses(parser, viewport)?);
            joined = true;
        }
        if joined {
            break;
        }
    }
    Ok(truth)
}

/// A condition or a feature in parentheses. What cannot be understood is unknown, not an error.
fn in_parentheses(parser: &mut Parser<'_>, viewport: &Viewport) -> Result<Truth> {
    match parser.next()?.clone() {
        Token::ParenthesisBlock => parser.parse_nested_block(|inner| {
            let nested = inner.try_parse(|inner| {
                let truth = condition(inner, viewport)?;
                inner.expect_exhausted()?;
                Ok::<_, cssparser::ParseError<()>>(truth)
            });
            let truth = nested.or_else(|_| {
                inner.try_parse(|inner| {
                    let truth = feature(inner, viewport)?;
                    inner.expect_exhausted()?;
                    Ok::<_, cssparser::ParseError<()>>(truth)
                })
            });
            while inner.next().is_ok() {}
            Ok(truth.unwrap_or(None))
        }),
        Token::Function(_) => {
            parser.parse_nested_block(|inner| -> Result<()> {
                while inner.next().is_ok() {}
                Ok(())
            })?;
            Ok(None)
        }
        _ => Err(unexpected()),
    }
}

pub(crate) fn not(truth: Truth) -> Truth {
    truth.map(|truth| !truth)
}

pub(crate) fn and(a: Truth, b: Truth) -> Truth {
    match (a, b) {
        (Some(false), _) | (_, Some(false)) => Some(false),
        (Some(true), Some(true)) => Some(true),
        _ => None,
    }
}

pub(crate) fn or(a: Truth, b: Truth) -> Truth {
    not(and(not(a), not(b)))
}

#[cfg(test)]
mod tests;
