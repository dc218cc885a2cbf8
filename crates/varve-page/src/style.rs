//! Which pictures and fonts the style sheets of a page make a browser load.
//!
//! A sheet is read once into a table of rules ([`StyleSheet`]); of its declarations only those
//! are kept that decide about pictures, fonts and what is shown at all. A page has its DOM and an
//! order of sheets ([`Styling`]). When all of them are there, every element that is shown is
//! styled as a browser does it, cascade, inheritance and custom properties included, and what the
//! styles ask for is what is needed: pictures of rules that win, faces of fonts that something is
//! written in.

use std::collections::HashMap;
use std::sync::Arc;

use url::Url;

pub use self::outlook::{Lacking, Outlook, Outlooks};
pub use self::sheet::StyleSheet;
use self::value::Ground;
use self::walk::Walk;
pub use self::wardrobe::Wardrobe;
use crate::charset::{Decoded, decode};
use crate::collector::Collector;
use crate::dom::Dom;
use crate::dom::element::{At, Steps};
use crate::dom::tree::DOCUMENT;
use crate::media::media_matches;
use crate::{Destination, Document, Kind, Page, Viewport};

mod cascade;
mod custom;
mod font;
mod index;
mod order;
mod outlook;
mod read;
mod sheet;
mod value;
mod walk;
mod wardrobe;

/// A page that waits for its style sheets.
#[derive(Debug)]
pub struct Styling {
    dom: Dom,
    base: Arc<Url>,
    encoding: &'static encoding_rs::Encoding,
    sources: Vec<Source>,
}

/// A style sheet of a page.
#[derive(Debug)]
enum Source {
    /// In the page.
    Inline(Arc<StyleSheet>),
    /// Elsewhere.
    Linked(Url),
}

/// Style sheets that were asked for, by the URLs by which they were; those that did not come, or
/// are none, are `None`.
pub type StyleSheets = HashMap<Url, Option<Arc<StyleSheet>>>;

impl Styling {
    /// The styling of a page that was analysed, for a client with this viewport. There is none
    /// for what is not HTML or goes beyond all measure.
    pub fn new(document: &Document<'_>, page: &Page, viewport: &Viewport) -> Option<Styling> {
        if page.kind != Kind::Html {
            return None;
        }
        let Decoded { text, encoding } = decode(document, page.kind);
        let dom = Dom::parse(&text);
        if !dom.is_whole() {
            return None;
        }
        let mut styling = Styling {
            dom,
            base: Arc::new(page.base.clone()),
            encoding,
            sources: Vec::new(),
        };
        styling.sources = styling.find(viewport);
        Some(styling)
    }

    /// The sheets that are still to be fetched before the page can be styled, as far as is known
    /// by now.
    pub fn wanted(&self, known: &StyleSheets) -> Vec<Url> {
        order::wanted(&self.sources, known)
    }

    /// What a browser loads for the page's style sheets and attributes. If that takes too long to
    /// find out, all that the sheets mention.
    pub fn needs(&self, known: &StyleSheets, viewport: &Viewport) -> Vec<(Url, Destination)> {
        let ground = Ground {
            base: &self.base,
            encoding: self.encoding,
            viewport,
        };
        let sheets = order::applied(&self.sources, known, &self.base);
        let found = Walk::new(&self.dom, ground, &sheets).needs();
        found.unwrap_or_else(|| walk::everything(&sheets, ground))
    }

    /// The sheets of the page, in order.
    fn find(&self, viewport: &Viewport) -> Vec<Source> {
        let steps = Steps::new(u64::MAX);
        let ground = Ground {
            base: &self.base,
            encoding: self.encoding,
            viewport,
        };
        let tree = &self.dom.tree;
        let elements = tree.within(DOCUMENT);
        elements
            .filter_map(|id| {
                let at = At::new(tree, id, &steps)?;
                match at.name() {
                    "style" => {
                        let texts = tree.within(id).filter_map(|id| tree.text(id));
                        inline(&at, &texts.collect::<String>(), &ground)
                    }
                    "link" => linked(&at, &ground),
                    _ => None,
                }
            })
            .collect()
    }
}

/// Whether an element with a sheet has media that match, and a type that is ours.
fn applies(at: &At<'_>, viewport: &Viewport) -> bool {
    let kind = at.attribute("type").unwrap_or_default();
    let kind = kind.split(';').next().unwrap_or_default().trim();
    let is_css = kind.is_empty() || kind.eq_ignore_ascii_case("text/css");
    is_css && media_matches(at.attribute("media").unwrap_or_default(), viewport)
}

fn inline(at: &At<'_>, text: &str, ground: &Ground<'_>) -> Option<Source> {
    applies(at, ground.viewport).then(|| Source::Inline(Arc::new(StyleSheet::of(text, ground))))
}

fn linked(at: &At<'_>, ground: &Ground<'_>) -> Option<Source> {
    let rel = at.attribute("rel").unwrap_or_default().to_ascii_lowercase();
    let has = |word| rel.split_ascii_whitespace().any(|found| found == word);
    // Alternative sheets are loaded, but wait for somebody to choose them.
    if !has("stylesheet") || has("alternate") || at.has("disabled") {
        return None;
    }
    let href = at.attribute("href").map(str::trim)?;
    if href.is_empty() || !applies(at, ground.viewport) {
        return None;
    }
    let base = Url::clone(ground.base);
    let url = Collector::new(ground.viewport, base, ground.encoding).resolve(href)?;
    Some(Source::Linked(url))
}

#[cfg(test)]
mod tests;
