//! Requests off the wire, within limits.

use super::head::{Fault, Head, Length, parse};
use bytes::{Buf, Bytes, BytesMut};
use std::io;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncReadExt};

/// Limits of a request.
const HEAD_LIMIT: usize = 64 << 10;
const BODY_LIMIT: usize = 8 << 20;
const CHUNK_LINE_LIMIT: usize = 1024;
/// How long a connection may be silent between requests, and within one.
const IDLE: Duration = Duration::from_secs(120);
const STALL: Duration = Duration::from_secs(30);
/// How long a refused client gets to read why.
const LINGER: Duration = Duration::from_secs(1);

/// A request's body, with its framing and without.
#[derive(Debug, Default)]
pub(super) struct WireBody {
    pub(super) wire: Vec<u8>,
    pub(super) content: Bytes,
}

/// A connection with what was read ahead.
pub(super) struct Reader<S> {
    stream: S,
    buffer: BytesMut,
}

impl<S: AsyncRead + Unpin> Reader<S> {
    pub(super) fn new(stream: S) -> Reader<S> {
        Reader {
            stream,
            buffer: BytesMut::new(),
        }
    }

    /// The connection, to write to.
    pub(super) fn stream(&mut self) -> &mut S {
        &mut self.stream
    }

    /// The connection, and what came after the last request.
    pub(super) fn parts(&mut self) -> (&mut S, Bytes) {
        let ahead = self.buffer.split().freeze();
        (&mut self.stream, ahead)
    }

    /// The next head, or nothing if the other side is done.
    pub(super) async fn head(&mut self) -> io::Result<Result<Option<Head>, Fault>> {
        let mut patience = IDLE;
        let end = loop {
            let end = find(&self.buffer, b"\r\n\r\n").map(|at| at + 4);
            if end.unwrap_or(self.buffer.len()) > HEAD_LIMIT {
                return Ok(Err(Fault::HeadTooLarge));
            }
            if let Some(end) = end {
                break end;
            }
            if !self.more(patience).await? {
                let nothing = self.buffer.is_empty();
                return Ok(if nothing {
                    Ok(None)
                } else {
                    Err(Fault::Malformed)
                });
            }
            patience = STALL;
        };
        let bytes = self.buffer.split_to(end).to_vec();
        Ok(parse(bytes).map(Some))
    }

    /// The body that follows a head.
    pub(super) async fn body(&mut self, head: &Head) -> io::Result<Result<WireBody, Fault>> {
        match head.length() {
            Ok(Length::Known(length)) if length > BODY_LIMIT => Ok(Err(Fault::BodyTooLarge)),
            Ok(Length::Known(length)) => {
                if !self.fill(length).await? {
                    return Ok(Err(Fault::Malformed));
                }
                let content = self.buffer.split_to(length).freeze();
                let wire = content.to_vec();
                Ok(Ok(WireBody { wire, content }))
            }
            Ok(Length::Chunked) => self.chunked().await,
            Err(fault) => Ok(Err(fault)),
        }
    }

    async fn chunked(&mut self) -> io::Result<Result<WireBody, Fault>> {
        let (mut wire, mut content) = (Vec::new(), Vec::new());
        loop {
            let Some(line) = self.line().await? else {
                return Ok(Err(Fault::Malformed));
            };
            let Some(size) = chunk_size(&line) else {
                return Ok(Err(Fault::Malformed));
            };
            wire.extend_from_slice(&line);
            if wire.len() + size > BODY_LIMIT {
                return Ok(Err(Fault::BodyTooLarge));
            }
            if size == 0 {
                break;
            }
            if !self.fill(size + 2).await? {
                return Ok(Err(Fault::Malformed));
            }
            wire.extend_from_slice(&self.buffer[..size + 2]);
            content.extend_from_slice(&self.buffer[..size]);
            self.buffer.advance(size + 2);
        }
        // Trailers, up to the empty line.
        loop {
            match self.line().await? {
                Some(line) if wire.len() + line.len() <= BODY_LIMIT => {
                    wire.extend_from_slice(&line);
                    if line == b"\r\n" {
                        let content = content.into();
                        return Ok(Ok(WireBody { wire, content }));
                    }
                }
                _ => return Ok(Err(Fault::Malformed)),
            }
        }
    }

    /// A line with its end, or nothing if there is none within the limit.
    async fn line(&mut self) -> io::Result<Option<Vec<u8>>> {
        loop {
            if let Some(at) = find(&self.buffer, b"\r\n") {
                return Ok(Some(self.buffer.split_to(at + 2).to_vec()));
            }
            if self.buffer.len() > CHUNK_LINE_LIMIT || !self.more(STALL).await? {
                return Ok(None);
            }
        }
    }

    /// Reads until so many bytes are there; false if the other side ends before.
    async fn fill(&mut self, length: usize) -> io::Result<bool> {
        while self.buffer.len() < length {
            if !self.more(STALL).await? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Reads something more; false at the end.
    async fn more(&mut self, patience: Duration) -> io::Result<bool> {
        let read = self.stream.read_buf(&mut self.buffer);
        Ok(tokio::time::timeout(patience, read).await?? > 0)
    }

    /// Reads and forgets what still comes: closing over unread bytes would cut our last answer off.
    pub(super) async fn drain(&mut self) {
        let drain = async {
            let mut left = BODY_LIMIT;
            loop {
                self.buffer.clear();
                match self.stream.read_buf(&mut self.buffer).await {
                    Ok(read) if read > 0 && read < left => left -= read,
                    _ => return,
                }
            }
        };
        let _ = tokio::time::timeout(LINGER, drain).await;
    }

    /// Waits until the other side goes away, or sends more than it should meanwhile.
    pub(super) async fn gone(&mut self) {
        while self.buffer.len() <= HEAD_LIMIT {
            match self.stream.read_buf(&mut self.buffer).await {
                Ok(0) | Err(_) => return,
                Ok(_) => {}
            }
        }
    }
}

/// The size in a chunk's first line, extensions aside.
fn chunk_size(line: &[u8]) -> Option<usize> {
    let text = std::str::from_utf8(line).ok()?;
    let digits = text.split([';', '\r']).next()?.trim();
    // No sign, and no more digits than any body within limits needs.
    let hexadecimal = digits.len() <= 8 && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    usize::from_str_radix(digits, 16)
        .ok()
        .filter(|_| hexadecimal)
}

fn find(haystack: &[u8], needle: &[u8]) -> Option<usize> {
    haystack
        .windows(needle.len())
        .position(|window| window == needle)
}
