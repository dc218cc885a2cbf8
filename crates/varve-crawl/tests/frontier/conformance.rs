//! What every backend promises. A backend is opened fresh for each case, and each case reads like
//! an example of use.

use crate::setup::{
    Backend, START, at, drain, impolite, key, lease, link, seed, seeds, settle, wait,
};
use std::pin::Pin;
use std::time::Duration;
use varve_crawl::frontier::{
    Added, Claim, Counts, Found, FrontierError, HostRules, Lease, LeaseId, Outcome, State, Target,
    Whose,
};

/// One case: a name, and what is to be done with a backend nobody has used.
pub(crate) type Case = (&'static str, fn(&dyn Backend) -> Course<'_>);
type Course<'a> = Pin<Box<dyn Future<Output = ()> + 'a>>;

macro_rules! cases {
    ($($name:ident),* $(,)?) => {
        /// All cases.
        pub(crate) const CASES: &[Case] = &[$((stringify!($name), |backend| Box::pin($name(backend)))),*];
    };
}

cases![
    each_url_is_queued_once,
    known_urls_stay_known_whatever_became_of_them,
    what_cannot_be_visited_is_refused,
    a_target_comes_back_as_it_went_in,
    within_a_host_by_priority_then_arrival,
    the_host_due_longest_comes_first,
    a_host_rests_between_the_starts_of_two_visits,
    a_host_has_bounded_visits_in_flight,
    a_busy_host_does_not_hold_up_others,
    a_backed_off_host_is_left_alone,
    a_blocked_host_keeps_its_queue,
    rules_may_change_while_leases_are_out,
    outcomes_are_told,
    links_come_with_the_outcome,
    again_means_later_and_once_more,
    a_released_target_keeps_its_place,
    a_lease_is_settled_once,
    unwanted_targets_are_dropped,
    dropping_spares_leased_targets,
    numbers_add_up,
    the_largest_hosts_are_shown_first,
    notes_are_kept,
    everything_survives_reopening,
    leases_are_queued_again_after_reopening,
    politeness_survives_reopening,
    a_clock_set_back_parks_nobody,
];

/// Runs all cases.
pub(crate) fn conforms<B: Backend>(fresh: impl Fn() -> B) {
    for (name, case) in CASES {
        println!("{name}");
        wait(case(&fresh()));
    }
}

fn added(new: u64, known: u64) -> Added {
    Added {
        new,
        known,
        refused: 0,
    }
}

async fn each_url_is_queued_once(backend: &dyn Backend) {
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

async fn known_urls_stay_known_whatever_became_of_them(backend: &dyn Backend) {
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

async fn what_cannot_be_visited_is_refused(backend: &dyn Backend) {
    let frontier = backend.open();
    let endless = format!("http://a.example/{}", "x".repeat(70_000));
    let targets = seeds(["data:text/plain,a", "mailto:a@b.example", &endless]);
    let refused = frontier.add(targets).await.unwrap();
    assert_eq!((refused.new, refused.refused), (0, 3));
    assert_eq!(frontier.claim(START).await.unwrap(), Claim::Empty);
}

async fn a_target_comes_back_as_it_went_in(backend: &dyn Backend) {
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

async fn within_a_host_by_priority_then_arrival(backend: &dyn Backend) {
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

async fn the_host_due_longest_comes_first(backend: &dyn Backend) {
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

async fn a_host_rests_between_the_starts_of_two_visits(backend: &dyn Backend) {
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

async fn a_host_has_bounded_visits_in_flight(backend: &dyn Backend) {
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

async fn a_busy_host_does_not_hold_up_others(backend: &dyn Backend) {
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

async fn a_backed_off_host_is_left_alone(backend: &dyn Backend) {
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

async fn a_blocked_host_keeps_its_queue(backend: &dyn Backend) {
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

async fn rules_may_change_while_leases_are_out(backend: &dyn Backend) {
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

async fn outcomes_are_told(backend: &dyn Backend) {
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

async fn links_come_with_the_outcome(backend: &dyn Backend) {
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

async fn again_means_later_and_once_more(backend: &dyn Backend) {
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

async fn a_released_target_keeps_its_place(backend: &dyn Backend) {
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

async fn a_lease_is_settled_once(backend: &dyn Backend) {
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

async fn unwanted_targets_are_dropped(backend: &dyn Backend) {
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

async fn dropping_spares_leased_targets(backend: &dyn Backend) {
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

async fn numbers_add_up(backend: &dyn Backend) {
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

async fn the_largest_hosts_are_shown_first(backend: &dyn Backend) {
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

async fn notes_are_kept(backend: &dyn Backend) {
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

async fn everything_survives_reopening(backend: &dyn Backend) {
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

async fn leases_are_queued_again_after_reopening(backend: &dyn Backend) {
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

async fn politeness_survives_reopening(backend: &dyn Backend) {
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

async fn a_clock_set_back_parks_nobody(backend: &dyn Backend) {
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
