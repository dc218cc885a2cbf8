//! The visible text of a page, roughly as a reader sees it: words separated by single spaces,
//! blocks by line breaks.

use memchr::{memchr, memmem};

use crate::Note;

/// Most text that is kept.
const MAX_TEXT: usize = 4 << 20;

/// Text in the making.
#[derive(Default)]
pub(crate) struct VisibleText {
    text: String,
    space: bool,
    line_break: bool,
    cut: bool,
}

impl VisibleText {
    /// A block begins or ends here.
    pub(crate) fn block(&mut self) {
        self.line_break = true;
    }

    /// Adds a piece of text, character references still in it.
    pub(crate) fn push_escaped(&mut self, raw: &str) {
        match memchr(b'&', raw.as_bytes()) {
            Some(_) => self.push(&htmlize::unescape(raw)),
            None => self.push(raw),
        }
    }

    /// Adds a piece of text.
    pub(crate) fn push(&mut self, piece: &str) {
        if self.text.len() + piece.len() > MAX_TEXT {
            self.cut = true;
            return;
        }
        self.space |= piece.starts_with(|c: char| c.is_ascii_whitespace());
        for word in piece.split_ascii_whitespace() {
            if !self.text.is_empty() {
                match (self.line_break, self.space) {
                    (true, _) => self.text.push('\n'),
                    (false, true) => self.text.push(' '),
                    (false, false) => {}
                }
            }
            self.text.push_str(word);
            self.line_break = false;
            self.space = true;
        }
        self.space =
            piece.ends_with(|c: char| c.is_ascii_whitespace()) || (self.space && piece.is_empty());
    }

    /// What kept the text from being complete.
    pub(crate) fn note(&self) -> Option<Note> {
        self.cut.then_some(Note::TextCut)
    }

    pub(crate) fn into_string(self) -> String {
        self.text
    }

    /// Adds what is text in a piece of markup without start tags: end tags of blocks break lines,
    /// comments are skipped.
    pub(crate) fn push_between_tags(&mut self, markup: &str) {
        let mut rest = markup;
        loop {
            let text = memchr(b'<', rest.as_bytes()).unwrap_or(rest.len());
            if text > 0 {
                self.push_escaped(&rest[..text]);
            }
            rest = &rest[text..];
            if rest.is_empty() {
                return;
            }
            let (end, length) = if let Some(name) = rest.strip_prefix("</") {
                self.line_break |= ends_block(name);
                (memchr(b'>', rest.as_bytes()), 1)
            } else if rest.starts_with("<!--") {
                (
                    memmem::find(&rest.as_bytes()[2..], b"-->").map(|at| at + 2),
                    3,
                )
            } else if let Some(inside) = rest.strip_prefix("<![CDATA[") {
                let end = memmem::find(inside.as_bytes(), b"]]>").unwrap_or(inside.len());
                self.push(&inside[..end]);
                (Some(9 + end), 3)
            } else if rest.starts_with("<!") || rest.starts_with("<?") {
                (memchr(b'>', rest.as_bytes()), 1)
            } else {
                self.push("<");
                (Some(0), 1)
            };
            rest = end
                .and_then(|end| rest.get(end + length..))
                .unwrap_or_default();
        }
    }
}

/// Whether an end tag, of which `name` is the inside, ends a block.
fn ends_block(name: &str) -> bool {
    let end = name.bytes().position(|b| !b.is_ascii_alphanumeric());
    let name = &name[..end.unwrap_or(name.len())];
    if name.bytes().any(|b| b.is_ascii_uppercase()) {
        is_block(&name.to_ascii_lowercase())
    } else {
        is_block(name)
    }
}

/// Whether an element stands on lines of its own. Asked for every tag.
pub(super) fn is_block(name: &str) -> bool {
    match name.len() {
        1 => name == "p",
        2 => matches!(
            name,
            "li" | "td"
                | "tr"
                | "th"
                | "br"
                | "h1"
                | "h2"
                | "h3"
                | "h4"
                | "h5"
                | "h6"
                | "dd"
                | "dt"
                | "dl"
                | "ul"
                | "ol"
                | "hr"
        ),
        3 => matches!(name, "div" | "pre" | "nav" | "dir"),
        4 => matches!(name, "main" | "form" | "body" | "menu"),
        5 => matches!(
            name,
            "table" | "tbody" | "thead" | "tfoot" | "aside" | "title"
        ),
        6 => matches!(
            name,
            "header"
                | "footer"
                | "option"
                | "figure"
                | "select"
                | "center"
                | "dialog"
                | "legend"
                | "hgroup"
        ),
        7 => matches!(
            name,
            "section" | "article" | "details" | "summary" | "address" | "caption"
        ),
        _ => matches!(name, "blockquote" | "fieldset" | "figcaption"),
    }
}

#[cfg(test)]
mod tests {
    use super::VisibleText;

    #[test]
    fn spaces_collapse_and_blocks_break_lines() {
        let mut text = VisibleText::default();
        text.block();
        text.push("  one\n two");
        text.push(" three");
        text.push("four ");
        text.push("");
        text.push("five");
        text.block();
        text.push(" ");
        text.push_escaped("six &amp; seven");
        assert_eq!(text.into_string(), "one two threefour five\nsix & seven");
    }

    #[test]
    fn text_between_tags() {
        for (markup, expected) in [
            ("a</b>b", "ab"),
            ("a</P >b", "a\nb"),
            ("a<!-- </p> > -->b<!>c", "abc"),
            ("a < b", "a < b"),
            ("a</p", "a"),
            ("a<!--", "a"),
            ("<![CDATA[x & y]]>z", "x & yz"),
            ("ü</div>&uuml;", "ü\nü"),
        ] {
            let mut text = VisibleText::default();
            text.push_between_tags(markup);
            assert_eq!(text.into_string(), expected, "{markup}");
        }
    }
}
