//! Fonts: what declarations ask for, and which faces of a family are used for it.

use std::sync::Arc;

use cssparser::{Parser, Token};
use url::Url;

use super::value::{Slot, Value, Weight};

/// A face that `@font-face` describes.
#[derive(Debug)]
pub(crate) struct Face {
    /// In lower case.
    pub(crate) family: Box<str>,
    /// From, to.
    pub(crate) weight: (u16, u16),
    pub(crate) slanted: bool,
    /// Which characters it is for; all if there are none.
    pub(crate) ranges: Box<[(u32, u32)]>,
    /// Where it is; nowhere if it is in the sheet itself.
    pub(crate) url: Option<Url>,
}

impl Face {
    fn covers(&self, character: char) -> bool {
        let code = u32::from(character);
        let mut ranges = self.ranges.iter();
        self.ranges.is_empty() || ranges.any(|(from, to)| (*from..=*to).contains(&code))
    }
}

/// What a text is to be written with.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Wish {
    pub(crate) families: Arc<[Box<str>]>,
    pub(crate) weight: u16,
    pub(crate) slanted: bool,
}

/// From here on characters are missing from many fonts, and those named after it may be asked.
pub(crate) const RARE: char = '\u{2190}';

/// The faces that a text needs, of those of a page, as places in the list. Lines have the height
/// of their font even with nothing in them, if the font is for all characters.
pub(crate) fn used(
    wish: &Wish,
    has_lines: bool,
    text: impl Iterator<Item = char>,
    faces: &[&Face],
) -> Vec<usize> {
    let groups: Vec<Vec<usize>> = wish
        .families
        .iter()
        .map(|family| group(wish, family, faces))
        .filter(|group| !group.is_empty())
        .collect();
    let mut found: Vec<usize> = Vec::new();
    let Some(first) = groups.first() else {
        return found;
    };
    let for_all = first.iter().find(|face| faces[**face].ranges.is_empty());
    found.extend(for_all.filter(|_| has_lines));
    for character in text {
        for group in &groups {
            let face = group.iter().find(|face| faces[**face].covers(character));
            if let Some(face) = face {
                if !found.contains(face) {
                    found.push(*face);
                }
                if character < RARE {
                    break;
                }
            }
        }
    }
    found
}

/// The faces of a family that fit best; those that come last are asked first.
fn group(wish: &Wish, family: &str, faces: &[&Face]) -> Vec<usize> {
    let of_family = || (0..faces.len()).filter(|at| *faces[*at].family == *family);
    let best = of_family().min_by_key(|at| {
        let face = faces[*at];
        (
            face.slanted != wish.slanted,
            distance(wish.weight, face.weight),
        )
    });
    let Some(best) = best.map(|at| faces[at]) else {
        return Vec::new();
    };
    let like = |face: &Face| (face.weight, face.slanted) == (best.weight, best.slanted);
    of_family().rev().filter(|at| like(faces[*at])).collect()
}

/// How far a face is from a weight, by the rules of CSS.
fn distance(wanted: u16, (from, to): (u16, u16)) -> (u8, u16) {
    if (from..=to).contains(&wanted) {
        return (0, 0);
    }
    let lighter = to < wanted;
    let apart = if lighter { wanted - to } else { from - wanted };
    let rank = match wanted {
        // First up to 500, then lighter ones, then bolder ones.
        400..=500 if !lighter && from <= 500 => 1,
        400..=500 if lighter => 2,
        0..400 if lighter => 1,
        501.. if !lighter => 1,
        _ => 3,
    };
    (rank, apart)
}

/// The families of a value, in lower case.
pub(crate) fn families(text: &str) -> Arc<[Box<str>]> {
    let mut parser = Parser::new(text);
    let mut all: Vec<Box<str>> = Vec::new();
    let mut words: Vec<String> = Vec::new();
    loop {
        match parser.next() {
            Ok(Token::QuotedString(name)) => all.push(name.to_lowercase().into()),
            Ok(Token::Ident(word)) => words.push(word.to_lowercase()),
            Ok(Token::Comma) => all.extend(unquoted(&mut words)),
            Ok(_) => {}
            Err(_) => break,
        }
    }
    all.extend(unquoted(&mut words));
    all.into()
}

/// A family of words, unless it is a generic one.
fn unquoted(words: &mut Vec<String>) -> Option<Box<str>> {
    let name = std::mem::take(words).join(" ");
    let generic = matches!(
        name.as_str(),
        "" | "serif"
            | "sans-serif"
            | "monospace"
            | "cursive"
            | "fantasy"
            | "system-ui"
            | "ui-serif"
            | "ui-sans-serif"
            | "ui-monospace"
            | "ui-rounded"
            | "math"
            | "emoji"
            | "-webkit-body"
            | "-apple-system"
            | "blinkmacsystemfont"
            | "inherit"
    );
    (!generic).then(|| name.into())
}

