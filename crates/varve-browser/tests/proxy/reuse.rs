//! One fetch per resource within a crawl, and never a wrong answer for it.

use crate::browser::Browser;
use crate::kept::all;
use crate::server::Server;
use crate::stage::Stage;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use varve_browser::Traffic;
use varve_browser::proxy::{Origin, PagePort, VisitId};

/// A server that counts requests and answers all alike.
async fn counting(answer: &'static str) -> (Server, Arc<AtomicUsize>) {
    let count = Arc::new(AtomicUsize::new(0));
    let asked = count.clone();
    let server = Server::start(move |mut peer| {
        let asked = asked.clone();
        async move {
            while !peer.head().await.is_empty() {
                asked.fetch_add(1, Ordering::SeqCst);
                peer.send(answer).await;
                if !answer.contains("Content-Length") && !answer.contains("chunked") {
                    return peer.close().await;
                }
            }
        }
    })
    .await;
    (server, count)
}

/// Asks for something in a page load of its own.
async fn visit(stage: &Stage, number: u64, fields: &str, answer: &str) -> PagePort {
    let port = stage.proxy.open(VisitId(number)).await.unwrap();
    let mut browser = Browser::connect(port.proxy_address()).await;
    let request = format!("GET http://a.test/x.js HTTP/1.1\r\nHost: a.test\r\n{fields}\r\n");
    browser.send(request).await;
    browser.expect(answer).await;
    port
}

#[tokio::test]
async fn later_pages_get_what_the_first_one_fetched() {
    for answer in [
        "HTTP/1.1 200 OK\r\nX: y\r\nContent-Length: 4\r\n\r\nbody",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n0\r\n\r\n",
        "HTTP/1.1 200 OK\r\n\r\nuntil the end",
    ] {
        let (server, count) = counting(answer).await;
        let stage = Stage::with(server.address).await;
        visit(&stage, 1, "", answer)
            .await
            .close(Duration::from_secs(9))
            .await;
        let summary = visit(&stage, 2, "", answer)
            .await
            .close(Duration::from_secs(9))
            .await;
        assert_eq!((summary.requests, summary.reused, summary.bytes), (1, 1, 0));
        assert_eq!(count.load(Ordering::SeqCst), 1);
        let kept = stage.kept.exchanges.lock().unwrap().clone();
        let origins: Vec<_> = kept
            .iter()
            .map(|(visit, _, origin)| (*visit, *origin))
            .collect();
        let expected = [(VisitId(1), Origin::Fetched), (VisitId(2), Origin::Reused)];
        assert_eq!(origins, expected);
        assert_eq!(all(&kept[0].1.body), all(&kept[1].1.body));
    }
}

#[tokio::test]
async fn what_must_be_new_is_fetched_anew() {
    let answer = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nbody";
    for fields in [
        "Sec-Fetch-Mode: navigate\r\n",
        "Upgrade-Insecure-Requests: 1\r\n",
        "Range: bytes=0-\r\n",
        "Origin: http://b.test\r\n",
    ] {
        let (server, count) = counting(answer).await;
        let stage = Stage::with(server.address).await;
        visit(&stage, 1, "", answer)
            .await
            .close(Duration::from_secs(9))
            .await;
        visit(&stage, 2, fields, answer)
            .await
            .close(Duration::from_secs(9))
            .await;
        assert_eq!(count.load(Ordering::SeqCst), 2, "{fields}");
    }
}

#[tokio::test]
async fn what_is_open_to_all_is_shared_between_origins() {
    let answer =
        "HTTP/1.1 200 OK\r\nAccess-Control-Allow-Origin: *\r\nContent-Length: 4\r\n\r\nbody";
    let (server, count) = counting(answer).await;
    let stage = Stage::with(server.address).await;
    visit(&stage, 1, "", answer)
        .await
        .close(Duration::from_secs(9))
        .await;
    visit(&stage, 2, "Origin: http://b.test\r\n", answer)
        .await
        .close(Duration::from_secs(9))
        .await;
    assert_eq!(count.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn a_page_that_asks_again_gets_a_new_answer() {
    let answer = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nbody";
    let (server, count) = counting(answer).await;
    let stage = Stage::with(server.address).await;
    let mut browser = stage.browser().await;
    for _ in 0..3 {
        browser
            .send("GET http://a.test/poll HTTP/1.1\r\nHost: a.test\r\n\r\n")
            .await;
        browser.expect(answer).await;
    }
    assert_eq!(count.load(Ordering::SeqCst), 3);
}

#[tokio::test]
async fn pages_that_ask_at_once_share_one_fetch() {
    let count = Arc::new(AtomicUsize::new(0));
    let asked = count.clone();
    let answer = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nbody";
    let server = Server::start(move |mut peer| {
        let asked = asked.clone();
        async move {
            peer.head().await;
            asked.fetch_add(1, Ordering::SeqCst);
            tokio::time::sleep(Duration::from_millis(200)).await;
            peer.send(answer).await;
            peer.wait_for_end().await;
        }
    })
    .await;
    let stage = Stage::with(server.address).await;
    let ports = tokio::join!(
        visit(&stage, 1, "", answer),
        visit(&stage, 2, "", answer),
        visit(&stage, 3, "", answer),
    );
    drop(ports);
    assert_eq!(count.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn a_navigation_gets_what_was_offered_for_it_once() {
    let answer = "HTTP/1.1 200 OK\r\nSet-Cookie: a=b\r\nContent-Length: 4\r\n\r\nbody";
    let navigation = "Sec-Fetch-Mode: navigate\r\n";
    let (server, count) = counting(answer).await;
    let stage = Stage::with(server.address).await;
    let first = visit(&stage, 1, navigation, answer).await;
    first.close(Duration::from_secs(9)).await;
    let exchange = stage.kept.exchanges.lock().unwrap()[0].1.clone();

    let port = stage.proxy.open(VisitId(2)).await.unwrap();
    port.offer(exchange);
    let mut browser = Browser::connect(port.proxy_address()).await;
    for asked_in_all in [1, 2] {
        let request =
            format!("GET http://a.test/x.js HTTP/1.1\r\nHost: a.test\r\n{navigation}\r\n");
        browser.send(request).await;
        browser.expect(answer).await;
        assert_eq!(count.load(Ordering::SeqCst), asked_in_all);
    }
}
