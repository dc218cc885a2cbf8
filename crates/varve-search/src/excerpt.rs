//! The part of a text that shows why it was found.

use crate::query::wanted;
use crate::words::words;
use std::collections::HashSet;
use tantivy::tokenizer::Token;

/// Words of an excerpt.
const LONG: usize = 36;
/// Words before the first that was looked for.
const BEFORE: usize = 6;
/// Bytes of a text that are looked at.
const MAX_TEXT: usize = 256 << 10;

/// A piece of an excerpt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece<'t> {
    /// The text.
    pub text: &'t str,
    /// Whether it was looked for.
    pub is_wanted: bool,
}

/// The part of a text with the most of the words that were looked for.
pub fn excerpt<'t>(text: &'t str, typed: &str) -> Vec<Piece<'t>> {
    let text = &text[..text.floor_char_boundary(MAX_TEXT)];
    let wanted = wanted(typed);
    let wanted: HashSet<&str> = wanted
        .iter()
        .filter(|wanted| !wanted.is_unwanted)
        .flat_map(|wanted| wanted.words.iter().map(String::as_str))
        .collect();
    let words = words(text);
    let is_wanted = |word: &Token| wanted.contains(word.text.as_str());
    let from = densest(&words, &is_wanted).saturating_sub(BEFORE);
    let shown = words.get(from..words.len().min(from + LONG));
    let shown = shown.unwrap_or_default();
    let mut pieces = Vec::new();
    let mut at = shown.first().map_or(0, |word| word.offset_from);
    for word in shown.iter().filter(|word| is_wanted(word)) {
        if word.offset_from > at {
            pieces.push(piece(&text[at..word.offset_from], false));
        }
        pieces.push(piece(&text[word.offset_from..word.offset_to], true));
        at = word.offset_to;
    }
    let end = shown.last().map_or(0, |word| word.offset_to);
    if end > at {
        pieces.push(piece(&text[at..end], false));
    }
    pieces
}

fn piece(text: &str, is_wanted: bool) -> Piece<'_> {
    Piece { text, is_wanted }
}

/// Where the stretch begins with the most different words that were looked for.
fn densest(words: &[Token], is_wanted: &impl Fn(&Token) -> bool) -> usize {
    let places: Vec<usize> = (0..words.len())
        .filter(|at| is_wanted(&words[*at]))
        .collect();
    let different = |from: &usize| {
        let within = places
            .iter()
            .filter(|at| (*from..from + LONG - BEFORE).contains(at));
        let texts: HashSet<&str> = within.map(|at| words[*at].text.as_str()).collect();
        texts.len()
    };
    // The first of equals.
    let mut best = (0, 0);
    for from in places.iter().take(1000) {
        let count = different(from);
        if count > best.0 {
            best = (count, *from);
        }
    }
    best.1
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn marked(text: &str, typed: &str) -> String {
        let show = |piece: Piece<'_>| match piece.is_wanted {
            true => format!("[{}]", piece.text),
            false => piece.text.to_owned(),
        };
        excerpt(text, typed).into_iter().map(show).collect()
    }

    #[test]
    fn what_was_looked_for_is_marked() {
        assert_eq!(
            marked("Ferns like Shade.", "shade -ferns"),
            "Ferns like [Shade]"
        );
        assert_eq!(marked("a b", "none"), "a b");
        assert_eq!(marked("", "x"), "");
    }

    #[test]
    fn the_part_with_the_most_of_it_is_shown() {
        let filler = "word ".repeat(100);
        let text = format!("shade {filler} ferns in the shade {filler}");
        let shown = marked(&text, "ferns shade");
        assert!(shown.starts_with("word word"), "{shown}");
        assert!(shown.contains("[ferns] in the [shade]"), "{shown}");
        assert!(shown.len() < 300, "{shown}");
    }

    proptest! {
        #[test]
        fn any_text_and_any_words(text in ".{0,300}", typed in ".{0,60}") {
            let shown: String = excerpt(&text, &typed).iter().map(|piece| piece.text).collect();
            prop_assert!(text.contains(&shown));
        }
    }
}
