//! Targets out: whose turn it is.

use super::ahead::{LONGEST_STRIDE, Lane};
use super::disk::damaged;
use super::ground::{Ground, Held};
use super::layout::{HostId, Place, queue_key, read_queue_key, read_target};
use crate::frontier::moment::Steady;
use crate::frontier::{Claim, FrontierError, Lease, LeaseId, Moment, Target};
use std::collections::VecDeque;

/// Lease names of one process do not reach into those of the next.
const LEASES_PER_OPENING: u32 = 40;

impl Ground {
    /// Leases the next target.
    pub(super) fn claim(&mut self, now: Moment) -> Result<Claim, FrontierError> {
        let now = self.totals.clock.read(now);
        self.wake(now)?;
        match self.hosts.first() {
            Some((due, host)) if due <= now => self.lease(host, now).map(Claim::Lease),
            first => Ok(self.nothing(first.map(|(due, _)| due))),
        }
    }

    /// Why there is nothing to claim.
    fn nothing(&self, due: Option<Steady>) -> Claim {
        match due.into_iter().chain(self.later).min() {
            Some(moment) => Claim::NotBefore(self.totals.clock.moment(moment)),
            None if !self.leases.is_empty() => Claim::AllLeased,
            None if self.totals.unsettled() > 0 => Claim::AllBlocked,
            None => Claim::Empty,
        }
    }

    fn lease(&mut self, host: HostId, now: Steady) -> Result<Lease, FrontierError> {
        let (place, target) = match self.ahead.next(host) {
            Some(next) => next,
            None => self.read_on(host)?,
        };
        let state = self.hosts.change(host);
        state.leased += 1;
        state.tally.claimed = now.max(Steady(1));
        let name = state.name.to_string();
        self.leases_given += 1;
        let id = LeaseId((self.totals.openings << LEASES_PER_OPENING) | self.leases_given);
        self.leased.insert(target.key, id);
        let held = Held {
            host,
            place,
            target: target.clone(),
        };
        self.leases.insert(id, held);
        self.commit(self.disk.changes())?;
        Ok(Lease {
            id,
            target,
            host: name,
        })
    }

    /// Reads a few targets of a host and gives the first.
    fn read_on(&mut self, host: HostId) -> Result<(Place, Target), FrontierError> {
        while let Some(surplus) = self.ahead.surplus() {
            self.put_back(surplus);
            self.hosts.get_mut(surplus).stride = 1;
        }
        let mut lanes = match self.hosts.get_mut(host).lanes.take() {
            Some(lanes) => lanes,
            None => self.find_lanes(host)?,
        };
        let stride = self.hosts.get(host).stride;
        let mut first = None;
        for lane in lanes.iter_mut().filter(|lane| lane.more) {
            let mut targets = self.read_lane(host, lane, stride.into())?;
            if let Some((arrival, target)) = targets.pop_front() {
                let priority = lane.priority;
                self.ahead.keep(host, priority, targets);
                first = Some((Place { priority, arrival }, target));
                break;
            }
        }
        let state = self.hosts.get_mut(host);
        state.lanes = Some(lanes);
        state.stride = stride.saturating_mul(2).min(LONGEST_STRIDE);
        first.ok_or(damaged("a host has fewer targets than it should"))
    }

    fn read_lane(
        &self,
        host: HostId,
        lane: &mut Lane,
        count: usize,
    ) -> Result<VecDeque<(u64, Target)>, FrontierError> {
        let place = |arrival| Place {
            priority: lane.priority,
            arrival,
        };
        let (from, end) = (
            queue_key(host, place(lane.cursor)),
            queue_key(host, place(u64::MAX)),
        );
        let mut targets = VecDeque::new();
        for entry in self.disk.range(&self.disk.queue, &from, &end) {
            let (key, value) = entry?;
            let (_, place) = read_queue_key(&key).ok_or(damaged("a queue key"))?;
            let target = read_target(&value).ok_or(damaged("a target cannot be read"))?;
            lane.cursor = place.arrival + 1;
            if !self.leased.contains_key(&target.key) {
                targets.push_back((place.arrival, target));
            }
            if targets.len() == count {
                return Ok(targets);
            }
        }
        lane.more = false;
        Ok(targets)
    }

    /// Finds the priorities in the queue of a host that an earlier process left.
    fn find_lanes(&self, host: HostId) -> Result<Vec<Lane>, FrontierError> {
        let end = queue_key(
            host,
            Place {
                priority: u8::MAX,
                arrival: u64::MAX,
            },
        );
        let mut lanes = Vec::new();
        let mut priority = Some(0);
        while let Some(lowest) = priority {
            let from = queue_key(
                host,
                Place {
                    priority: lowest,
                    arrival: 0,
                },
            );
            let first = self.disk.range(&self.disk.queue, &from, &end).next();
            let Some((key, _)) = first.transpose()? else {
                break;
            };
            let (_, place) = read_queue_key(&key).ok_or(damaged("a queue key"))?;
            lanes.push(Lane {
                priority: place.priority,
                cursor: place.arrival,
                more: true,
            });
            priority = place.priority.checked_add(1);
        }
        Ok(lanes)
    }
}
