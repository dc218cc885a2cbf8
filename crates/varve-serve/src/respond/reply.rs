//! An answer before it is on the wire.

use super::stream::{Long, Pieces};
use crate::isolation::Nature;
use axum::http::StatusCode;
use axum::http::header::{self, HeaderMap, HeaderName, HeaderValue};
use bytes::Bytes;

/// What is answered.
pub(crate) struct Reply {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: ReplyBody,
    pub(crate) nature: Nature,
    /// Whether it is a document that begins with the shim.
    pub(crate) has_shim: bool,
}

/// The body of an answer.
pub(crate) enum ReplyBody {
    /// All of it.
    Whole(Bytes),
    /// To be read while it is sent.
    Long(Box<Long>),
    /// To be made while it is sent.
    Pieces(Pieces),
}

impl Reply {
    pub(crate) fn new(status: StatusCode, body: impl Into<Bytes>) -> Reply {
        Reply {
            status,
            headers: HeaderMap::new(),
            body: ReplyBody::Whole(body.into()),
            nature: Nature::Archived,
            has_shim: false,
        }
    }

    /// The same with another header. A value that no header can have is left out.
    pub(crate) fn with(mut self, name: HeaderName, value: &str) -> Reply {
        self.say(name, value);
        self
    }

    pub(crate) fn say(&mut self, name: HeaderName, value: &str) {
        if let Ok(value) = HeaderValue::from_str(value) {
            self.headers.insert(name, value);
        }
    }

    /// The same with a body that is made while it is sent.
    pub(crate) fn in_pieces(mut self, pieces: Pieces) -> Reply {
        self.body = ReplyBody::Pieces(pieces);
        self
    }

    /// Leads elsewhere in the archive.
    pub(crate) fn redirect(status: StatusCode, to: &str) -> Reply {
        Reply::new(status, Bytes::new()).with(header::LOCATION, to)
    }
}
