//! Responses reach the browser while they come; streams are counted apart.

use crate::kept::{all, until};
use crate::server::{Peer, Server};
use crate::stage::Stage;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Notify;
use varve_browser::Traffic;
use varve_fetch::Truncation;

const EVENTS: &str = "HTTP/1.1 200 OK\r\nContent-Type: Text/Event-Stream; charset=utf-8\r\n\r\n";

/// Sends an event, waits for the signal, sends another, waits for the end.
async fn events(mut peer: Peer, signal: Arc<Notify>) {
    peer.head().await;
    peer.send(EVENTS).await;
    peer.send("data: 1\n\n").await;
    signal.notified().await;
    peer.send("data: 2\n\n").await;
    peer.wait_for_end().await;
}

#[tokio::test]
async fn events_arrive_one_by_one_and_are_kept_when_the_port_closes() {
    let signal = Arc::new(Notify::new());
    let told = signal.clone();
    let server = Server::start(move |peer| events(peer, told.clone())).await;
    let stage = Stage::with(server.address).await;
    let mut browser = stage.browser().await;
    browser
        .send("GET http://a.test/events HTTP/1.1\r\nHost: a.test\r\n\r\n")
        .await;
    browser.expect(EVENTS).await;
    browser.expect("data: 1\n\n").await;
    let now = stage.port.activity();
    assert_eq!((now.in_flight, now.streams, now.started), (0, 1, 1));
    signal.notify_one();
    browser.expect("data: 2\n\n").await;
    let summary = stage.port.close(Duration::from_secs(60)).await;
    assert_eq!((summary.requests, summary.cut, summary.failed), (1, 1, 0));
    let exchange = stage.kept.exchange(1).await;
    assert_eq!(all(&exchange.body), b"data: 1\n\ndata: 2\n\n");
    assert_eq!(exchange.truncated, Some(Truncation::Time));
    assert!(browser.rest().await.is_err(), "no silent end");
}

#[tokio::test]
async fn pieces_of_a_body_do_not_wait_for_one_another() {
    let signal = Arc::new(Notify::new());
    let told = signal.clone();
    let server = Server::start(move |mut peer| {
        let told = told.clone();
        async move {
            peer.head().await;
            peer.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
                .await;
            peer.send("1\r\na\r\n").await;
            told.notified().await;
            peer.send("1\r\nb\r\n0\r\n\r\n").await;
            peer.wait_for_end().await;
        }
    })
    .await;
    let stage = Stage::with(server.address).await;
    let mut browser = stage.browser().await;
    browser
        .send("GET http://a.test/ HTTP/1.1\r\nHost: a.test\r\n\r\n")
        .await;
    browser
        .expect("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n")
        .await;
    assert_eq!(stage.port.activity().in_flight, 1);
    signal.notify_one();
    browser.expect("1\r\nb\r\n0\r\n\r\n").await;
    until("quiet", || stage.port.activity().in_flight == 0).await;
    assert_eq!(stage.kept.exchange(1).await.truncated, None);
}

#[tokio::test]
async fn a_body_that_trickles_becomes_a_stream() {
    let server = Server::start(|mut peer| async move {
        peer.head().await;
        peer.send("HTTP/1.1 200 OK\r\nContent-Type: multipart/x-mixed-replace\r\n\r\n.")
            .await;
        peer.wait_for_end().await;
    })
    .await;
    let stage = Stage::with(server.address).await;
    let mut browser = stage.browser().await;
    browser
        .send("GET http://a.test/ HTTP/1.1\r\nHost: a.test\r\n\r\n")
        .await;
    until("a request", || stage.port.activity().in_flight == 1).await;
    until("a stream", || stage.port.activity().streams == 1).await;
    assert_eq!(stage.port.activity().in_flight, 0);
}

#[tokio::test]
async fn a_browser_that_stops_reading_stops_nothing_else() {
    let server = Server::start(|mut peer| async move {
        let head = String::from_utf8(peer.head().await).unwrap();
        if head.contains("/video") {
            peer.send("HTTP/1.1 200 OK\r\nContent-Length: 100000000\r\n\r\n")
                .await;
            peer.send(vec![0; 100_000_000]).await;
        } else {
            peer.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
                .await;
        }
        peer.wait_for_end().await;
    })
    .await;
    let stage = Stage::with(server.address).await;
    let mut video = stage.browser().await;
    video
        .send("GET http://a.test/video HTTP/1.1\r\nHost: a.test\r\n\r\n")
        .await;
    video.expect("HTTP/1.1 200 OK\r\n").await;
    let mut other = stage.browser().await;
    other
        .send("GET http://a.test/ HTTP/1.1\r\nHost: a.test\r\n\r\n")
        .await;
    other
        .expect("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
        .await;
    until("a stream", || stage.port.activity().streams == 1).await;
    let summary = stage.port.close(Duration::ZERO).await;
    assert_eq!((summary.requests, summary.cut), (2, 1));
    let last = stage.kept.exchange(2).await;
    assert_eq!(last.truncated, Some(Truncation::Time));
    assert!(last.body.len() < 100_000_000);
}
