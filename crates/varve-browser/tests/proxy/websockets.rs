//! WebSockets pass both ways, and what is said is taken down.

use crate::browser::Browser;
use crate::kept::until;
use crate::server::{Peer, Server};
use crate::stage::Stage;
use std::time::Duration;
use tokio::io::AsyncReadExt;
use varve_browser::Traffic;
use varve_browser::proxy::{Direction, MessageKind, WebSocketLog};

const ASK: &str = "GET /chat HTTP/1.1\r\nHost: a.test\r\nConnection: Upgrade\r\nPragma: no-cache\r\n\
    Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: x\r\n\
    Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits\r\n\r\n";
const ASKED: &str = "GET /chat HTTP/1.1\r\nHost: a.test\r\nConnection: Upgrade\r\nPragma: no-cache\r\n\
    Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: x\r\n\r\n";
const SWITCHED: &str = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\
    Connection: Upgrade\r\nSec-WebSocket-Accept: y\r\n\r\n";
/// "hi" with a mask of 1, 2, 3, 4.
const MASKED_HI: [u8; 8] = [0x81, 0x82, 1, 2, 3, 4, b'h' ^ 1, b'i' ^ 2];

/// Greets with the 101, then sends every byte back.
async fn echo(mut peer: Peer) {
    assert_eq!(String::from_utf8(peer.head().await).unwrap(), ASKED);
    peer.send([SWITCHED.as_bytes(), &[0x81, 0x05], b"hello"].concat())
        .await;
    let mut buffer = [0; 1024];
    while let Ok(count @ 1..) = peer.0.read(&mut buffer).await {
        peer.send(&buffer[..count]).await;
    }
    peer.close().await;
}

fn said(log: &WebSocketLog) -> Vec<(Direction, MessageKind, &[u8])> {
    let message = |one: &'_ varve_browser::proxy::WebSocketMessage| (one.direction, one.kind);
    log.messages
        .iter()
        .map(|one| (message(one).0, message(one).1, &one.data[..]))
        .collect()
}

/// One conversation, from the handshake to the close.
async fn converse(stage: &Stage, mut browser: Browser) {
    browser.send(ASK).await;
    browser
        .expect([SWITCHED.as_bytes(), &[0x81, 0x05], b"hello"].concat())
        .await;
    until("a stream", || stage.port.activity().streams == 1).await;
    assert_eq!(stage.port.activity().in_flight, 0);
    browser.send(MASKED_HI).await;
    browser.expect(MASKED_HI).await;
    let close = [0x88, 0x82, 0, 0, 0, 0, 3, 232];
    browser.send(close).await;
    browser.expect(close).await;
    drop(browser);
    let (exchange, log) = stage.kept.web_socket().await;
    assert_eq!(exchange.request_head, ASKED.as_bytes());
    assert_eq!(exchange.response_head, SWITCHED.as_bytes());
    let expected: [(Direction, MessageKind, &[u8]); 5] = [
        (Direction::Received, MessageKind::Text, b"hello"),
        (Direction::Sent, MessageKind::Text, b"hi"),
        (Direction::Received, MessageKind::Text, b"hi"),
        (Direction::Sent, MessageKind::Close, &[3, 232]),
        (Direction::Received, MessageKind::Close, &[3, 232]),
    ];
    assert_eq!(said(&log), expected);
    until("quiet", || stage.port.activity().streams == 0).await;
    assert!(stage.kept.exchanges.lock().unwrap().is_empty());
}

#[tokio::test]
async fn ws_goes_through_a_tunnel_without_tls() {
    let server = Server::start(echo).await;
    let stage = Stage::with(server.address).await;
    let browser = stage.tunnel("a.test:80").await;
    converse(&stage, browser).await;
}

#[tokio::test]
async fn wss_goes_through_tls_on_both_sides() {
    let server = Server::start_tls(echo).await;
    let stage = Stage::with(server.address).await;
    let browser = stage.secure("a.test:443").await;
    converse(&stage, browser).await;
}

#[tokio::test]
async fn a_server_that_refuses_is_recorded_like_any_other() {
    let refusal = "HTTP/1.1 403 Forbidden\r\nContent-Length: 2\r\n\r\nno";
    let server = Server::answering(refusal).await;
    let stage = Stage::with(server.address).await;
    let mut browser = stage.tunnel("a.test:80").await;
    browser.send(ASK).await;
    browser.expect(refusal).await;
    assert_eq!(
        stage.kept.exchange(1).await.response_head.len(),
        refusal.len() - 2
    );
    assert!(stage.kept.web_sockets.lock().unwrap().is_empty());
}

#[tokio::test]
async fn a_running_socket_is_recorded_when_the_port_closes() {
    let server = Server::start(echo).await;
    let stage = Stage::with(server.address).await;
    let mut browser = stage.tunnel("a.test:80").await;
    browser.send(ASK).await;
    browser
        .expect([SWITCHED.as_bytes(), &[0x81, 0x05], b"hello"].concat())
        .await;
    let summary = stage.port.close(Duration::from_secs(60)).await;
    assert_eq!((summary.requests, summary.cut), (1, 1));
    let (_, log) = stage.kept.web_socket().await;
    assert_eq!(log.received.messages, 1);
}

#[tokio::test]
async fn bytes_that_are_no_frames_pass_all_the_same() {
    let server = Server::start(echo).await;
    let stage = Stage::with(server.address).await;
    let mut browser = stage.tunnel("a.test:80").await;
    browser.send(ASK).await;
    browser
        .expect([SWITCHED.as_bytes(), &[0x81, 0x05], b"hello"].concat())
        .await;
    browser.send([0xff; 20]).await;
    browser.expect([0xff; 20]).await;
    drop(browser);
    let (_, log) = stage.kept.web_socket().await;
    assert!(log.sent.unreadable && log.received.unreadable);
}
