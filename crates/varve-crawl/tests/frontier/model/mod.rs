//! Random sequences of everything, against a frontier so simple that it can be believed.

mod pair;
mod simple;

use crate::setup::{key, wait};
use pair::Pair;
use proptest::prelude::*;
use varve_crawl::Url;
use varve_crawl::frontier::{Found, Target};

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
            pair.finish().await;
        });
    }
}
