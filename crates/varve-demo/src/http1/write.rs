//! Responses onto the wire, and the same bytes into the log.

use super::read::Reader;
use crate::log::Entry;
use crate::reply::{Body, End, Field, Piece, Pieces, Reply, reason};
use std::fmt::Write;
use std::io;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt};

/// How long a stream that stays open does so at most.
const LONGEST_STREAM: Duration = Duration::from_secs(3600);

/// The version a client speaks. HTTP/1.0 gets no chunks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Version {
    Http10,
    Http11,
}

/// Whether the connection goes on after an exchange.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Persistence {
    KeepAlive,
    Close,
}

/// Sends a response and logs it.
pub(super) async fn send<S>(
    reader: &mut Reader<S>,
    method: &str,
    version: Version,
    reply: Reply,
    mut persistence: Persistence,
    entry: &Entry,
) -> io::Result<Persistence>
where
    S: AsyncRead + AsyncWrite + Unpin,
{
    tokio::time::sleep(reply.after).await;
    if !reply.hints.is_empty() && version == Version::Http11 {
        let hints = interim(&reply.hints);
        entry.informational(&hints);
        reader.stream().write_all(&hints).await?;
    }
    if matches!(reply.body, Body::UntilClose(_)) {
        persistence = Persistence::Close;
    }
    let head = head(&reply, version, persistence, &framing(&reply.body, version));
    entry.head(&head);
    let body = if method == "HEAD" {
        Body::None
    } else {
        reply.body
    };
    match body {
        Body::None => last(reader.stream(), &head, b"", entry).await?,
        Body::Whole(bytes) | Body::UntilClose(bytes) => {
            entry.body(&bytes);
            last(reader.stream(), &head, &bytes, entry).await?;
        }
        Body::Pieces(pieces) => {
            reader.stream().write_all(&head).await?;
            reader.stream().flush().await?;
            send_pieces(reader, pieces, version, entry).await?;
        }
    }
    Ok(persistence)
}

/// The head of a response, byte for byte.
pub(super) fn head(
    reply: &Reply,
    version: Version,
    persistence: Persistence,
    framing: &str,
) -> Vec<u8> {
    let mut head = format!("HTTP/1.1 {} {}\r\n", reply.status, reason(reply.status));
    push_fields(&mut head, &reply.fields);
    head.push_str(framing);
    if version == Version::Http10 || persistence == Persistence::Close {
        head.push_str("Connection: close\r\n");
    }
    head.push_str("\r\n");
    head.into_bytes()
}

fn interim(hints: &[Field]) -> Vec<u8> {
    let mut head = "HTTP/1.1 103 Early Hints\r\n".to_owned();
    push_fields(&mut head, hints);
    head.push_str("\r\n");
    head.into_bytes()
}

fn push_fields(head: &mut String, fields: &[Field]) {
    for (name, value) in fields {
        // A value may hold what a client sent: it must not begin another line.
        let value: String = value.chars().filter(|c| !c.is_ascii_control()).collect();
        let _ = write!(head, "{name}: {value}\r\n");
    }
}

fn framing(body: &Body, version: Version) -> String {
    match body {
        Body::Whole(bytes) => format!("Content-Length: {}\r\n", bytes.len()),
        Body::Pieces(_) if version == Version::Http11 => "Transfer-Encoding: chunked\r\n".into(),
        Body::None | Body::UntilClose(_) | Body::Pieces(_) => String::new(),
    }
}

async fn send_pieces<S>(
    reader: &mut Reader<S>,
    body: Pieces,
    version: Version,
    entry: &Entry,
) -> io::Result<()>
where
    S: AsyncRead + AsyncWrite + Unpin,
{
    for piece in body.pieces.iter().filter(|piece| !piece.bytes.is_empty()) {
        tokio::time::sleep(piece.after).await;
        let chunk = match version {
            Version::Http11 => chunk(piece),
            Version::Http10 => piece.bytes.to_vec(),
        };
        entry.body(&chunk);
        reader.stream().write_all(&chunk).await?;
        reader.stream().flush().await?;
    }
    if body.end == End::StaysOpen {
        let _ = tokio::time::timeout(LONGEST_STREAM, reader.gone()).await;
        return Err(io::ErrorKind::BrokenPipe.into());
    }
    let mut end = String::new();
    if version == Version::Http11 {
        end.push_str("0\r\n");
        push_fields(&mut end, &body.trailers);
        end.push_str("\r\n");
    }
    entry.body(end.as_bytes());
    last(reader.stream(), b"", end.as_bytes(), entry).await
}

fn chunk(piece: &Piece) -> Vec<u8> {
    let mut chunk = format!("{:x}{}\r\n", piece.bytes.len(), piece.extension).into_bytes();
    chunk.extend_from_slice(&piece.bytes);
    chunk.extend_from_slice(b"\r\n");
    chunk
}

/// Writes the last bytes of a response.
async fn last<S: AsyncWrite + Unpin>(
    stream: &mut S,
    head: &[u8],
    body: &[u8],
    entry: &Entry,
) -> io::Result<()> {
    entry.complete(true);
    let write = async {
        stream.write_all(&[head, body].concat()).await?;
        stream.flush().await
    };
    let written = write.await;
    if written.is_err() {
        entry.complete(false);
    }
    written
}
