//! Learning which parameters change nothing, by comparing pages.

use super::super::closed::{Closed, ClosedSpace, TrapReason};
use super::super::template::{hash, parameters, site};
use super::{Parameters, is_session};
use url::Url;

/// Equal pages before a parameter is known not to count; fewer if it is called like a session.
const CONFIRMATIONS: u32 = 4;
const CONFIRMATIONS_OF_SESSIONS: u32 = 2;

/// So many equal pages excuse a different one: a page may have changed meanwhile.
const EXCUSE: u32 = 20;

/// Parameters of a URL that are looked at.
const MAX_PARAMETERS: usize = 12;

/// How often pages were the same, and how often not.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Votes {
    same: u32,
    different: u32,
}

impl Parameters {
    /// A page was seen that says this. Gives what was learned from it.
    pub(in super::super) fn observe(&mut self, url: &Url, says: u64) -> Vec<Closed> {
        let all: Vec<(&str, &str)> = parameters(url).take(MAX_PARAMETERS + 1).collect();
        let place = hash(&(site(url), url.path()));
        let whole = hash(&(place, &all));
        self.pages.insert(whole, (0, says));
        if all.is_empty() || all.len() > MAX_PARAMETERS {
            return Vec::new();
        }
        let mut closed = Vec::new();
        for at in 0..all.len() {
            let mut others = all.clone();
            let (name, value) = others.remove(at);
            let without = self.pages.get(hash(&(place, &others))).copied();
            let key = hash(&(place, &others, name));
            let other = self.pages.insert(key, (hash(&value), says));
            let other = other.filter(|(before, _)| *before != hash(&value));
            if let Some((_, said)) = other.or(without) {
                closed.extend(self.vote_on_parameter(url, name, said == says));
            }
        }
        let mut sorted = all.clone();
        sorted.sort_unstable();
        let order = hash(&all);
        let other = self
            .pages
            .insert(hash(&(place, &sorted, "order")), (order, says));
        if let Some((_, said)) = other.filter(|(before, _)| *before != order) {
            closed.extend(self.vote_on_order(url, said == says));
        }
        closed
    }

    fn vote_on_parameter(&mut self, url: &Url, name: &str, same: bool) -> Option<Closed> {
        let site = site(url);
        let needed = match is_session(name) {
            true => CONFIRMATIONS_OF_SESSIONS,
            false => CONFIRMATIONS,
        };
        let known = self.sites.get(hash(&site));
        let known = known.is_some_and(|rules| rules.ignored.contains(name));
        if known || !self.vote(hash(&(&site, name)), same, needed) {
            return None;
        }
        self.ignore(&site, name);
        let name = name.to_owned();
        Some(Closed {
            reason: TrapReason::Session,
            space: ClosedSpace::Parameter { site, name },
        })
    }

    fn vote_on_order(&mut self, url: &Url, same: bool) -> Option<Closed> {
        let site = site(url);
        let known = self.sites.get(hash(&site));
        let known = known.is_some_and(|rules| rules.any_order);
        if known || !self.vote(hash(&(&site, "order", 0)), same, CONFIRMATIONS) {
            return None;
        }
        self.rules(&site, |rules| rules.any_order = true);
        Some(Closed {
            reason: TrapReason::Order,
            space: ClosedSpace::AnyOrder { site },
        })
    }

    /// Counts a vote; tells whether the matter is settled.
    fn vote(&mut self, key: u64, same: bool, needed: u32) -> bool {
        let mut votes = self.votes.take(key).unwrap_or_default();
        votes.same = votes.same.saturating_add(u32::from(same));
        votes.different = votes.different.saturating_add(u32::from(!same));
        self.votes.insert(key, votes);
        same && votes.same >= needed && votes.same >= votes.different.saturating_mul(EXCUSE)
    }
}
