//! What the picture of a crawl is made of, and how it stays small.

use super::series::{Point, Series};
use super::snapshot::{Finished, HostView, InFlight, PageCounts, QueueCounts, State};
use super::spread::Spread;
use crate::options::Tier;
use crate::visit::PageDone;
use bytes::Bytes;
use std::collections::{BTreeMap, VecDeque};
use std::time::Instant;
use url::Url;
use varve_browser::Footprint;

/// So many finished pages are remembered, for those who read them one by one.
pub(super) const REMEMBERED: usize = 1_000;
/// So many of them are in a snapshot, and have their picture kept.
pub(super) const SHOWN: usize = 60;
/// A larger thumbnail is not kept.
pub(super) const THUMBNAIL_BYTES: usize = 256 << 10;
/// So many hosts are shown.
pub(super) const HOSTS: usize = 200;
/// Longer URLs and titles are shown cut.
pub(super) const TEXT_BYTES: usize = 1_000;
/// More reasons than this are counted as one.
pub(super) const REASONS: usize = 200;
const OTHER_REASONS: &str = "other";

/// The picture behind its lock.
#[derive(Debug, Default)]
pub(super) struct Picture {
    pub(super) state: State,
    pub(super) pages: PageCounts,
    pub(super) underway: BTreeMap<u64, Visited>,
    pub(super) finished: VecDeque<Finished>,
    pub(super) thumbnails: VecDeque<(u64, Bytes)>,
    pub(super) last_id: u64,
    pub(super) page_failures: BTreeMap<String, u64>,
    pub(super) request_failures: BTreeMap<String, u64>,
    pub(super) failed_requests: u64,
    pub(super) skips: BTreeMap<String, u64>,
    pub(super) queue: QueueCounts,
    pub(super) hosts: Vec<HostView>,
    pub(super) browser: Footprint,
    pub(super) durations: BTreeMap<&'static str, Spread>,
    pub(super) series: Series,
    /// What the last point of the series has counted.
    pub(super) counted: Point,
}

/// A page in flight.
#[derive(Debug)]
pub(super) struct Visited {
    pub(super) url: String,
    pub(super) tier: Tier,
    pub(super) since: Instant,
    pub(super) thumbnail: Option<Bytes>,
}

impl Visited {
    pub(super) fn new(url: &Url) -> Visited {
        Visited {
            url: clip(url.as_str()),
            tier: Tier::Http,
            since: Instant::now(),
            thumbnail: None,
        }
    }
}

impl Picture {
    pub(super) fn finish(&mut self, visit: u64, page: &PageDone) {
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

    pub(super) fn tick(&mut self, now: Point, answered: u64, browser: Footprint) {
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

    pub(super) fn shown_state(&self) -> State {
        match self.state {
            State::Paused | State::Pausing if self.underway.is_empty() => State::Paused,
            State::Paused => State::Pausing,
            other => other,
        }
    }

    pub(super) fn in_flight(&self) -> Vec<InFlight> {
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

/// Counts one more.
pub(super) fn count(reasons: &mut BTreeMap<String, u64>, reason: &str) {
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
