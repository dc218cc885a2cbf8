//! A lexer for XML as it is found.

use std::ops::Range;

use memchr::{memchr, memmem};

/// Something in an XML text, by where it stands.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Event<'t> {
    /// A start tag from `<` to `>`, and whether it is also the end.
    Start { tag: Range<usize>, closed: bool },
    /// An end tag: its name and where it starts.
    End { name: &'t str, at: usize },
    /// Text with character references.
    Text(Range<usize>),
    /// The inside of a CDATA section.
    Cdata(Range<usize>),
    /// The inside of a processing instruction.
    Instruction(Range<usize>),
}

/// Goes through a text. Comments and declarations are skipped.
pub(crate) struct Lexer<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Lexer<'t> {
    pub(crate) fn new(text: &'t str) -> Lexer<'t> {
        Lexer { text, at: 0 }
    }

    /// Up to `end` from `from` on, or to the end of the text; the rest begins after it.
    fn until(&mut self, from: usize, end: &str) -> Range<usize> {
        let from = from.min(self.text.len());
        let rest = &self.text.as_bytes()[from..];
        let length = memmem::find(rest, end.as_bytes());
        let inside = from..from + length.unwrap_or(rest.len());
        self.at = (inside.end + end.len()).min(self.text.len());
        inside
    }

    /// Where a tag that starts at `from` ends: `>` in quotes does not count.
    fn tag_end(&self, from: usize) -> usize {
        let bytes = self.text.as_bytes();
        let mut at = from;
        while let Some(&byte) = bytes.get(at) {
            at += 1;
            match byte {
                b'>' => break,
                b'"' | b'\'' => match memchr(byte, &bytes[at..]) {
                    Some(length) => at += length + 1,
                    // A stray quote.
                    None => return memchr(b'>', &bytes[at..]).map_or(bytes.len(), |n| at + n + 1),
                },
                _ => {}
            }
        }
        at
    }

    fn markup(&mut self) -> Option<Event<'t>> {
        let start = self.at;
        let rest = &self.text[start..];
        if rest.starts_with("<!--") {
            self.until(start + 4, "-->");
            return None;
        }
        if rest.starts_with("<![CDATA[") {
            return Some(Event::Cdata(self.until(start + 9, "]]>")));
        }
        if rest.starts_with("<?") {
            return Some(Event::Instruction(self.until(start + 2, "?>")));
        }
        if rest.starts_with("<!") {
            self.until(start + 2, ">");
            return None;
        }
        if let Some(name) = rest.strip_prefix("</") {
            let end = name.find(|c: char| c == '>' || c.is_ascii_whitespace());
            let name = &name[..end.unwrap_or(name.len())];
            self.until(start + 2 + name.len(), ">");
            return Some(Event::End { name, at: start });
        }
        let named = rest[1..].starts_with(|c: char| c.is_alphabetic() || c == '_' || c == ':');
        if !named {
            self.at += 1;
            return Some(Event::Text(start..start + 1));
        }
        let end = self.tag_end(start + 1);
        self.at = end;
        Some(Event::Start {
            tag: start..end,
            closed: self.text[..end].ends_with("/>"),
        })
    }
}

impl<'t> Iterator for Lexer<'t> {
    type Item = Event<'t>;

    fn next(&mut self) -> Option<Event<'t>> {
        while self.at < self.text.len() {
            let rest = &self.text.as_bytes()[self.at..];
            match memchr(b'<', rest) {
                Some(0) => {
                    if let Some(event) = self.markup() {
                        return Some(event);
                    }
                }
                found => {
                    let start = self.at;
                    self.at += found.unwrap_or(rest.len());
                    return Some(Event::Text(start..self.at));
                }
            }
        }
        None
    }
}
