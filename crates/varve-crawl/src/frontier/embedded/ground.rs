//! The ground that all operations of the embedded frontier stand on: what is in memory, what is on
//! disk, and the one way to change both.
//!
//! An operation changes memory and collects changes for the disk; [`Ground::commit`] writes them.
//! If that fails, memory is ahead of the disk, and the keeper lets nobody in any more.

use super::ahead::{ReadAhead, lengthen};
use super::disk::{Disk, damaged};
use super::hosts::Hosts;
use super::layout::{HostId, Place, host_key, read_later_key};
use super::space::Changes;
use super::tallies::{HostTally, Rules, Totals};
use crate::frontier::moment::Steady;
use crate::frontier::{FrontierError, HostRules, LeaseId, Target, UrlKey};
use std::collections::HashMap;
use std::path::Path;

const NAME: u8 = b'n';
const TALLY: u8 = b't';
const RULES: u8 = b'r';
const USUAL_RULES: &[u8] = b"R";
const TOTALS: &[u8] = b"T";

/// A lease, as its giver remembers it.
pub(super) struct Held {
    pub(super) host: HostId,
    pub(super) place: Place,
    pub(super) target: Target,
}

/// Memory and disk.
pub(super) struct Ground {
    pub(super) disk: Disk,
    pub(super) hosts: Hosts,
    pub(super) totals: Totals,
    pub(super) ahead: ReadAhead,
    pub(super) leases: HashMap<LeaseId, Held>,
    pub(super) leased: HashMap<UrlKey, LeaseId>,
    /// The first moment that some target waits for.
    pub(super) later: Option<Steady>,
    pub(super) leases_given: u64,
}

impl Ground {
    /// Opens what an earlier process left, or begins.
    pub(super) fn open(dir: &Path) -> Result<Ground, FrontierError> {
        let disk = Disk::open(dir)?;
        let totals = match disk.get(&disk.state, TOTALS)? {
            Some(value) => Totals::read(&value).ok_or(damaged("the totals cannot be read"))?,
            None => Totals::default(),
        };
        let mut ground = Ground {
            hosts: recall_hosts(&disk)?,
            disk,
            totals,
            ahead: ReadAhead::default(),
            leases: HashMap::new(),
            leased: HashMap::new(),
            later: None,
            leases_given: 0,
        };
        ground.find_later(&[])?;
        ground.hosts.settle_all();
        ground.totals.openings += 1;
        ground.commit(ground.disk.changes())?;
        ground.disk.sync()?;
        Ok(ground)
    }

    /// Writes changes, with the tallies of all hosts that were changed and the totals.
    pub(super) fn commit(&mut self, mut changes: Changes) -> Result<(), FrontierError> {
        for host in self.hosts.settle() {
            let tally = self.hosts.get(host).tally.write();
            changes.insert(&self.disk.state, host_key(TALLY, host), tally);
        }
        changes.insert(&self.disk.state, TOTALS, self.totals.write());
        self.disk.commit(changes)
    }

    /// The host of this name; met now, if it was not before.
    pub(super) fn host(&mut self, changes: &mut Changes, name: &str) -> HostId {
        if let Some(host) = self.hosts.named(name) {
            return host;
        }
        let host = self.hosts.meet(name, self.totals.clock.latest);
        changes.insert(&self.disk.state, host_key(NAME, host), name);
        host
    }

    /// Sets the rules of a host.
    pub(super) fn host_rules(&mut self, name: &str, rules: HostRules) -> Result<(), FrontierError> {
        let mut changes = self.disk.changes();
        let host = self.host(&mut changes, name);
        let rules = Rules::new(rules, &self.totals.clock);
        changes.insert(&self.disk.state, host_key(RULES, host), rules.write());
        self.hosts.change(host).rules = Some(Box::new(rules));
        self.commit(changes)
    }

    /// Sets the rules of all hosts that have none of their own.
    pub(super) fn default_rules(&mut self, rules: HostRules) -> Result<(), FrontierError> {
        let mut changes = self.disk.changes();
        self.hosts.usual = Rules::new(rules, &self.totals.clock);
        changes.insert(&self.disk.state, USUAL_RULES, self.hosts.usual.write());
        self.hosts.settle_all();
        self.commit(changes)
    }

    /// Takes the next place in the order of arrival.
    pub(super) fn arrive(&mut self, priority: u8) -> Place {
        let arrival = self.totals.arrivals;
        self.totals.arrivals += 1;
        Place { priority, arrival }
    }

    /// Takes note of a target that waits for its turn at a place.
    pub(super) fn line_up(&mut self, host: HostId, place: Place) {
        if self.ahead.is_overtaken(host, place.priority) {
            self.put_back(host);
        }
        if let Some(lanes) = &mut self.hosts.get_mut(host).lanes {
            lengthen(lanes, place);
        }
    }

    /// Gives up what was read ahead of a host.
    pub(super) fn put_back(&mut self, host: HostId) {
        if let Some(place) = self.ahead.put_back(host)
            && let Some(lanes) = &mut self.hosts.get_mut(host).lanes
        {
            lengthen(lanes, place);
        }
    }

    /// Looks up the first moment that some target waits for; none waits for one before `from`.
    pub(super) fn find_later(&mut self, from: &[u8]) -> Result<(), FrontierError> {
        let mut waiting = self.disk.range(&self.disk.later, from, &[0xff; 21]);
        let first = waiting.next().transpose()?;
        let due = |key: &[u8]| read_later_key(key).ok_or(damaged("a waiting target's key"));
        self.later = match first {
            Some((key, _)) => Some(due(&key)?.0),
            None => None,
        };
        Ok(())
    }
}

fn recall_hosts(disk: &Disk) -> Result<Hosts, FrontierError> {
    let mut hosts = Hosts::default();
    let all = |kind| disk.range(&disk.state, &[kind], &[kind + 1]);
    for entry in all(NAME) {
        let (key, name) = entry?;
        let name = str::from_utf8(&name).map_err(|_| damaged("a host's name is no text"))?;
        let host = hosts.recall(name, HostTally::default());
        if *key != host_key(NAME, host) {
            return Err(damaged("a host is missing"));
        }
    }
    for entry in all(TALLY) {
        let (key, tally) = entry?;
        let host = host_of_key(&key, &hosts)?;
        let tally = HostTally::read(&tally).ok_or(damaged("a host's tally cannot be read"))?;
        hosts.get_mut(host).tally = tally;
    }
    for entry in all(RULES) {
        let (key, rules) = entry?;
        let host = host_of_key(&key, &hosts)?;
        let rules = Rules::read(&rules).ok_or(damaged("a host's rules cannot be read"))?;
        hosts.get_mut(host).rules = Some(Box::new(rules));
    }
    hosts.usual = match disk.get(&disk.state, USUAL_RULES)? {
        Some(value) => Rules::read(&value).ok_or(damaged("the rules cannot be read"))?,
        None => Rules::new(HostRules::default(), &Default::default()),
    };
    Ok(hosts)
}

fn host_of_key(key: &[u8], hosts: &Hosts) -> Result<HostId, FrontierError> {
    let number = key.get(1..).and_then(|number| number.try_into().ok());
    let host = number.map(HostId::from_be_bytes);
    host.filter(|host| (*host as usize) < hosts.len())
        .ok_or(damaged("a host has no name"))
}
