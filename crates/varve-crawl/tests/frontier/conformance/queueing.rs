//! What is queued, and in which order it comes out.

use super::added;
use crate::setup::{Backend, START, at, drain, impolite, key, lease, link, seed, seeds, settle};
use std::time::Duration;
use varve_crawl::frontier::{Claim, Found, HostRules, Outcome, Target};

pub(super) async fn each_url_is_queued_once(backend: &dyn Backend) {
    let frontier = backend.open();
    let some = || seeds(["http://a.example/1", "http://a.example/2"]);
    assert_eq!(frontier.add(some()).await.unwrap(), added(2, 0));
    assert_eq!(frontier.add(some()).await.unwrap(), added(0, 2));
    let twice = seeds(["http://b.example/", "http://b.example/"]);
    assert_eq!(frontier.add(twice).await.unwrap(), added(1, 1));
    // The key decides, not the spelling.
    let other = Target {
        key: key("http://b.example/"),
        ..seed("http://b.example/?utm_source=x")
    };
    assert_eq!(frontier.add(vec![other]).await.unwrap(), added(0, 1));
    assert_eq!(frontier.add(Vec::new()).await.unwrap(), added(0, 0));
    assert_eq!(drain(&*frontier, START).await.len(), 3);
}

pub(super) async fn known_urls_stay_known_whatever_became_of_them(backend: &dyn Backend) {
    let frontier = backend.open();
    frontier.default_rules(impolite()).await.unwrap();
    let urls = [
        "http://a.example/1",
        "http://a.example/2",
        "http://a.example/3",
    ];
    frontier.add(seeds(urls)).await.unwrap();
    let reason = || "a reason".to_owned();
    let failed = Outcome::Failed { reason: reason() };
    let skipped = Outcome::Skipped { reason: reason() };
    for outcome in [Outcome::Saved, failed, skipped] {
        let lease = lease(&*frontier, START).await;
        settle(&*frontier, lease, outcome).await;
    }
    assert_eq!(frontier.add(seeds(urls)).await.unwrap(), added(0, 3));
    assert_eq!(frontier.claim(START).await.unwrap(), Claim::Empty);
}

pub(super) async fn what_cannot_be_visited_is_refused(backend: &dyn Backend) {
    let frontier = backend.open();
    let endless = format!("http://a.example/{}", "x".repeat(70_000));
    let targets = seeds(["data:text/plain,a", "mailto:a@b.example", &endless]);
    let refused = frontier.add(targets).await.unwrap();
    assert_eq!((refused.new, refused.refused), (0, 3));
    assert_eq!(frontier.claim(START).await.unwrap(), Claim::Empty);
}

pub(super) async fn a_target_comes_back_as_it_went_in(backend: &dyn Backend) {
    let frontier = backend.open();
    let target = Target {
        depth: 7,
        hops: 2,
        priority: 200,
        via: Some("https://other.example:8443/ü?q#f".parse().unwrap()),
        found: Found::Redirect,
        tries: 3,
        ..seed("https://other.example:8443/%C3%BC?a=1&b=2#top")
    };
    frontier.add(vec![target.clone()]).await.unwrap();
    let lease = lease(&*frontier, START).await;
    assert_eq!(lease.target, target);
    assert_eq!(lease.host, "other.example:8443");
}

pub(super) async fn within_a_host_by_priority_then_arrival(backend: &dyn Backend) {
    let frontier = backend.open();
    frontier.default_rules(impolite()).await.unwrap();
    let early = vec![link("http://a.example/c", 2), link("http://a.example/a", 2)];
    frontier.add(early).await.unwrap();
    let first = lease(&*frontier, START).await;
    assert_eq!(first.target.url.path(), "/c");
    // Something more urgent arrives while the queue is being read.
    let urgent = vec![link("http://a.example/z", 1), seed("http://a.example/s")];
    frontier.add(urgent).await.unwrap();
    let behind = vec![link("http://a.example/b", 2)];
    frontier.add(behind).await.unwrap();
    let paths: Vec<_> = drain(&*frontier, START).await;
    let expected = ["s", "z", "a", "b"].map(|path| format!("http://a.example/{path}"));
    assert_eq!(paths, expected);
}

pub(super) async fn the_host_due_longest_comes_first(backend: &dyn Backend) {
    let frontier = backend.open();
    let rules = HostRules::every(Duration::from_millis(100));
    frontier.default_rules(rules).await.unwrap();
    let both = ["http://a.example/1", "http://b.example/1"];
    frontier.add(seeds(both)).await.unwrap();
    for millis in [0, 10] {
        let lease = lease(&*frontier, at(millis)).await;
        settle(&*frontier, lease, Outcome::Saved).await;
    }
    let more = ["http://b.example/2", "http://a.example/2"];
    frontier.add(seeds(more)).await.unwrap();
    // One of them was claimed at 0 and the other at 10; both are due now.
    let first = lease(&*frontier, at(500)).await;
    let second = lease(&*frontier, at(500)).await;
    assert_eq!((&*first.host, &*second.host), ("a.example", "b.example"));
}
