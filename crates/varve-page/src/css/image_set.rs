//! `image-set()`: images for different pixel densities and formats.

use cssparser::{Delimiter, Parser, Token};

use super::{Found, url};
use crate::html::image_type_is_supported;
use crate::length::{Quantity, Result, quantity};
use crate::{Need, Viewport};

pub(super) fn is_image_set(name: &str) -> bool {
    name.eq_ignore_ascii_case("image-set") || name.eq_ignore_ascii_case("-webkit-image-set")
}

/// One image of the set.
struct Choice {
    found: Found,
    density: f64,
    supported: bool,
}

/// The images of a set whose name was just read, and how much each is needed.
pub(super) fn options(
    parser: &mut Parser<'_>,
    viewport: &Viewport,
    need: Need,
) -> Vec<(Found, Need)> {
    let mut choices = Vec::new();
    let _: Result<()> = parser.parse_nested_block(|inner| {
        while !inner.is_exhausted() {
            let choice =
                inner.parse_until_after(Delimiter::Comma, |inner| Ok(option(inner, viewport)));
            let choice: Result<Option<Choice>> = choice;
            choices.extend(choice.ok().flatten());
        }
        Ok(())
    });
    let chosen = chosen(&choices, viewport.pixel_ratio);
    let needs = choices.into_iter().enumerate().map(|(index, choice)| {
        let chosen = chosen == Some(index);
        (
            choice.found,
            if chosen {
                need
            } else {
                need.max(Need::Variant)
            },
        )
    });
    needs.collect()
}

/// `"x" 2x type("image/avif")`, in any order after the image.
fn option(parser: &mut Parser<'_>, viewport: &Viewport) -> Option<Choice> {
    parser.skip_whitespace();
    let start = parser.position();
    let token = parser.next().ok()?.clone();
    let found = match &token {
        Token::QuotedString(text) => Some(Found::new(text, start, parser)),
        token => url(token, start, parser),
    }?;
    let (mut density, mut supported) = (1.0, true);
    while !parser.is_exhausted() {
        if let Ok(Quantity::Dppx(dppx)) = parser.try_parse(|parser| quantity(parser, viewport)) {
            density = dppx;
        } else if let Ok(mime) = parser.try_parse(type_function) {
            supported = image_type_is_supported(&mime);
        } else if parser.next().is_err() {
            break;
        }
    }
    Some(Choice {
        found,
        density,
        supported,
    })
}

fn type_function(parser: &mut Parser<'_>) -> Result<String> {
    parser.expect_function_matching("type")?;
    parser.parse_nested_block(|inner| Ok(inner.expect_string()?.as_ref().to_owned()))
}

/// The first that is dense enough, or the densest.
fn chosen(choices: &[Choice], pixel_ratio: f64) -> Option<usize> {
    let mut usable: Vec<usize> = (0..choices.len())
        .filter(|&i| choices[i].supported)
        .collect();
    usable.sort_by(|&a, &b| choices[a].density.total_cmp(&choices[b].density));
    let enough = usable.iter().find(|&&i| choices[i].density >= pixel_ratio);
    enough.or(usable.last()).copied()
}
