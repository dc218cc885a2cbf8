//! WebSocket: the server greets, echoes what it is told, and answers pings.

mod frame;

use crate::log::{Entry, Message, MessageKind, Sender};
use crate::reply::Reply;
use crate::request::Request;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use frame::{Frame, Opcode};
use sha1::{Digest, Sha1};
use std::io;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt};

/// The longest message, and the most messages of one connection.
const MESSAGE_LIMIT: usize = 1 << 20;
const MESSAGES_LIMIT: usize = 10_000;
/// How long it may be silent.
const IDLE: Duration = Duration::from_secs(3600);
/// What every handshake's key is hashed with (RFC 6455).
const GUID: &str = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

/// The 101 response to a handshake, or nothing if it is none.
pub(crate) fn handshake(request: &Request) -> Option<Reply> {
    let key = request.field("sec-websocket-key")?;
    let asked = request.method == "GET"
        && request.lists("upgrade", "websocket")
        && request.field("sec-websocket-version") == Some("13");
    let accept = STANDARD.encode(Sha1::digest(format!("{key}{GUID}")));
    asked.then(|| {
        Reply::new(101)
            .field("Upgrade", "websocket")
            .field("Connection", "Upgrade")
            .field("Sec-WebSocket-Accept", accept)
    })
}

/// Talks until either side has had enough.
pub(crate) async fn converse<S>(
    stream: &mut S,
    already_read: Bytes,
    entry: &Entry,
) -> io::Result<()>
where
    S: AsyncRead + AsyncWrite + Unpin,
{
    greet(stream, entry).await?;
    let mut frames = frame::Frames::new(already_read);
    let mut message: Option<(MessageKind, Vec<u8>)> = None;
    for _ in 0..MESSAGES_LIMIT {
        let next = tokio::time::timeout(IDLE, frames.next(stream, MESSAGE_LIMIT));
        let Some(frame) = next.await?? else {
            return Ok(());
        };
        let Some((kind, payload)) = assemble(&mut message, frame) else {
            continue;
        };
        log(entry, Sender::Client, kind, &payload);
        match kind {
            MessageKind::Text | MessageKind::Binary => say(stream, kind, &payload, entry).await?,
            MessageKind::Ping => say(stream, MessageKind::Pong, &payload, entry).await?,
            MessageKind::Pong => {}
            MessageKind::Close => {
                say(stream, MessageKind::Close, &payload, entry).await?;
                entry.complete(true);
                return stream.shutdown().await;
            }
        }
    }
    Ok(())
}

/// What is said before anything is asked: a text, one in two frames, bytes, and a ping.
async fn greet<S: AsyncWrite + Unpin>(stream: &mut S, entry: &Entry) -> io::Result<()> {
    let hello = br#"{"from":"garden","text":"The glasshouse is open."}"#;
    say(stream, MessageKind::Text, hello, entry).await?;
    let long = br#"{"from":"garden","text":"The night-scented stock opens at dusk."}"#;
    log(entry, Sender::Server, MessageKind::Text, long);
    let (first, second) = long.split_at(30);
    let frames = [
        frame::encode(Opcode::Text, first, frame::Fin::More),
        frame::encode(Opcode::Continuation, second, frame::Fin::Last),
    ];
    stream.write_all(&frames.concat()).await?;
    say(
        stream,
        MessageKind::Binary,
        &[0, 1, 2, 253, 254, 255],
        entry,
    )
    .await?;
    say(stream, MessageKind::Ping, b"still there?", entry).await
}

async fn say<S: AsyncWrite + Unpin>(
    stream: &mut S,
    kind: MessageKind,
    payload: &[u8],
    entry: &Entry,
) -> io::Result<()> {
    log(entry, Sender::Server, kind, payload);
    let frame = frame::encode(Opcode::of(kind), payload, frame::Fin::Last);
    stream.write_all(&frame).await?;
    stream.flush().await
}

fn log(entry: &Entry, sender: Sender, kind: MessageKind, payload: &[u8]) {
    entry.message(Message {
        sender,
        kind,
        payload: payload.to_vec(),
    });
}

/// Adds a frame to what came before; gives the message when it is whole.
fn assemble(
    partial: &mut Option<(MessageKind, Vec<u8>)>,
    frame: Frame,
) -> Option<(MessageKind, Vec<u8>)> {
    let Some(kind) = frame.opcode.kind() else {
        let (_, payload) = partial.as_mut()?;
        payload.extend_from_slice(&frame.payload);
        // A message of many frames ends where its limit does.
        let full = payload.len() > MESSAGE_LIMIT;
        return if frame.fin == frame::Fin::Last || full {
            partial.take()
        } else {
            None
        };
    };
    let data = matches!(kind, MessageKind::Text | MessageKind::Binary);
    if data && frame.fin == frame::Fin::More {
        *partial = Some((kind, frame.payload));
        return None;
    }
    Some((kind, frame.payload))
}
