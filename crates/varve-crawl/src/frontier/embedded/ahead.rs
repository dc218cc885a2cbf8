//! Read-ahead: the next few targets of the hosts that are being visited.
//!
//! A queue in a log-structured tree has its dead at the head: what was taken out stays as a
//! tombstone until the tree is compacted, and a scan from the beginning walks over all of them. So
//! each host remembers, for each priority (a [`Lane`]), where the living begin, and reads a few at
//! a time: one at first, twice as many whenever it comes back for more.
//!
//! Invariant: every target of a lane that waits for its turn either comes after the lane's cursor
//! or is in the read-ahead.

use super::layout::{HostId, Place};
use crate::frontier::Target;
use std::collections::{BTreeMap, VecDeque};

/// So many targets of a host are read at once, at most.
pub(super) const LONGEST_STRIDE: u8 = 64;
/// So many bytes of URLs are held, over all hosts.
const MOST_BYTES: usize = 16 * 1024 * 1024;
/// So many hosts have read-ahead.
const MOST_HOSTS: usize = 16 * 1024;

/// The targets of one host with one priority.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Lane {
    pub(super) priority: u8,
    /// Where to read on.
    pub(super) cursor: u64,
    /// False if nothing comes after the cursor.
    pub(super) more: bool,
}

/// Takes note of a target that waits at a place: its lane is read again from there, or from before.
pub(super) fn lengthen(lanes: &mut Vec<Lane>, place: Place) {
    let lane = Lane {
        priority: place.priority,
        cursor: place.arrival,
        more: true,
    };
    match lanes.binary_search_by_key(&place.priority, |lane| lane.priority) {
        Err(at) => lanes.insert(at, lane),
        Ok(at) if !lanes[at].more => lanes[at] = lane,
        Ok(at) => lanes[at].cursor = lanes[at].cursor.min(place.arrival),
    }
}

/// What was read ahead of one host: targets of one lane.
pub(super) struct Ahead {
    priority: u8,
    targets: VecDeque<(u64, Target)>,
}

/// What was read ahead of all hosts.
#[derive(Default)]
pub(super) struct ReadAhead {
    hosts: BTreeMap<HostId, Ahead>,
    bytes: usize,
    hand: HostId,
}

impl ReadAhead {
    /// The next target of a host, if it was read already.
    pub(super) fn next(&mut self, host: HostId) -> Option<(Place, Target)> {
        let ahead = self.hosts.get_mut(&host)?;
        let priority = ahead.priority;
        let (arrival, target) = ahead.targets.pop_front()?;
        if ahead.targets.is_empty() {
            self.hosts.remove(&host);
        }
        self.bytes -= weight(&target);
        Some((Place { priority, arrival }, target))
    }

    /// Keeps what was read of a host that had nothing left.
    pub(super) fn keep(&mut self, host: HostId, priority: u8, targets: VecDeque<(u64, Target)>) {
        self.bytes += targets
            .iter()
            .map(|(_, target)| weight(target))
            .sum::<usize>();
        if !targets.is_empty() {
            self.hosts.insert(host, Ahead { priority, targets });
        }
    }

    /// A host to be put back, if there are too many: each in turn.
    pub(super) fn surplus(&mut self) -> Option<HostId> {
        if self.bytes <= MOST_BYTES && self.hosts.len() <= MOST_HOSTS {
            return None;
        }
        let after = self.hosts.range(self.hand..).next();
        let (host, _) = after.or_else(|| self.hosts.first_key_value())?;
        self.hand = host.wrapping_add(1);
        Some(*host)
    }

    /// Forgets what was read of a host, and tells the place where to read on.
    pub(super) fn put_back(&mut self, host: HostId) -> Option<Place> {
        let ahead = self.hosts.remove(&host)?;
        let weights = ahead.targets.iter().map(|(_, target)| weight(target));
        self.bytes -= weights.sum::<usize>();
        let priority = ahead.priority;
        let (arrival, _) = ahead.targets.front()?;
        Some(Place {
            priority,
            arrival: *arrival,
        })
    }

    /// True if a target of this priority has to go before what was read.
    pub(super) fn is_overtaken(&self, host: HostId, priority: u8) -> bool {
        let ahead = self.hosts.get(&host);
        ahead.is_some_and(|ahead| priority < ahead.priority)
    }
}

fn weight(target: &Target) -> usize {
    let via = target.via.as_ref().map_or(0, |via| via.as_str().len());
    target.url.as_str().len() + via + size_of::<Target>()
}
