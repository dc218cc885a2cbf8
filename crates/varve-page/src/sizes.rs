//! The `sizes` attribute: how wide an image will be shown.

use cssparser::{Delimiter, Parser, Token};

use crate::length::{Quantity, Result, quantity, unexpected};
use crate::{Viewport, media};

/// The width in CSS pixels that a `sizes` attribute gives for the viewport.
pub(crate) fn source_size(sizes: Option<&str>, viewport: &Viewport) -> f64 {
    let whole_width = f64::from(viewport.width);
    let Some(sizes) = sizes else {
        return whole_width;
    };
    let mut parser = Parser::new(sizes);
    while !parser.is_exhausted() {
        let size =
            parser.parse_until_after(Delimiter::Comma, |entry| size_if_matching(entry, viewport));
        if let Ok(size) = size {
            return size;
        }
    }
    whole_width
}

/// `[<media-condition>] <length>`: the length, if the condition holds.
fn size_if_matching(parser: &mut Parser<'_>, viewport: &Viewport) -> Result<f64> {
    let alone = parser.try_parse(|parser| last_length(parser, viewport));
    if alone.is_ok() {
        return alone;
    }
    let holds = media::condition(parser, viewport)?;
    let length = last_length(parser, viewport)?;
    if holds == Some(true) {
        Ok(length)
    } else {
        Err(unexpected())
    }
}

fn last_length(parser: &mut Parser<'_>, viewport: &Viewport) -> Result<f64> {
    let start = parser.state();
    if matches!(parser.next()?, Token::ParenthesisBlock) {
        return Err(unexpected());
    }
    parser.reset(&start);
    let length = match quantity(parser, viewport)? {
        Quantity::Px(px) => px,
        Quantity::Number(0.0) => 0.0,
        _ => return Err(unexpected()),
    };
    parser.expect_exhausted()?;
    if length < 0.0 {
        return Err(unexpected());
    }
    Ok(length)
}

#[cfg(test)]
mod tests {
    use super::source_size;
    use crate::Viewport;

    #[test]
    fn the_first_entry_whose_condition_holds_gives_the_width() {
        let viewport = Viewport {
            width: 1000,
            height: 500,
            ..Viewport::default()
        };
        for (sizes, expected) in [
            ("", 1000.0),
            ("50vw", 500.0),
            ("300px", 300.0),
            ("20em", 320.0),
            ("0", 0.0),
            ("nonsense", 1000.0),
            ("50%", 1000.0),
            ("-10px", 1000.0),
            ("(max-width: 600px) 100vw, 400px", 400.0),
            ("(min-width: 600px) 50vw, 400px", 500.0),
            (
                "(min-width: 600px) and (max-width: 700px) 50vw, 400px",
                400.0,
            ),
            ("not (min-width: 600px) 50vw, 33.3vw", 333.0),
            (
                "((min-width: 600px) or (orientation: portrait)) 10vw, 20vw",
                100.0,
            ),
            ("(min-width: 600px) calc(50vw - 20px), 1px", 480.0),
            ("calc(100vw / 3 + 2 * 10px)", 353.333_333),
            ("min(400px, 50vw)", 400.0),
            ("max(400px, 50vw)", 500.0),
            ("clamp(100px, 5vw, 300px)", 100.0),
            ("50vh", 250.0),
            ("calc(1px + 1), 5px", 5.0),
            ("(unknown-feature) 10px, 20px", 20.0),
            (",, ,30px", 30.0),
            ("print 10px, 20px", 20.0),
            ("(min-width: 1px) 10px", 10.0),
        ] {
            let found = source_size(Some(sizes), &viewport);
            assert!((found - expected).abs() < 0.01, "{sizes}: {found}");
        }
        assert!((source_size(None, &viewport) - 1000.0).abs() < 0.01);
    }
}
