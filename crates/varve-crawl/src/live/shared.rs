//! The picture of a running crawl, shared: the crawl tells it what happens; anybody may look.

use super::picture::{HOSTS, Picture, SHOWN, THUMBNAIL_BYTES, Visited, count};
use super::series::{Point, Series};
use super::snapshot::{
    Finished, HostView, PageCounts, QueueCounts, RequestCounts, Snapshot, State,
};
use crate::options::Tier;
use crate::visit::PageDone;
use bytes::Bytes;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use url::Url;
use varve_browser::Footprint;

/// The picture of a running crawl.
#[derive(Debug)]
pub struct Live {
    began: Instant,
    recorded: AtomicU64,
    reused: AtomicU64,
    received_bytes: AtomicU64,
    stored_bytes: AtomicU64,
    picture: Mutex<Picture>,
}

/// A page that is being visited. Dropped without [`Underway::done`], it was given up.
#[derive(Debug)]
#[must_use = "the page is in flight for as long as this lives"]
pub struct Underway {
    live: Arc<Live>,
    visit: u64,
}

impl Live {
    /// A crawl begins now.
    #[allow(clippy::new_ret_no_self)]
    pub fn new() -> Arc<Live> {
        Arc::new(Live {
            began: Instant::now(),
            recorded: AtomicU64::new(0),
            reused: AtomicU64::new(0),
            received_bytes: AtomicU64::new(0),
            stored_bytes: AtomicU64::new(0),
            picture: Mutex::default(),
        })
    }

    /// A page is visited from now on. `visit` is any number that no other page in flight has.
    pub fn page_begins(self: &Arc<Live>, visit: u64, url: &Url) -> Underway {
        self.lock().underway.insert(visit, Visited::new(url));
        let live = self.clone();
        Underway { live, visit }
    }

    /// How it is fetched, if not over HTTP.
    pub fn page_tier(&self, visit: u64, tier: Tier) {
        if let Some(page) = self.lock().underway.get_mut(&visit) {
            page.tier = tier;
        }
    }

    /// A small JPEG of it.
    pub fn page_thumbnail(&self, visit: u64, jpeg: &[u8]) {
        let jpeg = (jpeg.len() <= THUMBNAIL_BYTES).then(|| Bytes::copy_from_slice(jpeg));
        if let Some(page) = self.lock().underway.get_mut(&visit) {
            page.thumbnail = jpeg;
        }
    }

    /// A page is not going to be visited, for this reason.
    pub fn page_skipped(&self, reason: &str) {
        let mut picture = self.lock();
        picture.pages.skipped += 1;
        count(&mut picture.skips, reason);
    }

    /// A response came.
    pub fn request_recorded(&self, bytes: u64) {
        self.recorded.fetch_add(1, Relaxed);
        self.received_bytes.fetch_add(bytes, Relaxed);
    }

    /// A request was served from what is recorded.
    pub fn request_reused(&self) {
        self.reused.fetch_add(1, Relaxed);
    }

    /// A request failed.
    pub fn request_failed(&self, reason: &str) {
        let mut picture = self.lock();
        picture.failed_requests += 1;
        count(&mut picture.request_failures, reason);
    }

    /// So much more was written to the archive.
    pub fn stored(&self, bytes: u64) {
        self.stored_bytes.fetch_add(bytes, Relaxed);
    }

    /// What waits now.
    pub fn queue(&self, counts: QueueCounts) {
        self.lock().queue = counts;
    }

    /// The hosts as they are now; those with the most to do should come first.
    pub fn hosts(&self, mut hosts: Vec<HostView>) {
        hosts.truncate(HOSTS);
        self.lock().hosts = hosts;
    }

    /// What the crawl does now. One that is paused while pages are in flight is shown as pausing.
    pub fn state(&self, state: State) {
        self.lock().state = state;
    }

    /// Adds a point to the charts: what happened since the point before.
    pub fn tick(&self, browser: Footprint) {
        let now = Point {
            at: self.age().as_secs(),
            memory: browser.bytes,
            bytes: self.received_bytes(),
            ..Point::default()
        };
        let answered = self.recorded.load(Relaxed) + self.reused.load(Relaxed);
        self.lock().tick(now, answered, browser);
    }

    /// For how long the crawl has been running.
    pub fn age(&self) -> Duration {
        self.began.elapsed()
    }

    /// Pages by outcome.
    pub fn pages(&self) -> PageCounts {
        self.lock().pages
    }

    /// How many pages are in flight.
    pub fn in_flight(&self) -> u64 {
        self.lock().underway.len() as u64
    }

    /// Bytes received.
    pub fn received_bytes(&self) -> u64 {
        self.received_bytes.load(Relaxed)
    }

    /// The charts.
    pub fn series(&self) -> Series {
        self.lock().series.clone()
    }

    /// The picture of a page that finished lately.
    pub fn thumbnail(&self, id: u64) -> Option<Bytes> {
        let picture = self.lock();
        let mut kept = picture.thumbnails.iter();
        kept.find(|(of, _)| *of == id).map(|(_, jpeg)| jpeg.clone())
    }

    /// The pages that finished after that one (0: from the first), oldest first. Of very many, the
    /// oldest are forgotten: their numbers are missing.
    pub fn finished_after(&self, id: u64) -> Vec<Finished> {
        let picture = self.lock();
        let from = picture.finished.partition_point(|page| page.id <= id);
        picture.finished.range(from..).cloned().collect()
    }

    /// The picture now.
    pub fn snapshot(&self) -> Snapshot {
        let picture = self.lock();
        let lately = picture.series.lately();
        let per_second = |sum: u64| sum as f64 / lately.span.max(1) as f64;
        Snapshot {
            state: picture.shown_state(),
            seconds: self.age().as_secs_f64(),
            pages: picture.pages,
            requests: RequestCounts {
                recorded: self.recorded.load(Relaxed),
                reused: self.reused.load(Relaxed),
                failed: picture.failed_requests,
            },
            received_bytes: self.received_bytes(),
            stored_bytes: self.stored_bytes.load(Relaxed),
            pages_per_second: per_second(lately.pages),
            bytes_per_second: per_second(lately.bytes),
            page_failures: picture.page_failures.clone(),
            request_failures: picture.request_failures.clone(),
            skips: picture.skips.clone(),
            queue: picture.queue,
            hosts: picture.hosts.clone(),
            in_flight: picture.in_flight(),
            finished: picture.finished.iter().rev().take(SHOWN).cloned().collect(),
            browser: picture.browser,
            durations: picture.durations.clone(),
            point: picture.series.last(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, Picture> {
        self.picture.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Underway {
    /// The page is done with, and saved if it could be.
    pub fn done(self, page: &PageDone) {
        self.live.lock().finish(self.visit, page);
    }
}

impl Drop for Underway {
    fn drop(&mut self) {
        self.live.lock().underway.remove(&self.visit);
    }
}

#[cfg(test)]
mod tests;
