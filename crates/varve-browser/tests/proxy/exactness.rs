//! What a server sends is what the browser gets and what is recorded, byte for byte.

use crate::kept::all;
use crate::server::Server;
use crate::stage::Stage;
use std::sync::{Arc, Mutex};
use varve_browser::proxy::{Origin, VisitId};

const GET: &str = "GET http://a.test/x HTTP/1.1\r\nHost: a.test\r\n\r\n";

/// Whether the browser's connection is still good after a response.
#[derive(Clone, Copy, PartialEq)]
enum After {
    Open,
    Closed,
}

/// One response, through the proxy and into the record.
async fn check(head: &[u8], body: &[u8], after: After) {
    let shown = String::from_utf8_lossy(head);
    let (sent, closes) = ([head, body].concat(), after == After::Closed);
    let server = Server::start(move |mut peer| {
        let sent = sent.clone();
        async move {
            while !peer.head().await.is_empty() {
                peer.send(&sent).await;
                if closes {
                    return peer.close().await;
                }
            }
        }
    })
    .await;
    let stage = Stage::with(server.address).await;
    let mut browser = stage.browser().await;
    let rounds = if closes { 1 } else { 2 };
    for round in 1..=rounds {
        browser.send(GET).await;
        browser.expect([head, body].concat()).await;
        let exchange = stage.kept.exchange(round).await;
        assert_eq!(exchange.response_head, head, "{shown}");
        assert_eq!(all(&exchange.body), body, "{shown}");
        assert_eq!(exchange.truncated, None, "{shown}");
        assert_eq!(exchange.url.as_str(), "http://a.test/x");
    }
    if closes {
        browser.expect_end().await;
    }
    let kept = stage.kept.exchanges.lock().unwrap();
    assert!(
        kept.iter()
            .all(|(visit, _, origin)| (*visit, *origin) == (VisitId(7), Origin::Fetched))
    );
}

#[tokio::test]
async fn heads_and_bodies_pass_as_they_are() {
    let long = vec![b'z'; 3_000_000];
    let table: &[(&[u8], &[u8], After)] = &[
        (
            b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n",
            b"body",
            After::Open,
        ),
        (
            b"HTTP/1.1 200 \r\nX-a: 1\r\nx-A:  2 \r\ncontent-length:0\r\n\r\n",
            b"",
            After::Open,
        ),
        (
            b"HTTP/1.1 404 Nope\r\nSet-Cookie: a\r\nSet-Cookie: b\r\nContent-Length: 1\r\n\r\n",
            b"!",
            After::Open,
        ),
        (
            b"HTTP/1.1 206 Partial\r\nContent-Range: bytes 0-1/9\r\nContent-Length: 2\r\n\r\n",
            b"ab",
            After::Open,
        ),
        (b"HTTP/1.1 204 No Content\r\n\r\n", b"", After::Open),
        (
            b"HTTP/1.1 304 Not Modified\r\nETag: x\r\nContent-Length: 99\r\n\r\n",
            b"",
            After::Open,
        ),
        (
            b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
            b"3;x=y\r\nabc\r\n0\r\nT: r\r\n\r\n",
            After::Open,
        ),
        (
            b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\n",
            b"ab",
            After::Closed,
        ),
        (b"HTTP/1.1 200 OK\r\n\r\n", b"until the end", After::Closed),
        (
            b"HTTP/1.0 200 OK\nContent-Type: text/plain\n\n",
            b"old",
            After::Closed,
        ),
        (
            b"HTTP/1.1 200 OK\r\nContent-Length: 3000000\r\n\r\n",
            &long,
            After::Open,
        ),
    ];
    for (head, body, after) in table {
        check(head, body, *after).await;
    }
}

#[tokio::test]
async fn the_answer_to_head_has_no_body() {
    let server = Server::answering("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n").await;
    let stage = Stage::with(server.address).await;
    let mut browser = stage.browser().await;
    for round in 1..=2 {
        browser
            .send("HEAD http://a.test/ HTTP/1.1\r\nHost: a.test\r\n\r\n")
            .await;
        browser
            .expect("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n")
            .await;
        let exchange = stage.kept.exchange(round).await;
        assert_eq!((exchange.method.as_str(), exchange.body.len()), ("HEAD", 0));
    }
    assert_eq!(server.connections(), 1);
}

