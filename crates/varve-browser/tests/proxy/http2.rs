//! Servers that speak HTTP/2, for a browser that hears HTTP/1.1.

use crate::kept::all;
use crate::server::Server;
use crate::stage::Stage;
use bytes::Bytes;
use http::Response;
use varve_fetch::Protocol;

/// Answers `/measured` with a length, `/nothing` without a body, all else in two
/// pieces of unknown length.
async fn serve(stream: impl tokio::io::AsyncRead + tokio::io::AsyncWrite + Unpin) {
    let mut connection = h2::server::handshake(stream).await.unwrap();
    while let Some(Ok((request, mut respond))) = connection.accept().await {
        let response = Response::builder().header("x-served", "yes");
        match request.uri().path() {
            "/measured" => {
                let response = response.header("content-length", "3").body(()).unwrap();
                let mut body = respond.send_response(response, false).unwrap();
                body.send_data(Bytes::from_static(b"abc"), true).unwrap();
            }
            "/nothing" => {
                let response = response.status(204).body(()).unwrap();
                respond.send_response(response, true).unwrap();
            }
            _ => {
                let mut body = respond
                    .send_response(response.body(()).unwrap(), false)
                    .unwrap();
                body.send_data(Bytes::from_static(b"one "), false).unwrap();
                body.send_data(Bytes::from_static(b"two"), true).unwrap();
            }
        }
    }
}

#[tokio::test]
async fn responses_become_http1_and_keep_their_bodies() {
    let server = Server::start_h2(|peer| serve(peer.0)).await;
    let stage = Stage::with(server.address).await;
    let mut browser = stage.secure("a.test:443").await;
    for (round, path, head, sent, body) in [
        (
            1,
            "/measured",
            "HTTP/1.1 200 OK\r\nx-served: yes\r\ncontent-length: 3\r\n",
            "abc",
            "abc",
        ),
        (
            2,
            "/nothing",
            "HTTP/1.1 204 No Content\r\nx-served: yes\r\n",
            "",
            "",
        ),
        (
            3,
            "/pieces",
            "HTTP/1.1 200 OK\r\nx-served: yes\r\n",
            "",
            "one two",
        ),
        (
            4,
            "/measured",
            "HTTP/1.1 200 OK\r\nx-served: yes\r\ncontent-length: 3\r\n",
            "abc",
            "abc",
        ),
    ] {
        browser
            .send(format!("GET {path} HTTP/1.1\r\nHost: a.test\r\n\r\n"))
            .await;
        browser.expect(head).await;
        match path {
            "/pieces" => {
                browser.expect("Transfer-Encoding: chunked\r\n\r\n").await;
                assert_eq!(browser.chunks().await, b"one two");
            }
            _ => browser.expect(format!("\r\n{sent}")).await,
        }
        let exchange = stage.kept.exchange(round).await;
        assert_eq!(exchange.protocol, Protocol::Http2);
        assert_eq!(exchange.response_head, format!("{head}\r\n").as_bytes());
        assert_eq!(all(&exchange.body), body.as_bytes());
    }
    assert_eq!(server.connections(), 1);
}

#[tokio::test]
async fn what_came_by_http2_is_sent_again_from_the_record() {
    let server = Server::start_h2(|peer| serve(peer.0)).await;
    let stage = Stage::with(server.address).await;
    let head = "HTTP/1.1 200 OK\r\nx-served: yes\r\nTransfer-Encoding: chunked\r\n\r\n";
    for round in 1..=2 {
        let stage = stage.another(round).await;
        let mut browser = stage.secure("a.test:443").await;
        browser
            .send("GET /pieces HTTP/1.1\r\nHost: a.test\r\n\r\n")
            .await;
        browser.expect(head).await;
        assert_eq!(browser.chunks().await, b"one two");
        let exchange = stage.kept.exchange(round as usize).await;
        assert_eq!(all(&exchange.body), b"one two");
    }
    let kept = stage.kept.exchanges.lock().unwrap();
    assert_eq!(kept[1].2, varve_browser::proxy::Origin::Reused);
}
