//! Questions: what has become of a URL, how much there is, and whether it all adds up.

use super::disk::damaged;
use super::ground::Ground;
use super::layout::{HostId, read_later_key, read_queue_key, read_state};
use crate::frontier::{Counts, FrontierError, HostView, State, UrlKey};
use std::time::Duration;

/// Notes are kept under this prefix.
const NOTE: u8 = b'k';
/// Comes after every key.
const END: [u8; 21] = [0xff; 21];

impl Ground {
    /// What has become of a URL.
    pub(super) fn state_of(&self, key: UrlKey) -> Result<Option<State>, FrontierError> {
        match self.leased.contains_key(&key) {
            true => Ok(Some(State::Leased)),
            false => self.disk.state_of(key),
        }
    }

    /// How much there is of everything.
    pub(super) fn counts(&self) -> Counts {
        let leased = self.leases.len() as u64;
        Counts {
            queued: self.totals.unsettled().saturating_sub(leased),
            leased,
            saved: self.totals.saved,
            failed: self.totals.failed,
            skipped: self.totals.skipped,
            hosts: self.hosts.len() as u64,
            seen: self.totals.seen,
        }
    }

    /// The hosts with the most queued targets.
    pub(super) fn view(&self, limit: usize) -> Vec<HostView> {
        let queued = |id: &HostId| {
            let host = self.hosts.get(*id);
            host.tally.unsettled.saturating_sub(host.leased)
        };
        let order = |id: &HostId| (std::cmp::Reverse(queued(id)), *id);
        let mut ids: Vec<HostId> = self.hosts.iter().map(|(id, _)| id).collect();
        if limit < ids.len() {
            ids.select_nth_unstable_by_key(limit, order);
            ids.truncate(limit);
        }
        ids.sort_unstable_by_key(order);
        ids.into_iter()
            .map(|id| self.view_of(id, queued(&id)))
            .collect()
    }

    fn view_of(&self, id: HostId, queued: u32) -> HostView {
        let (host, rules) = (self.hosts.get(id), self.hosts.rules(id));
        let clock = &self.totals.clock;
        let backed_off = rules.not_before > clock.latest;
        HostView {
            host: host.name.to_string(),
            queued: queued.into(),
            leased: host.leased.into(),
            due: clock.moment(self.hosts.due(id)),
            delay: Duration::from_millis(rules.delay),
            backed_off: backed_off.then(|| clock.moment(rules.not_before)),
            blocked: rules.blocked.as_deref().map(str::to_owned),
        }
    }

    /// A note.
    pub(super) fn note(&self, key: &str) -> Result<Option<String>, FrontierError> {
        let value = self.disk.get(&self.disk.state, &note_key(key))?;
        let text = |value: &[u8]| str::from_utf8(value).map(str::to_owned);
        value
            .map(|value| text(&value).map_err(|_| damaged("a note is no text")))
            .transpose()
    }

    /// Keeps a note.
    pub(super) fn set_note(&mut self, key: &str, value: &str) -> Result<(), FrontierError> {
        let mut changes = self.disk.changes();
        changes.insert(&self.disk.state, note_key(key), value);
        self.commit(changes)
    }

    /// A host's number that was read from disk.
    pub(super) fn known(&self, host: Option<HostId>) -> Result<HostId, FrontierError> {
        host.filter(|host| (*host as usize) < self.hosts.len())
            .ok_or(damaged("a target's host is missing"))
    }

    /// Counts everything on disk again, and compares with what was counted all along.
    pub(super) fn check(&self) -> Result<(), FrontierError> {
        let mut unsettled = vec![0; self.hosts.len()];
        let mut later = vec![0; self.hosts.len()];
        for entry in self.disk.range(&self.disk.queue, &[], &END) {
            let host = read_queue_key(&entry?.0).map(|(host, _)| host);
            unsettled[self.known(host)? as usize] += 1;
        }
        for entry in self.disk.range(&self.disk.later, &[], &END) {
            let host = read_later_key(&entry?.0).map(|(_, host)| host);
            let host = self.known(host)? as usize;
            unsettled[host] += 1;
            later[host] += 1;
        }
        for (id, host) in self.hosts.iter() {
            let counted = (unsettled[id as usize], later[id as usize]);
            if (host.tally.unsettled, host.tally.later) != counted {
                return Err(damaged("a host's tally is wrong"));
            }
        }
        self.check_totals(unsettled.iter().map(|count| u64::from(*count)).sum())
    }

    fn check_totals(&self, unsettled: u64) -> Result<(), FrontierError> {
        let mut counts = [0_u64; 4];
        for entry in self.disk.range(&self.disk.seen, &[], &END) {
            let state = read_state(&entry?.1).ok_or(damaged("a state cannot be read"))?;
            let at = match state {
                State::Queued | State::Leased => 0,
                State::Saved => 1,
                State::Failed { .. } => 2,
                State::Skipped { .. } => 3,
            };
            counts[at] += 1;
        }
        let totals = &self.totals;
        let expected = [unsettled, totals.saved, totals.failed, totals.skipped];
        match counts == expected && counts.iter().sum::<u64>() == totals.seen {
            true => Ok(()),
            false => Err(damaged("the totals are wrong")),
        }
    }
}

fn note_key(key: &str) -> Vec<u8> {
    let mut note = vec![NOTE];
    note.extend_from_slice(key.as_bytes());
    note
}
