//! Peers that fall ill and recover, and those that are slower than usual.

use crate::peers::{
    Peer, aggregator, look_up, missing, ok, options, response, send, timemap, told,
};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use varve_aggregate::{Aggregator, Patience};

/// A peer that answers with errors while it is ill.
async fn sometimes_ill() -> (Peer, Arc<AtomicBool>) {
    let ill = Arc::new(AtomicBool::new(true));
    let state = ill.clone();
    let peer = Peer::start(move |stream, _, _| {
        let answer = match state.load(Ordering::SeqCst) {
            true => response("503 Ill", "", ""),
            false => ok(&timemap("one", &[2010])),
        };
        send(stream, answer)
    })
    .await;
    (peer, ill)
}

#[tokio::test]
async fn a_peer_that_fails_is_left_alone_and_comes_back() {
    let (peer, ill) = sometimes_ill().await;
    let mut options = options(vec![peer.archive("one")]);
    options.patience = Patience {
        tolerance: Some(2),
        dormant: Duration::from_millis(1_600),
    };
    let aggregator = Aggregator::new(options).unwrap();
    for _ in 0..2 {
        assert_eq!(missing(&look_up(&aggregator).await), ["one=status.503"]);
    }
    for _ in 0..5 {
        assert_eq!(missing(&look_up(&aggregator).await), ["one=dormant"]);
    }
    assert_eq!(peer.asked(), 2);
    assert!(aggregator.peers()[0].dormant);
    ill.store(false, Ordering::SeqCst);
    while missing(&look_up(&aggregator).await) == ["one=dormant"] {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert_eq!(told(&look_up(&aggregator).await), ["one 2010"]);
    assert!(!aggregator.peers()[0].dormant);
}

#[tokio::test]
async fn without_tolerance_set_nobody_is_left_alone() {
    let (peer, _) = sometimes_ill().await;
    let mut options = options(vec![peer.archive("one")]);
    options.patience.tolerance = None;
    let aggregator = Aggregator::new(options).unwrap();
    for _ in 0..20 {
        assert_eq!(missing(&look_up(&aggregator).await), ["one=status.503"]);
    }
    assert_eq!(peer.asked(), 20);
}

#[tokio::test]
async fn a_request_that_takes_unusually_long_is_sent_again() {
    // Every request is answered at once, but for one.
    let peer = Peer::start(|stream, _, number| async move {
        if number == 20 {
            tokio::time::sleep(Duration::from_secs(60)).await;
        }
        send(stream, ok(&timemap("one", &[2010]))).await;
    })
    .await;
    let aggregator = aggregator(&[("one", &peer)]);
    for _ in 0..21 {
        let answer = look_up(&aggregator).await;
        assert_eq!(
            (told(&answer), missing(&answer)),
            (vec!["one 2010".to_owned()], vec![])
        );
    }
    let counts = &aggregator.peers()[0].counts;
    assert!(counts.hedged >= 1 && counts.hedges_won >= 1, "{counts:?}");
    assert_eq!((counts.asked, counts.hits), (21, 21));
}
