//! WebSockets: bytes pass untouched both ways while their messages are taken down.

mod frames;
mod log;

use bytes::{Bytes, BytesMut};
use frames::FrameReader;
pub(super) use log::Room;
pub use log::{
    Direction, MessageKind, WebSocketCount, WebSocketEnd, WebSocketLog, WebSocketMessage,
};
use std::io;
use std::pin::pin;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, split};
use tokio::time::timeout;

/// How long one side may go on when the other has ended.
const FAREWELL: Duration = Duration::from_secs(2);
/// How much is read at once.
const READ_BYTES: usize = 16 * 1024;

/// Passes bytes between browser and server until one of them ends or it is time to stop.
/// `early` is what the browser sent already.
pub(super) async fn relay(
    early: Bytes,
    browser: &mut (impl AsyncRead + AsyncWrite + Unpin),
    server: impl AsyncRead + AsyncWrite + Unpin,
    stop: impl Future<Output = ()>,
    room: Room,
) -> WebSocketLog {
    let notes = Notes {
        begun: Instant::now(),
        log: Mutex::new(WebSocketLog::new(SystemTime::now(), room)),
    };
    let (from_browser, to_browser) = split(browser);
    let (from_server, to_server) = split(server);
    let ended = {
        let mut sent = pin!(notes.pass(Direction::Sent, early, from_browser, to_server));
        let none = Bytes::new();
        let mut received = pin!(notes.pass(Direction::Received, none, from_server, to_browser));
        let both = async {
            // How a side ended is of no interest: both end then.
            let _ = tokio::select! {
                _ = &mut sent => timeout(FAREWELL, &mut received).await,
                _ = &mut received => timeout(FAREWELL, &mut sent).await,
            };
        };
        tokio::select! {
            () = both => WebSocketEnd::Closed,
            () = stop => WebSocketEnd::Cut,
        }
    };
    notes.finish(ended)
}

/// What both directions write to.
struct Notes {
    begun: Instant,
    log: Mutex<WebSocketLog>,
}

impl Notes {
    /// Passes one direction on, to its end.
    async fn pass(
        &self,
        direction: Direction,
        early: Bytes,
        mut from: impl AsyncRead + Unpin,
        mut to: impl AsyncWrite + Unpin,
    ) -> io::Result<()> {
        let mut reader = FrameReader::new();
        let mut buffer = BytesMut::from(early);
        loop {
            if !buffer.is_empty() {
                self.take_down(direction, &mut reader, &buffer);
                to.write_all(&buffer).await?;
                to.flush().await?;
                buffer.clear();
            }
            buffer.reserve(READ_BYTES);
            if from.read_buf(&mut buffer).await? == 0 {
                return to.shutdown().await;
            }
        }
    }

    fn take_down(&self, direction: Direction, reader: &mut FrameReader, bytes: &[u8]) {
        let after = self.begun.elapsed();
        let mut log = self.log.lock().unwrap_or_else(PoisonError::into_inner);
        reader.feed(bytes, |event| log.add(direction, after, event));
    }

    fn finish(self, ended: WebSocketEnd) -> WebSocketLog {
        let mut log = self
            .log
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner);
        log.ended = ended;
        log.lasted = self.begun.elapsed();
        log
    }
}
