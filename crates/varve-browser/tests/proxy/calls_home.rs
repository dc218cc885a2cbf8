//! Chromium's own requests are refused, and never recorded.

use crate::browser::Browser;
use crate::server::Server;
use crate::stage::Stage;
use std::time::Duration;

const REFUSED: &str = "HTTP/1.1 403 Forbidden\r\nX-Varve-Error: browser.call-home\r\n";

#[tokio::test]
async fn the_browsers_own_requests_go_nowhere() {
    let server = Server::answering("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok").await;
    let stage = Stage::with(server.address).await;
    let mut browser = stage.browser().await;
    let update = "POST http://update.googleapis.com/service/update2/json HTTP/1.1\r\nContent-Length: 2\r\n\r\n{}";
    browser.send(update).await;
    assert!(browser.response().await.starts_with(REFUSED));
    assert_eq!(server.connections(), 0);
    let page = "GET http://update.googleapis.com/ HTTP/1.1\r\nHost: update.googleapis.com\r\nReferer: http://a.test/\r\n\r\n";
    browser.send(page).await;
    browser
        .expect("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
        .await;
    let summary = stage.port.close(Duration::ZERO).await;
    assert_eq!((summary.calls_home, summary.requests), (1, 1));
    stage.kept.exchange(1).await;
}

#[tokio::test]
async fn a_dead_end_refuses_everything_and_counts() {
    let server = Server::answering("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n").await;
    let stage = Stage::with(server.address).await;
    let dead_end = stage.proxy.dead_end().await.unwrap();
    let address = dead_end.address();
    for request in [
        "GET http://a.test/ HTTP/1.1\r\nHost: a.test\r\n\r\n",
        "CONNECT a.test:443 HTTP/1.1\r\nHost: a.test:443\r\n\r\n",
    ] {
        let mut browser = Browser::connect(address).await;
        browser.send(request).await;
        assert!(browser.response().await.starts_with(REFUSED));
        browser.expect_end().await;
    }
    assert_eq!(dead_end.refused(), 2);
    assert_eq!(server.connections(), 0);
    drop(dead_end);
    crate::kept::until("closing", || std::net::TcpStream::connect(address).is_err()).await;
}
