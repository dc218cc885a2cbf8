//! CSS lengths in pixels, `calc()` and its relatives included, as media queries and `sizes` use
//! them: relative to the viewport and to a font of 16 pixels.

use cssparser::{BasicParseErrorKind, ParseError, Parser, Token};

use crate::Viewport;

/// The initial font size, which `em` and `rem` mean outside of style rules.
const FONT_SIZE: f64 = 16.0;

pub(crate) type Result<T> = std::result::Result<T, ParseError<()>>;

/// That something is not what was expected.
pub(crate) fn unexpected() -> ParseError<()> {
    ParseError::from_basic_kind(BasicParseErrorKind::UnexpectedToken)
}

/// A number with or without a dimension.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Quantity {
    /// A plain number.
    Number(f64),
    /// CSS pixels.
    Px(f64),
    /// Device pixels per CSS pixel.
    Dppx(f64),
}

impl Quantity {
    fn map(self, with: impl Fn(f64) -> f64) -> Quantity {
        match self {
            Quantity::Number(n) => Quantity::Number(with(n)),
            Quantity::Px(n) => Quantity::Px(with(n)),
            Quantity::Dppx(n) => Quantity::Dppx(with(n)),
        }
    }

    /// Combines two quantities of the same dimension.
    fn zip(self, other: Quantity, with: impl Fn(f64, f64) -> f64) -> Result<Quantity> {
        match (self, other) {
            (Quantity::Number(a), Quantity::Number(b)) => Ok(Quantity::Number(with(a, b))),
            (Quantity::Px(a), Quantity::Px(b)) => Ok(Quantity::Px(with(a, b))),
            (Quantity::Dppx(a), Quantity::Dppx(b)) => Ok(Quantity::Dppx(with(a, b))),
            _ => Err(unexpected()),
        }
    }
}

/// Parses a quantity: a number, a dimension or a mathematical function.
pub(crate) fn quantity(parser: &mut Parser<'_>, viewport: &Viewport) -> Result<Quantity> {
    let token = parser.next()?.clone();
    match &token {
        Token::Number { value, .. } => Ok(Quantity::Number(f64::from(*value))),
        Token::Dimension { value, unit, .. } => {
            dimension(f64::from(*value), unit, viewport).ok_or_else(unexpected)
        }
        Token::Function(name) => {
            let name = name.to_ascii_lowercase();
            parser.parse_nested_block(|inner| function(&name, inner, viewport))
        }
        Token::ParenthesisBlock => parser.parse_nested_block(|inner| sum(inner, viewport)),
        _ => Err(unexpected()),
    }
}

fn dimension(value: f64, unit: &str, viewport: &Viewport) -> Option<Quantity> {
    let (width, height) = (f64::from(viewport.width), f64::from(viewport.height));
    let unit = unit.to_ascii_lowercase();
    let px = match unit.as_str() {
        "px" => 1.0,
        "em" | "rem" => FONT_SIZE,
        "ex" | "rex" | "ch" | "rch" => FONT_SIZE / 2.0,
        "in" => 96.0,
        "cm" => 96.0 / 2.54,
        "mm" => 96.0 / 25.4,
        "q" => 96.0 / 101.6,
        "pt" => 96.0 / 72.0,
        "pc" => 16.0,
        "vw" | "svw" | "lvw" | "dvw" | "vi" => width / 100.0,
        "vh" | "svh" | "lvh" | "dvh" | "vb" => height / 100.0,
        "vmin" => width.min(height) / 100.0,
        "vmax" => width.max(height) / 100.0,
        "x" | "dppx" => return Some(Quantity::Dppx(value)),
        "dpi" => return Some(Quantity::Dppx(value / 96.0)),
        "dpcm" => return Some(Quantity::Dppx(value * 2.54 / 96.0)),
        _ => return None,
    };
    Some(Quantity::Px(value * px))
}

fn function(name: &str, parser: &mut Parser<'_>, viewport: &Viewport) -> Result<Quantity> {
    match name {
        "calc" | "-webkit-calc" => sum(parser, viewport),
        "min" | "max" | "clamp" => {
            let values = parser.parse_comma_separated(|inner| sum(inner, viewport))?;
            extreme(name, &values)
        }
        _ => Err(unexpected()),
    }
}

fn extreme(name: &str, values: &[Quantity]) -> Result<Quantity> {
    let (&first, rest) = values.split_first().ok_or_else(unexpected)?;
    match (name, rest) {
        ("min", _) => rest.iter().try_fold(first, |a, &b| a.zip(b, f64::min)),
        ("max", _) => rest.iter().try_fold(first, |a, &b| a.zip(b, f64::max)),
        (_, &[value, highest]) => first.zip(value.zip(highest, f64::min)?, f64::max),
        _ => Err(unexpected()),
    }
}

fn sum(parser: &mut Parser<'_>, viewport: &Viewport) -> Result<Quantity> {
    let mut total = product(parser, viewport)?;
    while let Some(sign) = operator(parser, &['+', '-']) {
        let next = product(parser, viewport)?;
        total = total.zip(next, |a, b| if sign == '+' { a + b } else { a - b })?;
    }
    parser.expect_exhausted()?;
    Ok(total)
}

fn product(parser: &mut Parser<'_>, viewport: &Viewport) -> Result<Quantity> {
    let mut total = quantity(parser, viewport)?;
    while let Some(sign) = operator(parser, &['*', '/']) {
        let next = quantity(parser, viewport)?;
        total = match (sign, total, next) {
            ('*', Quantity::Number(n), other) | ('*', other, Quantity::Number(n)) => {
                other.map(|x| x * n)
            }
            ('/', other, Quantity::Number(n)) if n != 0.0 => other.map(|x| x / n),
            _ => return Err(unexpected()),
        };
    }
    Ok(total)
}

fn operator(parser: &mut Parser<'_>, among: &[char]) -> Option<char> {
    parser
        .try_parse(|parser| match parser.next()? {
            Token::Delim(sign) if among.contains(sign) => Ok(*sign),
            _ => Err(unexpected()),
        })
        .ok()
}
