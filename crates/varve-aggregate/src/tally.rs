//! What was asked of a peer and what came of it, and how long it usually takes.

use crate::trouble::Trouble;
use std::collections::{BTreeMap, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The upper ends of the histogram's steps, in milliseconds.
pub const STEPS: [u64; 13] = [
    5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 30_000, 60_000,
];
/// The last answers by which it is known how long one takes.
const REMEMBERED: usize = 64;
/// With fewer nothing is known.
const ENOUGH: usize = 8;
/// One in so many requests may be sent twice.
const SECONDS_PER_REQUEST: u64 = 10;
/// What is believed about a peer weighs as much as so many answers.
const BELIEF: f64 = 10.0;
/// Different reasons that are counted; further ones are counted as `other`.
const REASONS: usize = 64;

/// Counts of one peer since the start.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Look-ups in which it was asked.
    pub asked: u64,
    /// Look-ups in which its map said that it has nothing.
    pub skipped_by_map: u64,
    /// Look-ups in which it was dormant.
    pub skipped_dormant: u64,
    /// Look-ups in which others were more promising.
    pub left_out: u64,
    /// Look-ups in which it had something.
    pub hits: u64,
    /// Look-ups in which it had nothing.
    pub misses: u64,
    /// Look-ups in which it had nothing although its map said that it may.
    pub map_misses: u64,
    /// Look-ups that failed or were not whole, by reason.
    pub errors: BTreeMap<String, u64>,
    /// Mementos that it told of.
    pub mementos: u64,
    /// Mementos that it cannot have.
    pub lies: u64,
    /// Requests that were sent a second time because the first took unusually long.
    pub hedged: u64,
    /// Such requests of which the second was answered first.
    pub hedges_won: u64,
    /// Answers by how long they took: one for each of [`STEPS`], and one for longer.
    pub steps: [u64; STEPS.len() + 1],
    /// The time of all answers together.
    pub time: Duration,
}

impl Counts {
    /// Failed look-ups, whatever the reason.
    pub fn errors(&self) -> u64 {
        self.errors.values().sum()
    }
}

/// Counts, and the last answers.
#[derive(Default)]
pub(crate) struct Tally {
    inner: Mutex<Inner>,
}

#[derive(Default)]
struct Inner {
    counts: Counts,
    last: VecDeque<Duration>,
}

impl Tally {
    /// Changes counts.
    pub(crate) fn count(&self, change: impl FnOnce(&mut Counts)) {
        change(&mut self.lock().counts);
    }

    /// All counts at this moment.
    pub(crate) fn counts(&self) -> Counts {
        self.lock().counts.clone()
    }

    /// A failure.
    pub(crate) fn trouble(&self, trouble: &Trouble) {
        let errors = &mut self.lock().counts.errors;
        let mut reason = trouble.reason();
        if errors.len() >= REASONS && !errors.contains_key(&reason) {
            reason = "other".to_owned();
        }
        *errors.entry(reason).or_default() += 1;
    }

    /// An answer took so long.
    pub(crate) fn took(&self, time: Duration) {
        let mut inner = self.lock();
        let millis = time.as_millis() as u64;
        let step = STEPS.iter().position(|end| millis <= *end);
        inner.counts.steps[step.unwrap_or(STEPS.len())] += 1;
        inner.counts.time += time;
        if inner.last.len() >= REMEMBERED {
            inner.last.pop_front();
        }
        inner.last.push_back(time);
    }

    /// How long nearly all answers take (19 in 20), if that is known.
    pub(crate) fn usual(&self) -> Option<Duration> {
        let mut last: Vec<Duration> = self.lock().last.iter().copied().collect();
        if last.len() < ENOUGH {
            return None;
        }
        last.sort_unstable();
        Some(last[last.len() * 19 / 20])
    }

    /// Whether a request may be sent a second time; if so it is counted.
    pub(crate) fn may_hedge(&self) -> bool {
        let counts = &mut self.lock().counts;
        let may = counts.hedged * SECONDS_PER_REQUEST <= counts.asked;
        counts.hedged += u64::from(may);
        may
    }

    /// How often it has something, between 0 and 1: what is believed before it was ever asked, and
    /// ever more what was seen.
    pub(crate) fn promise(&self, believed: f64) -> f64 {
        let counts = &self.lock().counts;
        let heard = (counts.hits + counts.misses) as f64;
        (counts.hits as f64 + BELIEF * believed) / (heard + BELIEF)
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_usual_time_is_that_of_nearly_all() {
        let tally = Tally::default();
        for millis in 0..7 {
            tally.took(Duration::from_millis(millis));
        }
        assert_eq!(tally.usual(), None, "too few to know");
        for _ in 0..60 {
            tally.took(Duration::from_millis(30));
        }
        tally.took(Duration::from_secs(100));
        assert_eq!(tally.usual(), Some(Duration::from_millis(30)));
        let counts = tally.counts();
        assert_eq!(counts.steps.iter().sum::<u64>(), 68);
        assert_eq!(counts.steps[STEPS.len()], 1);
    }

    #[test]
    fn few_requests_are_sent_twice() {
        let tally = Tally::default();
        tally.count(|counts| counts.asked = 100);
        let hedged = (0..100).filter(|_| tally.may_hedge()).count();
        assert_eq!(hedged, 11);
    }

    #[test]
    fn reasons_are_limited() {
        let tally = Tally::default();
        for status in 0..1_000 {
            tally.trouble(&Trouble::Status(status));
        }
        let counts = tally.counts();
        assert_eq!((counts.errors.len(), counts.errors()), (REASONS + 1, 1_000));
    }
}
