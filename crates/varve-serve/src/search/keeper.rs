//! The thread that keeps the indexes of words up with their collections.

use super::{Shelf, text_of};
use crate::archive::{Opened, PageLine};
use crate::serving::Serving;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;
use varve_search::{PageText, SearchError};

/// How often collections are looked at for new layers.
const LOOK: Duration = Duration::from_secs(2);
/// How often the thread looks whether it should end.
const BREATH: Duration = Duration::from_millis(50);

/// Keeps up until it is dropped.
pub(crate) struct Keeper {
    over: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Keeper {
    pub(crate) fn start(serving: Arc<Serving>) -> Keeper {
        let over = Arc::new(AtomicBool::new(false));
        let is_over = over.clone();
        let work = move || {
            while !is_over.load(Ordering::Relaxed) {
                keep_up(&serving, &is_over);
                rest(&is_over);
            }
        };
        let thread = std::thread::Builder::new().name("words".to_owned());
        Keeper {
            over,
            // Without the thread everything works but search.
            thread: thread.spawn(work).ok(),
        }
    }
}

impl Drop for Keeper {
    fn drop(&mut self) {
        self.over.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn rest(is_over: &AtomicBool) {
    let mut rested = Duration::ZERO;
    while rested < LOOK && !is_over.load(Ordering::Relaxed) {
        std::thread::sleep(BREATH);
        rested += BREATH;
    }
}

fn keep_up(serving: &Serving, is_over: &AtomicBool) {
    for (opened, shelf) in serving.archive.now().iter().zip(&serving.search.shelves) {
        // Whatever is wrong, the next round tries again, and search says what is missing.
        let _ = shelf.keep_up(opened, is_over);
    }
}

impl Shelf {
    fn keep_up(&self, opened: &Arc<Opened>, is_over: &AtomicBool) -> Result<(), SearchError> {
        let Ok(index) = &self.index else {
            return Ok(());
        };
        let known = index.layers()?;
        let layers = opened.collection().layers();
        let wanted: BTreeSet<String> = layers.iter().map(|layer| layer.id.clone()).collect();
        let missing = wanted.difference(&known).count();
        self.missing.store(missing, Ordering::Relaxed);
        for gone in known.difference(&wanted) {
            index.remove_layer(gone)?;
        }
        for (at, layer) in layers.iter().enumerate() {
            if known.contains(&layer.id) || is_over.load(Ordering::Relaxed) {
                continue;
            }
            match index.add_layer(&layer.id, Pages::of(opened, at, is_over)) {
                Ok(()) if is_over.load(Ordering::Relaxed) => index.remove_layer(&layer.id)?,
                Ok(()) => {
                    self.missing.fetch_sub(1, Ordering::Relaxed);
                }
                // Another process reads the pages; what it has read is ours, too.
                Err(SearchError::Busy) => return index.refresh(),
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }
}

/// The pages of a layer with their texts.
struct Pages<'a> {
    opened: &'a Arc<Opened>,
    layer: usize,
    lines: Option<varve_store::collection::PageLines>,
    is_over: &'a AtomicBool,
}

impl<'a> Pages<'a> {
    fn of(opened: &'a Arc<Opened>, layer: usize, is_over: &'a AtomicBool) -> Pages<'a> {
        Pages {
            lines: opened.collection().pages_of(layer).ok(),
            opened,
            layer,
            is_over,
        }
    }

    fn read(&self, line: &[u8]) -> Option<PageText> {
        let page: PageLine = serde_json::from_slice(line).ok()?;
        let time = page.time()?.to_seconds();
        let index = self.opened.whole_layer(self.layer)?;
        let (title, text) = text_of(self.opened, index, &page.url, time).unwrap_or_default();
        let title = page.title.filter(|title| !title.is_empty()).or(title);
        Some(PageText {
            time: time.digits14(),
            title: title.unwrap_or_default(),
            url: page.url,
            text,
        })
    }
}

impl Iterator for Pages<'_> {
    type Item = PageText;

    fn next(&mut self) -> Option<PageText> {
        while !self.is_over.load(Ordering::Relaxed) {
            let line = self.lines.as_mut()?.next()?.ok()?;
            if let Some(page) = self.read(&line) {
                return Some(page);
            }
        }
        None
    }
}
