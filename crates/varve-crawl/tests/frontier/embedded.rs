//! What the embedded frontier promises besides.

use crate::conformance::conforms;
use crate::setup::{Embedded, START, impolite, lease, link, seed, seeds, wait};
use varve_crawl::frontier::{Claim, EmbeddedFrontier, Frontier, FrontierError, Outcome, Whose};

#[test]
fn the_embedded_frontier_conforms() {
    conforms(Embedded::new);
}

#[test]
fn one_process_at_a_time() {
    let embedded = Embedded::new();
    let first = embedded.open();
    let second = EmbeddedFrontier::open(&embedded.dir());
    assert!(matches!(second, Err(FrontierError::InUse { .. })));
    drop(first);
    embedded.open();
}

#[test]
fn a_place_that_is_no_directory_is_an_error() {
    let embedded = Embedded::new();
    std::fs::create_dir_all(embedded.dir().parent().unwrap()).unwrap();
    std::fs::write(embedded.dir(), "a file").unwrap();
    let opened = EmbeddedFrontier::open(&embedded.dir());
    let error = opened.err().unwrap();
    assert!(matches!(&error, FrontierError::Disk { .. }), "{error}");
    assert!(!error.is_disk_full());
}

#[test]
fn a_claim_that_nobody_waits_for_is_given_back() {
    let embedded = Embedded::new();
    wait(async {
        let frontier = embedded.open();
        frontier.default_rules(impolite()).await.unwrap();
        frontier.add(seeds(["http://a.example/"])).await.unwrap();
        drop(frontier.claim(START));
        let again = lease(&frontier, START).await;
        assert_eq!(again.target.url.as_str(), "http://a.example/");
    });
}

#[test]
fn a_settle_that_nobody_waits_for_is_done() {
    let embedded = Embedded::new();
    wait(async {
        let frontier = embedded.open();
        frontier.add(seeds(["http://a.example/"])).await.unwrap();
        let first = lease(&frontier, START).await;
        drop(frontier.settle(first, Outcome::Saved, vec![link("http://b.example/", 1)]));
        drop(frontier);
        let counts = embedded.open().counts().await.unwrap();
        assert_eq!((counts.saved, counts.queued), (1, 1));
    });
}

#[test]
fn a_long_queue_is_read_once_and_in_order() {
    let embedded = Embedded::new();
    wait(async {
        let frontier = embedded.open();
        frontier.default_rules(impolite()).await.unwrap();
        let url = |number: u32| format!("http://a.example/{number:05}");
        let targets = (0..5_000).map(|number| seed(&url(number)));
        frontier.add(targets.collect()).await.unwrap();
        let mut settled = Vec::new();
        for number in 0..5_000 {
            let lease = lease(&frontier, START).await;
            assert_eq!(lease.target.url.as_str(), url(number));
            settled.push(frontier.settle(lease, Outcome::Saved, Vec::new()));
        }
        for answer in settled {
            answer.await.unwrap();
        }
        assert_eq!(frontier.claim(START).await.unwrap(), Claim::Empty);
        frontier.check().await.unwrap();
    });
}

#[test]
fn claims_go_on_while_targets_are_dropped() {
    let embedded = Embedded::new();
    wait(async {
        let frontier = embedded.open();
        frontier.default_rules(impolite()).await.unwrap();
        let url = |number: u32| format!("http://h{}.example/{number:05}", number % 7);
        let targets = (0..10_000).map(|number| seed(&url(number)));
        frontier.add(targets.collect()).await.unwrap();
        let dropping = frontier.drop_matching(Whose::Everyone, Box::new(|_| true), "x");
        let mut claimed = Vec::new();
        while let Claim::Lease(lease) = frontier.claim(START).await.unwrap() {
            claimed.push(lease);
        }
        let dropped = dropping.await.unwrap();
        assert_eq!(dropped + claimed.len() as u64, 10_000);
        for lease in claimed {
            frontier
                .settle(lease, Outcome::Saved, Vec::new())
                .await
                .unwrap();
        }
        frontier.check().await.unwrap();
        assert_eq!(frontier.claim(START).await.unwrap(), Claim::Empty);
    });
}

#[test]
fn any_number_of_questions_may_wait() {
    let embedded = Embedded::new();
    wait(async {
        let frontier = embedded.open();
        let url = |number: u32| format!("http://a.example/{number}");
        let answers: Vec<_> = (0..5_000)
            .map(|number| frontier.add(seeds([&url(number)])))
            .collect();
        for answer in answers {
            assert_eq!(answer.await.unwrap().new, 1);
        }
    });
}
