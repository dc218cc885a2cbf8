//! No lost wake-ups: a host must not be parked while it has work, whatever order things come in.

use crate::setup::{Embedded, START, impolite, lease, link, seeds, wait};
use varve_crawl::frontier::{Claim, EmbeddedFrontier, Frontier, Lease, Outcome};

/// What may happen at the same time, after a host's only target was leased.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Step {
    SettleLast,
    AddLink,
    Claim,
}

fn url(round: usize, page: &str) -> String {
    format!("http://h{round}.example/{page}")
}

/// Sends all steps before any of them is answered, in this order.
async fn run(frontier: &EmbeddedFrontier, round: usize, order: [Step; 3]) {
    frontier.add(seeds([&url(round, "last")])).await.unwrap();
    let mut last = Some(lease(frontier, START).await);
    let (mut settled, mut added, mut claimed) = (None, None, None);
    for step in order {
        match step {
            Step::SettleLast => {
                let last = last.take().unwrap();
                settled = Some(frontier.settle(last, Outcome::Saved, Vec::new()));
            }
            Step::AddLink => added = Some(frontier.add(vec![link(&url(round, "link"), 1)])),
            Step::Claim => claimed = Some(frontier.claim(START)),
        }
    }
    settled.unwrap().await.unwrap();
    assert_eq!(added.unwrap().await.unwrap().new, 1);
    let link = match claimed.unwrap().await.unwrap() {
        Claim::Lease(lease) => lease,
        Claim::AllLeased | Claim::Empty => lease(frontier, START).await,
        other => panic!("{order:?}: {other:?}"),
    };
    assert_eq!(link.target.url.as_str(), url(round, "link"), "{order:?}");
    let done = frontier.settle(link, Outcome::Saved, Vec::new());
    done.await.unwrap();
    assert_eq!(
        frontier.claim(START).await.unwrap(),
        Claim::Empty,
        "{order:?}"
    );
}

#[test]
fn a_link_added_while_the_last_target_is_settled_is_found() {
    use Step::{AddLink, Claim, SettleLast};
    let embedded = Embedded::new();
    let orders = [
        [SettleLast, AddLink, Claim],
        [SettleLast, Claim, AddLink],
        [AddLink, SettleLast, Claim],
        [AddLink, Claim, SettleLast],
        [Claim, SettleLast, AddLink],
        [Claim, AddLink, SettleLast],
    ];
    wait(async {
        let frontier = embedded.open();
        frontier.default_rules(impolite()).await.unwrap();
        for (round, order) in orders.into_iter().enumerate() {
            run(&frontier, round, order).await;
        }
    });
}

/// All orders in which so many workers can each take two steps.
fn schedules(left: [u8; 3]) -> Vec<Vec<usize>> {
    if left == [0; 3] {
        return vec![Vec::new()];
    }
    let workers = (0..3).filter(|worker| left[*worker] > 0);
    workers
        .flat_map(|worker| {
            let mut rest = left;
            rest[worker] -= 1;
            let tails = schedules(rest).into_iter();
            tails.map(move |tail| [vec![worker], tail].concat())
        })
        .collect()
}

/// Each worker claims, then settles with a link to its own host and one to the other.
async fn follow(frontier: &EmbeddedFrontier, round: usize, schedule: &[usize]) {
    let page = |host: char, name: &str| format!("http://{host}{round}.example/{name}");
    frontier
        .add(seeds([&page('a', "0"), &page('b', "0")]))
        .await
        .unwrap();
    let mut held: [Option<Lease>; 3] = [None, None, None];
    let mut visited = 0;
    for worker in schedule {
        match held[*worker].take() {
            Some(lease) => {
                let depth = lease.target.depth;
                let links = ['a', 'b'].map(|host| link(&page(host, &format!("{worker}")), 1));
                let links = if depth == 0 {
                    links.to_vec()
                } else {
                    Vec::new()
                };
                frontier.settle(lease, Outcome::Saved, links).await.unwrap();
                visited += 1;
            }
            None => {
                if let Claim::Lease(lease) = frontier.claim(START).await.unwrap() {
                    held[*worker] = Some(lease);
                }
            }
        }
    }
    for lease in held.into_iter().flatten() {
        frontier
            .settle(lease, Outcome::Saved, Vec::new())
            .await
            .unwrap();
        visited += 1;
    }
    while let Claim::Lease(lease) = frontier.claim(START).await.unwrap() {
        frontier
            .settle(lease, Outcome::Saved, Vec::new())
            .await
            .unwrap();
        visited += 1;
    }
    let claim = frontier.claim(START).await.unwrap();
    assert_eq!(claim, Claim::Empty, "{schedule:?}: parked with work");
    let counts = frontier.counts().await.unwrap();
    assert_eq!((counts.queued, counts.saved), (0, counts.seen));
    assert!(visited >= 2, "{schedule:?}");
}

#[test]
fn every_order_of_three_workers_ends_with_nothing_left() {
    let embedded = Embedded::new();
    wait(async {
        let frontier = embedded.open();
        frontier.default_rules(impolite()).await.unwrap();
        let schedules = schedules([2, 2, 2]);
        assert_eq!(schedules.len(), 90);
        for (round, schedule) in schedules.iter().enumerate() {
            follow(&frontier, round, schedule).await;
        }
        frontier.check().await.unwrap();
    });
}
