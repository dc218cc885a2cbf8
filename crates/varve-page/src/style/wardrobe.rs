//! The style sheets that a page names, told without building its DOM: all that could apply, and
//! perhaps some that do not.

use std::sync::Arc;

use url::Url;

use super::{Source, StyleSheet, StyleSheets, order};
use crate::charset::decode;
use crate::{Destination, Document, Need, Page, Role};

/// The style sheets of a page.
#[derive(Debug)]
pub struct Wardrobe {
    sources: Vec<Source>,
}

impl Wardrobe {
    /// The sheets that a page names and those that stand in it.
    pub fn of(page: &Page, inline: Vec<Arc<StyleSheet>>) -> Wardrobe {
        let is_sheet = Role::Embed(Destination::Style);
        let named = page
            .references
            .iter()
            .filter(|reference| reference.role == is_sheet && reference.need == Need::Needed);
        let linked = named.map(|reference| Source::Linked(reference.url.clone()));
        let inline = inline.into_iter().map(Source::Inline);
        Wardrobe {
            sources: linked.chain(inline).collect(),
        }
    }

    /// The sheets that are still to be fetched, as far as is known by now.
    pub fn wanted(&self, known: &StyleSheets) -> Vec<Url> {
        order::wanted(&self.sources, known)
    }

    /// All sheets that are there, imported ones included.
    pub fn sheets(&self, known: &StyleSheets) -> Vec<Arc<StyleSheet>> {
        order::all(&self.sources, known)
    }
}

impl Page {
    /// The text of the document that it was made of, in which the spans are places.
    pub fn text_of(&self, document: &Document<'_>) -> String {
        decode(document, self.kind).text.into_owned()
    }
}
