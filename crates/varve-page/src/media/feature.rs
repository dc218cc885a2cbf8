//! Media features: `(min-width: 40em)`, `(400px <= width < 800px)`, `(hover)`.

use cssparser::{Parser, Token};

use super::Truth;
use crate::length::{Quantity, Result, quantity, unexpected};
use crate::{ColourScheme, Pointer, Viewport};

/// Two numbers closer than this are equal.
const EPSILON: f64 = 1e-4;

/// What a feature is compared with.
#[derive(Clone, Debug)]
enum Value {
    Quantity(Quantity),
    Ratio(f64),
    Word(String),
}

/// What a feature is on this client.
enum Current {
    /// A length in pixels.
    Px(f64),
    /// A resolution.
    Dppx(f64),
    /// A plain number.
    Number(f64),
    /// A ratio of two lengths.
    Ratio(f64),
    /// One of some words; the flag is what the feature means without a value.
    Word(&'static str, bool),
}

#[derive(Clone, Copy)]
enum Comparison {
    Less,
    LessOrEqual,
    Equal,
    GreaterOrEqual,
    Greater,
}

impl Comparison {
    fn holds(self, left: f64, right: f64) -> bool {
        let equal = (left - right).abs() < EPSILON;
        match self {
            Comparison::Less => left < right && !equal,
            Comparison::LessOrEqual => left < right || equal,
            Comparison::Equal => equal,
            Comparison::GreaterOrEqual => left > right || equal,
            Comparison::Greater => left > right && !equal,
        }
    }

