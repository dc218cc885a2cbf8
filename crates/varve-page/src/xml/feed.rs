//! RSS, RDF and Atom feeds: links, enclosures, images, and the HTML inside.

use super::lexer::{Event, Lexer};
use super::stylesheet;
use crate::collector::{Collector, Offer, Surroundings};
use crate::html::{self, Source, Tag, VisibleText};
use crate::{Destination, Need, Role};

/// Offers what a feed mentions; gives its text.
pub(crate) fn find(text: &str, collector: &mut Collector<'_>) -> String {
    let mut visible = VisibleText::default();
    let mut element = Element::default();
    for event in Lexer::new(text) {
        match event {
            Event::Start { tag, closed } => {
                element = Element::default();
                if let Some(tag) = Tag::new(text, tag, false) {
                    attributes(&tag, collector);
                    if !closed {
                        element.name = tag.name.into_owned();
                    }
                }
            }
            Event::Text(range) => {
                let piece = text.get(range).unwrap_or_default();
                element.content.push_str(&htmlize::unescape(piece));
            }
            Event::Cdata(range) => element
                .content
                .push_str(text.get(range).unwrap_or_default()),
            Event::End { .. } => {
                content(&element, collector, &mut visible);
                element = Element::default();
            }
            Event::Instruction(range) => stylesheet(text.get(range).unwrap_or_default(), collector),
        }
    }
    visible.into_string()
}

/// The innermost element that is open, with its text.
#[derive(Default)]
struct Element {
    name: String,
    content: String,
}

fn offer(url: &str, role: Role, need: Need, context: &'static str, collector: &mut Collector<'_>) {
    collector.offer(Offer {
        url,
        role,
        need,
        context,
        span: None,
    });
}

fn attributes(tag: &Tag<'_>, collector: &mut Collector<'_>) {
    let (attribute, role, need, context) = match tag.name.as_ref() {
        "link" | "atom:link" => {
            let rel = tag.attributes.text("rel");
            match rel.trim() {
                "" | "alternate" => ("href", Role::Link, Need::Needed, "feed@link"),
                "enclosure" => (
                    "href",
                    Role::Embed(Destination::Media),
                    Need::Weak,
                    "feed@enclosure",
                ),
                "next" | "previous" | "prev-archive" | "next-archive" => {
                    ("href", Role::Link, Need::Needed, "feed@next")
                }
                _ => ("href", Role::Link, Need::Weak, "feed@link"),
            }
        }
        "enclosure" => (
            "url",
            Role::Embed(Destination::Media),
            Need::Weak,
            "feed@enclosure",
        ),
        "media:content" => (
            "url",
            Role::Embed(Destination::Media),
            Need::Weak,
            "feed@media",
        ),
        "media:thumbnail" => (
            "url",
            Role::Embed(Destination::Image),
            Need::Weak,
            "feed@media",
        ),
        "itunes:image" => (
            "href",
            Role::Embed(Destination::Image),
            Need::Weak,
            "feed@image",
        ),
        "content" => ("src", Role::Link, Need::Weak, "feed@content"),
        _ => return,
    };
    if let Some(value) = tag.attributes.get(attribute) {
        offer(&value.text, role, need, context, collector);
    }
}

fn content(element: &Element, collector: &mut Collector<'_>, visible: &mut VisibleText) {
    let text = element.content.as_str();
    match element.name.as_str() {
        "link" | "comments" => offer(text, Role::Link, Need::Needed, "feed@link", collector),
        "guid" | "id" if text.trim_start().starts_with("http") => {
            offer(text, Role::Link, Need::Weak, "feed@guid", collector);
        }
        "url" | "icon" | "logo" => {
            offer(
                text,
                Role::Embed(Destination::Image),
                Need::Weak,
                "feed@image",
                collector,
            );
        }
        "title" => {
            if collector.title.is_none() && !text.trim().is_empty() {
                collector.title = Some(text.trim().to_owned());
            }
            visible.block();
            visible.push(text);
        }
        "description" | "summary" | "content" | "content:encoded" => {
            collector.nested(Surroundings::Noscript, |collector| {
                let source = Source { text, at: None };
                visible.block();
                visible.push(&html::find(source, collector));
            });
        }
        _ => {}
    }
}
