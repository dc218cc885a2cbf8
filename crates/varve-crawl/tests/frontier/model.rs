//! Random sequences of everything, against a frontier so simple that it can be believed.

use crate::setup::{Embedded, START, key, settle, wait};
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::time::Duration;
use varve_crawl::Url;
use varve_crawl::frontier::{
    Claim, EmbeddedFrontier, Found, Frontier, HostRules, Lease, Moment, Outcome, State, Target,
    Whose,
};

const HOSTS: u32 = 3;
const URLS: u32 = 60;

/// Something that happens to a frontier.
#[derive(Clone, Debug)]
enum Event {
    Add(Vec<u32>),
    /// Time passes, then somebody claims.
    Claim(u64),
    /// One of the leases is settled, in one of the ways.
    Settle(usize, u8, Vec<u32>),
    Rules(u32, u64, u32, Option<u64>, bool),
    Drop(Option<u32>, u32),
    SetClockBack(u64),
    Reopen,
}

fn events() -> impl Strategy<Value = Vec<Event>> {
    let urls = || prop::collection::vec(0..URLS, 0..6);
    let back_off = prop::option::of(0..2_000_u64);
    let rules = (
        0..HOSTS,
        0..500_u64,
        0..4_u32,
        back_off,
        prop::bool::weighted(0.2),
    );
    let event = prop_oneof![
        4 => urls().prop_map(Event::Add),
        8 => (0..400_u64).prop_map(Event::Claim),
        6 => (0..8_usize, 0..5_u8, urls()).prop_map(|(a, b, c)| Event::Settle(a, b, c)),
        2 => rules.prop_map(|(a, b, c, d, e)| Event::Rules(a, b, c, d, e)),
        1 => (prop::option::of(0..HOSTS), 2..5_u32).prop_map(|(a, b)| Event::Drop(a, b)),
        1 => (10_000..90_000_u64).prop_map(Event::SetClockBack),
        1 => Just(Event::Reopen),
    ];
    prop::collection::vec(event, 1..60)
}

fn host_name(host: u32) -> String {
    format!("h{host}.example")
}

fn target(number: u32) -> Target {
    let url = format!("http://{}/{number}", host_name(number % HOSTS));
    Target {
        key: key(&url),
        url: Url::parse(&url).unwrap(),
        depth: number,
        hops: 0,
        priority: (number / HOSTS % 3) as u8,
        via: None,
        found: Found::Link,
        tries: 0,
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Fate {
    /// Where it stands in the order of arrival.
    Waiting(u64),
    /// Until when, and where it stood in the order of arrival.
    Later(u64, u64),
    Leased(u64),
    Saved,
    Failed,
    Skipped,
}

struct ModelHost {
    number: u32,
    since: u64,
    claimed: Option<u64>,
    rules: HostRules,
}

/// The frontier, as simple as it can be told.
struct Model {
    urls: BTreeMap<u32, (Fate, u32)>,
    hosts: Vec<ModelHost>,
    arrivals: u64,
    latest: u64,
    set_back: u64,
}

impl Model {
    fn host(&mut self, number: u32) -> usize {
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

    fn arrive(&mut self) -> u64 {
        self.arrivals += 1;
        self.arrivals
    }

    fn add(&mut self, numbers: &[u32]) {
        for number in numbers {
            if !self.urls.contains_key(number) {
                self.host(number % HOSTS);
                let arrival = self.arrive();
                self.urls.insert(*number, (Fate::Waiting(arrival), 0));
            }
        }
    }

    fn of_host(&self, host: usize, wanted: impl Fn(Fate) -> bool) -> Vec<u32> {
        let number = self.hosts[host].number;
        let mine = self.urls.iter().filter(|(url, _)| *url % HOSTS == number);
        mine.filter(|(_, (fate, _))| wanted(*fate))
            .map(|(url, _)| *url)
            .collect()
    }

    fn due(&self, host: usize) -> Option<u64> {
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

    fn wake(&mut self) {
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
    fn claim(&mut self, now: u64) -> Result<(u32, u32), Claim> {
        let steady = now + self.set_back;
        if steady + 5_000 < self.latest {
            self.set_back += self.latest - steady;
        }
        self.latest = self.latest.max(steady);
        self.wake();
        let dues = (0..self.hosts.len()).filter_map(|host| Some((self.due(host)?, host)));
        match dues.min() {
            Some((due, host)) if due <= self.latest => Ok(self.lease(host)),
            first => Err(self.nothing(first.map(|(due, _)| due))),
        }
    }

    fn lease(&mut self, host: usize) -> (u32, u32) {
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

    fn nothing(&self, due: Option<u64>) -> Claim {
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

    fn settle(&mut self, url: u32, fate: Fate) {
        let retried = u32::from(matches!(fate, Fate::Later(..)));
        let entry = self.urls.get_mut(&url).unwrap();
        *entry = (fate, entry.1 + retried);
    }

    fn drop_matching(&mut self, host: Option<u32>, modulus: u32) -> u64 {
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

/// Both frontiers, side by side.
struct Pair {
    embedded: Embedded,
    real: Option<EmbeddedFrontier>,
    model: Model,
    leases: Vec<(u32, Lease)>,
    now: u64,
}

impl Pair {
    fn new() -> Pair {
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

    async fn apply(&mut self, event: Event) {
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
                let pick = move |target: &Target| target.depth % modulus == 0;
                let dropped = self.real().drop_matching(whose, Box::new(pick), "x");
                let dropped = dropped.await.unwrap();
                assert_eq!(dropped, self.model.drop_matching(host, modulus));
            }
            Event::SetClockBack(by) => self.now -= by,
            Event::Reopen => self.reopen(),
        }
    }

    fn real(&self) -> &EmbeddedFrontier {
        self.real.as_ref().unwrap()
    }

    async fn claim(&mut self) {
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
            (claim, expected) => assert_eq!(Err(claim), expected),
        }
    }

    async fn settle(&mut self, which: usize, how: u8, links: Vec<u32>) {
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

    async fn rules(&mut self, host: u32, delay: u64, in_flight: u32, off: Option<u64>, no: bool) {
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

    fn reopen(&mut self) {
        self.real = None;
        self.real = Some(self.embedded.open());
        for (url, _) in self.leases.drain(..) {
            let fate = &mut self.model.urls.get_mut(&url).unwrap().0;
            if let Fate::Leased(arrival) = *fate {
                *fate = Fate::Waiting(arrival);
            }
        }
    }

    async fn compare(&self) {
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

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn the_frontier_behaves_like_its_model(events in events()) {
        let mut pair = Pair::new();
        wait(async {
            for event in events {
                pair.apply(event).await;
            }
            pair.compare().await;
            // Whatever happened, all that is left can be claimed in the end.
            for (_, lease) in std::mem::take(&mut pair.leases) {
                settle(pair.real(), lease, Outcome::Saved).await;
            }
        });
    }
}
