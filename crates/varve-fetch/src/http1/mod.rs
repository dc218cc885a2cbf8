//! HTTP/1.1 as a client, byte for byte.

mod body;
mod chunked;
mod framing;
mod heads;
mod request;

pub(crate) use body::Body;
pub(crate) use framing::{Follows, follows};
pub(crate) use request::{head as request_head, push_field};

use crate::connect::{Connected, Stream};
use crate::limits::Limits;
use crate::trouble::Trouble;
use bytes::BytesMut;
use heads::HeadReader;
use request::Outgoing;
use std::future::poll_fn;
use std::net::SocketAddr;
use std::pin::Pin;
use std::task::{Context, Poll, Waker, ready};
use std::time::Instant;
use std::{io, mem};
use tokio::io::{AsyncRead, AsyncReadExt, ReadBuf};
use tokio::time::{timeout, timeout_at};
use varve_model::HttpHead;

/// How much is read at once at first, and at most.
const GRAIN: usize = 16 * 1024;
const LARGEST_GRAIN: usize = 256 * 1024;

/// A connection, and what was received on it and not yet used.
pub(crate) struct Connection {
    pub(crate) stream: Stream,
    pub(crate) inbox: BytesMut,
    pub(crate) peer: SocketAddr,
    /// Whether a request was answered on it before.
    pub(crate) reused: bool,
    grain: usize,
}

/// The heads of a response.
pub(crate) struct Heads {
    /// The informational ones.
    pub(crate) informational: Vec<Vec<u8>>,
    /// The final one.
    pub(crate) head: HttpHead,
    /// Whether the server took the whole request.
    pub(crate) sent: bool,
}

impl Connection {
    /// A new connection.
    pub(crate) fn new(connected: Connected) -> Connection {
        Connection {
            stream: connected.stream,
            inbox: BytesMut::new(),
            peer: connected.peer,
            reused: false,
            grain: GRAIN,
        }
    }

    /// Sends a request and waits for the head of its response. If the response comes before all
    /// of the request was taken, the rest is not sent.
    pub(crate) async fn ask(
        &mut self,
        head: &[u8],
        body: &[u8],
        limits: &Limits,
    ) -> Result<Heads, Trouble> {
        let mut outgoing = Outgoing::new(head, body);
        let mut reader = HeadReader::new(limits);
        while !outgoing.over() && self.inbox.is_empty() {
            let pumping = timeout(limits.stall, self.pump(&mut outgoing));
            pumping.await.map_err(|_| Trouble::Time)??;
        }
        let deadline = (Instant::now() + limits.first_byte).into();
        loop {
            if let Some(head) = reader.take(&mut self.inbox)? {
                return Ok(Heads {
                    informational: mem::take(&mut reader.informational),
                    head,
                    sent: outgoing.sent(),
                });
            }
            let pumping = timeout_at(deadline, self.pump(&mut outgoing));
            pumping.await.map_err(|_| Trouble::Time)??;
        }
    }

    /// Reads more into the inbox. Zero is the end. Can be cancelled without loss.
    pub(crate) async fn read(&mut self) -> io::Result<usize> {
        self.inbox.reserve(self.grain);
        let room = self.inbox.capacity() - self.inbox.len();
        let count = self.stream.read_buf(&mut self.inbox).await?;
        if count == room {
            self.grain = (self.grain * 2).min(LARGEST_GRAIN);
        }
        Ok(count)
    }

    /// Whether nothing came while nobody asked: neither bytes nor the end.
    pub(crate) fn is_quiet(&mut self) -> bool {
        let mut byte = [0];
        let mut buffer = ReadBuf::new(&mut byte);
        let mut cx = Context::from_waker(Waker::noop());
        let polled = Pin::new(&mut self.stream).poll_read(&mut cx, &mut buffer);
        self.inbox.is_empty() && polled.is_pending()
    }

    /// Makes the connection small, to wait for its next use.
    pub(crate) fn rest(&mut self) {
        self.inbox = BytesMut::new();
        self.grain = GRAIN;
        self.reused = true;
    }

    /// Writes some of the request, or reads some of the response, whichever can be done.
    async fn pump(&mut self, outgoing: &mut Outgoing<'_>) -> Result<(), Trouble> {
        if outgoing.over() {
            return match self.read().await {
                Ok(0) | Err(_) => Err(self.closed()),
                Ok(_) => Ok(()),
            };
        }
        self.inbox.reserve(self.grain);
        let pumped = poll_fn(|cx| self.poll_pump(cx, outgoing)).await;
        pumped.map_err(|_| self.closed())
    }

    fn poll_pump(
        &mut self,
        cx: &mut Context<'_>,
        outgoing: &mut Outgoing<'_>,
    ) -> Poll<io::Result<()>> {
        if outgoing.poll_write(&mut self.stream, cx).is_ready() {
            return Poll::Ready(Ok(()));
        }
        let reading = std::pin::pin!(self.stream.read_buf(&mut self.inbox));
        match ready!(std::future::Future::poll(reading, cx))? {
            0 => Poll::Ready(Err(io::ErrorKind::UnexpectedEof.into())),
            _ => Poll::Ready(Ok(())),
        }
    }

    fn closed(&self) -> Trouble {
        Trouble::Closed {
            answered: !self.inbox.is_empty(),
        }
    }
}
