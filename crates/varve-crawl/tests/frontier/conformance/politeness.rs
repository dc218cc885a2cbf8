//! How hosts are treated.

use crate::setup::{Backend, START, at, impolite, lease, seeds, settle};
use std::time::Duration;
use varve_crawl::frontier::{Claim, HostRules, Outcome};

pub(super) async fn a_host_rests_between_the_starts_of_two_visits(backend: &dyn Backend) {
    let frontier = backend.open();
    let rules = HostRules {
        in_flight: 2,
        ..HostRules::every(Duration::from_millis(100))
    };
    frontier.host_rules("a.example", rules).await.unwrap();
    let urls = [
        "http://a.example/1",
        "http://a.example/2",
        "http://a.example/3",
    ];
    frontier.add(seeds(urls)).await.unwrap();
    let first = lease(&*frontier, at(0)).await;
    let claim = frontier.claim(at(99)).await.unwrap();
    assert_eq!(claim, Claim::NotBefore(at(100)));
    let _second = lease(&*frontier, at(150)).await;
    // How long a visit takes does not matter, only when it began.
    settle(&*frontier, first, Outcome::Saved).await;
    let claim = frontier.claim(at(249)).await.unwrap();
    assert_eq!(claim, Claim::NotBefore(at(250)));
    lease(&*frontier, at(250)).await;
}

pub(super) async fn a_host_has_bounded_visits_in_flight(backend: &dyn Backend) {
    let frontier = backend.open();
    let rules = HostRules {
        in_flight: 2,
        ..HostRules::every(Duration::ZERO)
    };
    frontier.host_rules("a.example", rules).await.unwrap();
    let urls = [
        "http://a.example/1",
        "http://a.example/2",
        "http://a.example/3",
    ];
    frontier.add(seeds(urls)).await.unwrap();
    let first = lease(&*frontier, START).await;
    let second = lease(&*frontier, START).await;
    assert_eq!(frontier.claim(START).await.unwrap(), Claim::AllLeased);
    settle(&*frontier, first, Outcome::Saved).await;
    let third = lease(&*frontier, START).await;
    assert_eq!(frontier.claim(START).await.unwrap(), Claim::AllLeased);
    settle(&*frontier, second, Outcome::Saved).await;
    assert_eq!(frontier.claim(START).await.unwrap(), Claim::AllLeased);
    settle(&*frontier, third, Outcome::Saved).await;
    assert_eq!(frontier.claim(START).await.unwrap(), Claim::Empty);
}

pub(super) async fn a_busy_host_does_not_hold_up_others(backend: &dyn Backend) {
    let frontier = backend.open();
    let urls = [
        "http://a.example/1",
        "http://a.example/2",
        "http://b.example/1",
    ];
    frontier.add(seeds(urls)).await.unwrap();
    assert_eq!(lease(&*frontier, START).await.host, "a.example");
    assert_eq!(lease(&*frontier, START).await.host, "b.example");
    assert_eq!(frontier.claim(START).await.unwrap(), Claim::AllLeased);
}

pub(super) async fn a_backed_off_host_is_left_alone(backend: &dyn Backend) {
    let frontier = backend.open();
    frontier.add(seeds(["http://a.example/1"])).await.unwrap();
    let rules = HostRules {
        not_before: Some(at(60_000)),
        ..HostRules::default()
    };
    frontier.host_rules("a.example", rules).await.unwrap();
    let claim = frontier.claim(START).await.unwrap();
    assert_eq!(claim, Claim::NotBefore(at(60_000)));
    let view = frontier.hosts(1).await.unwrap();
    assert_eq!(view[0].backed_off, Some(at(60_000)));
    lease(&*frontier, at(60_000)).await;
    assert_eq!(frontier.hosts(1).await.unwrap()[0].backed_off, None);
}

pub(super) async fn a_blocked_host_keeps_its_queue(backend: &dyn Backend) {
    let frontier = backend.open();
    let urls = ["http://a.example/1", "http://b.example/1"];
    frontier.add(seeds(urls)).await.unwrap();
    let rules = HostRules {
        blocked: Some("the user said so".into()),
        ..impolite()
    };
    frontier.host_rules("a.example", rules).await.unwrap();
    let other = lease(&*frontier, START).await;
    assert_eq!(other.host, "b.example");
    assert_eq!(frontier.claim(START).await.unwrap(), Claim::AllLeased);
    settle(&*frontier, other, Outcome::Saved).await;
    assert_eq!(frontier.claim(START).await.unwrap(), Claim::AllBlocked);
    let view = frontier.hosts(1).await.unwrap();
    assert_eq!(view[0].blocked.as_deref(), Some("the user said so"));
    frontier.host_rules("a.example", impolite()).await.unwrap();
    assert_eq!(lease(&*frontier, START).await.host, "a.example");
}

pub(super) async fn rules_may_change_while_leases_are_out(backend: &dyn Backend) {
    let frontier = backend.open();
    frontier.host_rules("a.example", impolite()).await.unwrap();
    let urls = [
        "http://a.example/1",
        "http://a.example/2",
        "http://a.example/3",
    ];
    frontier.add(seeds(urls)).await.unwrap();
    let first = lease(&*frontier, START).await;
    let second = lease(&*frontier, START).await;
    let rules = HostRules::every(Duration::from_millis(100));
    frontier.host_rules("a.example", rules).await.unwrap();
    settle(&*frontier, first, Outcome::Saved).await;
    assert_eq!(frontier.claim(at(500)).await.unwrap(), Claim::AllLeased);
    settle(&*frontier, second, Outcome::Saved).await;
    lease(&*frontier, at(500)).await;
}

pub(super) async fn a_clock_set_back_parks_nobody(backend: &dyn Backend) {
    let frontier = backend.open();
    let rules = HostRules::every(Duration::from_millis(1_000));
    frontier.host_rules("a.example", rules).await.unwrap();
    let both = ["http://a.example/1", "http://a.example/2"];
    frontier.add(seeds(both)).await.unwrap();
    let hour = 3_600_000;
    let first = lease(&*frontier, at(hour)).await;
    settle(&*frontier, first, Outcome::Saved).await;
    let Claim::NotBefore(moment) = frontier.claim(at(0)).await.unwrap() else {
        panic!("too early");
    };
    assert!(moment > at(0) && moment <= at(1_000), "{moment:?}");
    lease(&*frontier, moment).await;
}
