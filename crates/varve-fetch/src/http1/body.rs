//! The body of a response, as it comes, up to its end.

use super::Connection;
use super::chunked::{Chunked, Seen};
use crate::incoming::{After, Framing, Step};
use crate::pool::Home;
use bytes::Bytes;
use std::io;

/// A body on a connection.
pub(crate) struct Body {
    connection: Connection,
    /// Where the connection goes after a clean end; nowhere if it cannot be used again.
    home: Option<Home>,
    end: End,
}

/// What is known about the end.
enum End {
    /// After this many bytes.
    Length(u64),
    /// Where the chunks say.
    Chunked(Chunked),
    /// When the connection closes.
    Close,
}

impl Body {
    /// A body that begins where the connection is. `None` if there is none, and then the
    /// connection goes home.
    pub(crate) fn new(
        connection: Connection,
        framing: Framing,
        home: Option<Home>,
    ) -> Option<Body> {
        let end = match framing {
            Framing::Empty => {
                go_home(home, connection);
                return None;
            }
            Framing::Length(length) => End::Length(length),
            Framing::Chunked => End::Chunked(Chunked::new()),
            Framing::UntilClose => End::Close,
        };
        Some(Body {
            connection,
            home,
            end,
        })
    }

    /// The next piece. Can be cancelled without loss.
    pub(crate) async fn step(&mut self) -> Step {
        if self.connection.inbox.is_empty() {
            match self.connection.read().await {
                Ok(0) => return self.closed(true),
                Ok(_) => {}
                // TLS that just stops. Many servers end their bodies so.
                Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
                    return self.closed(true);
                }
                Err(_) => return self.closed(false),
            }
        }
        let (length, after) = self.judge();
        let bytes = self.connection.inbox.split_to(length).freeze();
        Step { bytes, after }
    }

    /// Sends the connection where it can be used again. To be called after the end.
    pub(crate) fn release(self) {
        go_home(self.home, self.connection);
    }

    /// How much of what was received belongs to the body, and what follows it.
    fn judge(&mut self) -> (usize, After) {
        let inbox = &self.connection.inbox;
        match &mut self.end {
            End::Close => (inbox.len(), After::More),
            End::Length(left) => {
                let length = (*left).min(inbox.len() as u64);
                *left -= length;
                let after = if *left == 0 { After::End } else { After::More };
                (length as usize, after)
            }
            End::Chunked(chunked) => match chunked.follow(inbox) {
                Seen::More => (inbox.len(), After::More),
                Seen::End(length) => (length, After::End),
                Seen::Broken(_) => (inbox.len(), After::Broken),
            },
        }
    }

    fn closed(&mut self, cleanly: bool) -> Step {
        let after = match self.end {
            End::Close if cleanly => After::End,
            _ => After::Broken,
        };
        Step {
            bytes: Bytes::new(),
            after,
        }
    }
}

fn go_home(home: Option<Home>, connection: Connection) {
    if let Some(home) = home.filter(|_| connection.inbox.is_empty()) {
        home.take(connection);
    }
}
