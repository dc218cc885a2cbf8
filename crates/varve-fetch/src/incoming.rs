//! A response whose body is still coming.

use crate::body::{Spool, Spooled};
use crate::call::Sent;
use crate::error::FetchError;
use crate::exchange::{Exchange, Protocol, Truncation};
use crate::http1;
use crate::http2;
use crate::lane::Begun;
use crate::limits::Limits;
use crate::reuse::is_event_stream;
use crate::turns::HostTurn;
use bytes::Bytes;
use std::net::SocketAddr;
use std::time::Instant;
use tokio::time::timeout_at;
use url::Url;
use varve_model::HttpHead;

/// How the end of a body is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Framing {
    /// There is no body.
    Empty,
    /// By its length.
    Length(u64),
    /// By its chunks; their framing is part of what is received.
    Chunked,
    /// By the end of the connection, or of the stream in HTTP/2.
    UntilClose,
}

/// A response whose head is there and whose body is still coming. What passes is kept.
pub struct Incoming {
    about: About,
    head: HttpHead,
    informational: Vec<Vec<u8>>,
    framing: Framing,
    source: Source,
    spool: Spool,
    trailers: Vec<(Vec<u8>, Vec<u8>)>,
    truncated: Option<Truncation>,
    failure: Option<FetchError>,
    limits: Limits,
    /// Taken from others until the body has come.
    turn: Option<HostTurn>,
}

/// What an exchange is about, known before its response.
pub(crate) struct About {
    pub(crate) url: Url,
    pub(crate) method: String,
    /// Since when it counts against the limits.
    pub(crate) begun: Instant,
    pub(crate) sent: Sent,
    pub(crate) peer: SocketAddr,
    pub(crate) protocol: Protocol,
    pub(crate) encrypted: bool,
    pub(crate) request_head: Vec<u8>,
    pub(crate) request_body: Bytes,
}

impl About {
    /// The exchange that ends where another protocol begins.
    pub(crate) fn switched(self, informational: Vec<Vec<u8>>, head: &HttpHead) -> Exchange {
        self.exchange(informational, head, Spooled::empty())
    }

    fn exchange(self, informational: Vec<Vec<u8>>, head: &HttpHead, body: Spooled) -> Exchange {
        Exchange {
            url: self.url,
            method: self.method,
            started: self.sent.on,
            peer: self.peer,
            protocol: self.protocol,
            encrypted: self.encrypted,
            request_head: self.request_head,
            request_body: Spooled::Memory(self.request_body),
            informational,
            response_head: head.as_bytes().to_vec(),
            body,
            trailers: Vec::new(),
            truncated: None,
            took: self.sent.at.elapsed(),
        }
    }
}

/// Where the rest of a body comes from.
pub(crate) enum Source {
    /// There is no rest.
    Ended,
    /// A connection.
    Http1(Box<http1::Body>),
    /// A stream on a shared connection.
    Http2(Box<http2::Body>),
}

/// A piece of a body.
pub(crate) struct Step {
    /// Its bytes; there may be none.
    pub(crate) bytes: Bytes,
    /// What comes after it.
    pub(crate) after: After,
}

/// What comes after a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum After {
    /// More.
    More,
    /// Nothing; it was all.
    End,
    /// Nothing, although there should be more.
    Broken,
}

impl Incoming {
    /// A response that begins.
    pub(crate) fn new(
        begun: Begun,
        spool: Spool,
        limits: Limits,
        turn: Option<HostTurn>,
    ) -> Incoming {
        // What has no end of its own is not waited for.
        let kind = begun.head.get("Content-Type");
        let endless = kind.is_some_and(|kind| is_event_stream(&kind));
        let ended = endless || matches!(begun.source, Source::Ended);
        Incoming {
            about: begun.about,
            head: begun.head,
            informational: begun.informational,
            framing: begun.framing,
            source: begun.source,
            spool,
            trailers: Vec::new(),
            truncated: None,
            failure: None,
            limits,
            turn: turn.filter(|_| !ended),
        }
    }

    /// The head, byte for byte; over HTTP/2, what it would be in HTTP/1.1.
    pub fn head(&self) -> &HttpHead {
        &self.head
    }

    /// The heads of informational (1xx) responses before it.
    pub fn informational(&self) -> &[Vec<u8>] {
        &self.informational
    }

    /// What is spoken on the connection.
    pub fn protocol(&self) -> Protocol {
        self.about.protocol
    }

    /// How the end of the body will be known.
    pub fn framing(&self) -> Framing {
        self.framing
    }

    /// The next piece of the body as received (over HTTP/1, chunk framing included). `None` at
    /// its end, or where it was cut. Can be cancelled without loss.
    pub async fn next(&mut self) -> Option<Bytes> {
        loop {
            let now = Instant::now();
            let until = (now + self.limits.stall).min(self.about.begun + self.limits.total);
            let stepping = async {
                match &mut self.source {
                    Source::Ended => None,
                    Source::Http1(body) => Some(body.step().await),
                    Source::Http2(body) => Some(body.step().await),
                }
            };
            let Ok(step) = timeout_at(until.into(), stepping).await else {
                self.cut(Truncation::Time);
                return None;
            };
            let bytes = self.accept(step?);
            if !bytes.is_empty() {
                return Some(bytes);
            }
        }
    }

    /// Why the body is shorter than it should be, as far as is known.
    pub fn truncated(&self) -> Option<Truncation> {
        self.truncated
    }

    /// What went wrong on our side, if something did: the disk, when spooling.
    pub fn failure(&self) -> Option<&FetchError> {
        self.failure.as_ref()
    }

    /// Everything that passed, as an exchange. If there is more to come it is not read, and the
    /// exchange is marked as truncated.
    pub fn finish(mut self) -> Exchange {
        if !matches!(self.source, Source::Ended) {
            self.cut(Truncation::Time);
        }
        let body = self.spool.finish();
        let mut exchange = self.about.exchange(self.informational, &self.head, body);
        exchange.trailers = self.trailers;
        exchange.truncated = self.truncated;
        exchange
    }

    /// What passed so far is enough: as [`Incoming::finish`], cut for its length.
    pub fn cut_short(mut self) -> Exchange {
        if !matches!(self.source, Source::Ended) {
            self.cut(Truncation::Length);
        }
        self.finish()
    }

    /// Reads to the end, then as [`Incoming::finish`].
    pub async fn complete(mut self) -> Exchange {
        while self.next().await.is_some() {}
        self.finish()
    }

    /// Keeps a piece, and does what has to be done after it.
    fn accept(&mut self, step: Step) -> Bytes {
        let Step { mut bytes, after } = step;
        let room = self.limits.body_bytes - self.spool.len();
        if bytes.len() as u64 > room {
            bytes.truncate(room as usize);
            self.cut(Truncation::Length);
        }
        if let Err(error) = self.spool.push(&bytes) {
            self.failure = Some(FetchError::Spool(error.to_string()));
            self.cut(Truncation::Length);
            return Bytes::new();
        }
        match after {
            After::More => {}
            After::Broken => self.cut(Truncation::Disconnect),
            After::End => self.end(),
        }
        bytes
    }

    fn end(&mut self) {
        self.turn = None;
        match std::mem::replace(&mut self.source, Source::Ended) {
            Source::Ended => {}
            Source::Http1(body) => body.release(),
            Source::Http2(body) => self.trailers = body.into_trailers(),
        }
    }

    /// Reads no more, and closes the connection. The first reason stands.
    fn cut(&mut self, why: Truncation) {
        self.truncated.get_or_insert(why);
        self.turn = None;
        self.source = Source::Ended;
    }
}
