//! The frontier, as simple as it can be told: no disk, no order kept, everything looked up anew.

use super::{HOSTS, target};
use std::collections::BTreeMap;
use varve_crawl::frontier::{Claim, HostRules, Moment};

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Fate {
    /// Where it stands in the order of arrival.
    Waiting(u64),
    /// Until when, and where it stood in the order of arrival.
    Later(u64, u64),
    Leased(u64),
    Saved,
    Failed,
    Skipped,
}

pub(super) struct ModelHost {
    pub(super) number: u32,
    pub(super) since: u64,
    pub(super) claimed: Option<u64>,
    pub(super) rules: HostRules,
}

/// The frontier, as simple as it can be told.
pub(super) struct Model {
    pub(super) urls: BTreeMap<u32, (Fate, u32)>,
    pub(super) hosts: Vec<ModelHost>,
    pub(super) arrivals: u64,
    pub(super) latest: u64,
    pub(super) set_back: u64,
}

impl Model {
    pub(super) fn host(&mut self, number: u32) -> usize {
        let known = self.hosts.iter().position(|host| host.number == number);
        known.unwrap_or_else(|| {
            self.hosts.push(ModelHost {
                number,
                since: self.latest,
                claimed: None,
                rules: HostRules::default(),
            });
            self.hosts.len() - 1
        })
    }

    pub(super) fn arrive(&mut self) -> u64 {
        self.arrivals += 1;
        self.arrivals
    }

    pub(super) fn add(&mut self, numbers: &[u32]) {
        for number in numbers {
            if !self.urls.contains_key(number) {
                self.host(number % HOSTS);
                let arrival = self.arrive();
                self.urls.insert(*number, (Fate::Waiting(arrival), 0));
            }
        }
    }

    pub(super) fn of_host(&self, host: usize, wanted: impl Fn(Fate) -> bool) -> Vec<u32> {
        let number = self.hosts[host].number;
        let mine = self.urls.iter().filter(|(url, _)| *url % HOSTS == number);
        mine.filter(|(_, (fate, _))| wanted(*fate))
            .map(|(url, _)| *url)
            .collect()
    }

    pub(super) fn due(&self, host: usize) -> Option<u64> {
        let leased = self
            .of_host(host, |fate| matches!(fate, Fate::Leased(_)))
            .len();
        let waiting = self.of_host(host, |fate| matches!(fate, Fate::Waiting(_)));
        let ModelHost {
            since,
            claimed,
            rules,
            ..
        } = &self.hosts[host];
        let free = rules.blocked.is_none() && (leased as u32) < rules.in_flight;
        let delay = rules.delay.as_millis() as u64;
        let rested = claimed.map_or(*since, |claimed| claimed + delay);
        let due = rested.max(rules.not_before.map_or(0, |moment| moment.0));
        (free && !waiting.is_empty()).then_some(due)
    }

    pub(super) fn wake(&mut self) {
        let mut later: Vec<_> = self
            .urls
            .iter()
            .filter_map(|(url, (fate, _))| match fate {
                Fate::Later(due, arrival) if *due <= self.latest => Some((*due, *arrival, *url)),
                _ => None,
            })
            .collect();
        let place = |url: u32| {
            self.hosts
                .iter()
                .position(|host| host.number == url % HOSTS)
        };
        later.sort_by_key(|(due, arrival, url)| (*due, place(*url), *arrival));
        for (_, _, url) in later {
            let arrival = self.arrive();
            self.urls.get_mut(&url).unwrap().0 = Fate::Waiting(arrival);
        }
    }

    /// What a claim must answer: a URL and how often it was tried, or a moment, or neither.
    pub(super) fn claim(&mut self, now: u64) -> Result<(u32, u32), Box<Claim>> {
        let steady = now + self.set_back;
        if steady + 5_000 < self.latest {
            self.set_back += self.latest - steady;
        }
        self.latest = self.latest.max(steady);
        self.wake();
        let dues = (0..self.hosts.len()).filter_map(|host| Some((self.due(host)?, host)));
        match dues.min() {
            Some((due, host)) if due <= self.latest => Ok(self.lease(host)),
            first => Err(Box::new(self.nothing(first.map(|(due, _)| due)))),
        }
    }

    pub(super) fn lease(&mut self, host: usize) -> (u32, u32) {
        let waiting = self.of_host(host, |fate| matches!(fate, Fate::Waiting(_)));
        let arrival = |url: &u32| match self.urls[url].0 {
            Fate::Waiting(arrival) => arrival,
            _ => unreachable!(),
        };
        let first = waiting
            .iter()
            .min_by_key(|url| (target(**url).priority, arrival(url)));
        let url = *first.unwrap();
        let arrival = arrival(&url);
        self.hosts[host].claimed = Some(self.latest);
        let (fate, tries) = self.urls.get_mut(&url).unwrap();
        *fate = Fate::Leased(arrival);
        (url, *tries)
    }

    pub(super) fn nothing(&self, due: Option<u64>) -> Claim {
        let later = self.urls.values().filter_map(|(fate, _)| match fate {
            Fate::Later(due, _) => Some(*due),
            _ => None,
        });
        let has = |wanted: fn(&Fate) -> bool| self.urls.values().any(|(fate, _)| wanted(fate));
        match due.into_iter().chain(later).min() {
            Some(moment) => Claim::NotBefore(Moment(moment.saturating_sub(self.set_back))),
            None if has(|fate| matches!(fate, Fate::Leased(_))) => Claim::AllLeased,
            None if has(|fate| matches!(fate, Fate::Waiting(_))) => Claim::AllBlocked,
            None => Claim::Empty,
        }
    }

    pub(super) fn settle(&mut self, url: u32, fate: Fate) {
        let retried = u32::from(matches!(fate, Fate::Later(..)));
        let entry = self.urls.get_mut(&url).unwrap();
        *entry = (fate, entry.1 + retried);
    }

    pub(super) fn drop_matching(&mut self, host: Option<u32>, modulus: u32) -> u64 {
        let mut dropped = 0;
        for (url, (fate, _)) in &mut self.urls {
            let waits = matches!(fate, Fate::Waiting(_) | Fate::Later(..));
            let mine = host.is_none_or(|host| url % HOSTS == host);
            if waits && mine && url % modulus == 0 {
                *fate = Fate::Skipped;
                dropped += 1;
            }
        }
        dropped
    }
}
