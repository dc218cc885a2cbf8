//! The simple frontier and the real one, side by side: whatever is done to both, they agree.

use super::simple::{Fate, Model};
use super::{Event, HOSTS, URLS, host_name, target};
use crate::setup::{Embedded, START, drain, impolite, settle};
use std::collections::BTreeMap;
use std::time::Duration;
use varve_crawl::frontier::{
    Claim, EmbeddedFrontier, Frontier, HostRules, Lease, Moment, Outcome, State, Target, Whose,
};

/// Both frontiers, side by side.
pub(super) struct Pair {
    pub(super) embedded: Embedded,
    pub(super) real: Option<EmbeddedFrontier>,
    pub(super) model: Model,
    pub(super) leases: Vec<(u32, Lease)>,
    pub(super) now: u64,
}

impl Pair {
    pub(super) fn new() -> Pair {
        let embedded = Embedded::new();
        Pair {
            real: Some(embedded.open()),
            embedded,
            model: Model {
                urls: BTreeMap::new(),
                hosts: Vec::new(),
                arrivals: 0,
                latest: 0,
                set_back: 0,
            },
            leases: Vec::new(),
            now: START.0,
        }
    }

    pub(super) async fn apply(&mut self, event: Event) {
        match event {
            Event::Add(urls) => {
                self.model.add(&urls);
                let targets = urls.into_iter().map(target).collect();
                self.real().add(targets).await.unwrap();
            }
            Event::Claim(passed) => {
                self.now += passed;
                self.claim().await;
            }
            Event::Settle(which, how, links) => self.settle(which, how, links).await,
            Event::Rules(host, delay, in_flight, back_off, blocked) => {
                self.rules(host, delay, in_flight, back_off, blocked).await;
            }
            Event::Drop(host, modulus) => {
                let whose = host.map_or(Whose::Everyone, |host| Whose::Host(host_name(host)));
                let pick = move |target: &Target| target.depth.is_multiple_of(modulus);
                let dropped = self.real().drop_matching(whose, Box::new(pick), "x");
                let dropped = dropped.await.unwrap();
                assert_eq!(dropped, self.model.drop_matching(host, modulus));
            }
            Event::SetClockBack(by) => self.now -= by,
            Event::Reopen => self.reopen(),
        }
    }

    pub(super) fn real(&self) -> &EmbeddedFrontier {
        self.real.as_ref().unwrap()
    }

    pub(super) async fn claim(&mut self) {
        let expected = self.model.claim(self.now);
        let claim = self.real().claim(Moment(self.now)).await.unwrap();
        match (claim, expected) {
            (Claim::Lease(lease), Ok((url, tries))) => {
                assert_eq!(
                    lease.target,
                    Target {
                        tries,
                        ..target(url)
                    }
                );
                self.leases.push((url, lease));
            }
            (claim, expected) => assert_eq!(Err(Box::new(claim)), expected),
        }
    }

    pub(super) async fn settle(&mut self, which: usize, how: u8, links: Vec<u32>) {
        if self.leases.is_empty() {
            return;
        }
        let (url, lease) = self.leases.swap_remove(which % self.leases.len());
        let Fate::Leased(arrival) = self.model.urls[&url].0 else {
            panic!("{url} is not leased");
        };
        let reason = "x".to_owned();
        let not_before = Moment(self.now + 300);
        let until = not_before.0 + self.model.set_back;
        let (fate, outcome) = match how {
            0 => (Fate::Saved, Outcome::Saved),
            1 => (Fate::Failed, Outcome::Failed { reason }),
            2 => (Fate::Skipped, Outcome::Skipped { reason }),
            3 => (Fate::Waiting(arrival), Outcome::Released),
            _ => {
                let aside = Fate::Later(until, self.model.arrive());
                (aside, Outcome::Again { not_before, reason })
            }
        };
        self.model.settle(url, fate);
        self.model.add(&links);
        let links = links.into_iter().map(target).collect();
        self.real().settle(lease, outcome, links).await.unwrap();
    }

    pub(super) async fn rules(
        &mut self,
        host: u32,
        delay: u64,
        in_flight: u32,
        off: Option<u64>,
        no: bool,
    ) {
        let rules = HostRules {
            delay: Duration::from_millis(delay),
            in_flight,
            not_before: off.map(|off| Moment(self.now + off)),
            blocked: no.then(|| "no".into()),
        };
        let (at, set_back) = (self.model.host(host), self.model.set_back);
        let known = &mut self.model.hosts[at];
        known.rules = rules.clone();
        known.rules.not_before = rules.not_before.map(|moment| Moment(moment.0 + set_back));
        let name = host_name(host);
        self.real().host_rules(&name, rules).await.unwrap();
    }

    pub(super) fn reopen(&mut self) {
        self.real = None;
        self.real = Some(self.embedded.open());
        for (url, _) in self.leases.drain(..) {
            let fate = &mut self.model.urls.get_mut(&url).unwrap().0;
            if let Fate::Leased(arrival) = *fate {
                *fate = Fate::Waiting(arrival);
            }
        }
    }

    /// Whatever happened, all that is left can be claimed in the end.
    pub(super) async fn finish(&mut self) {
        for (_, lease) in std::mem::take(&mut self.leases) {
            settle(self.real(), lease, Outcome::Saved).await;
        }
        for host in 0..HOSTS {
            let name = host_name(host);
            self.real().host_rules(&name, impolite()).await.unwrap();
        }
        drain(self.real(), Moment(self.now + 1_000_000)).await;
        let counts = self.real().counts().await.unwrap();
        assert_eq!((counts.queued, counts.leased), (0, 0));
        assert_eq!(counts.saved + counts.failed + counts.skipped, counts.seen);
    }

    pub(super) async fn compare(&self) {
        self.real().check().await.unwrap();
        for url in 0..URLS {
            let state = self.real().state_of(target(url).key).await.unwrap();
            let reason = || "x".to_owned();
            let expected = self.model.urls.get(&url).map(|(fate, _)| match fate {
                Fate::Waiting(_) | Fate::Later(..) => State::Queued,
                Fate::Leased(_) => State::Leased,
                Fate::Saved => State::Saved,
                Fate::Failed => State::Failed { reason: reason() },
                Fate::Skipped => State::Skipped { reason: reason() },
            });
            assert_eq!(state, expected, "{url}");
        }
        let counts = self.real().counts().await.unwrap();
        assert_eq!(counts.seen, self.model.urls.len() as u64);
        assert_eq!(counts.leased, self.leases.len() as u64);
        assert_eq!(counts.hosts, self.model.hosts.len() as u64);
    }
}
