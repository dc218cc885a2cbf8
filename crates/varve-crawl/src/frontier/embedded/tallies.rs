//! What is counted and ruled, of one host and of all, as `state` keeps it.

use super::bytes::{Reader, put, put_text};
use crate::frontier::HostRules;
use crate::frontier::moment::{Clock, Steady, millis};

/// What changes about a host with every commit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct HostTally {
    /// Targets that are not settled: waiting, waiting for a moment, or leased.
    pub(super) unsettled: u32,
    /// How many of them wait for a moment.
    pub(super) later: u32,
    /// When it was met first.
    pub(super) since: Steady,
    /// When a target of it was claimed last. Zero: never.
    pub(super) claimed: Steady,
}

impl HostTally {
    pub(super) fn write(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(16);
        put(&mut out, self.unsettled.into());
        put(&mut out, self.later.into());
        put(&mut out, self.since.0);
        put(&mut out, self.claimed.0);
        out
    }

    pub(super) fn read(value: &[u8]) -> Option<HostTally> {
        let mut reader = Reader(value);
        Some(HostTally {
            unsettled: reader.small()?,
            later: reader.small()?,
            since: Steady(reader.number()?),
            claimed: Steady(reader.number()?),
        })
    }
}

/// What is counted over all hosts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Totals {
    pub(super) seen: u64,
    pub(super) saved: u64,
    pub(super) failed: u64,
    pub(super) skipped: u64,
    /// The next place in the order of arrival.
    pub(super) arrivals: u64,
    /// How often the frontier was opened.
    pub(super) openings: u64,
    pub(super) clock: Clock,
}

impl Totals {
    /// URLs whose fate is open.
    pub(super) fn unsettled(&self) -> u64 {
        self.seen - self.saved - self.failed - self.skipped
    }

    pub(super) fn write(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(48);
        let counted = [self.seen, self.saved, self.failed, self.skipped];
        let clocked = [self.clock.latest.0, self.clock.set_back];
        let numbers = counted.into_iter().chain([self.arrivals, self.openings]);
        numbers
            .chain(clocked)
            .for_each(|number| put(&mut out, number));
        out
    }

    pub(super) fn read(value: &[u8]) -> Option<Totals> {
        let mut reader = Reader(value);
        let totals = Totals {
            seen: reader.number()?,
            saved: reader.number()?,
            failed: reader.number()?,
            skipped: reader.number()?,
            arrivals: reader.number()?,
            openings: reader.number()?,
            clock: Clock {
                latest: Steady(reader.number()?),
                set_back: reader.number()?,
            },
        };
        let settled = totals.saved.checked_add(totals.failed)?;
        let settled = settled.checked_add(totals.skipped)?;
        (settled <= totals.seen).then_some(totals)
    }
}

/// A host's rules, in the frontier's own time.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Rules {
    /// In milliseconds.
    pub(super) delay: u64,
    pub(super) in_flight: u32,
    pub(super) not_before: Steady,
    pub(super) blocked: Option<Box<str>>,
}

impl Rules {
    pub(super) fn new(rules: HostRules, clock: &Clock) -> Rules {
        let not_before = rules.not_before.map(|moment| clock.steady(moment));
        Rules {
            delay: millis(rules.delay),
            in_flight: rules.in_flight,
            not_before: not_before.unwrap_or_default(),
            blocked: rules.blocked.map(String::into_boxed_str),
        }
    }

    pub(super) fn write(&self) -> Vec<u8> {
        let mut out = Vec::new();
        put(&mut out, self.delay);
        put(&mut out, self.in_flight.into());
        put(&mut out, self.not_before.0);
        if let Some(reason) = &self.blocked {
            put_text(&mut out, reason);
        }
        out
    }

    pub(super) fn read(value: &[u8]) -> Option<Rules> {
        let mut reader = Reader(value);
        let (delay, in_flight) = (reader.number()?, reader.small()?);
        let not_before = Steady(reader.number()?);
        let blocked = match reader.0 {
            [] => None,
            _ => Some(reader.text()?.into()),
        };
        Some(Rules {
            delay,
            in_flight,
            not_before,
            blocked,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tallies_and_totals_come_back() {
        let tally = HostTally {
            unsettled: 300,
            later: 2,
            since: Steady(1_700_000_000_000),
            claimed: Steady(7),
        };
        assert_eq!(HostTally::read(&tally.write()), Some(tally));
        let totals = Totals {
            seen: 10,
            saved: 5,
            failed: 3,
            skipped: 2,
            arrivals: 11,
            openings: 4,
            clock: Clock {
                latest: Steady(9),
                set_back: 8,
            },
        };
        assert_eq!(Totals::read(&totals.write()), Some(totals));
        assert_eq!(totals.unsettled(), 0);
    }

    #[test]
    fn totals_that_do_not_add_up_are_refused() {
        let totals = Totals {
            seen: 1,
            saved: 2,
            ..Totals::default()
        };
        assert_eq!(Totals::read(&totals.write()), None);
        assert_eq!(Totals::read(&[]), None);
    }

    #[test]
    fn rules_come_back() {
        for blocked in [None, Some("no".into()), Some("".into())] {
            let rules = Rules {
                delay: 1_000,
                in_flight: 2,
                not_before: Steady(5),
                blocked,
            };
            assert_eq!(Rules::read(&rules.write()), Some(rules));
        }
    }
}
