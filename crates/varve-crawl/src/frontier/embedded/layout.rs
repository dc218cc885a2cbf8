//! Every byte the embedded frontier keeps: keys and values of its four spaces.
//!
//! | space | key | value |
//! |---|---|---|
//! | `seen` | URL key | state, reason |
//! | `queue` | host id, priority, arrival | target |
//! | `later` | not before, host id, arrival | target |
//! | `state` | `n` host id | the host's name |
//! | | `t` host id | how much it has queued, when it was last claimed: [`HostTally`](super::tallies::HostTally) |
//! | | `r` host id, or `R` for all others | rules |
//! | | `k` key | a note |
//! | | `T` | [`Totals`](super::tallies::Totals) |
//!
//! Numbers in keys are big-endian, so that they sort. `seen` is a keyspace of the database; the
//! others share one, each under its letter.

use super::bytes::{Reader, put, put_text};
use crate::frontier::moment::Steady;
use crate::frontier::{Found, State, Target, UrlKey};
use url::Url;

/// So much of a reason is kept.
const LONGEST_REASON: usize = 200;

/// The letters of the spaces that share a keyspace.
pub(super) const QUEUE: u8 = b'q';
pub(super) const LATER: u8 = b'l';
pub(super) const STATE: u8 = b's';

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
        Found::SitemapFile => 4,
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
        4 => Found::SitemapFile,
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

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use proptest::prelude::*;

    fn target() -> impl Strategy<Value = Target> {
        let url = || "https://[a-z]{1,9}\\.example(:8080)?/[a-zü%0-9]{0,20}(\\?[a-zé]{1,5})?";
        let url = move || url().prop_filter_map("a URL", |text| Url::parse(&text).ok());
        let numbers = (any::<u32>(), any::<u32>(), any::<u32>(), any::<u8>());
        let others = (any::<[u8; 16]>(), prop::option::of(url()), 0..4_usize);
        (url(), numbers, others).prop_map(|(url, numbers, (key, via, found))| Target {
            url,
            key: UrlKey(key),
            depth: numbers.0,
            hops: numbers.1,
            priority: numbers.3,
            via,
            found: [Found::Seed, Found::Link, Found::Redirect, Found::Sitemap][found],
            tries: numbers.2,
        })
    }

    proptest! {
        #[test]
        fn targets_come_back(target in target()) {
            prop_assert_eq!(read_target(&write_target(&target)), Some(target));
        }

        #[test]
        fn any_bytes_are_read_without_harm(bytes in prop::collection::vec(any::<u8>(), 0..80)) {
            let _ = (read_target(&bytes), read_state(&bytes));
            let _ = (read_queue_key(&bytes), read_later_key(&bytes));
        }
    }

    #[test]
    fn queue_keys_sort_by_host_priority_and_arrival() {
        let key = |host, priority, arrival| queue_key(host, Place { priority, arrival });
        let keys = [
            key(1, 0, 9),
            key(1, 1, 2),
            key(1, 1, 300),
            key(2, 0, 0),
            key(256, 0, 0),
        ];
        assert!(keys.is_sorted());
        let place = Place {
            priority: 1,
            arrival: 300,
        };
        assert_eq!(read_queue_key(&keys[2]), Some((1, place)));
    }

    #[test]
    fn long_reasons_are_cut_between_letters() {
        let reason = "ü".repeat(500);
        let state = read_state(&write_state(&State::Failed { reason })).unwrap();
        let kept = "ü".repeat(LONGEST_REASON / 2);
        assert_eq!(state, State::Failed { reason: kept });
    }
}
