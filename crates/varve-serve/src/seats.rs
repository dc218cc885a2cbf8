//! A listener with a limit on connections, and on how long one may be idle: those that hang take
//! places, not memory, and not for ever.

use axum::serve::Listener;
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, Sleep, sleep};

/// More connections than this wait until another hangs up.
const CONNECTIONS: usize = 512;
/// A connection on which nothing moves for so long is closed.
const IDLE: Duration = Duration::from_secs(60);

/// A listener that accepts so many connections at a time.
pub(crate) struct Seats {
    listener: TcpListener,
    places: Arc<Semaphore>,
}

impl Seats {
    pub(crate) fn new(listener: TcpListener) -> Seats {
        let places = Arc::new(Semaphore::new(CONNECTIONS));
        Seats { listener, places }
    }
}

impl Listener for Seats {
    type Io = Seated;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Seated, SocketAddr) {
        // The semaphore is never closed.
        let place = self.places.clone().acquire_owned().await.ok();
        let (stream, address) = Listener::accept(&mut self.listener).await;
        // Answers are written at once; waiting for more only delays them.
        let _ = stream.set_nodelay(true);
        let seated = Seated {
            stream,
            idle: Box::pin(sleep(IDLE)),
            _place: place,
        };
        (seated, address)
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }
}

/// A connection that has a place.
pub(crate) struct Seated {
    stream: TcpStream,
    idle: Pin<Box<Sleep>>,
    _place: Option<OwnedSemaphorePermit>,
}

impl Seated {
    /// Something moved, or nothing did for too long.
    fn watch<T>(
        &mut self,
        moved: Poll<io::Result<T>>,
        cx: &mut Context<'_>,
    ) -> Poll<io::Result<T>> {
        if moved.is_ready() {
            self.idle.as_mut().reset(Instant::now() + IDLE);
            return moved;
        }
        ready!(self.idle.as_mut().poll(cx));
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }
}

impl AsyncRead for Seated {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let moved = Pin::new(&mut self.stream).poll_read(cx, into);
        self.watch(moved, cx)
    }
}

impl AsyncWrite for Seated {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let moved = Pin::new(&mut self.stream).poll_write(cx, bytes);
        self.watch(moved, cx)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        pieces: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let moved = Pin::new(&mut self.stream).poll_write_vectored(cx, pieces);
        self.watch(moved, cx)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}