pub(crate) fn weight(text: &str) -> Option<Weight> {
    Some(match text.to_ascii_lowercase().as_str() {
        "normal" => Weight::Number(400),
        "bold" => Weight::Number(700),
        "bolder" => Weight::Bolder,
        "lighter" => Weight::Lighter,
        number => {
            let number: f32 = number.parse().ok()?;
            Weight::Number((1.0..=1000.0).contains(&number).then_some(number as u16)?)
        }
    })
}

pub(crate) fn is_slanted(text: &str) -> bool {
    let word = text.to_ascii_lowercase();
    word.starts_with("italic") || word.starts_with("oblique")
}

/// The `font` shorthand: `italic bold 12px/1.5 "A", serif`.
pub(crate) fn shorthand(text: &str) -> Vec<(Slot, Value)> {
    let (mut number, mut slanted) = (Weight::Number(400), false);
    let mut parser = Parser::new(text);
    let mut after_size = None;
    while let Ok(token) = parser.next().cloned() {
        match &token {
            Token::Ident(word) if is_size(word) => after_size = Some(parser.position()),
            Token::Ident(word) => {
                slanted |= is_slanted(word);
                number = weight(word).filter(|_| !is_normal(word)).unwrap_or(number);
            }
            Token::Number { value, .. } if *value >= 1.0 => {
                number = Weight::Number(value.min(1000.0) as u16);
            }
            Token::Dimension { .. } | Token::Percentage { .. } | Token::Number { .. } => {
                after_size = Some(parser.position());
            }
            Token::Function(_) => {
                let _: crate::length::Result<()> = parser.parse_nested_block(|inner| {
                    while inner.next().is_ok() {}
                    Ok(())
                });
                after_size = Some(parser.position());
            }
            _ => {}
        }
        if after_size.is_some() {
            break;
        }
    }
    let rest = after_size.map_or("", |from| {
        while parser.next().is_ok() {}
        parser.slice_from(from)
    });
    vec![
        (Slot::Family, Value::Family(families(without_height(rest)))),
        (Slot::Weight, Value::Weight(number)),
        (Slot::Slant, Value::Slant(slanted)),
    ]
}

/// The families after `/1.5`.
fn without_height(text: &str) -> &str {
    let text = text.trim_start();
    let Some(height) = text.strip_prefix('/') else {
        return text;
    };
    let height = height.trim_start();
    let end = height.find(|c: char| c.is_ascii_whitespace());
    end.map_or("", |end| &height[end..])
}

fn is_normal(word: &str) -> bool {
    word.eq_ignore_ascii_case("normal")
}

fn is_size(word: &str) -> bool {
    matches!(
        word.to_ascii_lowercase().as_str(),
        "xx-small"
            | "x-small"
            | "small"
            | "medium"
            | "large"
            | "x-large"
            | "xx-large"
            | "xxx-large"
            | "larger"
            | "smaller"
            | "math"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shorthands() {
        for (text, families, number, slanted) in [
            ("12px Lato", "lato", 400, false),
            ("italic bold 12px/1.5 \"A b\", serif", "a b", 700, true),
            ("normal 300 1em/normal X Y,Z", "x y,z", 300, false),
            ("oblique 900 larger / 2 A", "a", 900, true),
            ("bold calc(1px + 2px) A", "a", 700, false),
            ("caption", "", 400, false),
        ] {
            let found = shorthand(text);
            let [
                (_, Value::Family(names)),
                (_, Value::Weight(weight)),
                (_, Value::Slant(slant)),
            ] = &found[..]
            else {
                panic!("{found:?}");
            };
            assert_eq!(names.join(","), families, "{text}");
            assert_eq!(*weight, Weight::Number(number), "{text}");
            assert_eq!(*slant, slanted, "{text}");
        }
    }

    #[test]
    fn the_nearest_weight_is_used() {
        for (wanted, faces, expected) in [
            (400, &[300, 600][..], 300),
            (500, &[300, 600], 300),
            (400, &[500, 300], 500),
            (700, &[300, 600], 600),
            (700, &[400, 900], 900),
            (200, &[100, 300], 100),
            (300, &[400, 700], 400),
            (600, &[400], 400),
        ] {
            let nearest = faces.iter().min_by_key(|at| distance(wanted, (**at, **at)));
            assert_eq!(nearest, Some(&expected), "{wanted} of {faces:?}");
        }
    }
}
