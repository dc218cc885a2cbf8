//! A closed port leaves nothing behind: no task, no socket, no response that is not recorded.

use crate::kept::{all, until};
use crate::server::Server;
use crate::stage::Stage;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::net::TcpStream;
use tokio::runtime::Handle;
use tokio::sync::Notify;
use varve_browser::Traffic;
use varve_browser::proxy::{CANCELLED, PortSummary, VisitId};
use varve_fetch::Truncation;

const GET: &str = "GET http://a.test/ HTTP/1.1\r\nHost: a.test\r\n\r\n";

/// Sends a head and half a body, and after the signal the rest.
async fn halting(signal: Arc<Notify>) -> Server {
    Server::start(move |mut peer| {
        let signal = signal.clone();
        async move {
            peer.head().await;
            peer.send("HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\nhalf")
                .await;
            tokio::select! {
                () = signal.notified() => peer.send("full").await,
                () = peer.wait_for_end() => return,
            }
            peer.wait_for_end().await;
        }
    })
    .await
}

#[tokio::test]
async fn what_is_running_may_end_within_the_grace() {
    let signal = Arc::new(Notify::new());
    let server = halting(signal.clone()).await;
    let stage = Stage::with(server.address).await;
    let mut browser = stage.browser().await;
    browser.send(GET).await;
    browser
        .expect("HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\nhalf")
        .await;
    let closing = tokio::spawn(stage.port.close(Duration::from_secs(60)));
    until("closing", || !closing.is_finished()).await;
    signal.notify_one();
    browser.expect("full").await;
    let summary = closing.await.unwrap();
    assert_eq!((summary.requests, summary.cut), (1, 0));
    assert_eq!(stage.kept.exchange(1).await.truncated, None);
    browser.expect_end().await;
}

#[tokio::test]
async fn what_is_running_after_the_grace_is_cut_and_kept() {
    let server = halting(Arc::new(Notify::new())).await;
    let stage = Stage::with(server.address).await;
    let mut browser = stage.browser().await;
    browser.send(GET).await;
    browser
        .expect("HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\nhalf")
        .await;
    let summary = stage.port.close(Duration::from_millis(50)).await;
    let expected = PortSummary {
        requests: 1,
        bytes: 42,
        cut: 1,
        ..PortSummary::default()
    };
    assert_eq!(summary, expected);
    let exchange = stage.kept.exchange(1).await;
    assert_eq!(all(&exchange.body), b"half");
    assert_eq!(exchange.truncated, Some(Truncation::Time));
    browser.expect_end().await;
}

#[tokio::test]
async fn requests_without_a_response_are_told_as_cancelled() {
    let asked = Arc::new(Notify::new());
    let tell = asked.clone();
    let server = Server::start(move |mut peer| {
        let tell = tell.clone();
        async move {
            peer.head().await;
            tell.notify_one();
            peer.wait_for_end().await;
        }
    })
    .await;
    let stage = Stage::with(server.address).await;
    let mut browser = stage.browser().await;
    browser.send(GET).await;
    asked.notified().await;
    let summary = stage.port.close(Duration::from_millis(50)).await;
    assert_eq!((summary.requests, summary.failed), (1, 1));
    assert_eq!(stage.kept.failure().await.reason, CANCELLED);
    browser.expect_end().await;
}

#[tokio::test]
async fn idle_connections_do_not_hold_a_port_open() {
    let server = Server::answering("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n").await;
    let stage = Stage::with(server.address).await;
    let mut used = stage.browser().await;
    used.send(GET).await;
    used.response().await;
    let mut silent = stage.browser().await;
    let mut tunnel = stage.tunnel("a.test:443").await;
    let mut secure = stage.secure("a.test:443").await;
    let begun = Instant::now();
    stage.port.close(Duration::from_secs(60)).await;
    assert!(
        begun.elapsed() < Duration::from_secs(30),
        "the grace was not needed"
    );
    for browser in [&mut used, &mut silent, &mut tunnel, &mut secure] {
        browser.expect_end().await;
    }
}

#[tokio::test]
async fn nothing_is_left_of_a_port() {
    let server = halting(Arc::new(Notify::new())).await;
    let stage = Stage::with(server.address).await;
    let tasks = || Handle::current().metrics().num_alive_tasks();
    for dropped in [false, true] {
        until("the server's tasks", || tasks() <= 2).await;
        let before = tasks();
        let port = stage.proxy.open(VisitId(8)).await.unwrap();
        let address = port.proxy_address();
        let mut browsers = Vec::new();
        for _ in 0..5 {
            let mut browser = crate::browser::Browser::connect(address).await;
            browser.send(GET).await;
            browser
                .expect("HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\nhalf")
                .await;
            browsers.push(browser);
        }
        match dropped {
            true => drop(port),
            false => assert_eq!(port.close(Duration::ZERO).await.cut, 5),
        }
        until("no task more than before", || tasks() <= before).await;
        assert!(TcpStream::connect(address).await.is_err());
        for mut browser in browsers {
            browser.expect_end().await;
        }
    }
    assert_eq!(stage.kept.exchanges.lock().unwrap().len(), 10);
}
