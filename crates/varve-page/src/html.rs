//! HTML: a [`Scanner`] finds the tags, and a [`Visitor`] is told of them.
//!
//! There are two large visitors: the [`Walker`] understands a document for analysis, the rewriter
//! changes it for replay. They are told of start tags and of the ends that they ask for. Visitors
//! do not know who drives them: documents in XML syntax (XHTML, SVG) come to them through the
//! lexer in [`crate::xml`].

use std::borrow::Cow;

pub(crate) use self::attributes::{Attribute, Attributes, Value};
pub(crate) use self::images::image_type_is_supported;
pub use self::inline::inline_scripts;
pub use self::inventory::{Inventory, inventory};
pub(crate) use self::links::{destination, relation};
use self::scan::{Event, Scanner};
pub(crate) use self::scripts::{Inline, kind as script_kind};
pub(crate) use self::table::{Syntax as ValueSyntax, rules};
pub(crate) use self::text::VisibleText;
pub(crate) use self::walker::{
    Container, Follow, MAX_OPEN, Source, Tag, Visitor, Walker, is_handler, may_hold_css,
};
use crate::collector::Collector;

mod attributes;
mod containers;
mod images;
mod inline;
mod inventory;
mod links;
mod meta;
mod scan;
mod scripts;
mod table;
mod text;
mod walker;

/// Walks over an HTML document, or a piece of one, and gives its visible text.
pub(crate) fn find(source: Source<'_>, collector: &mut Collector<'_>) -> String {
    let mut walker = Walker::new(source, collector);
    visit(source.text, &mut walker);
    walker.finish()
}

/// Tells a visitor of the tags of an HTML document, or of a piece of one.
pub(crate) fn visit<'t>(text: &'t str, visitor: &mut dyn Visitor<'t>) {
    let mut open: Vec<(Cow<'t, str>, Option<Container>)> = Vec::new();
    // No deeper than this is it looked for what ends.
    let near = |open: &Vec<_>| open.len().saturating_sub(64);
    for event in Scanner::new(text) {
        match event {
            Event::Start { tag, closed } => {
                let end = tag.end();
                let followed = match visitor.start(&tag) {
                    Follow::UntilEnd(container) => Some(container),
                    Follow::No => None,
                };
                match followed {
                    Some(container) if closed => visitor.end(container, end),
                    // Others of the name end before those that are followed.
                    None if closed || !open[near(&open)..].iter().any(|it| it.0 == tag.name) => {}
                    container => open.push((tag.name, container)),
                }
            }
            Event::End { name, at } => {
                let from = near(&open);
                let ends = |it: &(Cow<'_, str>, _)| it.0.eq_ignore_ascii_case(name);
                if let Some(place) = open[from..].iter().rposition(ends) {
                    let container = open[from + place].1;
                    open.truncate(from + place);
                    if let Some(container) = container {
                        visitor.end(container, at);
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests;
