//! WebSockets greet, echo and are logged message by message.

use crate::client::{ask, logged, start};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use varve_demo::{Message, MessageKind, Protocol, Sender};

const HANDSHAKE: &[u8] = b"GET /everything/socket HTTP/1.1\r\nHost: garden.example\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n";

/// A client's frame with a mask of zeros.
fn frame(first: u8, payload: &[u8]) -> Vec<u8> {
    [&[first, 0x80 | payload.len() as u8, 0, 0, 0, 0], payload].concat()
}

#[tokio::test]
async fn a_conversation() {
    let web = start().await;
    let mut stream = TcpStream::connect(web.address()).await.unwrap();
    // The first message comes in three frames, a ping between them.
    let mut request = HANDSHAKE.to_vec();
    request.extend(frame(0x01, b"ho"));
    request.extend(frame(0x89, b"?"));
    request.extend(frame(0x00, b"w do"));
    request.extend(frame(0x80, b" you do"));
    request.extend(frame(0x88, &[3, 232]));
    stream.write_all(&request).await.unwrap();
    let mut received = Vec::new();
    stream.read_to_end(&mut received).await.unwrap();

    let logged = logged(&web, "/everything/socket");
    assert_eq!(logged.protocol, Protocol::WebSocket);
    assert_eq!(logged.request_head, HANDSHAKE);
    assert!(received.starts_with(&logged.response_head));
    let head = String::from_utf8(logged.response_head).unwrap();
    assert!(head.starts_with("HTTP/1.1 101 Switching Protocols\r\n"));
    assert!(head.contains("Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n"));
    assert!(logged.complete);
    let message = |sender, kind, payload: &[u8]| Message {
        sender,
        kind,
        payload: payload.to_vec(),
    };
    assert_eq!(
        logged.messages[4..],
        [
            message(Sender::Client, MessageKind::Ping, b"?"),
            message(Sender::Server, MessageKind::Pong, b"?"),
            message(Sender::Client, MessageKind::Text, b"how do you do"),
            message(Sender::Server, MessageKind::Text, b"how do you do"),
            message(Sender::Client, MessageKind::Close, &[3, 232]),
            message(Sender::Server, MessageKind::Close, &[3, 232]),
        ]
    );
    let kinds: Vec<MessageKind> = logged.messages[..4]
        .iter()
        .map(|message| message.kind)
        .collect();
    let greeting = [
        MessageKind::Text,
        MessageKind::Text,
        MessageKind::Binary,
        MessageKind::Ping,
    ];
    assert_eq!(kinds, greeting);
    assert!(received.ends_with(b"\x81\x0dhow do you do\x88\x02\x03\xe8"));
}

#[tokio::test]
async fn others_are_asked_for_a_handshake() {
    let web = start().await;
    let plain = ask(&web, "GET", "garden.example", "/live/socket", "").await;
    assert_eq!(plain.status(), 400);
}
