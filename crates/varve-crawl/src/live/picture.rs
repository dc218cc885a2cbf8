//! The picture of a running crawl. The crawl tells it what happens; anybody may look.

use super::series::{Point, Series};
use super::snapshot::{
    Finished, HostView, InFlight, PageCounts, QueueCounts, RequestCounts, Snapshot, State,
};
use super::spread::Spread;
use crate::options::Tier;
use crate::visit::PageDone;
use bytes::Bytes;
use std::collections::{BTreeMap, VecDeque};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use url::Url;
use varve_browser::Footprint;

/// So many finished pages are remembered, for those who read them one by one.
const REMEMBERED: usize = 1_000;
/// So many of them are in a snapshot, and have their picture kept.
const SHOWN: usize = 60;
/// A larger thumbnail is not kept.
const THUMBNAIL_BYTES: usize = 256 << 10;
/// So many hosts are shown.
const HOSTS: usize = 200;
/// Longer URLs and titles are shown cut.
const TEXT_BYTES: usize = 1_000;
/// More reasons than this are counted as one.
const REASONS: usize = 200;
const OTHER_REASONS: &str = "other";

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

#[derive(Debug, Default)]
struct Picture {
    state: State,
    pages: PageCounts,
    underway: BTreeMap<u64, Visited>,
    finished: VecDeque<Finished>,
    thumbnails: VecDeque<(u64, Bytes)>,
    last_id: u64,
    page_failures: BTreeMap<String, u64>,
    request_failures: BTreeMap<String, u64>,
    failed_requests: u64,
    skips: BTreeMap<String, u64>,
    queue: QueueCounts,
    hosts: Vec<HostView>,
    browser: Footprint,
    durations: BTreeMap<&'static str, Spread>,
    series: Series,
    /// What the last point of the series has counted.
    counted: Point,
}

/// A page in flight.
#[derive(Debug)]
struct Visited {
    url: String,
    tier: Tier,
    since: Instant,
    thumbnail: Option<Bytes>,
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
        let visited = Visited {
            url: clip(url.as_str()),
            tier: Tier::Http,
            since: Instant::now(),
            thumbnail: None,
        };
        self.lock().underway.insert(visit, visited);
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

impl Picture {
    fn finish(&mut self, visit: u64, page: &PageDone) {
        self.last_id += 1;
        let visited = self.underway.remove(&visit);
        let thumbnail = visited.and_then(|visited| visited.thumbnail);
        match page.is_saved() {
            true => self.pages.saved += 1,
            false => {
                self.pages.failed += 1;
                count(&mut self.page_failures, &page.reason);
            }
        }
        let spread = self.durations.entry(page.tier).or_default();
        spread.add(page.took);
        let page = finished(self.last_id, page, thumbnail.is_some());
        self.finished.push_back(page);
        if self.finished.len() > REMEMBERED {
            self.finished.pop_front();
        }
        self.thumbnails
            .extend(thumbnail.map(|jpeg| (self.last_id, jpeg)));
        if self.thumbnails.len() > SHOWN {
            self.forget_thumbnail();
        }
    }

    fn forget_thumbnail(&mut self) {
        let Some((id, _)) = self.thumbnails.pop_front() else {
            return;
        };
        let place = self.finished.partition_point(|page| page.id < id);
        match self.finished.get_mut(place) {
            Some(page) if page.id == id => page.thumbnail = false,
            _ => {}
        }
    }

    fn tick(&mut self, now: Point, answered: u64, browser: Footprint) {
        let now = Point {
            pages: self.pages.saved + self.pages.failed,
            requests: answered + self.failed_requests,
            ..now
        };
        let before = std::mem::replace(&mut self.counted, now);
        self.browser = browser;
        self.series.push(Point {
            at: now.at,
            span: now.at.saturating_sub(before.at),
            pages: now.pages - before.pages,
            requests: now.requests.saturating_sub(before.requests),
            bytes: now.bytes.saturating_sub(before.bytes),
            memory: browser.bytes,
        });
    }

    fn shown_state(&self) -> State {
        match self.state {
            State::Paused | State::Pausing if self.underway.is_empty() => State::Paused,
            State::Paused => State::Pausing,
            other => other,
        }
    }

    fn in_flight(&self) -> Vec<InFlight> {
        let mut pages: Vec<&Visited> = self.underway.values().collect();
        pages.sort_by_key(|page| page.since);
        let shown = pages.into_iter().take(SHOWN);
        shown
            .map(|page| InFlight {
                url: page.url.clone(),
                tier: page.tier.name(),
                seconds: page.since.elapsed().as_secs_f64(),
            })
            .collect()
    }
}

fn finished(id: u64, page: &PageDone, thumbnail: bool) -> Finished {
    Finished {
        id,
        url: clip(&page.url),
        title: page.title.as_deref().map(clip),
        status: page.status,
        reason: page.reason.clone(),
        saved: page.is_saved(),
        tier: page.tier,
        recorded: page.account.recorded.count,
        failed: page.account.failed,
        bytes: page.account.recorded.bytes,
        took: page.took,
        thumbnail,
    }
}

fn count(reasons: &mut BTreeMap<String, u64>, reason: &str) {
    let known = reasons.len() < REASONS || reasons.contains_key(reason);
    let reason = if known { reason } else { OTHER_REASONS };
    *reasons.entry(reason.to_owned()).or_default() += 1;
}

fn clip(text: &str) -> String {
    match text.len() <= TEXT_BYTES {
        true => text.to_owned(),
        false => format!("{}…", &text[..text.floor_char_boundary(TEXT_BYTES)]),
    }
}

#[cfg(test)]
mod tests;
