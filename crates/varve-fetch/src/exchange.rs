//! What went over the wire, byte for byte.

use crate::body::Spooled;
use std::net::SocketAddr;
use std::time::{Duration, SystemTime};
use url::Url;

/// What was spoken on the connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Protocol {
    /// HTTP/1.x: heads and bodies are the wire's own bytes.
    Http1,
    /// HTTP/2: heads are written as HTTP/1.1 would, bodies are the content of the DATA frames.
    Http2,
}

/// Why there is less than was sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Truncation {
    /// It was longer than allowed.
    Length,
    /// It took longer than allowed, or nobody wanted to wait any more.
    Time,
    /// The connection broke, or was closed before the announced end.
    Disconnect,
}

impl Truncation {
    /// A stable word for logs.
    pub fn reason(self) -> &'static str {
        match self {
            Truncation::Length => "truncated.length",
            Truncation::Time => "truncated.time",
            Truncation::Disconnect => "truncated.disconnect",
        }
    }
}

/// One request and its response.
#[derive(Clone, Debug)]
pub struct Exchange {
    /// The URL asked for, without fragment.
    pub url: Url,
    /// The request's method.
    pub method: String,
    /// When the request was sent.
    pub started: SystemTime,
    /// The address that answered.
    pub peer: SocketAddr,
    /// What was spoken.
    pub protocol: Protocol,
    /// Whether the connection was encrypted.
    pub encrypted: bool,
    /// The request's head as sent, with its blank line.
    pub request_head: Vec<u8>,
    /// The request's body as sent.
    pub request_body: Spooled,
    /// Heads of informational (1xx) responses that came before, as received.
    pub informational: Vec<Vec<u8>>,
    /// The response's head as received, with its blank line.
    pub response_head: Vec<u8>,
    /// The body as received, transfer coding (chunk framing and trailers) included.
    pub body: Spooled,
    /// HTTP/2 trailers; those of HTTP/1 are in the body.
    pub trailers: Vec<(Vec<u8>, Vec<u8>)>,
    /// Why the body is shorter than it should be.
    pub truncated: Option<Truncation>,
    /// From the request sent to the end.
    pub took: Duration,
}
