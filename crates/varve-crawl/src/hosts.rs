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

/// How long a robots.txt counts. RFC 9309 asks for no more.
const ROBOTS_COUNT: Duration = Duration::from_secs(24 * 60 * 60);
/// How long an error in its place counts. Pages that wait for it are tried again later than that,
/// and then it is asked for again.
const ERROR_COUNTS: Duration = Duration::from_secs(4);

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
    robots: Mutex<HashMap<String, RobotsPlace>>,
    known: Mutex<HashMap<String, Known>>,
}

/// The robots.txt of an origin: a place that who comes first fills.
#[derive(Clone)]
struct RobotsPlace {
    /// By the wall clock, which goes on while a machine sleeps.
    since: Moment,
    answer: Arc<OnceCell<RobotsAnswer>>,
}

impl RobotsPlace {
    /// Whether what is here still counts. What is being asked for does.
    fn counts(&self, now: Moment) -> bool {
        let kept = match self.answer.get() {
            Some(RobotsAnswer::Says(robots)) if robots.is_unreachable() => ERROR_COUNTS,
            // Who cannot be reached at all would keep others waiting, each time anew.
            Some(_) => ROBOTS_COUNT,
            None => return true,
        };
        // A clock that was set back far tells nothing, and so the answer is old.
        u128::from(now.0.abs_diff(self.since.0)) < kept.as_millis()
    }
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
    /// The place for the robots.txt of an origin; filled by who comes first, and empty again when
    /// what it says is old.
    pub(crate) fn robots(&self, origin: &str, now: Moment) -> Arc<OnceCell<RobotsAnswer>> {
        let mut robots = lock(&self.robots);
        if let Some(place) = robots.get(origin).filter(|place| place.counts(now)) {
            return place.answer.clone();
        }
        if robots.len() >= REMEMBERED {
            robots.clear();
        }
        let place = RobotsPlace {
            since: now,
            answer: Arc::default(),
        };
        robots.insert(origin.to_owned(), place.clone());
        place.answer
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

#[cfg(test)]
mod tests {
    use super::*;

    const HOUR: Duration = Duration::from_secs(60 * 60);

    /// Asks for a robots.txt, and so much later again; whether it had to be fetched again.
    fn is_fetched_again(answer: RobotsAnswer, later: Duration) -> bool {
        let hosts = Hosts::default();
        let now = Moment(1_800_000_000_000);
        let place = hosts.robots("https://a.example", now);
        assert!(place.set(answer).is_ok());
        hosts
            .robots("https://a.example", now.plus(later))
            .get()
            .is_none()
    }

    #[test]
    fn a_robots_txt_counts_for_a_day() {
        let says = |robots: Robots| RobotsAnswer::Says(Arc::new(robots));
        let check = |answer: RobotsAnswer, later: Duration, expected: bool| {
            assert_eq!(is_fetched_again(answer, later), expected, "{later:?}");
        };
        let rules = || says(Robots::parse(b"User-agent: *\nDisallow: /a"));
        check(rules(), Duration::ZERO, false);
        check(rules(), 23 * HOUR, false);
        check(rules(), 24 * HOUR, true);
        check(says(Robots::allow_all()), 23 * HOUR, false);
        check(says(Robots::allow_all()), 24 * HOUR, true);
        // After an error it is asked for again when pages are tried again.
        let second = Duration::from_secs(1);
        check(says(Robots::unreachable()), second, false);
        check(says(Robots::unreachable()), 5 * second, true);
        let unreached = || RobotsAnswer::Unreached("connect.refused");
        check(unreached(), 5 * second, false);
        check(unreached(), 24 * HOUR, true);
    }

    #[test]
    fn who_waits_for_a_robots_txt_waits_for_the_same() {
        let hosts = Hosts::default();
        let now = Moment(1_800_000_000_000);
        let first = hosts.robots("https://a.example", now);
        let second = hosts.robots("https://a.example", now.plus(25 * HOUR));
        assert!(Arc::ptr_eq(&first, &second));
        let other = hosts.robots("http://a.example", now);
        assert!(!Arc::ptr_eq(&first, &other));
    }

    #[test]
    fn a_clock_that_was_set_back_makes_nothing_count_for_ever() {
        let hosts = Hosts::default();
        let now = Moment(1_800_000_000_000);
        let place = hosts.robots("https://a.example", now.plus(48 * HOUR));
        let says = RobotsAnswer::Says(Arc::new(Robots::allow_all()));
        assert!(place.set(says).is_ok());
        assert!(hosts.robots("https://a.example", now).get().is_none());
    }
}
