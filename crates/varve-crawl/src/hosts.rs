//! What a crawl knows of hosts: what their robots.txt says, and how fast they want to be asked.

use crate::frontier::{HostRules, Moment};
use crate::rules::politeness::{HostPace, Politeness, Response};
use crate::rules::robots::Robots;
use crate::rules::sitemap::Sitemaps;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::OnceCell;

/// When more hosts are known, all are forgotten: asking them again is not much work.
const REMEMBERED: usize = 20_000;

/// What came of asking for a robots.txt.
#[derive(Clone, Debug)]
pub(crate) enum RobotsAnswer {
    /// It says this, or its absence does.
    Says(Arc<Robots>),
    /// The host cannot be reached at all, for this reason.
    Unreached(&'static str),
}

/// Whether a page may be visited.
pub(crate) enum Verdict {
    /// It may.
    Welcome,
    /// It may not, for this reason.
    Refused(&'static str),
    /// Nobody can say now, for this reason.
    Later(&'static str),
}

/// All hosts that were met lately.
#[derive(Default)]
pub(crate) struct Hosts {
    robots: Mutex<HashMap<String, Arc<OnceCell<RobotsAnswer>>>>,
    known: Mutex<HashMap<String, Known>>,
}

/// What is known of one host.
struct Known {
    pace: HostPace,
    crawl_delay: Option<Duration>,
    last_start: Option<Instant>,
    /// The rules that were last set.
    set: Option<(Duration, Option<Instant>)>,
    sitemaps: Sitemaps,
}

impl Hosts {
    /// The place for the robots.txt of an origin; filled by who comes first.
    pub(crate) fn robots(&self, origin: &str) -> Arc<OnceCell<RobotsAnswer>> {
        let mut robots = lock(&self.robots);
        if robots.len() >= REMEMBERED {
            robots.clear();
        }
        robots.entry(origin.to_owned()).or_default().clone()
    }

    /// The bookkeeping of a host's sitemaps.
    pub(crate) fn sitemaps<T>(&self, host: &str, with: impl FnOnce(&mut Sitemaps) -> T) -> T {
        self.known(host, |known| with(&mut known.sitemaps))
    }

    /// What a host is asked to bear: at least so much between two pages.
    pub(crate) fn be_polite(
        &self,
        host: &str,
        floor: Duration,
        crawl_delay: Option<Duration>,
    ) -> Option<HostRules> {
        self.known(host, |known| {
            known.be_polite(floor, crawl_delay);
            known.news()
        })
    }

    /// When a page of the host may be asked for. From its claim to here, pages may have come closer
    /// to each other than the host is to bear; so they take their places once more.
    pub(crate) fn next_start(&self, host: &str, floor: Duration) -> Instant {
        self.known(host, |known| {
            known.be_polite(floor, known.crawl_delay);
            let now = Instant::now();
            let earliest = known.last_start.map(|last| last + known.pace.delay());
            let start = earliest.map_or(now, |earliest| earliest.max(now));
            known.last_start = Some(start);
            start
        })
    }

    /// A page of the host was asked for; the rules that follow, if they are new.
    pub(crate) fn observe(
        &self,
        host: &str,
        floor: Duration,
        response: Response,
    ) -> Option<HostRules> {
        self.known(host, |known| {
            known.be_polite(floor, known.crawl_delay);
            known.pace.observe(response, Instant::now());
            known.news()
        })
    }

    fn known<T>(&self, host: &str, with: impl FnOnce(&mut Known) -> T) -> T {
        let mut all = lock(&self.known);
        if all.len() >= REMEMBERED && !all.contains_key(host) {
            all.clear();
        }
        let known = all.entry(host.to_owned()).or_insert_with(|| Known {
            pace: HostPace::new(Politeness::new(Duration::ZERO)),
            crawl_delay: None,
            last_start: None,
            set: None,
            sitemaps: Sitemaps::default(),
        });
        with(known)
    }
}

impl Known {
    fn be_polite(&mut self, floor: Duration, crawl_delay: Option<Duration>) {
        self.crawl_delay = crawl_delay;
        self.pace.set_politeness(Politeness {
            crawl_delay,
            // Who wants no pause at all gets none.
            factor: if floor.is_zero() { 0.0 } else { 1.0 },
            ..Politeness::new(floor)
        });
    }

    /// The rules for the host, if they differ from those that were set so far by enough to matter.
    fn news(&mut self) -> Option<HostRules> {
        let (delay, not_before) = (self.pace.delay(), self.pace.not_before());
        let about_the_same = |before: Duration| {
            let (less, more) = (before.min(delay), before.max(delay));
            more - less <= less / 4
        };
        if self
            .set
            .is_some_and(|(before, until)| about_the_same(before) && until == not_before)
        {
            return None;
        }
        self.set = Some((delay, not_before));
        let left = not_before.and_then(|until| until.checked_duration_since(Instant::now()));
        Some(HostRules {
            not_before: left.map(|left| Moment::now().plus(left)),
            ..HostRules::every(delay)
        })
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
