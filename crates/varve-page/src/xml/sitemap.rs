//! Sitemaps and indexes of sitemaps, with the image and video extensions, and plain lists.

use super::lexer::{Event, Lexer};
use crate::collector::{Collector, Offer};
use crate::html::Tag;
use crate::{Destination, Need, Role};

/// Offers the URLs of a sitemap.
pub(crate) fn find(text: &str, collector: &mut Collector<'_>) {
    let mut name = String::new();
    let mut content = String::new();
    for event in Lexer::new(text) {
        match event {
            Event::Start { tag, .. } => {
                let tag = Tag::new(text, tag, false);
                if let Some(tag) = &tag
                    && tag.name == "xhtml:link"
                    && let Some(href) = tag.attributes.get("href")
                {
                    offer(
                        &href.text,
                        Role::Link,
                        Need::Needed,
                        "sitemap@alternate",
                        collector,
                    );
                }
                name = tag.map(|tag| tag.name.into_owned()).unwrap_or_default();
                content.clear();
            }
            Event::Text(range) => {
                content.push_str(&htmlize::unescape(text.get(range).unwrap_or_default()));
            }
            Event::Cdata(range) => content.push_str(text.get(range).unwrap_or_default()),
            Event::End { .. } => {
                if let Some((role, need)) = meaning(&name) {
                    offer(content.trim(), role, need, "sitemap@loc", collector);
                }
                name.clear();
            }
            Event::Instruction(range) => {
                super::stylesheet(text.get(range).unwrap_or_default(), collector);
            }
        }
    }
}

/// Offers the URLs of a sitemap that is a plain list.
pub(crate) fn find_lines(text: &str, collector: &mut Collector<'_>) {
    for line in text.lines() {
        offer(
            line.trim(),
            Role::Link,
            Need::Needed,
            "sitemap@line",
            collector,
        );
    }
}

fn meaning(name: &str) -> Option<(Role, Need)> {
    let image = Role::Embed(Destination::Image);
    let media = Role::Embed(Destination::Media);
    Some(match name {
        "image:loc" | "video:thumbnail_loc" => (image, Need::Weak),
        "video:content_loc" => (media, Need::Weak),
        "video:player_loc" => (Role::Frame, Need::Weak),
        "loc" => (Role::Link, Need::Needed),
        _ if name.ends_with(":loc") => (Role::Link, Need::Needed),
        _ => return None,
    })
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
