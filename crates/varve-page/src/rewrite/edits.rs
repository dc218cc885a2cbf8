//! Edits: pieces of a text to be replaced. All else stays as it is, byte for byte.

use std::ops::Range;

use memchr::{memchr3, memchr3_iter};

use crate::html::Value;

/// One piece and what comes in its place.
#[derive(Debug)]
pub(super) struct Edit {
    pub(super) range: Range<usize>,
    pub(super) text: String,
}

/// What is to be changed in one text.
#[derive(Debug, Default)]
pub(super) struct Edits {
    list: Vec<Edit>,
}

impl Edits {
    pub(super) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    pub(super) fn replace(&mut self, range: Range<usize>, text: String) {
        self.list.push(Edit { range, text });
    }

    pub(super) fn insert(&mut self, at: usize, text: &str) {
        self.replace(at..at, text.to_owned());
    }

    /// Replaces `old`, which stands at `at`, without what is the same at its start and its end.
    pub(super) fn replace_text(&mut self, at: usize, old: &str, new: &str) {
        let start = alike(old.bytes().zip(new.bytes()));
        // What is alike in the middle of a character is none.
        let start = old.floor_char_boundary(start);
        let (old, new) = (&old[start..], &new[start..]);
        let end = alike(old.bytes().rev().zip(new.bytes().rev()));
        let end = old.len() - old.ceil_char_boundary(old.len() - end);
        let range = at + start..at + start + old.len() - end;
        if !range.is_empty() || new.len() > end {
            self.replace(range, new[..new.len() - end].to_owned());
        }
    }

    /// Takes the edits of a text that stands at `at` in this one.
    pub(super) fn append(&mut self, at: usize, edits: Edits) {
        let shifted = edits.list.into_iter().map(|edit| Edit {
            range: edit.range.start + at..edit.range.end + at,
            text: edit.text,
        });
        self.list.extend(shifted);
    }

    /// Replaces the value of an attribute, in `text`.
    pub(super) fn attribute(&mut self, text: &str, value: &Value<'_>, new: String) {
        let new = match quote(text, value) {
            Some(quote) => escaped(new, quote),
            None => format!("\"{}\"", escaped(new, b'"')),
        };
        self.replace(value.raw.clone(), new);
    }

    /// Takes the edits of the value of an attribute, in `text`.
    pub(super) fn within(&mut self, text: &str, value: &Value<'_>, edits: Edits) {
        if edits.is_empty() {
            return;
        }
        match (value.verbatim(), quote(text, value)) {
            (Some(at), Some(quote)) => {
                let escaped = edits.list.into_iter().map(|edit| Edit {
                    range: edit.range,
                    text: escaped(edit.text, quote),
                });
                let list = escaped.collect();
                self.append(at, Edits { list });
            }
            _ => self.attribute(text, value, edits.apply(&value.text)),
        }
    }

    /// The length of all that is new.
    pub(super) fn grown(&self) -> usize {
        self.list.iter().map(|edit| edit.text.len()).sum()
    }

    /// In order, without those that overlap an earlier one.
    pub(super) fn in_order(mut self) -> impl Iterator<Item = Edit> {
        self.list
            .sort_by_key(|edit| (edit.range.start, edit.range.end));
        let mut done = 0;
        self.list.into_iter().filter(move |edit| {
            let fits = edit.range.start >= done && edit.range.end >= edit.range.start;
            if fits {
                done = edit.range.end;
            }
            fits
        })
    }

    /// The text with all that is to be changed.
    pub(super) fn apply(self, text: &str) -> String {
        let mut out = String::with_capacity(text.len() + self.grown());
        let mut done = 0;
        for edit in self.in_order() {
            out.push_str(text.get(done..edit.range.start).unwrap_or_default());
            out.push_str(&edit.text);
            done = edit.range.end;
        }
        out.push_str(text.get(done..).unwrap_or_default());
        out
    }
}

/// How many pairs are alike before the first that is not.
fn alike(pairs: impl Iterator<Item = (u8, u8)>) -> usize {
    pairs.take_while(|(a, b)| a == b).count()
}

/// The quote around the value of an attribute.
fn quote(text: &str, value: &Value<'_>) -> Option<u8> {
    let before = value.raw.start.checked_sub(1)?;
    let quote = text.as_bytes().get(before).copied();
    quote.filter(|quote| matches!(quote, b'"' | b'\''))
}

/// Escaped for an attribute in these quotes, in HTML and in XML. Most texts need none of it.
fn escaped(text: String, quote: u8) -> String {
    if memchr3(b'&', b'<', quote, text.as_bytes()).is_none() {
        return text;
    }
    let mut out = String::with_capacity(text.len() + text.len() / 8 + 8);
    let mut done = 0;
    for at in memchr3_iter(b'&', b'<', quote, text.as_bytes()) {
        out.push_str(&text[done..at]);
        out.push_str(match text.as_bytes()[at] {
            b'&' => "&amp;",
            b'<' => "&lt;",
            b'"' => "&quot;",
            _ => "&#39;",
        });
        done = at + 1;
    }
    out.push_str(&text[done..]);
    out
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Edits, escaped};

    proptest! {
        #[test]
        fn what_is_escaped_can_be_read_again(text in "[a&<\"'\u{fc}]{0,12}", quote in "[\"']") {
            let quote = quote.as_bytes()[0];
            let new = escaped(text.clone(), quote);
            prop_assert!(!new.bytes().any(|byte| byte == quote || byte == b'<'));
            prop_assert_eq!(htmlize::unescape_attribute(new.as_str()), text);
        }

        #[test]
        fn replacing_a_text_gives_the_other(
            old in "[a\u{e4}\u{f6}\u{20ac}]{0,6}",
            new in "[a\u{e4}\u{f6}\u{20ac}]{0,6}",
        ) {
            let mut edits = Edits::default();
            edits.replace_text(0, &old, &new);
            let alike = |a: char, b: char| a == b;
            let first = old.chars().zip(new.chars()).take_while(|(a, b)| alike(*a, *b));
            let first: usize = first.map(|(c, _)| c.len_utf8()).sum();
            if let [edit] = edits.list.as_slice() {
                prop_assert_eq!(edit.range.start, first);
            }
            prop_assert_eq!(edits.apply(&old), new);
        }
    }

    #[test]
    fn edits_are_applied_in_order_and_do_not_overlap() {
        let mut edits = Edits::default();
        edits.replace(4..6, "Y".into());
        edits.replace(1..2, "X".into());
        edits.replace(5..7, "lost".into());
        edits.insert(1, "+");
        assert_eq!(edits.apply("abcdefgh"), "a+XcdYgh");
    }

    #[test]
    fn what_is_the_same_at_both_ends_is_not_replaced() {
        for (old, new, expected) in [
            ("abc", "axc", "1..2 x"),
            ("abc", "abc", ""),
            ("aa", "aaa", "2..2 a"),
            ("aaa", "a", "1..3 "),
            ("ü", "ö", "0..2 ö"),
            ("aäb", "aöb", "1..3 ö"),
            ("ä", "€¤", "0..2 €¤"),
            ("", "x", "0..0 x"),
        ] {
            let mut edits = Edits::default();
            edits.replace_text(0, old, new);
            let found: Vec<_> = edits
                .in_order()
                .map(|edit| format!("{:?} {}", edit.range, edit.text))
                .collect();
            assert_eq!(found.join(""), expected, "{old} {new}");
        }
    }
}
