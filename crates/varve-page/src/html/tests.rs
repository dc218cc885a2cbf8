//! HTML as it is written, and what is found in it.

#![allow(clippy::unwrap_used)]

mod embeds;
mod hostile;
mod links;
mod reading;
mod scanning;
mod scripts;

use crate::{Destination, Document, Need, Page, Role, Viewport, analyse};
use url::Url;

fn page(html: &str) -> Page {
    page_for(html, &Viewport::default())
}

fn page_for(html: &str, viewport: &Viewport) -> Page {
    let url = Url::parse("http://h/d/p.html").unwrap();
    let document = Document {
        content_type: Some("text/html; charset=utf-8"),
        ..Document::new(&url, html.as_bytes())
    };
    analyse(&document, viewport)
}

/// References as words: role and path, with `~` in front of variants and `?` in front of weak
/// ones. URLs of the directory are shown relative to it.
fn words(page: &Page) -> String {
    let words: Vec<String> = page
        .references
        .iter()
        .map(|r| {
            let sign = match r.need {
                Need::Needed => "",
                Need::Variant => "~",
                Need::Weak => "?",
            };
            let role = match r.role {
                Role::Link => "link",
                Role::Frame => "frame",
                Role::Hint => "hint",
                Role::Embed(Destination::Image) => "image",
                Role::Embed(Destination::Style) => "style",
                Role::Embed(Destination::Script) => "script",
                Role::Embed(Destination::Module) => "module",
                Role::Embed(Destination::Media) => "media",
                Role::Embed(Destination::Font) => "font",
                Role::Embed(Destination::Manifest) => "manifest",
                Role::Embed(Destination::Json) => "json",
                Role::Embed(_) => "other",
            };
            let url = r.url.as_str();
            let short = url
                .strip_prefix("http://h/d/")
                .or(url.strip_prefix("http://h"));
            format!("{sign}{role}:{}", short.unwrap_or(url))
        })
        .collect();
    words.join(" ")
}

#[track_caller]
fn check(html: &str, expected: &str) {
    assert_eq!(words(&page(html)), expected, "{html}");
}
