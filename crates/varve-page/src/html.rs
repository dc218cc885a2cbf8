//! HTML: `lol_html` finds the tags and tells a [`Visitor`] of them.
//!
//! There are two visitors: the [`Walker`] understands a document for analysis, the rewriter
//! changes it for replay. Only start tags and a few end tags come from the tokenizer; the text
//! between them is cheaper to find ourselves. Visitors do not know who drives them: documents in
//! XML syntax (XHTML, SVG) come to them through our own lexer in [`crate::xml`].

use std::cell::RefCell;
use std::rc::Rc;

use lol_html::html_content::{Element, EndTag};
use lol_html::{
    ElementContentHandlers, HandlerResult, HtmlRewriter, MemorySettings, Selector, Settings,
};

pub(crate) use self::attributes::{Attribute, Attributes, Value};
pub(crate) use self::images::image_type_is_supported;
pub use self::inline::inline_scripts;
pub use self::inventory::{Inventory, inventory};
pub(crate) use self::links::{destination, relation};
pub(crate) use self::scripts::{Inline, kind as script_kind};
pub(crate) use self::table::{Syntax as ValueSyntax, rules};
pub(crate) use self::text::VisibleText;
pub(crate) use self::walker::{
    Container, Follow, MAX_OPEN, Source, Tag, Visitor, Walker, is_handler, may_hold_css,
};
use crate::Note;
use crate::collector::Collector;

mod attributes;
mod containers;
mod images;
mod inline;
mod inventory;
mod links;
mod meta;
mod scripts;
mod table;
mod text;
mod walker;

/// What the tokenizer may use for open elements and for one tag.
const MAX_MEMORY: usize = 64 << 20;

const SVG: &str = "http://www.w3.org/2000/svg";

/// Ends of elements that the walker waits for, and where. Handlers for ends cannot borrow the
/// walker, so they leave them here for the next event.
type Ends = Rc<RefCell<Vec<(Container, usize)>>>;

/// Walks over an HTML document, or a piece of one, and gives its visible text.
pub(crate) fn find(source: Source<'_>, collector: &mut Collector<'_>) -> String {
    let mut walker = Walker::new(source, collector);
    visit(source.text, &mut walker);
    walker.finish()
}

/// Tells a visitor of the tags of an HTML document, or of a piece of one.
pub(crate) fn visit<'t>(text: &'t str, visitor: &mut dyn Visitor<'t>) {
    let Ok(everything) = "*".parse::<Selector>() else {
        return;
    };
    let ends = Ends::default();
    let told = RefCell::new(visitor);
    let complete = {
        let element = ElementContentHandlers::default()
            .element(|element: &mut Element<'_, '_>| on_element(&told, &ends, text, element));
        let memory = MemorySettings::new().with_max_allowed_memory_usage(MAX_MEMORY);
        let settings = Settings::new()
            .append_element_content_handler((std::borrow::Cow::Owned(everything), element))
            .with_memory_settings(memory)
            .with_strict(false);
        let mut rewriter = HtmlRewriter::new(settings, |_: &[u8]| {});
        rewriter
            .write(text.as_bytes())
            .and_then(|()| rewriter.end())
            .is_ok()
    };
    let visitor = told.into_inner();
    drain(visitor, &ends);
    if !complete {
        visitor.note(Note::MarkupTooComplex);
    }
}

fn drain<'t>(visitor: &mut dyn Visitor<'t>, ends: &Ends) {
    for (container, at) in ends.borrow_mut().drain(..) {
        visitor.end(container, at);
    }
}

fn on_element<'t>(
    visitor: &RefCell<&mut dyn Visitor<'t>>,
    ends: &Ends,
    text: &'t str,
    element: &mut Element<'_, '_>,
) -> HandlerResult {
    let mut visitor = visitor.borrow_mut();
    drain(&mut **visitor, ends);
    let range = element.source_location().bytes();
    let Some(tag) = Tag::new(text, range, element.namespace_uri() == SVG) else {
        return Ok(());
    };
    if let Follow::UntilEnd(container) = visitor.start(&tag) {
        let end = tag.end();
        match element.end_tag_handlers() {
            Some(handlers) => {
                let ends = Rc::clone(ends);
                handlers.push(Box::new(move |tag: &mut EndTag<'_>| {
                    let at = tag.source_location().bytes().start;
                    ends.borrow_mut().push((container, at));
                    Ok(())
                }));
            }
            None => visitor.end(container, end),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
