//! A style sheet as a table of rules, made once and asked by every page that uses it.

use std::sync::{Arc, OnceLock};

use encoding_rs::Encoding;
use selectors::context::QuirksMode;
use selectors::parser::{AncestorHashes, Selector};
use url::Url;

use super::font::Face;
use super::index::Index;
use super::outlook::offers::Offers;
use super::read;
use super::value::{Ground, Slot, Value};
use crate::charset::{Decoded, decode};
use crate::selector::{Grammar, PseudoElement};
use crate::{Document, Kind, Page, Viewport, kind_of};

/// A style sheet that was read for a viewport: which rules there are about pictures, fonts and
/// what is shown, and what it imports.
#[derive(Debug, Default)]
pub struct StyleSheet {
    pub(crate) rules: Vec<Rule>,
    pub(crate) blocks: Vec<Block>,
    pub(crate) faces: Vec<Face>,
    pub(crate) imports: Vec<Import>,
    pub(crate) keyframes: Vec<Keyframes>,
    /// The layers that rules are in, in the order in which they are named.
    pub(crate) layers: Vec<Layer>,
    pub(crate) index: Index,
    /// How long its text is.
    length: usize,
    /// What it was read in and for.
    pub(crate) read_for: Option<(&'static Encoding, Viewport)>,
    offers: OnceLock<Offers>,
}

/// The way to a layer. Those without a name have one of their own that begins with `#`.
pub(crate) type Layer = Vec<Box<str>>;

/// One selector and what it is for.
#[derive(Debug)]
pub(crate) struct Rule {
    pub(crate) selector: Selector<Grammar>,
    pub(crate) hashes: AncestorHashes,
    pub(crate) pseudo: Option<PseudoElement>,
    /// How long it may take to try it.
    pub(crate) cost: u32,
    pub(crate) block: u32,
    /// Its place among the layers, if it is in one.
    pub(crate) layer: Option<u32>,
}

impl Rule {
    pub(crate) fn new(
        selector: Selector<Grammar>,
        cost: u32,
        block: u32,
        layer: Option<u32>,
    ) -> Rule {
        Rule {
            // Names are hashed without their case, so these are right for old documents too.
            hashes: AncestorHashes::new(&selector, QuirksMode::NoQuirks),
            pseudo: selector.pseudo_element().copied(),
            selector,
            cost,
            block,
            layer,
        }
    }
}

/// The declarations of a rule that matter.
#[derive(Debug, Default)]
pub(crate) struct Block {
    pub(crate) declarations: Vec<Declaration>,
    pub(crate) custom: Vec<Custom>,
}

impl Block {
    pub(crate) fn is_empty(&self) -> bool {
        self.declarations.is_empty() && self.custom.is_empty()
    }
}

#[derive(Debug)]
pub(crate) struct Declaration {
    pub(crate) slot: Slot,
    pub(crate) important: bool,
    pub(crate) value: Value,
}

/// A custom property.
#[derive(Debug)]
pub(crate) struct Custom {
    pub(crate) name: Box<str>,
    pub(crate) important: bool,
    pub(crate) value: Arc<str>,
}

/// Another sheet that this one asks for.
#[derive(Debug)]
pub(crate) struct Import {
    pub(crate) url: Url,
    /// Whether its media queries match; it is loaded in any case.
    pub(crate) applies: bool,
    pub(crate) layer: Option<Layer>,
}

/// The pictures of an animation.
#[derive(Debug)]
pub(crate) struct Keyframes {
    pub(crate) name: Box<str>,
    pub(crate) images: Vec<Url>,
}

impl StyleSheet {
    /// Reads a style sheet for a client with this viewport; nothing if the document is none.
    pub fn read(document: &Document<'_>, viewport: &Viewport) -> Option<StyleSheet> {
        if kind_of(document) != Kind::Css {
            return None;
        }
        let Decoded { text, encoding } = decode(document, Kind::Css);
        let ground = Ground {
            base: &Arc::new(document.url.clone()),
            encoding,
            viewport,
        };
        Some(StyleSheet::of(&text, &ground))
    }

    /// How long its text is; what is made of it takes a few times as much.
    pub fn length(&self) -> usize {
        self.length
    }

    /// The sheets that it imports, which a browser loads whether or not they apply.
    pub fn imports(&self) -> impl Iterator<Item = &Url> {
        self.imports.iter().map(|import| &import.url)
    }

    pub(crate) fn of(text: &str, ground: &Ground<'_>) -> StyleSheet {
        let mut sheet = StyleSheet::default();
        read::rules(text, ground, &mut sheet);
        sheet.index = Index::of(&sheet.rules);
        sheet.length = text.len();
        sheet.read_for = Some((ground.encoding, ground.viewport.clone()));
        sheet
    }

    /// Reads a style sheet that stands in a page.
    pub fn inline(text: &str, page: &Page, viewport: &Viewport) -> StyleSheet {
        let ground = Ground {
            base: &Arc::new(page.base.clone()),
            encoding: page.encoding(),
            viewport,
        };
        StyleSheet::of(text, &ground)
    }

    /// What it can ask for.
    pub(crate) fn offers(&self) -> &Offers {
        self.offers.get_or_init(|| Offers::of(self))
    }
}
