//! A document that waits for its style sheets, and what they ask for when all are there.

use super::reading::{MAX_READ, decode};
use super::requisites::Needed;
use super::{Arrived, HttpTier};
use crate::options::Variants;
use std::sync::{Arc, Mutex, PoisonError};
use url::Url;
use varve_fetch::Exchange;
use varve_model::HttpHead;
use varve_page::{Destination, Document, Page, Role, StyleSheet, StyleSheets, Styling, Viewport};

/// A document and those of its style sheets that have come.
pub(super) struct Dress {
    styling: Styling,
    worn: Mutex<Worn>,
}

#[derive(Default)]
struct Worn {
    sheets: StyleSheets,
    /// Whether all of them were there, and what they ask for was told.
    is_complete: bool,
}

impl Dress {
    /// Takes a sheet that was asked for, and tells what is to be fetched now.
    pub(super) fn put(
        &self,
        url: Url,
        sheet: Option<Arc<StyleSheet>>,
        viewport: &Viewport,
    ) -> Vec<Needed> {
        let mut worn = self.worn.lock().unwrap_or_else(PoisonError::into_inner);
        // Also those of sheets for other media, which are loaded and wait.
        let imports = sheet.iter().flat_map(|sheet| sheet.imports());
        let mut needs: Vec<Needed> = imports.map(of_style).collect();
        worn.sheets.insert(url, sheet);
        needs.extend(self.next_of(&mut worn, viewport));
        needs
    }

    /// What is to be fetched now: more sheets, or what all of them ask for.
    pub(super) fn next(&self, viewport: &Viewport) -> Vec<Needed> {
        let mut worn = self.worn.lock().unwrap_or_else(PoisonError::into_inner);
        self.next_of(&mut worn, viewport)
    }

    fn next_of(&self, worn: &mut Worn, viewport: &Viewport) -> Vec<Needed> {
        if worn.is_complete {
            return Vec::new();
        }
        let wanted = self.styling.wanted(&worn.sheets);
        worn.is_complete = wanted.is_empty();
        match worn.is_complete {
            true => self.styling.needs(&worn.sheets, viewport),
            false => wanted.iter().map(of_style).collect(),
        }
    }
}

fn of_style(url: &Url) -> Needed {
    (url.clone(), Destination::Style)
}

impl HttpTier {
    /// The dress of a document, if it has one.
    pub(super) fn dress(&self, exchange: &Exchange, head: &HttpHead, page: &Page) -> Option<Dress> {
        let has_style = page.references.iter().any(|reference| {
            reference.is_of_style() || reference.role == Role::Embed(Destination::Style)
        });
        if self.variants == Variants::All || !has_style {
            return None;
        }
        let body = decode(exchange, head, MAX_READ);
        let declared = head.get("Content-Type");
        let declared = declared.as_deref().map(String::from_utf8_lossy);
        let document = Document {
            content_type: declared.as_deref(),
            ..Document::new(&exchange.url, &body.bytes)
        };
        Some(Dress {
            styling: Styling::new(&document, page, &self.viewport())?,
            worn: Mutex::default(),
        })
    }

    /// A response read as a style sheet. Browsers do not take those of errors.
    pub(super) fn sheet(&self, arrived: &Arrived) -> Option<StyleSheet> {
        let Arrived { exchange, head, .. } = arrived;
        if !matches!(head.status(), Some(200..=299)) {
            return None;
        }
        let body = decode(exchange, head, MAX_READ);
        let declared = head.get("Content-Type");
        let declared = declared.as_deref().map(String::from_utf8_lossy);
        let document = Document {
            content_type: declared.as_deref(),
            destination: Destination::Style,
            ..Document::new(&exchange.url, &body.bytes)
        };
        StyleSheet::read(&document, &self.viewport())
    }
}
