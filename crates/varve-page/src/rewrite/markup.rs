//! HTML, XHTML and SVG: the visitor that changes a document.

use std::ops::Range;

use super::edits::Edits;
use super::mapping::Mapping;
use crate::html::{self, Container, Follow, Inline, MAX_OPEN, Tag, Visitor};
use crate::xml;

pub(super) use self::elements::link_used_for;

mod attributes;
mod candidates;
mod content;
mod elements;
mod insertion;
mod values;

/// How markup is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Syntax {
    /// As HTML.
    Html,
    /// As XML.
    Xml,
}

/// The edits of a document, or of a piece of one if nothing is to be put into its head.
pub(super) fn edits(
    text: &str,
    syntax: Syntax,
    insert: Option<&str>,
    mapping: &mut Mapping<'_>,
) -> Edits {
    let mut editor = Editor::new(text, syntax, mapping);
    match syntax {
        Syntax::Html => html::visit(text, &mut editor),
        Syntax::Xml => xml::visit(text, &mut editor),
    }
    editor.finish(insert.filter(|insert| !insert.is_empty()))
}

/// The edits of some other XML: only of its style sheets.
pub(super) fn instructions(text: &str, mapping: &mut Mapping<'_>) -> Edits {
    let mut editor = Editor::new(text, Syntax::Xml, mapping);
    for inside in xml::instructions(text) {
        editor.stylesheet_instruction(inside);
    }
    editor.edits
}

/// An element that was entered.
struct Entered {
    container: Container,
    /// Where its content begins.
    start: usize,
    holds: Holds,
}

/// What an element has for content.
#[derive(Clone, Copy)]
enum Holds {
    Script(Inline, Text),
    Style(Text),
    Markup,
    /// Elements that are not part of the page.
    Template,
}

/// How the text of an element is written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Text {
    /// As it is.
    Raw,
    /// With character references and CDATA sections, as in XML and in SVG.
    Escaped,
}

struct Editor<'e, 't, 'a> {
    text: &'t str,
    syntax: Syntax,
    mapping: &'e mut Mapping<'a>,
    edits: Edits,
    open: Vec<Entered>,
    base_seen: bool,
    /// Where the content of the head begins, in XML.
    head: Option<usize>,
    tags: usize,
}

impl<'e, 't, 'a> Editor<'e, 't, 'a> {
    fn new(text: &'t str, syntax: Syntax, mapping: &'e mut Mapping<'a>) -> Editor<'e, 't, 'a> {
        Editor {
            text,
            syntax,
            mapping,
            edits: Edits::default(),
            open: Vec::new(),
            base_seen: false,
            head: None,
            tags: 0,
        }
    }

    fn finish(mut self, insert: Option<&str>) -> Edits {
        let end = self.text.len();
        while let Some(entered) = self.open.pop() {
            // A script that is cut off does not run.
            if entered.container != Container::Script {
                self.leave(&entered, end);
            }
        }
        if let Some(insert) = insert {
            self.insert(insert);
        }
        self.edits
    }

    /// Finds the start of the head, for documents in XML.
    fn look_for_head(&mut self, tag: &Tag<'t>) {
        let is_first = self.tags == 0;
        let is_head = self.tags == 1 && tag.name == "head";
        if (is_first || is_head) && !self.text[..tag.end()].ends_with("/>") {
            self.head = Some(tag.end());
        }
        self.tags += 1;
    }

    fn text_of(&self, tag: &Tag<'t>) -> Text {
        match tag.svg || self.syntax == Syntax::Xml {
            true => Text::Escaped,
            false => Text::Raw,
        }
    }

    /// Elements whose content is looked at.
    fn enters(&mut self, tag: &Tag<'t>) -> Option<(Container, Holds)> {
        Some(match tag.name.as_ref() {
            "script" => {
                let kind = self.script_element(tag);
                (Container::Script, Holds::Script(kind, self.text_of(tag)))
            }
            "style" if is_css(&tag.attributes.text("type")) => {
                (Container::Style, Holds::Style(self.text_of(tag)))
            }
            "noscript" if self.syntax == Syntax::Html => (Container::Noscript, Holds::Markup),
            "template" => (Container::Template, Holds::Template),
            _ => return None,
        })
    }
}

impl<'t> Visitor<'t> for Editor<'_, 't, '_> {
    fn start(&mut self, tag: &Tag<'t>) -> Follow {
        self.look_for_head(tag);
        if !tag.attributes.is_empty() {
            self.any_attributes(tag);
            self.url_attributes(tag);
            self.element(tag);
        }
        match self.enters(tag) {
            // Elements with text inside cannot pile up, others can.
            Some((container, holds))
                if self.open.len() < MAX_OPEN || !matches!(holds, Holds::Template) =>
            {
                self.open.push(Entered {
                    container,
                    start: tag.end(),
                    holds,
                });
                Follow::UntilEnd(container)
            }
            _ => Follow::No,
        }
    }

    fn end(&mut self, container: Container, at: usize) {
        let near = self.open.len().saturating_sub(64);
        let inner = self.open[near..].iter();
        let Some(index) = inner.rev().position(|e| e.container == container) else {
            return;
        };
        let keep = self.open.len() - 1 - index;
        while self.open.len() > keep
            && let Some(entered) = self.open.pop()
        {
            self.leave(&entered, at);
        }
    }

    fn instruction(&mut self, inside: Range<usize>) {
        self.stylesheet_instruction(inside);
    }
}

fn is_css(kind: &str) -> bool {
    let kind = kind.trim();
    kind.is_empty() || kind.eq_ignore_ascii_case("text/css")
}
