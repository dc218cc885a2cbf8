//! How visits end.

use super::added;
use crate::setup::{Backend, START, at, drain, impolite, key, lease, link, seed, seeds, settle};
use varve_crawl::frontier::{Claim, FrontierError, Lease, LeaseId, Outcome, State};

pub(super) async fn outcomes_are_told(backend: &dyn Backend) {
    let frontier = backend.open();
    let one = key("http://a.example/1");
    assert_eq!(frontier.state_of(one).await.unwrap(), None);
    frontier.add(seeds(["http://a.example/1"])).await.unwrap();
    assert_eq!(frontier.state_of(one).await.unwrap(), Some(State::Queued));
    let first = lease(&*frontier, START).await;
    assert_eq!(frontier.state_of(one).await.unwrap(), Some(State::Leased));
    settle(&*frontier, first, Outcome::Released).await;
    assert_eq!(frontier.state_of(one).await.unwrap(), Some(State::Queued));
    let reason = || "timeout.body".to_owned();
    let second = lease(&*frontier, at(5_000)).await;
    settle(&*frontier, second, Outcome::Failed { reason: reason() }).await;
    let expected = Some(State::Failed { reason: reason() });
    assert_eq!(frontier.state_of(one).await.unwrap(), expected);
}

pub(super) async fn links_come_with_the_outcome(backend: &dyn Backend) {
    let frontier = backend.open();
    frontier.default_rules(impolite()).await.unwrap();
    frontier.add(seeds(["http://a.example/"])).await.unwrap();
    let page = lease(&*frontier, START).await;
    let links = vec![
        link("http://a.example/", 1),
        link("http://a.example/b", 1),
        link("http://c.example/", 1),
        link("http://a.example/b", 1),
    ];
    let brought = frontier.settle(page, Outcome::Saved, links).await.unwrap();
    assert_eq!(brought, added(2, 2));
    let urls = drain(&*frontier, START).await;
    assert_eq!(urls, ["http://a.example/b", "http://c.example/"]);
}

pub(super) async fn again_means_later_and_once_more(backend: &dyn Backend) {
    let frontier = backend.open();
    frontier.default_rules(impolite()).await.unwrap();
    let both = ["http://a.example/1", "http://a.example/2"];
    frontier.add(seeds(both)).await.unwrap();
    let first = lease(&*frontier, START).await;
    let again = Outcome::Again {
        not_before: at(1_000),
        reason: "http.503".into(),
    };
    settle(&*frontier, first, again).await;
    let one = key("http://a.example/1");
    assert_eq!(frontier.state_of(one).await.unwrap(), Some(State::Queued));
    assert_eq!(frontier.counts().await.unwrap().queued, 2);
    let second = lease(&*frontier, START).await;
    assert_eq!(second.target.url.path(), "/2");
    settle(&*frontier, second, Outcome::Saved).await;
    let claim = frontier.claim(at(999)).await.unwrap();
    assert_eq!(claim, Claim::NotBefore(at(1_000)));
    let retried = lease(&*frontier, at(1_000)).await;
    assert_eq!((retried.target.key, retried.target.tries), (one, 1));
}

pub(super) async fn a_released_target_keeps_its_place(backend: &dyn Backend) {
    let frontier = backend.open();
    frontier.default_rules(impolite()).await.unwrap();
    let urls = [
        "http://a.example/1",
        "http://a.example/2",
        "http://a.example/3",
    ];
    frontier.add(seeds(urls)).await.unwrap();
    let first = lease(&*frontier, START).await;
    let second = lease(&*frontier, START).await;
    settle(&*frontier, first, Outcome::Released).await;
    let again = lease(&*frontier, START).await;
    assert_eq!((again.target.url.path(), again.target.tries), ("/1", 0));
    settle(&*frontier, second, Outcome::Released).await;
    settle(&*frontier, again, Outcome::Released).await;
    assert_eq!(drain(&*frontier, START).await, urls);
}

pub(super) async fn a_lease_is_settled_once(backend: &dyn Backend) {
    let frontier = backend.open();
    frontier.add(seeds(["http://a.example/1"])).await.unwrap();
    let first = lease(&*frontier, START).await;
    let copy = |id: LeaseId| Lease {
        id,
        target: seed("http://a.example/1"),
        host: "a.example".into(),
    };
    let id = first.id;
    settle(&*frontier, first, Outcome::Saved).await;
    let links = vec![link("http://a.example/2", 1)];
    let twice = frontier.settle(copy(id), Outcome::Saved, links).await;
    assert!(matches!(twice, Err(FrontierError::NotLeased(_))));
    let invented = frontier.settle(copy(LeaseId(7)), Outcome::Saved, Vec::new());
    assert!(matches!(invented.await, Err(FrontierError::NotLeased(_))));
    // Nothing was counted twice, and work goes on.
    let counts = frontier.counts().await.unwrap();
    assert_eq!((counts.saved, counts.seen), (1, 1));
}