#[tokio::test]
async fn early_hints_pass_and_are_kept() {
    let hints = "HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\n\r\n";
    let last = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
    let go_on = "HTTP/1.1 100 Continue\r\n\r\n";
    let server = Server::answering([go_on, hints, last].concat()).await;
    let stage = Stage::with(server.address).await;
    let mut browser = stage.browser().await;
    browser.send(GET).await;
    browser.expect([hints, last].concat()).await;
    let exchange = stage.kept.exchange(1).await;
    assert_eq!(exchange.informational, [go_on.as_bytes(), hints.as_bytes()]);
}

/// A request as the browser sends it and as the server gets it.
async fn check_request(from_browser: &str, at_server: &str, body: &str) {
    let got = Arc::new(Mutex::new(Vec::new()));
    let (log, length) = (got.clone(), body.len());
    let server = Server::start(move |mut peer| {
        let log = log.clone();
        async move {
            let mut request = peer.head().await;
            request.extend(peer.bytes(length).await);
            log.lock().unwrap().extend(request);
            peer.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
                .await;
            peer.wait_for_end().await;
        }
    })
    .await;
    let stage = Stage::with(server.address).await;
    let mut browser = stage.browser().await;
    browser.send(from_browser).await;
    let expects = from_browser.contains("Expect");
    let first = if expects {
        "HTTP/1.1 100 Continue\r\n\r\n"
    } else {
        ""
    };
    browser
        .expect(format!(
            "{first}HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"
        ))
        .await;
    let exchange = stage.kept.exchange(1).await;
    let (got, wanted) = (got.lock().unwrap(), [at_server, body].concat());
    assert_eq!(String::from_utf8_lossy(&got), wanted);
    assert_eq!(exchange.request_head, at_server.as_bytes());
    assert_eq!(all(&exchange.request_body), body.as_bytes());
}

#[tokio::test]
async fn requests_keep_all_but_what_concerns_the_proxy() {
    check_request(
        "GET http://a.test/p?q HTTP/1.1\r\nHost: a.test\r\nProxy-Connection: keep-alive\r\nAccept: */*\r\nX-oDD:  v \r\n\r\n",
        "GET /p?q HTTP/1.1\r\nHost: a.test\r\nAccept: */*\r\nX-oDD: v\r\n\r\n",
        "",
    )
    .await;
    check_request(
        "GET http://a.test/v HTTP/1.1\r\nHost: a.test\r\nRange: bytes=0-\r\nConnection: x-hop\r\nX-Hop: 1\r\n\r\n",
        "GET /v HTTP/1.1\r\nHost: a.test\r\nRange: bytes=0-\r\n\r\n",
        "",
    )
    .await;
    check_request(
        "POST http://a.test/f HTTP/1.1\r\nHost: a.test\r\nExpect: 100-continue\r\nContent-Length: 7\r\n\r\na=1&b=2",
        "POST /f HTTP/1.1\r\nHost: a.test\r\nContent-Length: 7\r\n\r\n",
        "a=1&b=2",
    )
    .await;
    check_request(
        "PUT http://a.test/f HTTP/1.1\r\nHost: a.test\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n1\r\nc\r\n0\r\n\r\n",
        "PUT /f HTTP/1.1\r\nHost: a.test\r\nContent-Length: 3\r\n\r\n",
        "abc",
    )
    .await;
    check_request(
        "OPTIONS http://a.test/api HTTP/1.1\r\nHost: a.test\r\nOrigin: http://b.test\r\nAccess-Control-Request-Method: PUT\r\n\r\n",
        "OPTIONS /api HTTP/1.1\r\nHost: a.test\r\nOrigin: http://b.test\r\nAccess-Control-Request-Method: PUT\r\n\r\n",
        "",
    )
    .await;
}