    fn mirrored(self) -> Comparison {
        match self {
            Comparison::Less => Comparison::Greater,
            Comparison::LessOrEqual => Comparison::GreaterOrEqual,
            Comparison::Equal => Comparison::Equal,
            Comparison::GreaterOrEqual => Comparison::LessOrEqual,
            Comparison::Greater => Comparison::Less,
        }
    }
}

/// Evaluates what stands between the parentheses.
pub(super) fn feature(parser: &mut Parser<'_>, viewport: &Viewport) -> Result<Truth> {
    if let Ok(name) = parser.try_parse(Parser::expect_ident_cloned) {
        let name = name.to_ascii_lowercase();
        if parser.is_exhausted() {
            return Ok(current(&name, viewport).map(boolean));
        }
        if parser.try_parse(Parser::expect_colon).is_ok() {
            let value = value(parser, viewport)?;
            let (comparison, name) = unprefixed(&name);
            return Ok(compare(&name, comparison, &value, viewport));
        }
        let comparison = comparison(parser)?;
        let value = value(parser, viewport)?;
        return Ok(compare(&name, comparison, &value, viewport));
    }
    range(parser, viewport)
}

/// `400px <= width` or `400px <= width < 800px`.
fn range(parser: &mut Parser<'_>, viewport: &Viewport) -> Result<Truth> {
    let left = value(parser, viewport)?;
    let first = comparison(parser)?;
    let name = parser.expect_ident_cloned()?.to_ascii_lowercase();
    let truth = compare(&name, first.mirrored(), &left, viewport);
    if parser.is_exhausted() {
        return Ok(truth);
    }
    let second = comparison(parser)?;
    let right = value(parser, viewport)?;
    use Comparison::{Greater, GreaterOrEqual, Less, LessOrEqual};
    match (first, second) {
        (Less | LessOrEqual, Less | LessOrEqual)
        | (Greater | GreaterOrEqual, Greater | GreaterOrEqual) => {
            Ok(super::and(truth, compare(&name, second, &right, viewport)))
        }
        _ => Err(unexpected()),
    }
}

fn comparison(parser: &mut Parser<'_>) -> Result<Comparison> {
    let Token::Delim(sign) = *parser.next()? else {
        return Err(unexpected());
    };
    let or_equal = sign != '='
        && parser
            .try_parse(|parser| match parser.next_including_whitespace()? {
                Token::Delim('=') => Ok(()),
                _ => Err(unexpected()),
            })
            .is_ok();
    match (sign, or_equal) {
        ('<', false) => Ok(Comparison::Less),
        ('<', true) => Ok(Comparison::LessOrEqual),
        ('=', _) => Ok(Comparison::Equal),
        ('>', true) => Ok(Comparison::GreaterOrEqual),
        ('>', false) => Ok(Comparison::Greater),
        _ => Err(unexpected()),
    }
}

/// `min-width` is `width` with a comparison.
fn unprefixed(name: &str) -> (Comparison, String) {
    let (vendor, rest) = match name.strip_prefix("-webkit-") {
        Some(rest) => ("-webkit-", rest),
        None => ("", name),
    };
    if let Some(rest) = rest.strip_prefix("min-") {
        (Comparison::GreaterOrEqual, format!("{vendor}{rest}"))
    } else if let Some(rest) = rest.strip_prefix("max-") {
        (Comparison::LessOrEqual, format!("{vendor}{rest}"))
    } else {
        (Comparison::Equal, name.to_owned())
    }
}

fn value(parser: &mut Parser<'_>, viewport: &Viewport) -> Result<Value> {
    if let Ok(word) = parser.try_parse(Parser::expect_ident_cloned) {
        return Ok(Value::Word(word.to_ascii_lowercase()));
    }
    let first = quantity(parser, viewport)?;
    if parser.try_parse(|p| p.expect_delim('/')).is_ok() {
        return match (first, quantity(parser, viewport)?) {
            (Quantity::Number(a), Quantity::Number(b)) => Ok(Value::Ratio(a / b)),
            _ => Err(unexpected()),
        };
    }
    Ok(Value::Quantity(first))
}

/// What a feature without a value means.
fn boolean(current: Current) -> bool {
    match current {
        Current::Px(n) | Current::Dppx(n) | Current::Number(n) | Current::Ratio(n) => n != 0.0,
        Current::Word(_, truth) => truth,
    }
}

fn compare(name: &str, comparison: Comparison, value: &Value, viewport: &Viewport) -> Truth {
    let (left, right) = match (current(name, viewport)?, value) {
        (Current::Px(left), Value::Quantity(Quantity::Px(right)))
        | (Current::Dppx(left), Value::Quantity(Quantity::Dppx(right)))
        | (Current::Number(left), Value::Quantity(Quantity::Number(right)))
        | (Current::Ratio(left), Value::Quantity(Quantity::Number(right)))
        | (Current::Ratio(left), Value::Ratio(right)) => (left, *right),
        (Current::Px(left), Value::Quantity(Quantity::Number(0.0))) => (left, 0.0),
        (Current::Word(left, _), Value::Word(right)) => {
            return matches!(comparison, Comparison::Equal).then_some(left == right);
        }
        _ => return None,
    };
    Some(comparison.holds(left, right))
}

/// What a feature is on this client; `None` if Chromium does not know it.
fn current(name: &str, viewport: &Viewport) -> Option<Current> {
    let (width, height) = (f64::from(viewport.width), f64::from(viewport.height));
    let (screen_width, screen_height) =
        (f64::from(viewport.screen.0), f64::from(viewport.screen.1));
    Some(match name {
        "width" => Current::Px(width),
        "height" => Current::Px(height),
        "device-width" => Current::Px(screen_width),
        "device-height" => Current::Px(screen_height),
        "aspect-ratio" => Current::Ratio(width / height),
        "device-aspect-ratio" => Current::Ratio(screen_width / screen_height),
        "resolution" => Current::Dppx(viewport.pixel_ratio),
        "-webkit-device-pixel-ratio" => Current::Number(viewport.pixel_ratio),
        "color" => Current::Number(8.0),
        "color-index" | "monochrome" | "grid" => Current::Number(0.0),
        "horizontal-viewport-segments" | "vertical-viewport-segments" => Current::Number(1.0),
        "-webkit-transform-3d" => Current::Number(1.0),
        "orientation" if height >= width => Current::Word("portrait", true),
        "orientation" => Current::Word("landscape", true),
        _ => return word(name, viewport),
    })
}

/// Features whose values are words.
fn word(name: &str, viewport: &Viewport) -> Option<Current> {
    let (value, truth) = match name {
        "hover" | "any-hover" => match viewport.pointer {
            Pointer::Fine => ("hover", true),
            Pointer::None | Pointer::Coarse => ("none", false),
        },
        "pointer" | "any-pointer" => match viewport.pointer {
            Pointer::None => ("none", false),
            Pointer::Coarse => ("coarse", true),
            Pointer::Fine => ("fine", true),
        },
        "prefers-color-scheme" => match viewport.colour_scheme {
            ColourScheme::Light => ("light", true),
            ColourScheme::Dark => ("dark", true),
        },
        "prefers-reduced-motion"
        | "prefers-contrast"
        | "prefers-reduced-data"
        | "prefers-reduced-transparency" => ("no-preference", false),
        "forced-colors" | "inverted-colors" => ("none", false),
        "color-gamut" => ("srgb", true),
        "dynamic-range" => ("standard", true),
        "update" => ("fast", true),
        "scripting" => ("enabled", true),
        "display-mode" => ("browser", true),
        "overflow-block" | "overflow-inline" => ("scroll", true),
        "device-posture" => ("continuous", true),
        _ => return None,
    };
    Some(Current::Word(value, truth))
}
