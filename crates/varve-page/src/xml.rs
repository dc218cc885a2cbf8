//! Documents in XML syntax: XHTML and SVG (understood by the walker of HTML), feeds, sitemaps.
//!
//! The lexer is our own, because real feeds are often not well-formed: it finds tags, text, CDATA
//! sections and processing instructions, and never gives up.

use std::borrow::Cow;
use std::ops::Range;

pub(crate) use self::lexer::{Event, Lexer};
use crate::collector::{Collector, Offer};
use crate::html::{Attributes, Container, Follow, Source, Tag, VisibleText, Visitor, Walker};
use crate::{Destination, Need, Role};

mod feed;
mod lexer;
mod sitemap;

pub(crate) use feed::find as find_feed;
pub(crate) use sitemap::{find as find_sitemap, find_lines};

/// XHTML or SVG: gives its visible text.
pub(crate) fn find_markup(source: Source<'_>, collector: &mut Collector<'_>) -> String {
    let mut walker = Walker::new(source, collector);
    visit(source.text, &mut walker);
    walker.finish()
}

/// Tells a visitor of the tags of a document in XML syntax.
pub(crate) fn visit<'t>(text: &'t str, visitor: &mut dyn Visitor<'t>) {
    let mut svg = 0usize;
    for event in Lexer::new(text) {
        match event {
            Event::Start { tag, closed } => {
                let Some(mut tag) = Tag::new(text, tag, svg > 0) else {
                    continue;
                };
                // Which prefix stands for which language is the document's own choice.
                if let Some((_, local)) = tag.name.split_once(':') {
                    tag.name = Cow::Owned(local.to_owned());
                }
                let is_svg = tag.name == "svg";
                tag.svg |= is_svg;
                if let Follow::UntilEnd(container) = visitor.start(&tag)
                    && closed
                {
                    visitor.end(container, tag.end());
                }
                svg += usize::from(is_svg && !closed);
            }
            Event::End { name, at } => {
                let name = name.rsplit(':').next().unwrap_or(name).to_ascii_lowercase();
                if let Some(container) = container(&name, svg > 0) {
                    visitor.end(container, at);
                }
                svg = svg.saturating_sub(usize::from(name == "svg"));
            }
            Event::Text(_) | Event::Cdata(_) => {}
            Event::Instruction(range) => visitor.instruction(range),
        }
    }
}

/// The insides of the processing instructions before the first element.
pub(crate) fn instructions(text: &str) -> Vec<Range<usize>> {
    let prologue = Lexer::new(text).take_while(|event| !matches!(event, Event::Start { .. }));
    let instructions = prologue.filter_map(|event| match event {
        Event::Instruction(inside) => Some(inside),
        _ => None,
    });
    instructions.collect()
}

fn container(name: &str, svg: bool) -> Option<Container> {
    Some(match name {
        "script" => Container::Script,
        "style" => Container::Style,
        "title" if !svg => Container::Title,
        "title" | "desc" | "iframe" | "textarea" | "noembed" | "noframes" | "xmp" => {
            Container::Hidden
        }
        "noscript" => Container::Noscript,
        "template" => Container::Template,
        "picture" => Container::Picture,
        "video" | "audio" => Container::Media,
        _ => return None,
    })
}

/// Any other XML: its style sheets.
pub(crate) fn find_other(text: &str, collector: &mut Collector<'_>) -> String {
    let mut visible = VisibleText::default();
    for event in Lexer::new(text) {
        match event {
            Event::Instruction(range) => stylesheet(text.get(range).unwrap_or_default(), collector),
            Event::Text(range) => visible.push_escaped(text.get(range).unwrap_or_default()),
            Event::Cdata(range) => visible.push(text.get(range).unwrap_or_default()),
            Event::Start { .. } | Event::End { .. } => visible.block(),
        }
    }
    visible.into_string()
}

/// `<?xml-stylesheet href="x"?>`, of which `instruction` is the inside.
pub(crate) fn stylesheet(instruction: &str, collector: &mut Collector<'_>) {
    let Some(rest) = instruction.strip_prefix("xml-stylesheet") else {
        return;
    };
    let attributes = Attributes::new(rest, 0, rest.len());
    if let Some(href) = attributes.get("href") {
        collector.offer(Offer {
            url: &href.text,
            role: Role::Embed(Destination::Style),
            need: Need::Needed,
            context: "xml-stylesheet",
            span: None,
        });
    }
}

#[cfg(test)]
mod tests;
