//! Politeness: how long a host is left alone between requests, and what is asked again.
//!
//! The pause follows the server: one that answers slowly is asked less often, one that says "too
//! many" is asked half as often each time it says so, until it answers well again.

mod retry;

pub use retry::{retry, retry_after, retry_status};

use std::time::{Duration, Instant};

/// The longest pause that slow answers alone lead to.
const CEILING: Duration = Duration::from_secs(30);

/// The first pause after "too many requests"; it doubles from there.
const FIRST_PENALTY: Duration = Duration::from_secs(1);

/// The longest pause that "too many requests" leads to.
const MAX_PENALTY: Duration = Duration::from_secs(600);

/// What a penalty may decay to before it is forgotten.
const LEAST_PENALTY: Duration = Duration::from_millis(100);

/// How much of the smoothed response time the latest response is: one part of so many.
const SMOOTHING: u32 = 4;

/// The longest wait that a `Retry-After` leads to.
const MAX_RETRY_AFTER: Duration = Duration::from_secs(3600);

/// What is asked of a crawl towards every host.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Politeness {
    /// The shortest pause between the starts of two requests (`--delay`).
    pub floor: Duration,
    /// What the host's robots.txt asks for.
    pub crawl_delay: Option<Duration>,
    /// The pause in terms of the smoothed response time: at 1.0, a server that takes a second is
    /// asked at most once a second.
    pub factor: f64,
}

impl Politeness {
    /// The usual politeness above a floor.
    pub fn new(floor: Duration) -> Politeness {
        Politeness {
            floor,
            crawl_delay: None,
            factor: 1.0,
        }
    }
}

/// What became of a request, as far as the pace depends on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Response {
    /// From the request to the head of the response, or to giving up.
    pub took: Duration,
    /// The status, if there was a response.
    pub status: Option<u16>,
    /// How long the server wants to be left alone (see [`retry_after`]).
    pub retry_after: Option<Duration>,
}

/// The pace at which one host is asked.
#[derive(Clone, Debug, PartialEq)]
pub struct HostPace {
    politeness: Politeness,
    smoothed: Option<Duration>,
    penalty: Duration,
    not_before: Option<Instant>,
}

impl HostPace {
    /// A host of which nothing is known yet.
    pub fn new(politeness: Politeness) -> HostPace {
        HostPace {
            politeness,
            smoothed: None,
            penalty: Duration::ZERO,
            not_before: None,
        }
    }

    /// The rules changed: a robots.txt arrived, or somebody edited the delay.
    pub fn set_politeness(&mut self, politeness: Politeness) {
        self.politeness = politeness;
    }

    /// A request ended.
    pub fn observe(&mut self, response: Response, now: Instant) {
        let took = response.took.min(MAX_RETRY_AFTER);
        self.smoothed = Some(match self.smoothed {
            Some(before) => (before * (SMOOTHING - 1) + took) / SMOOTHING,
            None => took,
        });
        let overloaded = matches!(response.status, Some(429 | 503));
        if overloaded {
            self.penalty = (self.penalty * 2).clamp(FIRST_PENALTY, MAX_PENALTY);
        } else if response.status.is_some_and(|status| status < 500) {
            self.penalty = match self.penalty * 3 / 4 {
                less if less < LEAST_PENALTY => Duration::ZERO,
                less => less,
            };
        }
        let wait = match response.retry_after.filter(|_| overloaded) {
            Some(asked) => asked.min(MAX_RETRY_AFTER).max(self.penalty),
            None if overloaded => self.penalty,
            None => return,
        };
        self.not_before = self.not_before.max(now.checked_add(wait));
    }

    /// How long to wait from the start of one request to the start of the next.
    pub fn delay(&self) -> Duration {
        let smoothed = self.smoothed.unwrap_or_default().as_secs_f64();
        let factor = self.politeness.factor.max(0.0);
        let adapted = Duration::try_from_secs_f64(smoothed * factor).unwrap_or(CEILING);
        adapted
            .min(CEILING)
            .max(self.penalty)
            .max(self.politeness.floor)
            .max(self.politeness.crawl_delay.unwrap_or_default())
    }

    /// When the host may be asked again at the earliest, if it said "too many".
    pub fn not_before(&self) -> Option<Instant> {
        self.not_before
    }

    /// When the next request may start, after one that started then.
    pub fn next_start(&self, last_start: Instant) -> Instant {
        let by_delay = last_start.checked_add(self.delay()).unwrap_or(last_start);
        self.not_before.map_or(by_delay, |time| time.max(by_delay))
    }
}

#[cfg(test)]
mod tests;
