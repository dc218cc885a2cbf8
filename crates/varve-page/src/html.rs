//! HTML: `lol_html` finds the tags, a [`Walker`] understands them.
//!
//! Only start tags and a few end tags come from the tokenizer; the text between them is cheaper to
//! find ourselves. The walker does not know who drives it: documents in XML syntax (XHTML, SVG) come to it
//! through our own lexer in [`crate::xml`].

use std::cell::RefCell;
use std::rc::Rc;

use lol_html::html_content::{Element, EndTag};
use lol_html::{
    ElementContentHandlers, HandlerResult, HtmlRewriter, MemorySettings, Selector, Settings,
};

pub(crate) use self::attributes::{Attributes, Value};
pub(crate) use self::images::image_type_is_supported;
pub(crate) use self::text::VisibleText;
pub(crate) use self::walker::{Container, Follow, Source, Tag, Walker};
use crate::Note;
use crate::collector::Collector;

mod attributes;
mod containers;
mod images;
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
    let Ok(everything) = "*".parse::<Selector>() else {
        return String::new();
    };
    let ends = Ends::default();
    let walker = RefCell::new(Walker::new(source, collector));
    let complete = {
        let element = ElementContentHandlers::default()
            .element(|element: &mut Element<'_, '_>| on_element(&walker, &ends, source, element));
        let memory = MemorySettings::new().with_max_allowed_memory_usage(MAX_MEMORY);
        let settings = Settings::new()
            .append_element_content_handler((std::borrow::Cow::Owned(everything), element))
            .with_memory_settings(memory)
            .with_strict(false);
        let mut rewriter = HtmlRewriter::new(settings, |_: &[u8]| {});
        rewriter
            .write(source.text.as_bytes())
            .and_then(|()| rewriter.end())
            .is_ok()
    };
    let mut walker = walker.into_inner();
    drain(&mut walker, &ends);
    if !complete {
        walker.note(Note::MarkupTooComplex);
    }
    walker.finish()
}

fn drain(walker: &mut Walker<'_, '_, '_>, ends: &Ends) {
    for (container, at) in ends.borrow_mut().drain(..) {
        walker.end(container, at);
    }
}

fn on_element<'t>(
    walker: &RefCell<Walker<'_, 't, '_>>,
    ends: &Ends,
    source: Source<'t>,
    element: &mut Element<'_, '_>,
) -> HandlerResult {
    let mut walker = walker.borrow_mut();
    drain(&mut walker, ends);
    let range = element.source_location().bytes();
    let Some(tag) = Tag::new(source.text, range, element.namespace_uri() == SVG) else {
        return Ok(());
    };
    if let Follow::UntilEnd(container) = walker.start(&tag) {
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
            None => walker.end(container, end),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
