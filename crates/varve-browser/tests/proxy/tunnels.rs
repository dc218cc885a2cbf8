//! CONNECT: TLS with certificates of our own, or plain HTTP.

use crate::kept::all;
use crate::server::Server;
use crate::stage::Stage;
use varve_browser::Traffic;
use varve_browser::proxy::REQUEST_LIMIT;

const ANSWER: &str = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";

#[tokio::test]
async fn requests_through_tls_are_recorded_with_their_https_url() {
    let server = Server::start_tls(|mut peer| async move {
        while !peer.head().await.is_empty() {
            peer.send(ANSWER).await;
        }
    })
    .await;
    let stage = Stage::with(server.address).await;
    for (round, authority) in ["a.test:443", "b.test:8443", "127.0.0.1:443", "[::1]:443"]
        .into_iter()
        .enumerate()
    {
        let mut browser = stage.secure(authority).await;
        for turn in 1..=2 {
            browser
                .send(format!("GET /p?q HTTP/1.1\r\nHost: {authority}\r\n\r\n"))
                .await;
            browser.expect(ANSWER).await;
            let exchange = stage.kept.exchange(2 * round + turn).await;
            let host = authority.trim_end_matches(":443");
            assert_eq!(exchange.url.as_str(), format!("https://{host}/p?q"));
            assert!(exchange.encrypted);
            assert_eq!(all(&exchange.body), b"hello");
        }
    }
}

#[tokio::test]
async fn bodies_that_end_by_closing_end_in_good_order_within_tls() {
    let server = Server::start_tls(|mut peer| async move {
        peer.head().await;
        peer.send("HTTP/1.1 200 OK\r\n\r\nall there is").await;
        peer.close().await;
    })
    .await;
    let stage = Stage::with(server.address).await;
    let mut browser = stage.secure("a.test:443").await;
    browser.send("GET / HTTP/1.1\r\nHost: a.test\r\n\r\n").await;
    assert_eq!(
        browser.rest().await.unwrap(),
        b"HTTP/1.1 200 OK\r\n\r\nall there is"
    );
}

#[tokio::test]
async fn plain_http_is_spoken_in_tunnels_too() {
    let server = Server::answering(ANSWER).await;
    let stage = Stage::with(server.address).await;
    let mut browser = stage.tunnel("a.test:80").await;
    browser
        .send("GET /x HTTP/1.1\r\nHost: a.test\r\n\r\n")
        .await;
    browser.expect(ANSWER).await;
    let exchange = stage.kept.exchange(1).await;
    assert_eq!(exchange.url.as_str(), "http://a.test/x");
}

#[tokio::test]
async fn tunnels_are_no_requests() {
    let server = Server::answering(ANSWER).await;
    let stage = Stage::with(server.address).await;
    let _browser = stage.secure("a.test:443").await;
    crate::kept::until("quiet", || stage.port.activity().in_flight == 0).await;
    assert_eq!(stage.port.activity().started, 0);
    assert_eq!(server.connections(), 0);
}

#[tokio::test]
async fn what_is_no_request_is_refused() {
    let server = Server::answering(ANSWER).await;
    let stage = Stage::with(server.address).await;
    for (request, status) in [
        ("CONNECT a.test HTTP/1.1\r\n\r\n", "400 Bad Request"),
        (
            "GET /path HTTP/1.1\r\nHost: a.test\r\n\r\n",
            "400 Bad Request",
        ),
        ("\x01\x02\x03\r\n\r\n", "400 Bad Request"),
    ] {
        let mut browser = stage.browser().await;
        browser.send(request).await;
        let answer = browser.response().await;
        assert!(
            answer.starts_with(&format!("HTTP/1.1 {status}\r\n")),
            "{answer}"
        );
        browser.expect_end().await;
    }
    let mut browser = stage.browser().await;
    let long = format!("GET http://a.test/{} HTTP/1.1\r\nX: y", "x".repeat(300_000));
    browser.send(long).await;
    let answer = browser.response().await;
    assert!(answer.starts_with("HTTP/1.1 431 "), "{answer}");
    assert_eq!(server.connections(), 0);
}

#[tokio::test]
async fn bodies_that_are_too_long_are_told_as_failures() {
    let server = Server::answering(ANSWER).await;
    let stage = Stage::with(server.address).await;
    let mut browser = stage.browser().await;
    browser
        .send("POST http://a.test/up HTTP/1.1\r\nContent-Length: 999999999\r\n\r\n")
        .await;
    let answer = browser.response().await;
    assert!(answer.starts_with("HTTP/1.1 413 "), "{answer}");
    browser.expect_end().await;
    let failure = stage.kept.failure().await;
    assert_eq!((failure.url.path(), failure.reason), ("/up", REQUEST_LIMIT));
    assert_eq!(server.connections(), 0);
}
