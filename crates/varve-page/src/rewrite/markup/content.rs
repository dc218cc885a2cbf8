//! The content of elements: scripts, styles, and markup for browsers without scripts.

use std::borrow::Cow;

use memchr::{memchr, memmem};

use super::super::edits::Edits;
use super::super::{ScriptUse, css, import_map, markup};
use super::{Editor, Entered, Holds, Syntax, Text};
use crate::html::Inline;
use crate::{Note, ScriptForm};

impl Editor<'_, '_, '_> {
    /// An element ends at `end`; its content is known now.
    pub(super) fn leave(&mut self, entered: &Entered, end: usize) {
        let start = entered.start;
        let content = self.text.get(start..end).unwrap_or_default();
        match entered.holds {
            Holds::Script(kind, text) => self.script_text(kind, text, content, start),
            Holds::Style(text) => self.style_text(text, content, start),
            Holds::Markup => {
                let edits = self
                    .mapping
                    .nested(|mapping| markup::edits(content, Syntax::Html, None, mapping));
                self.edits.append(start, edits);
            }
            Holds::Template => {}
        }
    }

    fn script_text(&mut self, kind: Inline, written: Text, content: &str, at: usize) {
        if content.trim().is_empty() {
            return;
        }
        let Some(text) = plain(content, written) else {
            return;
        };
        let new = match kind {
            Inline::Script(ScriptForm::Classic) => self.mapping.script(&text, ScriptUse::Classic),
            Inline::Script(ScriptForm::Module) => self.mapping.script(&text, ScriptUse::Module),
            Inline::ImportMap => import_map::changed(&text, self.mapping),
            Inline::SpeculationRules | Inline::LinkedData | Inline::Data => None,
        };
        match new {
            Some(new) if end_tags(&new) > end_tags(&text) => {
                let reason = "would end its element when rewritten".to_owned();
                self.mapping.note(Note::Script(reason));
            }
            Some(new) => self.put(written, content, at, &new),
            None => {}
        }
    }

    fn style_text(&mut self, written: Text, content: &str, at: usize) {
        let Some(text) = plain(content, written) else {
            return;
        };
        let edits = css::edits(&text, self.mapping);
        match &text {
            Cow::Borrowed(_) => self.edits.append(at, edits),
            Cow::Owned(text) if !edits.is_empty() => {
                let new = edits.apply(text);
                self.put(written, content, at, &new);
            }
            Cow::Owned(_) => {}
        }
    }

    /// Puts a new text in place of the content that stands at `at`.
    fn put(&mut self, written: Text, content: &str, at: usize, new: &str) {
        let is_plain = !new.contains(['<', '&']) && !content.contains(['<', '&']);
        if written == Text::Raw || is_plain {
            self.edits.replace_text(at, content, new);
        } else {
            let section = new.replace("]]>", "]]]]><![CDATA[>");
            let section = format!("<![CDATA[{section}]]>");
            self.edits.replace(at..at + content.len(), section);
        }
    }

    /// Puts markup into the head, unless it is there already.
    pub(super) fn insert(&mut self, insert: &str) {
        const SCRIPT: &str = "<script";
        const HTML: &str = " xmlns=\"http://www.w3.org/1999/xhtml\"";
        let (at, insert) = match self.syntax {
            Syntax::Html => (super::insertion::point(self.text), Cow::Borrowed(insert)),
            Syntax::Xml => {
                let Some(at) = self.head else { return };
                let named = insert.replacen(SCRIPT, &format!("{SCRIPT}{HTML}"), 1);
                (at, Cow::Owned(named))
            }
        };
        if !self.text[at..].starts_with(insert.as_ref()) {
            let mut first = Edits::default();
            first.insert(at, &insert);
            self.edits.append(0, first);
        }
    }
}

/// The text that is meant: in XML, references and CDATA sections are resolved. With elements or
/// comments in it, it is nothing that we know.
fn plain(content: &str, written: Text) -> Option<Cow<'_, str>> {
    if written == Text::Raw || !content.contains(['<', '&']) {
        return Some(Cow::Borrowed(content));
    }
    let mut out = String::with_capacity(content.len());
    let mut rest = content;
    while let Some(start) = memchr(b'<', rest.as_bytes()) {
        out.push_str(&htmlize::unescape(&rest[..start]));
        rest = rest[start..].strip_prefix("<![CDATA[")?;
        let end = memmem::find(rest.as_bytes(), b"]]>");
        out.push_str(&rest[..end.unwrap_or(rest.len())]);
        rest = end.map_or("", |end| &rest[end + 3..]);
    }
    out.push_str(&htmlize::unescape(rest));
    Some(Cow::Owned(out))
}

/// How often a script says what ends its element. In a comment of HTML that is allowed.
fn end_tags(script: &str) -> usize {
    let bytes = script.as_bytes();
    let names = memmem::find_iter(bytes, b"</").filter(|at| {
        let name = bytes.get(at + 2..at + 8);
        name.is_some_and(|name| name.eq_ignore_ascii_case(b"script"))
    });
    names.count()
}
