//! Many look-ups at once, while some peers hang.

use crate::peers::{Peer, options};
use crate::serving::ask;
use std::sync::Arc;
use std::time::{Duration, Instant};
use varve_aggregate::{Aggregator, Original, Question, Server, ServerOptions};

/// The clock stands still while there is anything to do, so that what is measured is waiting alone.
#[tokio::test(start_paused = true)]
async fn a_thousand_answers_have_time_left_to_be_sent() {
    const LOOKUPS: u32 = 1_000;
    let peers = [Peer::hanging().await, Peer::hanging().await];
    let archives = ["a", "b"].iter().zip(&peers);
    let mut options = options(archives.map(|(id, peer)| peer.archive(id)).collect());
    options.deadline = Duration::from_secs(10);
    options.connect_time = options.deadline * 2;
    options.header_time = options.deadline * 2;
    let aggregator = Arc::new(Aggregator::new(options).unwrap());
    let began = tokio::time::Instant::now();
    let asking = (0..LOOKUPS).map(|number| {
        let aggregator = aggregator.clone();
        tokio::spawn(async move {
            let original = Original::parse(&format!("http://www{number}.a.example/")).unwrap();
            let answer = aggregator.look_up(&original, Question::TimeMap).await;
            (answer.unwrap().missing.len(), began.elapsed())
        })
    });
    let mut ends = Vec::new();
    for asked in asking.collect::<Vec<_>>() {
        let (missing, took) = asked.await.unwrap();
        assert_eq!(missing, 2);
        assert!(took <= Duration::from_secs(9), "{took:?}");
        ends.push(took);
    }
    let first = ends.iter().min().unwrap();
    assert!(
        *first <= Duration::from_millis(8_100),
        "all at once: {first:?}"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_answer_comes_in_time_while_two_of_six_peers_hang() {
    const LOOKUPS: usize = 200;
    let mut archives = Vec::new();
    for number in 0..6_u32 {
        let peer = match number {
            0 | 1 => Peer::hanging().await,
            _ => Peer::with(&format!("p{number}"), &[2010 + number]).await,
        };
        archives.push(peer.archive(&format!("p{number}")));
    }
    let mut options = options(archives);
    options.deadline = Duration::from_secs(4);
    let deadline = options.deadline;
    let aggregator = Arc::new(Aggregator::new(options).unwrap());
    let at = ServerOptions::new("127.0.0.1:0".parse().unwrap());
    let server = Server::start(aggregator.clone(), at).await.unwrap();
    let address = server.address();
    let asking = (0..LOOKUPS).map(|number| {
        tokio::spawn(async move {
            let began = Instant::now();
            // Spellings of one URL that archives take for the same, and the aggregator does not.
            let path = format!("/timemap/link/http://www{number}.a.example/");
            let answer = ask(address, &format!("GET {path}"), "").await;
            (answer, began.elapsed())
        })
    });
    for asked in asking.collect::<Vec<_>>() {
        let (answer, took) = asked.await.unwrap();
        assert!(answer.contains("x-memento-count: 4\r\n"), "{answer}");
        assert!(answer.contains("x-archives-missing: p0="), "{answer}");
        // A busy machine gets some more.
        assert!(took < deadline * 3, "{took:?}");
    }
    let counts = aggregator.peers();
    assert!(
        counts[0].counts.asked <= 64,
        "a peer that hangs is not asked by all: {:?}",
        counts[0].counts
    );
    assert_eq!(counts[5].counts.hits, LOOKUPS as u64);
}
