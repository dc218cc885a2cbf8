//! Time as the frontier is told it, and a clock made of it that never runs backwards.
//!
//! Moments are wall-clock time, because they must mean something to the next process. Wall clocks
//! are set back now and then; a host whose last claim lies in the future would wait for as long as
//! the clock was set back. So the frontier counts in [`Steady`] time: where the wall clock jumps
//! back, steady time goes on from where it was.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Claims made at the same time may arrive in another order than their clocks were read: so much
/// (in milliseconds) is no jump of the clock. Steady time waits until the clock has caught up.
const OUT_OF_ORDER: u64 = 5_000;

/// A moment of the wall clock: milliseconds since the beginning of 1970.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Moment(pub u64);

impl Moment {
    /// What the system's clock says.
    pub fn now() -> Moment {
        let since = SystemTime::now().duration_since(UNIX_EPOCH);
        Moment(since.map_or(0, millis))
    }

    /// So much later.
    #[must_use]
    pub fn plus(self, time: Duration) -> Moment {
        Moment(self.0.saturating_add(millis(time)))
    }
}

/// Whole milliseconds, as many as fit.
pub(super) fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

/// A moment of the frontier's own time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Steady(pub(super) u64);

/// Wall-clock time in, steady time out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Clock {
    /// The latest time that was read.
    pub(super) latest: Steady,
    /// By how much the wall clock was set back in all.
    pub(super) set_back: u64,
}

impl Clock {
    /// What time it is, given what the wall clock says.
    pub(super) fn read(&mut self, now: Moment) -> Steady {
        let steady = self.steady(now);
        if steady.0.saturating_add(OUT_OF_ORDER) < self.latest.0 {
            self.set_back += self.latest.0 - steady.0;
        }
        self.latest = self.latest.max(steady);
        self.latest
    }

    /// A moment that the caller named.
    pub(super) fn steady(&self, moment: Moment) -> Steady {
        Steady(moment.0.saturating_add(self.set_back))
    }

    /// A moment to tell the caller.
    pub(super) fn moment(&self, steady: Steady) -> Moment {
        Moment(steady.0.saturating_sub(self.set_back))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads these wall-clock times one after the other, and tells the last steady time.
    fn check(wall: &[u64], expected: u64) {
        let mut clock = Clock::default();
        let read = wall.iter().map(|now| clock.read(Moment(*now)).0).last();
        assert_eq!(read, Some(expected), "{wall:?}");
    }

    #[test]
    fn steady_time_never_runs_backwards() {
        check(&[10_000], 10_000);
        check(&[10_000, 12_000], 12_000);
        check(&[10_000, 9_990], 10_000);
        check(&[10_000, 9_990, 10_001], 10_001);
        check(&[100_000, 10_000], 100_000);
        check(&[100_000, 10_000, 11_000], 101_000);
        check(&[100_000, 10_000, 100_000], 190_000);
        check(&[100_000, 50_000, 10_000, 10_001], 100_001);
    }

    #[test]
    fn moments_go_in_and_out_unchanged() {
        let mut clock = Clock::default();
        clock.read(Moment(100_000));
        clock.read(Moment(20_000));
        assert_eq!(clock.moment(clock.steady(Moment(33))), Moment(33));
        assert_eq!(clock.steady(Moment(u64::MAX)), Steady(u64::MAX));
    }
}
