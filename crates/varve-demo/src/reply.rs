//! An answer, before a protocol writes it: status, fields in their order and spelling, body, pace.

use crate::date;
use bytes::Bytes;
use std::time::Duration;

/// A header field as it is to be sent. HTTP/2 writes the name in lower case.
pub(crate) type Field = (&'static str, String);

/// What a route answers.
pub(crate) enum Answer {
    /// An HTTP response.
    Reply(Reply),
    /// The request may become a WebSocket.
    WebSocket,
}

impl From<Reply> for Answer {
    fn from(reply: Reply) -> Answer {
        Answer::Reply(reply)
    }
}

/// An HTTP response.
#[derive(Clone, Debug)]
pub(crate) struct Reply {
    /// How long to wait before anything is sent.
    pub(crate) after: Duration,
    /// Fields of a 103 response that goes first, if there are any.
    pub(crate) hints: Vec<Field>,
    pub(crate) status: u16,
    pub(crate) fields: Vec<Field>,
    pub(crate) body: Body,
}

/// A response's body and how its end is told.
#[derive(Clone, Debug)]
pub(crate) enum Body {
    /// There is none, nor a length (1xx, 204, 304).
    None,
    /// By its length.
    Whole(Bytes),
    /// By closing the connection.
    UntilClose(Bytes),
    /// In chunks, one by one.
    Pieces(Pieces),
}

/// A body that comes in pieces.
#[derive(Clone, Debug)]
pub(crate) struct Pieces {
    pub(crate) pieces: Vec<Piece>,
    pub(crate) trailers: Vec<Field>,
    pub(crate) end: End,
}

/// One piece of a body, sent as one chunk.
#[derive(Clone, Debug)]
pub(crate) struct Piece {
    /// How long to wait before it.
    pub(crate) after: Duration,
    /// A chunk extension, with its semicolon.
    pub(crate) extension: &'static str,
    pub(crate) bytes: Bytes,
}

/// What follows the last piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// The end of the body.
    Finished,
    /// Nothing, for as long as the client stays.
    StaysOpen,
}

impl Reply {
    /// An answer without a body, with the fields that all have.
    pub(crate) fn new(status: u16) -> Reply {
        Reply {
            after: Duration::ZERO,
            hints: Vec::new(),
            status,
            fields: vec![("Date", date::now()), ("Server", "varve-demo".into())],
            body: Body::None,
        }
    }

    /// An answer with a body.
    pub(crate) fn with(status: u16, kind: &str, body: impl Into<Bytes>) -> Reply {
        let mut reply = Reply::new(status).field("Content-Type", kind);
        reply.body = Body::Whole(body.into());
        reply
    }

    /// A page.
    pub(crate) fn html(status: u16, body: impl Into<Bytes>) -> Reply {
        Reply::with(status, "text/html; charset=utf-8", body)
    }

    /// JSON that must not be kept.
    pub(crate) fn json(body: impl Into<Bytes>) -> Reply {
        Reply::with(200, "application/json", body).field("Cache-Control", "no-store")
    }

    /// A redirection with the small page that servers send along.
    pub(crate) fn redirect(status: u16, location: &str) -> Reply {
        let page = format!(
            "<!doctype html><title>Moved</title><p>This is now <a href=\"{location}\">elsewhere</a>.\n"
        );
        Reply::html(status, page).field("Location", location)
    }

    /// A body in chunks.
    pub(crate) fn in_pieces(kind: &str, pieces: Vec<Piece>, end: End) -> Reply {
        let mut reply = Reply::new(200).field("Content-Type", kind);
        reply.body = Body::Pieces(Pieces {
            pieces,
            trailers: Vec::new(),
            end,
        });
        reply
    }

    /// One field more.
    pub(crate) fn field(mut self, name: &'static str, value: impl Into<String>) -> Reply {
        self.fields.push((name, value.into()));
        self
    }

    /// Nothing is sent before this time has passed.
    pub(crate) fn after(mut self, milliseconds: u64) -> Reply {
        self.after = Duration::from_millis(milliseconds);
        self
    }
}

impl Piece {
    /// A piece that comes after so many milliseconds.
    pub(crate) fn after(milliseconds: u64, bytes: impl Into<Bytes>) -> Piece {
        Piece {
            after: Duration::from_millis(milliseconds),
            extension: "",
            bytes: bytes.into(),
        }
    }
}

/// The phrase that goes with a status in HTTP/1.
pub(crate) fn reason(status: u16) -> &'static str {
    http::StatusCode::from_u16(status)
        .ok()
        .and_then(|status| status.canonical_reason())
        .unwrap_or("Unknown")
}
