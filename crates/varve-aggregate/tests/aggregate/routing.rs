//! Who is asked, and who is not.

use crate::peers::{
    Peer, URL, look_up, missing, not_found, ok, options, path, response, send, timemap, told,
};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use varve_aggregate::{Aggregator, Answer, Original, Question};

async fn look(aggregator: &Aggregator, url: &str) -> Arc<Answer> {
    let original = Original::parse(url).unwrap();
    aggregator
        .look_up(&original, Question::TimeMap)
        .await
        .unwrap()
}

#[tokio::test]
async fn maps_in_files_say_who_is_asked() {
    let (one, two) = (
        Peer::with("one", &[2010]).await,
        Peer::with("two", &[2011]).await,
    );
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("two.ukvs"), "!context []\nexample,b)/* 3\n").unwrap();
    let mut options = options(vec![one.archive("one"), two.archive("two")]);
    options.maps.dir = Some(dir.path().to_owned());
    let aggregator = Aggregator::new(options).unwrap();
    assert!(aggregator.read_maps().is_empty());
    let answer = look(&aggregator, URL).await;
    assert_eq!(
        (told(&answer), answer.asked, answer.skipped_by_map),
        (vec!["one 2010".to_owned()], 1, 1)
    );
    assert!(
        answer.missing.is_empty(),
        "who cannot have it is not missing"
    );
    assert_eq!((one.asked(), two.asked()), (1, 0));
    let facts = aggregator.peers();
    assert_eq!(
        (facts[1].counts.skipped_by_map, facts[1].map_lines),
        (1, Some(1))
    );
}

#[tokio::test]
async fn a_map_that_cannot_be_read_excludes_nothing() {
    let one = Peer::with("one", &[2010]).await;
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("one.ukvs"), "com,a) 1\nnonsense\n").unwrap();
    let mut options = options(vec![one.archive("one")]);
    options.maps.dir = Some(dir.path().to_owned());
    let aggregator = Aggregator::new(options).unwrap();
    let errors = aggregator.read_maps();
    let words = errors[0].to_string();
    assert!(words.contains("one.ukvs, line 2: no key"), "{words}");
    assert_eq!(told(&look(&aggregator, URL).await), ["one 2010"]);
}

/// A peer with a map at this path, which asks whether it has changed.
async fn with_map(
    place: &'static str,
    map: &'static str,
    link: &'static str,
) -> (Peer, Arc<AtomicUsize>) {
    let same = Arc::new(AtomicUsize::new(0));
    let count = same.clone();
    let peer = Peer::start(move |stream, head, _| {
        let answer = if path(&head) == place {
            match head.contains("If-None-Match: \"v1\"") {
                true => {
                    count.fetch_add(1, Ordering::SeqCst);
                    response("304 Not Modified", "", "")
                }
                false => response("200 OK", "ETag: \"v1\"\r\n", map),
            }
        } else if path(&head).starts_with("/timemap/") {
            response("200 OK", link, &timemap("one", &[2010]))
        } else {
            not_found()
        };
        send(stream, answer)
    })
    .await;
    (peer, same)
}

