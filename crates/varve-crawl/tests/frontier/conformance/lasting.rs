//! What outlives the process.

use super::added;
use crate::setup::{Backend, START, at, drain, impolite, lease, link, seeds, settle};
use std::time::Duration;
use varve_crawl::frontier::{Claim, FrontierError, HostRules, Outcome};

pub(super) async fn notes_are_kept(backend: &dyn Backend) {
    let frontier = backend.open();
    assert_eq!(frontier.note("crawl").await.unwrap(), None);
    frontier.set_note("crawl", "20261115-a").await.unwrap();
    frontier.set_note("crawl", "20261115-b").await.unwrap();
    frontier.set_note("", "ä").await.unwrap();
    drop(frontier);
    let frontier = backend.open();
    let note = frontier.note("crawl").await.unwrap();
    assert_eq!(note.as_deref(), Some("20261115-b"));
    assert_eq!(frontier.note("").await.unwrap().as_deref(), Some("ä"));
}

pub(super) async fn everything_survives_reopening(backend: &dyn Backend) {
    let frontier = backend.open();
    frontier.default_rules(impolite()).await.unwrap();
    let urls: Vec<_> = (0..300)
        .map(|number| format!("http://a.example/{number:03}"))
        .collect();
    let target = |url: &String| link(url, if url.ends_with('7') { 1 } else { 2 });
    frontier
        .add(urls.iter().map(target).collect())
        .await
        .unwrap();
    let mut order = Vec::new();
    for _ in 0..50 {
        let lease = lease(&*frontier, START).await;
        order.push(lease.target.url.to_string());
        settle(&*frontier, lease, Outcome::Saved).await;
    }
    drop(frontier);
    let frontier = backend.open();
    let known = frontier
        .add(urls.iter().map(target).collect())
        .await
        .unwrap();
    assert_eq!(known, added(0, 300));
    order.extend(drain(&*frontier, START).await);
    let mut expected = urls;
    expected.sort_by_key(|url| !url.ends_with('7'));
    assert_eq!(order, expected);
}

pub(super) async fn leases_are_queued_again_after_reopening(backend: &dyn Backend) {
    let frontier = backend.open();
    frontier.default_rules(impolite()).await.unwrap();
    let both = ["http://a.example/1", "http://a.example/2"];
    frontier.add(seeds(both)).await.unwrap();
    let (old, _) = (
        lease(&*frontier, START).await,
        lease(&*frontier, START).await,
    );
    drop(frontier);
    let frontier = backend.open();
    let again = lease(&*frontier, START).await;
    assert_eq!(again.target.url.path(), "/1");
    // The lease of the process before is worth nothing.
    let settled = frontier.settle(old, Outcome::Saved, Vec::new()).await;
    assert!(matches!(settled, Err(FrontierError::NotLeased(_))));
    assert_eq!(frontier.counts().await.unwrap().leased, 1);
}

pub(super) async fn politeness_survives_reopening(backend: &dyn Backend) {
    let frontier = backend.open();
    let rules = HostRules::every(Duration::from_millis(5_000));
    frontier.host_rules("a.example", rules).await.unwrap();
    let both = ["http://a.example/1", "http://a.example/2"];
    frontier.add(seeds(both)).await.unwrap();
    lease(&*frontier, at(0)).await;
    drop(frontier);
    let frontier = backend.open();
    let claim = frontier.claim(at(4_999)).await.unwrap();
    assert_eq!(claim, Claim::NotBefore(at(5_000)));
    lease(&*frontier, at(5_000)).await;
}
