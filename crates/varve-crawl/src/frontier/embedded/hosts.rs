//! All hosts, in memory, and which of them is due longest.
//!
//! A host stands in the list of those due exactly while something of it can be claimed: it has
//! targets that wait for nothing but their turn, a free place in flight, and is not blocked. After
//! every change of a host its place in the list is looked at again, and so no host with work can be
//! forgotten, whatever order changes come in.

use super::ahead::Lane;
use super::layout::HostId;
use super::tallies::{HostTally, Rules};
use crate::frontier::moment::Steady;
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

/// One host.
pub(super) struct Host {
    pub(super) name: Arc<str>,
    pub(super) tally: HostTally,
    pub(super) leased: u32,
    /// Its own rules.
    pub(super) rules: Option<Box<Rules>>,
    /// Where its queue goes on, for each priority. None: not looked up yet.
    pub(super) lanes: Option<Vec<Lane>>,
    /// How many targets to read ahead the next time.
    pub(super) stride: u8,
    listed: Option<Steady>,
    changed: bool,
}

impl Host {
    /// Targets that wait for nothing but their turn.
    pub(super) fn ready(&self) -> u32 {
        let others = self.tally.later + self.leased;
        self.tally.unsettled.saturating_sub(others)
    }
}

/// All hosts.
#[derive(Default)]
pub(super) struct Hosts {
    hosts: Vec<Host>,
    names: HashMap<Arc<str>, HostId>,
    due: BTreeSet<(Steady, HostId)>,
    changed: Vec<HostId>,
    /// For hosts without rules of their own.
    pub(super) usual: Rules,
}

impl Hosts {
    /// How many were ever met.
    pub(super) fn len(&self) -> usize {
        self.hosts.len()
    }

    /// Every host with its number.
    pub(super) fn iter(&self) -> impl Iterator<Item = (HostId, &Host)> {
        (0..).zip(&self.hosts)
    }

    /// A host by its name.
    pub(super) fn named(&self, name: &str) -> Option<HostId> {
        self.names.get(name).copied()
    }

    /// A host by its number.
    pub(super) fn get(&self, id: HostId) -> &Host {
        &self.hosts[id as usize]
    }

    /// A host by its number, for changes that neither its tally nor the list of those due shows.
    pub(super) fn get_mut(&mut self, id: HostId) -> &mut Host {
        &mut self.hosts[id as usize]
    }

    /// A host by its number, to be changed. [`Hosts::settle`] must follow.
    pub(super) fn change(&mut self, id: HostId) -> &mut Host {
        let host = &mut self.hosts[id as usize];
        if !host.changed {
            host.changed = true;
            self.changed.push(id);
        }
        host
    }

    /// A host met for the first time.
    pub(super) fn meet(&mut self, name: &str, since: Steady) -> HostId {
        let tally = HostTally {
            since,
            ..HostTally::default()
        };
        let id = self.recall(name, tally);
        self.get_mut(id).lanes = Some(Vec::new());
        id
    }

    /// A host known from an earlier process.
    pub(super) fn recall(&mut self, name: &str, tally: HostTally) -> HostId {
        let id = self.hosts.len() as HostId;
        let name: Arc<str> = name.into();
        self.names.insert(name.clone(), id);
        self.hosts.push(Host {
            name,
            tally,
            leased: 0,
            rules: None,
            lanes: None,
            stride: 1,
            listed: None,
            changed: false,
        });
        id
    }

    /// Takes note of all changes, and tells which hosts they were.
    pub(super) fn settle(&mut self) -> Vec<HostId> {
        let changed = std::mem::take(&mut self.changed);
        for id in &changed {
            self.get_mut(*id).changed = false;
            self.list(*id);
        }
        changed
    }

    /// Looks at every host again.
    pub(super) fn settle_all(&mut self) {
        (0..self.hosts.len() as HostId).for_each(|id| self.list(id));
    }

    /// The host that is due longest, and since when; or that will be due first.
    pub(super) fn first(&self) -> Option<(Steady, HostId)> {
        self.due.first().copied()
    }

    /// The rules that hold for a host.
    pub(super) fn rules(&self, id: HostId) -> &Rules {
        self.get(id).rules.as_deref().unwrap_or(&self.usual)
    }

    /// When politeness lets the next target of a host be claimed.
    pub(super) fn due(&self, id: HostId) -> Steady {
        let (rules, tally) = (self.rules(id), self.get(id).tally);
        let rested = match tally.claimed {
            Steady(0) => tally.since,
            Steady(claimed) => Steady(claimed.saturating_add(rules.delay)),
        };
        rested.max(rules.not_before)
    }

    fn list(&mut self, id: HostId) {
        let (host, rules) = (self.get(id), self.rules(id));
        let free = rules.blocked.is_none() && host.leased < rules.in_flight;
        let due = (free && host.ready() > 0).then(|| self.due(id));
        let listed = std::mem::replace(&mut self.get_mut(id).listed, due);
        if listed != due {
            listed.map(|listed| self.due.remove(&(listed, id)));
            due.map(|due| self.due.insert((due, id)));
        }
    }
}
