//! What the pages of a crawl have in common in their looks: sheets that stand in many pages, what
//! sheets can ask for, and what was fetched of it.
//!
//! Some rule may be in doubt on every page of a site, and never count: then every page gets a
//! closer look in vain. What it asks for is fetched after a while to be done with it, as long as
//! all that is fetched so stays a small share of the crawl.

use super::requisites::Needed;
use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasher, RandomState};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use url::Url;
use varve_page::{Destination, Outlook, Outlooks, Page, StyleSheet, Viewport};

/// Most bytes of sheets in pages that are remembered, and most URLs. When there are more, all are
/// forgotten: they are understood, or asked for, again.
const MOST_SHEETS: usize = 4 << 20;
const MOST_URLS: usize = 1_000_000;

/// How often something is looked for in vain before it is fetched.
const PATIENCE: u32 = 16;

/// One byte of so many may be fetched so.
const SHARE: u64 = 200;

#[derive(Default)]
pub(super) struct Tailor {
    inline: Mutex<Inline>,
    outlooks: Mutex<Outlooks>,
    /// The pictures and fonts that answered.
    there: Mutex<HashSet<Name>>,
    doubts: Mutex<Doubts>,
    hasher: RandomState,
}

/// The hash of a URL.
type Name = u64;

/// What may be needed and was not, so far.
#[derive(Default)]
struct Doubts {
    /// How often it was looked for.
    vain: HashMap<Name, u32>,
    /// What is being fetched to be done with it.
    pending: Option<Name>,
    /// Bytes of what was fetched so, and of everything.
    spent: u64,
    received: u64,
}

/// Sheets that stand in pages.
#[derive(Default)]
struct Inline {
    sheets: HashMap<Key, Arc<StyleSheet>>,
    bytes: usize,
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
        if let Some(known) = lock(&self.inline).sheets.get(&key) {
            return known.clone();
        }
        let sheet = Arc::new(StyleSheet::inline(text, page, viewport));
        lock(&self.inline).keep(key, &sheet);
        sheet
    }

    /// What sheets can ask for together.
    pub(super) fn outlook(&self, sheets: Vec<Arc<StyleSheet>>) -> Arc<Outlook> {
        lock(&self.outlooks).of(sheets)
    }

    /// Takes note of an answer: of its length and, if styles can ask for it, that it came.
    pub(super) fn came(&self, url: &Url, destination: Destination, length: u64) {
        let name = self.name(url);
        if matches!(destination, Destination::Image | Destination::Font) {
            let mut there = lock(&self.there);
            if there.len() >= MOST_URLS {
                there.clear();
            }
            there.insert(name);
        }
        let mut doubts = lock(&self.doubts);
        doubts.received += length;
        if doubts.pending == Some(name) {
            doubts.pending = None;
            doubts.spent += length;
        }
    }

    /// Takes note that there is no answer.
    pub(super) fn failed(&self, url: &Url) {
        let mut doubts = lock(&self.doubts);
        if doubts.pending == Some(self.name(url)) {
            doubts.pending = None;
        }
    }

    /// Takes note of what a closer look at a page found not to be needed, and gives what of it is
    /// to be fetched all the same.
    pub(super) fn in_vain(&self, unneeded: impl Iterator<Item = Needed>) -> Option<Needed> {
        let mut doubts = lock(&self.doubts);
        let mut chosen = None;
        for needed in unneeded {
            let name = self.name(&needed.0);
            if doubts.vain.len() >= MOST_URLS {
                doubts.vain.clear();
            }
            let count = doubts.vain.entry(name).or_default();
            *count += 1;
            let is_enough = *count >= PATIENCE;
            let has_room = doubts.pending.is_none() && doubts.spent * SHARE <= doubts.received;
            if is_enough && has_room {
                doubts.vain.remove(&name);
                doubts.pending = Some(name);
                chosen = Some(needed);
            }
        }
        chosen
    }

    /// Whether it did.
    pub(super) fn is_there(&self, url: &Url) -> bool {
        lock(&self.there).contains(&self.name(url))
    }

    /// Forgets what came: it could not be kept.
    pub(super) fn clear(&self) {
        lock(&self.there).clear();
        *lock(&self.doubts) = Doubts::default();
    }

    fn name(&self, url: &Url) -> Name {
        self.hasher.hash_one(url.as_str())
    }
}

impl Inline {
    fn keep(&mut self, key: Key, sheet: &Arc<StyleSheet>) {
        // Even an empty one takes some room.
        let length = sheet.length() + 256;
        if self.bytes + length > MOST_SHEETS {
            *self = Inline::default();
        }
        self.bytes += length;
        self.sheets.insert(key, sheet.clone());
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use varve_page::{Document, analyse};

    fn picture(name: &str) -> Needed {
        let url = Url::parse("https://a.example/").unwrap();
        (url.join(name).unwrap(), Destination::Image)
    }

    fn looks(tailor: &Tailor, names: &[&str]) -> Option<Needed> {
        tailor.in_vain(names.iter().map(|name| picture(name)))
    }

    #[test]
    fn what_is_looked_for_again_and_again_is_fetched_once() {
        let tailor = Tailor::default();
        tailor.came(&picture("page").0, Destination::Document, 1_000_000);
        for _ in 1..PATIENCE {
            assert_eq!(looks(&tailor, &["a", "b"]), None);
        }
        assert_eq!(looks(&tailor, &["a", "b"]), Some(picture("a")));
        // One at a time.
        assert_eq!(looks(&tailor, &["b"]), None);
        assert!(!tailor.is_there(&picture("a").0));
        tailor.came(&picture("a").0, Destination::Image, 6000);
        assert!(tailor.is_there(&picture("a").0));
        // There is no room for more.
        assert_eq!(looks(&tailor, &["b"]), None);
        tailor.came(&picture("page").0, Destination::Document, 1_000_000);
        assert_eq!(looks(&tailor, &["b"]), Some(picture("b")));
        // What does not answer costs nothing and is not there.
        tailor.failed(&picture("b").0);
        assert!(!tailor.is_there(&picture("b").0));
    }

    #[test]
    fn sheets_in_pages_are_remembered_within_bounds() {
        let viewport = Viewport::default();
        let url = Url::parse("https://a.example/b/c").unwrap();
        let document = Document::new(&url, b"<!doctype html><p>");
        let page = analyse(&document, &viewport);
        let tailor = Tailor::default();
        let plain = tailor.inline("p{float:left}", &page, &viewport);
        assert!(Arc::ptr_eq(
            &plain,
            &tailor.inline("p{float:left}", &page, &viewport)
        ));
        for number in 0..100 {
            let text = format!("p{{--x{number}:{}}}", "x".repeat(100_000));
            tailor.inline(&text, &page, &viewport);
            assert!(lock(&tailor.inline).bytes <= MOST_SHEETS);
        }
        assert!(!Arc::ptr_eq(
            &plain,
            &tailor.inline("p{float:left}", &page, &viewport)
        ));
    }
}