/// Waits until something is so, which it will be soon.
async fn until(is: impl Fn() -> bool) {
    for _ in 0..500 {
        if is() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    panic!("it never came to be");
}

fn fetching(peer: &Peer, refresh: u64) -> Aggregator {
    let mut options = options(vec![peer.archive("one")]);
    options.maps.fetch = true;
    options.maps.refresh = Duration::from_millis(refresh);
    Aggregator::new(options).unwrap()
}

#[tokio::test]
async fn maps_are_fetched_from_where_all_publish_them_and_asked_for_again() {
    let (peer, same) = with_map("/.well-known/mementomap", "example,a) 1\n", "").await;
    let aggregator = fetching(&peer, 30);
    let _keepers = aggregator.keep_maps();
    until(|| aggregator.peers()[0].map_lines == Some(1)).await;
    until(|| same.load(Ordering::SeqCst) >= 2).await;
    assert_eq!(aggregator.peers()[0].map_lines, Some(1), "it is as it was");
    assert_eq!(told(&look(&aggregator, URL).await), ["one 2010"]);
    assert_eq!(
        look(&aggregator, "http://b.example/").await.skipped_by_map,
        1
    );
}

#[tokio::test]
async fn maps_are_fetched_from_where_a_link_says() {
    let link = "Link: </maps/all>; rel=\"mementomap\"\r\n";
    let (peer, _) = with_map("/maps/all", "example,a) 1\nexample,c) 1\n", link).await;
    let aggregator = fetching(&peer, 60_000);
    let _keepers = aggregator.keep_maps();
    assert_eq!(told(&look(&aggregator, URL).await), ["one 2010"]);
    until(|| aggregator.peers()[0].map_lines == Some(2)).await;
}

#[tokio::test]
async fn only_the_archive_itself_says_where_its_map_is() {
    let link = "Link: <http://localhost:1/map>; rel=\"mementomap\"\r\n";
    let (peer, _) = with_map("/.well-known/mementomap", "example,a) 1\n", link).await;
    let aggregator = fetching(&peer, 30);
    let _keepers = aggregator.keep_maps();
    look(&aggregator, URL).await;
    until(|| aggregator.peers()[0].map_lines == Some(1)).await;
    tokio::time::sleep(Duration::from_millis(100)).await;
    assert_eq!(aggregator.peers()[0].map_trouble, None);
}

#[tokio::test]
async fn maps_in_pages_are_put_together_and_a_part_is_no_map() {
    let check = |last: &'static str, expected: Option<usize>| async move {
        let peer = Peer::start(move |stream, head, _| {
            let next = "Link: </.well-known/mementomap?page=2>; rel=\"next\"\r\n";
            let answer = match path(&head) {
                "/.well-known/mementomap" => response("200 OK", next, "!id {}\nexample,a) 1"),
                _ => last.to_owned(),
            };
            send(stream, answer)
        })
        .await;
        let aggregator = fetching(&peer, 60_000);
        let _keepers = aggregator.keep_maps();
        until(|| peer.asked() >= 2).await;
        until(|| {
            let facts = &aggregator.peers()[0];
            facts.map_lines == expected && (expected.is_some() || facts.map_trouble.is_some())
        })
        .await;
    };
    check(
        "HTTP/1.1 200 OK\r\nContent-Length: 13\r\nConnection: close\r\n\r\nexample,b) 1\n",
        Some(2),
    )
    .await;
    check(
        "HTTP/1.1 500 Oh\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
        None,
    )
    .await;
    check(
        "HTTP/1.1 200 OK\r\nContent-Length: 99\r\nConnection: close\r\n\r\nexample,b) 1\n",
        None,
    )
    .await;
}

#[tokio::test]
async fn a_map_that_is_being_made_is_asked_for_again_when_it_may_be_there() {
    let peer = Peer::start(|stream, _, number| {
        let answer = match number {
            0 => response("503 Not Ready", "Retry-After: 1\r\n", "being made"),
            _ => ok("example,a) 1\n"),
        };
        send(stream, answer)
    })
    .await;
    let aggregator = fetching(&peer, 3_600_000);
    let _keepers = aggregator.keep_maps();
    until(|| aggregator.peers()[0].map_lines == Some(1)).await;
}

#[tokio::test]
async fn archives_without_a_map_are_asked() {
    let peer = Peer::start(|stream, head, _| {
        let answer = match path(&head).starts_with("/timemap/") {
            true => ok(&timemap("one", &[2010])),
            false => not_found(),
        };
        send(stream, answer)
    })
    .await;
    let aggregator = fetching(&peer, 60_000);
    let _keepers = aggregator.keep_maps();
    until(|| peer.asked() == 1).await;
    assert_eq!(told(&look(&aggregator, URL).await), ["one 2010"]);
    assert_eq!(aggregator.peers()[0].map_trouble, None);
}

#[tokio::test]
async fn the_most_promising_are_asked_and_dormant_ones_do_not_count() {
    let peers = [
        Peer::with("a", &[2010]).await,
        Peer::with("b", &[2011]).await,
        Peer::with("c", &[2012]).await,
    ];
    let mut archives: Vec<_> = ["a", "b", "c"]
        .iter()
        .zip(&peers)
        .map(|(id, peer)| peer.archive(id))
        .collect();
    archives[1].probability = Some(0.9);
    archives[2].probability = Some(0.7);
    let mut options = options(archives);
    options.topk = Some(2);
    let aggregator = Aggregator::new(options).unwrap();
    let answer = look_up(&aggregator).await;
    assert_eq!(
        (told(&answer), answer.asked),
        (vec!["b 2011".to_owned(), "c 2012".to_owned()], 2)
    );
    assert!(missing(&answer).is_empty());
    assert_eq!(aggregator.peers()[0].counts.left_out, 1);
}

#[tokio::test]
async fn who_never_has_anything_promises_less() {
    let nothing = Peer::answering(not_found()).await;
    let something = Peer::with("b", &[2011]).await;
    let archives = vec![nothing.archive("a"), something.archive("b")];
    let mut options = options(archives);
    options.topk = Some(1);
    let aggregator = Aggregator::new(options).unwrap();
    assert!(told(&look_up(&aggregator).await).is_empty());
    assert_eq!(told(&look_up(&aggregator).await), ["b 2011"]);
}
