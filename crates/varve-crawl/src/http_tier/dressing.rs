//! A document that waits for its style sheets, and what they ask for when all are there.
//!
//! To know exactly what sheets ask for takes the DOM of the page and all their rules. Most pages
//! have the sheets of pages before them, and can need nothing that was not fetched for those
//! (`varve_page::Outlook`): of these no DOM is built.

use super::reading::{MAX_READ, decode};
use super::requisites::Needed;
use super::tailor::Tailor;
use super::{Arrived, HttpTier};
use crate::options::Variants;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use url::Url;
use varve_fetch::Exchange;
use varve_model::HttpHead;
use varve_page::{
    Destination, Document, Kind, Lacking, Page, Role, StyleSheet, StyleSheets, Styling, Viewport,
    Wardrobe,
};

/// A document and those of its style sheets that have come.
pub(super) struct Dress {
    exchange: Arc<Exchange>,
    head: HttpHead,
    page: Arc<Page>,
    /// Its text, once somebody has asked for it.
    text: OnceLock<String>,
    wardrobe: Wardrobe,
    care: Care,
    tailor: Arc<Tailor>,
    worn: Mutex<Worn>,
}

/// How exactly it must be known what styles ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Care {
    /// As far as it was not fetched before.
    ForWhatIsNew,
    /// All of it.
    ForAll,
}

#[derive(Default)]
struct Worn {
    sheets: StyleSheets,
    stage: Stage,
}

#[derive(Default)]
enum Stage {
    /// The sheets that the page names are being fetched.
    #[default]
    Naming,
    /// The page has a closer look, for at most these or for anything.
    Styling(Box<Styling>, Vec<Needed>),
    /// What the sheets ask for was told.
    Complete,
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
        if matches!(worn.stage, Stage::Naming) {
            let wanted = self.wardrobe.wanted(&worn.sheets);
            if !wanted.is_empty() {
                return wanted.iter().map(of_style).collect();
            }
            worn.stage = self.look(&worn.sheets, viewport);
        }
        let Stage::Styling(styling, doubtful) = &worn.stage else {
            return Vec::new();
        };
        let wanted = styling.wanted(&worn.sheets);
        if !wanted.is_empty() {
            return wanted.iter().map(of_style).collect();
        }
        let mut needs = styling.needs(&worn.sheets, viewport);
        let is_needed = |url: &Url| needs.iter().any(|(needed, _)| needed == url);
        let unneeded = doubtful.iter().filter(|(url, _)| !is_needed(url));
        needs.extend(self.tailor.in_vain(unneeded.cloned()));
        worn.stage = Stage::Complete;
        needs
    }

    /// Whether the page needs a closer look, all its sheets being there.
    fn look(&self, known: &StyleSheets, viewport: &Viewport) -> Stage {
        let mut doubtful = Vec::new();
        if self.care == Care::ForWhatIsNew {
            let outlook = self.tailor.outlook(self.wardrobe.sheets(known));
            let text = || self.text();
            let is_there = |url: &Url| self.tailor.is_there(url);
            match outlook.lacking(&self.page, &text, viewport, &is_there) {
                Lacking::AtMost(urls) if urls.is_empty() => return Stage::Complete,
                Lacking::AtMost(urls) => doubtful = urls,
                Lacking::Unclear => {}
            }
        }
        let styling = self.on_document(|document| Styling::new(document, &self.page, viewport));
        match styling {
            Some(styling) => Stage::Styling(Box::new(styling), doubtful),
            None => Stage::Complete,
        }
    }

    fn text(&self) -> &str {
        self.text
            .get_or_init(|| self.on_document(|document| self.page.text_of(document)))
    }

    fn on_document<T>(&self, then: impl FnOnce(&Document<'_>) -> T) -> T {
        let body = decode(&self.exchange, &self.head, MAX_READ);
        let declared = self.head.get("Content-Type");
        let declared = declared.as_deref().map(String::from_utf8_lossy);
        then(&Document {
            content_type: declared.as_deref(),
            ..Document::new(&self.exchange.url, &body.bytes)
        })
    }
}

fn of_style(url: &Url) -> Needed {
    (url.clone(), Destination::Style)
}

impl HttpTier {
    /// The dress of a document, if it has one.
    pub(super) fn dress(
        &self,
        exchange: &Arc<Exchange>,
        head: &HttpHead,
        page: &Arc<Page>,
        care: Care,
    ) -> Option<Dress> {
        let has_style = page.references.iter().any(|reference| {
            reference.is_of_style() || reference.role == Role::Embed(Destination::Style)
        });
        if self.variants == Variants::All || page.kind != Kind::Html || !has_style {
            return None;
        }
        let mut dress = Dress {
            exchange: exchange.clone(),
            head: head.clone(),
            page: page.clone(),
            text: OnceLock::new(),
            wardrobe: Wardrobe::of(page, Vec::new()),
            care,
            tailor: self.tailor.clone(),
            worn: Mutex::default(),
        };
        if care == Care::ForWhatIsNew && !page.styles.sheets.is_empty() {
            let text = dress.text();
            let sheets = page.styles.sheets.iter();
            let texts = sheets.filter_map(|at| text.get(at.clone()));
            let viewport = self.viewport();
            let inline = texts.map(|text| self.tailor.inline(text, page, &viewport));
            dress.wardrobe = Wardrobe::of(page, inline.collect());
        }
        Some(dress)
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
