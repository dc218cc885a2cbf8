//! A browser that goes away takes nothing with it: what the server was asked is recorded.

use crate::kept::{all, until};
use crate::server::Server;
use crate::stage::Stage;
use std::sync::Arc;
use tokio::sync::Notify;
use varve_browser::Traffic;
use varve_fetch::Truncation;

const BEACON: &str =
    "POST http://a.test/beacon HTTP/1.1\r\nHost: a.test\r\nContent-Length: 3\r\n\r\nbye";

#[tokio::test]
async fn a_beacon_at_unload_is_recorded_with_its_response() {
    let (asked, gone) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
    let (tell, wait) = (asked.clone(), gone.clone());
    let server = Server::start(move |mut peer| {
        let (tell, wait) = (tell.clone(), wait.clone());
        async move {
            peer.head().await;
            assert_eq!(peer.bytes(3).await, b"bye");
            tell.notify_one();
            wait.notified().await;
            peer.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n")
                .await;
            peer.send("ok").await;
            peer.wait_for_end().await;
        }
    })
    .await;
    let stage = Stage::with(server.address).await;
    let mut browser = stage.browser().await;
    browser.send(BEACON).await;
    asked.notified().await;
    drop(browser);
    gone.notify_one();
    let exchange = stage.kept.exchange(1).await;
    assert_eq!(
        (exchange.truncated, all(&exchange.body)),
        (None, b"ok".to_vec())
    );
    assert_eq!(all(&exchange.request_body), b"bye");
    until("quiet", || stage.port.activity().in_flight == 0).await;
}

/// What is kept of a response whose browser leaves after the first piece.
async fn left(first: &'static [u8], rest: Vec<u8>) -> (Option<Truncation>, u64) {
    let gone = Arc::new(Notify::new());
    let wait = gone.clone();
    let server = Server::start(move |mut peer| {
        let (wait, rest) = (wait.clone(), rest.clone());
        async move {
            peer.head().await;
            peer.send(first).await;
            wait.notified().await;
            peer.send(rest).await;
            peer.wait_for_end().await;
        }
    })
    .await;
    let stage = Stage::with(server.address).await;
    let mut browser = stage.browser().await;
    browser
        .send("GET http://a.test/ HTTP/1.1\r\nHost: a.test\r\n\r\n")
        .await;
    browser.expect(first).await;
    drop(browser);
    gone.notify_one();
    let exchange = stage.kept.exchange(1).await;
    until("quiet", || stage.port.activity().in_flight == 0).await;
    (exchange.truncated, exchange.body.len())
}

#[tokio::test]
async fn small_remainders_are_read_to_the_end() {
    let first = b"HTTP/1.1 200 OK\r\nContent-Length: 300000\r\n\r\n";
    assert_eq!(left(first, vec![b'x'; 300_000]).await, (None, 300_000));
}

#[tokio::test]
async fn large_remainders_are_cut() {
    let first = b"HTTP/1.1 200 OK\r\nContent-Length: 9000000\r\n\r\n";
    let (truncated, length) = left(first, vec![b'x'; 9_000_000]).await;
    assert_eq!(truncated, Some(Truncation::Time));
    assert!((1..9_000_000).contains(&length), "{length}");
}

#[tokio::test]
async fn remainders_that_do_not_come_are_not_waited_for() {
    let first = b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf";
    assert_eq!(left(first, Vec::new()).await, (Some(Truncation::Time), 4));
}
