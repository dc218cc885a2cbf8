//! What is dropped, and what is told about all of it.

use super::added;
use crate::setup::{Backend, START, at, drain, impolite, key, lease, link, seed, seeds, settle};
use std::time::Duration;
use varve_crawl::frontier::{Claim, Counts, HostRules, Outcome, State, Target, Whose};

pub(super) async fn unwanted_targets_are_dropped(backend: &dyn Backend) {
    let frontier = backend.open();
    let url = |host: &str, number: u32| format!("http://{host}.example/{number}");
    for host in ["a", "b"] {
        let targets = (0..2_500).map(|number| link(&url(host, number), (number % 3) as u8));
        frontier.add(targets.collect()).await.unwrap();
    }
    let odd = |target: &Target| target.url.as_str().ends_with(['1', '3', '5', '7', '9']);
    let whose = Whose::Host("a.example".into());
    let dropped = frontier.drop_matching(whose, Box::new(odd), "trap.calendar");
    assert_eq!(dropped.await.unwrap(), 1_250);
    let nobody = Whose::Host("c.example".into());
    let dropped = frontier.drop_matching(nobody, Box::new(|_| true), "x");
    assert_eq!(dropped.await.unwrap(), 0);
    let state = frontier.state_of(key(&url("a", 1))).await.unwrap();
    let reason = "trap.calendar".to_owned();
    assert_eq!(state, Some(State::Skipped { reason }));
    let state = frontier.state_of(key(&url("b", 1))).await.unwrap();
    assert_eq!(state, Some(State::Queued));
    let all = frontier.drop_matching(Whose::Everyone, Box::new(odd), "x");
    assert_eq!(all.await.unwrap(), 1_250);
    assert_eq!(
        frontier.add(seeds([&url("a", 1)])).await.unwrap(),
        added(0, 1)
    );
    assert_eq!(drain(&*frontier, START).await.len(), 2_500);
}

pub(super) async fn dropping_spares_leased_targets(backend: &dyn Backend) {
    let frontier = backend.open();
    frontier.default_rules(impolite()).await.unwrap();
    let urls = [
        "http://a.example/1",
        "http://a.example/2",
        "http://a.example/3",
    ];
    frontier.add(seeds(urls)).await.unwrap();
    let (first, second) = (
        lease(&*frontier, START).await,
        lease(&*frontier, START).await,
    );
    let again = Outcome::Again {
        not_before: at(9_000),
        reason: "x".into(),
    };
    settle(&*frontier, second, again).await;
    let all = frontier.drop_matching(Whose::Everyone, Box::new(|_| true), "x");
    assert_eq!(all.await.unwrap(), 2);
    assert_eq!(frontier.claim(at(9_000)).await.unwrap(), Claim::AllLeased);
    settle(&*frontier, first, Outcome::Saved).await;
    assert_eq!(frontier.claim(at(9_000)).await.unwrap(), Claim::Empty);
}

pub(super) async fn numbers_add_up(backend: &dyn Backend) {
    let frontier = backend.open();
    frontier.default_rules(impolite()).await.unwrap();
    let targets = (0..20).map(|number| seed(&format!("http://h{}.example/{number}", number % 4)));
    frontier.add(targets.collect()).await.unwrap();
    let reason = || String::from("x");
    let outcomes = [
        Outcome::Saved,
        Outcome::Saved,
        Outcome::Saved,
        Outcome::Failed { reason: reason() },
        Outcome::Failed { reason: reason() },
        Outcome::Skipped { reason: reason() },
        Outcome::Released,
    ];
    for outcome in outcomes {
        let lease = lease(&*frontier, START).await;
        settle(&*frontier, lease, outcome).await;
    }
    let _out = (
        lease(&*frontier, START).await,
        lease(&*frontier, START).await,
    );
    let expected = Counts {
        queued: 12,
        leased: 2,
        saved: 3,
        failed: 2,
        skipped: 1,
        hosts: 4,
        seen: 20,
    };
    assert_eq!(frontier.counts().await.unwrap(), expected);
    drop(frontier);
    let reopened = Counts {
        queued: 14,
        leased: 0,
        ..expected
    };
    assert_eq!(backend.open().counts().await.unwrap(), reopened);
}

pub(super) async fn the_largest_hosts_are_shown_first(backend: &dyn Backend) {
    let frontier = backend.open();
    for (host, count) in [("a", 2), ("b", 5), ("c", 1), ("d", 3)] {
        let url = |number| format!("http://{host}.example/{number}");
        let targets = (0..count).map(|number| seed(&url(number)));
        frontier.add(targets.collect()).await.unwrap();
    }
    let rules = HostRules::every(Duration::from_millis(250));
    frontier.host_rules("d.example", rules).await.unwrap();
    let _first = lease(&*frontier, START).await;
    let view = frontier.hosts(3).await.unwrap();
    let seen: Vec<_> = view
        .iter()
        .map(|host| (&*host.host, host.queued, host.leased))
        .collect();
    let expected = [
        ("b.example", 5, 0),
        ("d.example", 3, 0),
        ("a.example", 1, 1),
    ];
    assert_eq!(seen, expected);
    assert_eq!(view[1].delay, Duration::from_millis(250));
    assert_eq!(view[2].due, at(1_000));
    assert_eq!(frontier.hosts(100).await.unwrap().len(), 4);
    assert_eq!(frontier.hosts(0).await.unwrap(), []);
}
