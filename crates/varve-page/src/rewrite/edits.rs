//! Edits: pieces of a text to be replaced. All else stays as it is, byte for byte.

use std::ops::Range;

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
        let start: usize = old
            .chars()
            .zip(new.chars())
            .take_while(|(a, b)| a == b)
            .map(|(c, _)| c.len_utf8())
            .sum();
        let (old, new) = (&old[start..], &new[start..]);
        let end: usize = old
            .chars()
            .rev()
            .zip(new.chars().rev())
            .take_while(|(a, b)| a == b)
            .map(|(c, _)| c.len_utf8())
            .sum();
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
    pub(super) fn attribute(&mut self, text: &str, value: &Value<'_>, new: &str) {
        let new = match quote(text, value) {
            Some(quote) => escaped(new, quote),
            None => format!("\"{}\"", escaped(new, '"')),
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
                    text: escaped(&edit.text, quote),
                });
                let list = escaped.collect();
                self.append(at, Edits { list });
            }
            _ => self.attribute(text, value, &edits.apply(&value.text)),
        }
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
        let grown: usize = self.list.iter().map(|edit| edit.text.len()).sum();
        let mut out = String::with_capacity(text.len() + grown);
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

/// The quote around the value of an attribute.
fn quote(text: &str, value: &Value<'_>) -> Option<char> {
    let before = value.raw.start.checked_sub(1)?;
    match text.as_bytes().get(before) {
        Some(b'"') => Some('"'),
        Some(b'\'') => Some('\''),
        _ => None,
    }
}

/// Escaped for an attribute in these quotes, in HTML and in XML.
fn escaped(text: &str, quote: char) -> String {
    let mut out = String::with_capacity(text.len() + text.len() / 8);
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '"' if quote == '"' => out.push_str("&quot;"),
            '\'' if quote == '\'' => out.push_str("&#39;"),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::Edits;

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
