//! The attributes of a tag, as written.

use std::borrow::Cow;
use std::ops::Range;

use memchr::{memchr, memchr2};

/// Most attributes of one tag that are looked at.
const MAX_ATTRIBUTES: usize = 10_000;

/// The attributes of one tag: names and raw values.
pub(crate) struct Attributes<'t> {
    list: Vec<Attribute<'t>>,
}

/// One attribute as written.
#[derive(Clone, Copy)]
pub(crate) struct Attribute<'t> {
    pub(crate) name: &'t str,
    /// Where the name stands in the source.
    pub(crate) name_at: usize,
    raw: &'t str,
    raw_at: usize,
}

impl<'t> Attribute<'t> {
    pub(crate) fn value(&self) -> Value<'t> {
        Value::new(self.raw, self.raw_at)
    }

    /// Where it ends in the source, quotes aside.
    pub(super) fn end(&self) -> usize {
        self.raw_at + self.raw.len()
    }

    /// The value with its character references unresolved.
    pub(crate) fn raw(&self) -> &'t str {
        self.raw
    }
}

/// The value of an attribute, with character references resolved.
pub(crate) struct Value<'t> {
    pub(crate) text: Cow<'t, str>,
    /// Where its raw text stands in the source.
    pub(crate) raw: Range<usize>,
}

impl<'t> Value<'t> {
    fn new(raw: &'t str, start: usize) -> Value<'t> {
        let mut text = Cow::Borrowed(raw);
        if memchr2(b'&', 0, raw.as_bytes()).is_some() {
            text = htmlize::unescape_attribute(raw);
            // Browsers read a NUL as a character that could not be decoded.
            if text.contains('\0') {
                text = Cow::Owned(text.replace('\0', "\u{fffd}"));
            }
        }
        Value {
            text,
            raw: start..start + raw.len(),
        }
    }

    /// Where the text stands in the source, if it is spelt there as it is.
    pub(crate) fn verbatim(&self) -> Option<usize> {
        matches!(self.text, Cow::Borrowed(_)).then_some(self.raw.start)
    }
}

impl<'t> Attributes<'t> {
    /// Reads the attributes in `text[from..to]`, which follows the name of a tag.
    pub(crate) fn new(text: &'t str, from: usize, to: usize) -> Attributes<'t> {
        Attributes::until(text, from, to).0
    }

    /// Reads the attributes from `from` on up to the end of the tag, and tells where that is; if it
    /// ends.
    pub(super) fn read(text: &'t str, from: usize) -> Option<(Attributes<'t>, usize)> {
        let (attributes, at) = Attributes::until(text, from, text.len());
        let end = skip(text.as_bytes(), at, |b| is_space(b) || b == b'/');
        (end < text.len()).then_some((attributes, end + 1))
    }

    /// Reads attributes up to `to` or the end of the tag, and tells where the last one ends.
    fn until(text: &'t str, from: usize, to: usize) -> (Attributes<'t>, usize) {
        let mut list = Vec::new();
        let mut at = from;
        while let Some((name, value, after)) = next(text, at, to) {
            if list.len() < MAX_ATTRIBUTES {
                list.push(Attribute {
                    name: &text[name.clone()],
                    name_at: name.start,
                    raw: &text[value.clone()],
                    raw_at: value.start,
                });
            }
            at = after;
        }
        (Attributes { list }, at)
    }

    /// Where a tag ends whose attributes begin at `from`, if it does.
    pub(crate) fn end_of_tag(text: &str, from: usize) -> Option<usize> {
        let mut at = from;
        while let Some((_, _, after)) = next(text, at, text.len()) {
            at = after;
        }
        let rest = &text.as_bytes()[at..];
        memchr(b'>', rest).map(|end| at + end + 1)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The value of an attribute; the first counts.
    pub(crate) fn get(&self, name: &str) -> Option<Value<'t>> {
        self.find(name).map(|attribute| attribute.value())
    }

    /// An attribute by its name; the first counts.
    pub(crate) fn find(&self, name: &str) -> Option<Attribute<'t>> {
        let mut list = self.list.iter();
        list.find(|attribute| attribute.name.eq_ignore_ascii_case(name))
            .copied()
    }

    /// The text of an attribute, empty if there is none.
    pub(crate) fn text(&self, name: &str) -> Cow<'t, str> {
        self.get(name).map_or(Cow::Borrowed(""), |value| value.text)
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.find(name).is_some()
    }

    /// All of them in order, repeated ones included. Values are resolved when asked for.
    pub(crate) fn iter(&self) -> impl Iterator<Item = Attribute<'t>> {
        self.list.iter().copied()
    }
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\x0c' | b'\r')
}

/// The first place from `from` on whose byte is another.
fn skip(bytes: &[u8], from: usize, skipped: impl Fn(u8) -> bool) -> usize {
    let rest = bytes.get(from..).unwrap_or_default();
    let length = rest.iter().position(|&b| !skipped(b));
    from + length.unwrap_or(rest.len())
}

/// The next attribute after `at`: where its name and its value stand, and where to go on.
fn next(text: &str, at: usize, to: usize) -> Option<(Range<usize>, Range<usize>, usize)> {
    let bytes = text.as_bytes().get(..to)?;
    let start = skip(bytes, at, |b| is_space(b) || b == b'/');
    if start >= to || bytes[start] == b'>' {
        return None;
    }
    // A name may begin with `=`.
    let end = skip(bytes, start + 1, |b| {
        !is_space(b) && !matches!(b, b'/' | b'>' | b'=')
    });
    text.get(start..end)?;
    let name = start..end;
    let equals = skip(bytes, end, is_space);
    if bytes.get(equals) != Some(&b'=') {
        return Some((name, end..end, end));
    }
    let value = skip(bytes, equals + 1, is_space);
    let quote = bytes
        .get(value)
        .copied()
        .filter(|b| matches!(b, b'"' | b'\''));
    let (value, end, after) = match quote {
        Some(quote) => {
            let end = memchr(quote, &bytes[value + 1..]).map_or(to, |n| value + 1 + n);
            (value + 1, end, (end + 1).min(to))
        }
        None => {
            let end = skip(bytes, value, |b| !is_space(b) && b != b'>');
            (value, end, end)
        }
    };
    text.get(value..end)?;
    Some((name, value..end, after))
}

#[cfg(test)]
mod tests {
    use super::Attributes;

    #[track_caller]
    fn check(tag: &str, expected: &[(&str, &str)]) {
        let attributes = Attributes::new(tag, 2, tag.len());
        let found: Vec<_> = attributes
            .iter()
            .map(|attribute| (attribute.name, attribute.value().text))
            .collect();
        let found: Vec<_> = found
            .iter()
            .map(|(name, value)| (*name, value.as_ref()))
            .collect();
        assert_eq!(found, expected, "{tag}");
    }

    #[test]
    fn attributes_in_all_their_spellings() {
        check("<a>", &[]);
        check("<a href=x>", &[("href", "x")]);
        check("<a href = 'x y' B=\"z\">", &[("href", "x y"), ("B", "z")]);
        check("<a/href=x/y checked/>", &[("href", "x/y"), ("checked", "")]);
        check(
            "<a\nhref='a&amp;b&copy=1&#x2F;'>",
            &[("href", "a&b&copy=1/")],
        );
        check("<a =x=y>", &[("=x", "y")]);
        check("<a x='unterminated>", &[("x", "unterminated>")]);
        check("<a x=>", &[("x", "")]);
        check("<a ü=ö>", &[("ü", "ö")]);
        check("<a x='\0y'>", &[("x", "\u{fffd}y")]);
    }
}
