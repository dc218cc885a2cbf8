//! Memory: what visits taught about the scripts of sites, kept in the collection between crawls.
//!
//! The memo itself is pure; here is its file, the pages that rely on it until somebody has looked
//! (`doubts.rs`), and what a visit teaches (`taught.rs`).

mod doubts;
mod taught;

pub(crate) use taught::{Taught, destination};

use crate::frontier::UrlKey;
use crate::hall::Wish;
use crate::phase::Phase;
use doubts::{Doubts, Ground};
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use url::Url;
use varve_memo::{Decision, Memo, Outcome, Recall, Sketch, Teaching, Technique, Why};

/// Where it lies in a collection.
const PLACE: [&str; 2] = ["state", "memo.json"];
/// A longer file is none of ours.
const MAX_FILE: u64 = 512 << 20;
/// What comes beyond so many URLs may be asked for again.
const MAX_HAD: usize = 1_000_000;
/// It is written after so many visits, and at the end.
const WRITTEN_EVERY: u32 = 32;

/// The file that holds what crawls of a collection learned of its sites' scripts.
pub fn memo_file(collection: &Path) -> PathBuf {
    let dir = collection.to_owned();
    PLACE.iter().fold(dir, |dir, name| dir.join(name))
}

/// What visits taught.
pub(crate) struct Memory {
    file: PathBuf,
    memo: Mutex<Memo>,
    doubts: Mutex<Doubts>,
    lessons: AtomicU32,
    /// What this crawl has, so that no page asks for it only because others need it, too.
    had: Mutex<HashSet<UrlKey>>,
}

impl Memory {
    /// What earlier crawls of the collection learned. What cannot be read is learned again.
    pub(crate) fn of(collection: &Path, without: &[Technique], min_recall: f64) -> Memory {
        let file = memo_file(collection);
        let is_ours = std::fs::metadata(&file).is_ok_and(|file| file.len() <= MAX_FILE);
        let bytes = is_ours.then(|| std::fs::read(&file).ok()).flatten();
        let memo = bytes.and_then(|bytes| Memo::read(&bytes));
        let mut memo = memo.unwrap_or_default();
        memo.do_without(without);
        memo.aim_at(min_recall);
        Memory {
            file,
            memo: Mutex::new(memo),
            doubts: Mutex::default(),
            lessons: AtomicU32::new(0),
            had: Mutex::default(),
        }
    }

    /// A page is there.
    pub(crate) fn meet(&self, sketch: &Sketch) {
        self.memo().site(&site_of(sketch.url())).meet(sketch);
    }

    pub(crate) fn decide(&self, sketch: &Sketch) -> Decision {
        self.memo().decide(&site_of(sketch.url()), sketch)
    }

    /// What a visit to a page would be good for.
    pub(crate) fn wish(&self, sketch: &Sketch, why: Why) -> Wish {
        let name = site_of(sketch.url());
        let mut memo = self.memo();
        let news = memo.news(&name, sketch);
        let proofs = memo.site(&name).proofs_missing() as usize;
        Wish { why, news, proofs }
    }

    /// Counts up whenever something is learned of a site.
    pub(crate) fn changes(&self, site: &str) -> u64 {
        self.memo().site(site).changes()
    }

    /// Learns from a visit.
    pub(crate) fn learn(&self, teaching: Teaching) -> Outcome {
        let site = site_of(teaching.sketch.url());
        let outcome = self.memo().learn(&site, teaching);
        let lessons = self.lessons.fetch_add(1, Ordering::Relaxed);
        if lessons % WRITTEN_EVERY == WRITTEN_EVERY - 1 {
            self.write();
        }
        outcome
    }

    /// Whether this crawl has what is at a URL.
    pub(crate) fn has(&self, url: &Url) -> bool {
        lock(&self.had).contains(&UrlKey::of(url.as_str()))
    }

    /// This crawl has what is at a URL.
    pub(crate) fn add(&self, url: &Url) {
        let mut had = lock(&self.had);
        if had.len() < MAX_HAD {
            had.insert(UrlKey::of(url.as_str()));
        }
    }

    /// Whether pages of a site may go without a browser for what they are, by whatever was found
    /// out about such pages.
    pub(crate) fn trusts(&self, site: &str) -> bool {
        !self.memo().site(site).has_failed()
    }

    /// A page goes without a browser; whether one looks at it all the same.
    pub(crate) fn rely(&self, page: &Url, phase: Phase) -> bool {
        let mut doubts = lock(&self.doubts);
        match phase {
            Phase::Read => doubts.accept(&site_of(page), page),
            _ => doubts.rely(&site_of(page), page, ground(phase)),
        }
    }

    /// What a look at a page that went without a browser told. Gives the pages that went without
    /// since the last look that found nothing, if this one found too much.
    pub(crate) fn audited(
        &self,
        page: &Url,
        phase: Phase,
        outcome: &Outcome,
        min_recall: f64,
    ) -> Vec<Url> {
        let site = site_of(page);
        let (ground, failed) = (ground(phase), outcome.recall() < min_recall);
        match ground {
            Ground::Guessed if failed => self.memo().site(&site).misjudged(outcome),
            _ => self.memo().site(&site).audited(outcome, min_recall),
        }
        let mut doubts = lock(&self.doubts);
        doubts.looked(&site, outcome);
        match failed {
            true => doubts.take(&site, ground),
            false => {
                doubts.settle(&site, ground);
                Vec::new()
            }
        }
    }

    /// What all looks of this crawl told, by site.
    pub(crate) fn recalls(&self) -> Vec<(String, Recall)> {
        lock(&self.doubts).recalls()
    }

    /// Keeps it. If that fails, the next crawl learns again.
    pub(crate) fn write(&self) {
        let bytes = self.memo().write();
        let draft = self.file.with_extension("json.new");
        let dir = self.file.parent().map(std::fs::create_dir_all);
        if matches!(dir, Some(Ok(()))) && std::fs::write(&draft, bytes).is_ok() {
            let _ = std::fs::rename(&draft, &self.file);
        }
    }

    fn memo(&self) -> MutexGuard<'_, Memo> {
        lock(&self.memo)
    }
}

/// Why a page of such a phase went without a browser.
fn ground(phase: Phase) -> Ground {
    match phase {
        Phase::Guessed => Ground::Guessed,
        _ => Ground::Foretold,
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Pages of one origin have scripts in common.
pub(crate) fn site_of(page: &Url) -> String {
    page.origin().ascii_serialization()
}
