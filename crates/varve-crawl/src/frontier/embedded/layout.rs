//! Every byte the embedded frontier keeps: keys and values of its four keyspaces.
//!
//! | keyspace | key | value |
//! |---|---|---|
//! | `seen` | URL key | state, reason |
//! | `queue` | host id, priority, arrival | target |
//! | `later` | not before, host id, arrival | target |
//! | `state` | `n` host id | the host's name |
//! | | `t` host id | how much it has queued, when it was last claimed: [`HostTally`] |
//! | | `r` host id, or `R` for all others | rules |
//! | | `k` key | a note |
//! | | `T` | [`Totals`] |
//!
//! Numbers in keys are big-endian, so that they sort.

use super::bytes::{Reader, put, put_text};
use crate::frontier::moment::{Clock, Steady, millis};
use crate::frontier::{Found, HostRules, State, Target, UrlKey};
use url::Url;

/// So much of a reason is kept.
const LONGEST_REASON: usize = 200;

/// A host's number.
pub(super) type HostId = u32;

/// Where a target stands in its host's queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Place {
    pub(super) priority: u8,
    pub(super) arrival: u64,
}

/// The key of a place in a host's queue.
pub(super) fn queue_key(host: HostId, place: Place) -> [u8; 13] {
    let mut key = [0; 13];
    key[..4].copy_from_slice(&host.to_be_bytes());
    key[4] = place.priority;
    key[5..].copy_from_slice(&place.arrival.to_be_bytes());
    key
}

/// Reads it back.
pub(super) fn read_queue_key(key: &[u8]) -> Option<(HostId, Place)> {
    let mut reader = Reader(key);
    let host = HostId::from_be_bytes(reader.array()?);
    let priority = reader.byte()?;
    let arrival = u64::from_be_bytes(reader.array()?);
    Some((host, Place { priority, arrival }))
}

/// The key of a target that waits for a moment.
pub(super) fn later_key(due: Steady, host: HostId, arrival: u64) -> [u8; 20] {
    let mut key = [0; 20];
    key[..8].copy_from_slice(&due.0.to_be_bytes());
    key[8..12].copy_from_slice(&host.to_be_bytes());
    key[12..].copy_from_slice(&arrival.to_be_bytes());
    key
}

/// Reads it back.
pub(super) fn read_later_key(key: &[u8]) -> Option<(Steady, HostId)> {
    let mut reader = Reader(key);
    let due = u64::from_be_bytes(reader.array()?);
    Some((Steady(due), HostId::from_be_bytes(reader.array()?)))
}

/// The key of something about a host in `state`.
pub(super) fn host_key(kind: u8, host: HostId) -> [u8; 5] {
    let [a, b, c, d] = host.to_be_bytes();
    [kind, a, b, c, d]
}

/// A target as it is queued.
pub(super) fn write_target(target: &Target) -> Vec<u8> {
    let url = target.url.as_str();
    let mut out = Vec::with_capacity(url.len() + 32);
    out.extend_from_slice(&target.key.0);
    out.push(target.priority);
    out.push(match target.found {
        Found::Seed => 0,
        Found::Link => 1,
        Found::Redirect => 2,
        Found::Sitemap => 3,
    });
    put(&mut out, target.depth.into());
    put(&mut out, target.hops.into());
    put(&mut out, target.tries.into());
    put_text(&mut out, url);
    if let Some(via) = &target.via {
        // Pages mostly link to their neighbours: what both begin with is written once.
        let shared = shared(url, via.as_str());
        put(&mut out, shared as u64);
        out.extend_from_slice(&via.as_str().as_bytes()[shared..]);
    }
    out
}

fn shared(one: &str, other: &str) -> usize {
    let pairs = one.bytes().zip(other.bytes());
    pairs.take_while(|(a, b)| a == b && a.is_ascii()).count()
}

/// Reads it back.
pub(super) fn read_target(value: &[u8]) -> Option<Target> {
    let mut reader = Reader(value);
    let key = UrlKey(reader.array()?);
    let priority = reader.byte()?;
    let found = match reader.byte()? {
        0 => Found::Seed,
        1 => Found::Link,
        2 => Found::Redirect,
        3 => Found::Sitemap,
        _ => return None,
    };
    let (depth, hops, tries) = (reader.small()?, reader.small()?, reader.small()?);
    let url = reader.text()?;
    let via = match reader.number() {
        None => None,
        Some(shared) => {
            let start = url.get(..usize::try_from(shared).ok()?)?;
            Url::parse(&format!("{start}{}", reader.rest()?)).ok()
        }
    };
    Some(Target {
        url: Url::parse(url).ok()?,
        key,
        depth,
        hops,
        priority,
        via,
        found,
        tries,
    })
}

/// The last state of a URL, as `seen` keeps it. Leases are not kept.
pub(super) fn write_state(state: &State) -> Vec<u8> {
    let (code, reason) = match state {
        State::Queued | State::Leased => (0, ""),
        State::Saved => (1, ""),
        State::Failed { reason } => (2, reason.as_str()),
        State::Skipped { reason } => (3, reason.as_str()),
    };
    let kept = reason.floor_char_boundary(LONGEST_REASON);
    let mut out = vec![code];
    out.extend_from_slice(&reason.as_bytes()[..kept]);
    out
}

/// Reads it back.
pub(super) fn read_state(value: &[u8]) -> Option<State> {
    let mut reader = Reader(value);
    let code = reader.byte()?;
    let reason = reader.rest()?.to_owned();
    Some(match code {
        0 => State::Queued,
        1 => State::Saved,
        2 => State::Failed { reason },
        3 => State::Skipped { reason },
        _ => return None,
    })
}

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
