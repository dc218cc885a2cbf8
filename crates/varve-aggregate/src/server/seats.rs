//! A listener with a limit on connections, and on how long nothing may move on one.

use axum::serve::Listener;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, Sleep, sleep};

/// More connections than this wait until another is closed; fewer if the system lets a program
/// have few files.
const CONNECTIONS: usize = 2_048;
/// Files for everything else: connections to archives, and what they send.
const OTHER_FILES: u64 = 512;

/// Accepts so many connections at a time.
pub(super) struct Seats {
    listener: TcpListener,
    free: Arc<Semaphore>,
    idle: Duration,
}

impl Seats {
    /// Connections on which nothing moves for `idle` are closed.
    pub(super) fn new(listener: TcpListener, idle: Duration) -> Seats {
        Seats {
            listener,
            free: Arc::new(Semaphore::new(connections())),
            idle,
        }
    }
}

/// How many connections there can be. Asks the system for as many files as it gives.
fn connections() -> usize {
    let known = getrlimit(Resource::Nofile);
    let raised = Rlimit {
        current: known.maximum,
        maximum: known.maximum,
    };
    let files = match setrlimit(Resource::Nofile, raised) {
        Ok(()) => known.maximum,
        Err(_) => known.current,
    };
    let room = files.map_or(u64::MAX, |files| files.saturating_sub(OTHER_FILES));
    usize::try_from(room).map_or(CONNECTIONS, |room| room.clamp(64, CONNECTIONS))
}

impl Listener for Seats {
    type Io = Seat;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Seat, SocketAddr) {
        // The semaphore is never closed.
        let taken = self.free.clone().acquire_owned().await.ok();
        let (stream, from) = Listener::accept(&mut self.listener).await;
        // Answers are whole when they are written; waiting for more only delays them.
        let _ = stream.set_nodelay(true);
        let seat = Seat {
            stream,
            idle: self.idle,
            alarm: Box::pin(sleep(self.idle)),
            _taken: taken,
        };
        (seat, from)
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }
}

/// A connection that was accepted.
pub(super) struct Seat {
    stream: TcpStream,
    idle: Duration,
    alarm: Pin<Box<Sleep>>,
    _taken: Option<OwnedSemaphorePermit>,
}

impl Seat {
    fn or_idle<T>(
        &mut self,
        moved: Poll<io::Result<T>>,
        cx: &mut Context<'_>,
    ) -> Poll<io::Result<T>> {
        match moved {
            Poll::Ready(result) => {
                let next = Instant::now() + self.idle;
                self.alarm.as_mut().reset(next);
                Poll::Ready(result)
            }
            Poll::Pending if self.alarm.as_mut().poll(cx).is_ready() => {
                Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
            }
            Poll::Pending => Poll::Pending,
        }
    }
}

impl AsyncRead for Seat {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let moved = Pin::new(&mut self.stream).poll_read(cx, into);
        self.or_idle(moved, cx)
    }
}

impl AsyncWrite for Seat {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let moved = Pin::new(&mut self.stream).poll_write(cx, bytes);
        self.or_idle(moved, cx)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}
