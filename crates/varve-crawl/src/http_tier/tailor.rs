//! What the pages of a crawl have in common in their looks: sheets that stand in many pages, what
//! sheets can ask for, and what was fetched of it.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasher, RandomState};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use url::Url;
use varve_page::{Outlook, Outlooks, Page, StyleSheet, Viewport};

/// Most sheets in pages that are remembered, and most URLs. When there are more, all are
/// forgotten: they are understood, or asked for, again.
const MOST_SHEETS: usize = 1000;
const MOST_URLS: usize = 1_000_000;

#[derive(Default)]
pub(super) struct Tailor {
    inline: Mutex<HashMap<Key, Arc<StyleSheet>>>,
    outlooks: Mutex<Outlooks>,
    /// Hashes of the URLs of pictures and fonts that answered.
    there: Mutex<HashSet<u64>>,
    hasher: RandomState,
}

/// A sheet by what it says and, where that matters, the folder of the page that it stands in.
type Key = (blake3::Hash, Option<Url>);

impl Tailor {
    /// A sheet that stands in a page.
    pub(super) fn inline(&self, text: &str, page: &Page, viewport: &Viewport) -> Arc<StyleSheet> {
        let has_urls = ["url(", "@import", "image"]
            .iter()
            .any(|word| text.contains(word));
        let folder = page.base.join(".").ok().filter(|_| has_urls);
        let key = (blake3::hash(text.as_bytes()), folder);
        if let Some(known) = lock(&self.inline).get(&key) {
            return known.clone();
        }
        let sheet = Arc::new(StyleSheet::inline(text, page, viewport));
        let mut known = lock(&self.inline);
        if known.len() >= MOST_SHEETS {
            known.clear();
        }
        known.insert(key, sheet.clone());
        sheet
    }

    /// What sheets can ask for together.
    pub(super) fn outlook(&self, sheets: Vec<Arc<StyleSheet>>) -> Arc<Outlook> {
        lock(&self.outlooks).of(sheets)
    }

    /// Notes that a picture or font answered.
    pub(super) fn came(&self, url: &Url) {
        let mut there = lock(&self.there);
        if there.len() >= MOST_URLS {
            there.clear();
        }
        there.insert(self.hasher.hash_one(url.as_str()));
    }

    /// Whether it did.
    pub(super) fn is_there(&self, url: &Url) -> bool {
        lock(&self.there).contains(&self.hasher.hash_one(url.as_str()))
    }

    /// Forgets what came: it could not be kept.
    pub(super) fn clear(&self) {
        lock(&self.there).clear();
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
