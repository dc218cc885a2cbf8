//! The browser's end of a connection: buffered reading, writing, and noticing that it has gone.

use bytes::{Bytes, BytesMut};
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, ReadBuf};
use tokio::net::TcpStream;
use tokio_rustls::server::TlsStream;
use url::Url;
use varve_model::HttpHead;

/// What a request's head may take. Browsers send long URLs and many cookies.
const HEAD_BYTES: usize = 256 * 1024;
/// A line within a chunked body.
const LINE_BYTES: usize = 4 * 1024;
/// What is read ahead while a response is under way.
const AHEAD_BYTES: usize = 64 * 1024;
/// How much is read at once.
const READ_BYTES: usize = 16 * 1024;

/// A connection from the browser, encrypted or not.
pub(super) trait BrowserStream: AsyncRead + AsyncWrite + Unpin + Send {
    /// Sees to it that closing is a reset, which nobody takes for the end of a body.
    fn reset_on_close(&self);
}

impl BrowserStream for TcpStream {
    fn reset_on_close(&self) {
        // If it fails the connection is gone already.
        let _ = self.set_zero_linger();
    }
}

impl BrowserStream for TlsStream<Rewound<TcpStream>> {
    fn reset_on_close(&self) {
        self.get_ref().0.stream.reset_on_close();
    }
}

impl BrowserStream for Rewound<TcpStream> {
    fn reset_on_close(&self) {
        self.stream.reset_on_close();
    }
}

/// Why no request could be read.
#[derive(Debug, thiserror::Error)]
pub(super) enum ReadError {
    /// The browser has gone.
    #[error("the connection ended")]
    Gone,
    /// Longer than allowed.
    #[error("{0} is too long")]
    TooLong(&'static str),
    /// A request whose body is longer than allowed.
    #[error("the body for {url} is too long")]
    TooMuch {
        /// What was asked for.
        url: Box<Url>,
        /// How.
        method: String,
    },
    /// No HTTP.
    #[error("{0}")]
    Malformed(&'static str),
}

impl From<io::Error> for ReadError {
    fn from(_: io::Error) -> ReadError {
        ReadError::Gone
    }
}

/// A connection with what was read of it and not used yet.
pub(super) struct Wire<S> {
    stream: S,
    buffer: BytesMut,
}

impl<S: BrowserStream> Wire<S> {
    /// Nothing read yet.
    pub(super) fn new(stream: S) -> Wire<S> {
        Wire {
            stream,
            buffer: BytesMut::new(),
        }
    }

    /// Waits until there is something to read.
    pub(super) async fn first_byte(&mut self) -> Result<u8, ReadError> {
        if self.buffer.is_empty() {
            self.fill().await?;
        }
        Ok(self.buffer[0])
    }

    /// The next head.
    pub(super) async fn head(&mut self) -> Result<HttpHead, ReadError> {
        loop {
            if let Some((head, length)) = HttpHead::parse(&self.buffer) {
                let _ = self.buffer.split_to(length);
                return Ok(head);
            }
            if self.buffer.len() > HEAD_BYTES {
                return Err(ReadError::TooLong("the request's head"));
            }
            self.fill().await?;
        }
    }

    /// The next line, without its end.
    pub(super) async fn line(&mut self) -> Result<Bytes, ReadError> {
        loop {
            if let Some(end) = self.buffer.iter().position(|byte| *byte == b'\n') {
                let line = self.buffer.split_to(end + 1).freeze();
                return Ok(line.slice(..line.trim_ascii_end().len()));
            }
            if self.buffer.len() > LINE_BYTES {
                return Err(ReadError::TooLong("a line of the request's body"));
            }
            self.fill().await?;
        }
    }

    /// Exactly so many bytes, at the end of `into`.
    pub(super) async fn take(&mut self, count: usize, into: &mut Vec<u8>) -> Result<(), ReadError> {
        let mut left = count;
        while left > 0 {
            if self.buffer.is_empty() {
                self.fill().await?;
            }
            let piece = self.buffer.split_to(left.min(self.buffer.len()));
            into.extend_from_slice(&piece);
            left -= piece.len();
        }
        Ok(())
    }

    /// Returns when the browser has gone. What it sends meanwhile is kept. Can be abandoned and
    /// called again.
    pub(super) async fn gone(&mut self) {
        while self.buffer.len() < AHEAD_BYTES {
            if self.fill().await.is_err() {
                return;
            }
        }
        std::future::pending().await
    }

    /// Sends bytes. If abandoned, the connection is of no use any more.
    pub(super) async fn send(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.stream.write_all(bytes).await?;
        self.stream.flush().await
    }

    /// Ends writing, and drops what comes until the browser has gone.
    pub(super) async fn drain(&mut self) {
        if self.stream.shutdown().await.is_ok() {
            while self.fill().await.is_ok() {
                self.buffer.clear();
            }
        }
    }

    /// An orderly end.
    pub(super) async fn close(mut self) {
        // The browser may have gone first.
        let _ = self.stream.shutdown().await;
    }

    /// An end that nobody takes for an orderly one.
    pub(super) fn reset(self) {
        self.stream.reset_on_close();
    }

    /// What was read and not used, and the connection after it.
    pub(super) fn raw(&mut self) -> (Bytes, &mut S) {
        (self.buffer.split().freeze(), &mut self.stream)
    }

    /// The connection as it was before anything unused was read.
    pub(super) fn rewind(self) -> Rewound<S> {
        Rewound {
            stream: self.stream,
            buffer: self.buffer,
        }
    }

    async fn fill(&mut self) -> Result<(), ReadError> {
        self.buffer.reserve(READ_BYTES);
        match self.stream.read_buf(&mut self.buffer).await? {
            0 => Err(ReadError::Gone),
            _ => Ok(()),
        }
    }
}

/// A connection whose first bytes were read before and come again.
pub(super) struct Rewound<S> {
    stream: S,
    buffer: BytesMut,
}

impl<S: AsyncRead + Unpin> AsyncRead for Rewound<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if self.buffer.is_empty() {
            return Pin::new(&mut self.stream).poll_read(context, into);
        }
        let count = into.remaining().min(self.buffer.len());
        into.put_slice(&self.buffer.split_to(count));
        Poll::Ready(Ok(()))
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Rewound<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
