//! The log: what the server received and sent, byte for byte, in the order of the requests.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// How much the log holds in all. Requests beyond it are answered but not logged.
const LIMIT: usize = 1 << 30;

/// Whether a request came in the clear or over TLS.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scheme {
    /// In the clear.
    Http,
    /// Over TLS.
    Https,
}

impl fmt::Display for Scheme {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Scheme::Http => "http",
            Scheme::Https => "https",
        })
    }
}

/// What a request was made in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protocol {
    /// HTTP/1.1 (or 1.0).
    Http1,
    /// HTTP/2.
    Http2,
    /// HTTP/1.1, switched to WebSocket.
    WebSocket,
}

/// Who sent a WebSocket message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sender {
    /// The other side.
    Client,
    /// The example web.
    Server,
}

/// What a WebSocket message is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MessageKind {
    /// Text in UTF-8.
    Text,
    /// Bytes.
    Binary,
    /// Are you there?
    Ping,
    /// Yes.
    Pong,
    /// The end.
    Close,
}

/// One WebSocket message, put together from its frames.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// Who sent it.
    pub sender: Sender,
    /// What it is.
    pub kind: MessageKind,
    /// What it says, unmasked.
    pub payload: Vec<u8>,
}

/// One request and what was sent in answer.
#[derive(Clone, Debug)]
pub struct Logged {
    /// When it began: its head was there, nothing was answered yet.
    pub began: Instant,
    /// In the clear or over TLS.
    pub scheme: Scheme,
    /// The host asked for, without port.
    pub host: String,
    /// What the request was made in.
    pub protocol: Protocol,
    /// The method.
    pub method: String,
    /// Path and query as sent.
    pub target: String,
    /// HTTP/1: the exact bytes, empty line included. HTTP/2: the fields as lines under a request line.
    pub request_head: Vec<u8>,
    /// The exact bytes (HTTP/1: chunk framing included).
    pub request_body: Vec<u8>,
    /// The 1xx responses before the final one, each like `response_head`.
    pub informational: Vec<Vec<u8>>,
    /// HTTP/1: the exact bytes, empty line included. HTTP/2: the fields as lines under a status line.
    pub response_head: Vec<u8>,
    /// The exact bytes after the head (HTTP/1: chunk framing and trailers included).
    pub response_body: Vec<u8>,
    /// HTTP/2 alone: the trailers as lines.
    pub response_trailers: Vec<u8>,
    /// Whether all of the response was sent. Streams that stay open never are complete.
    pub complete: bool,
    /// What passed over a WebSocket.
    pub messages: Vec<Message>,
}

impl Logged {
    /// The URL asked for, `http:` or `https:` for WebSockets too.
    pub fn url(&self) -> String {
        format!("{}://{}{}", self.scheme, self.host, self.target)
    }

    fn size(&self) -> usize {
        self.request_head.len() + self.request_body.len() + self.target.len()
    }
}

/// Where connections write their log, or not, if nobody wants it.
#[derive(Debug)]
pub(crate) struct Log {
    entries: Option<Mutex<Entries>>,
}

#[derive(Debug, Default)]
struct Entries {
    all: Vec<Logged>,
    size: usize,
}

impl Log {
    /// A log that is kept, or one that forgets.
    pub(crate) fn new(keep: bool) -> Arc<Log> {
        Arc::new(Log {
            entries: keep.then(Mutex::default),
        })
    }

    /// Everything so far.
    pub(crate) fn entries(&self) -> Vec<Logged> {
        self.lock().map_or_else(Vec::new, |log| log.all.clone())
    }

    /// Begins the entry of a request.
    pub(crate) fn open(self: &Arc<Log>, logged: Logged) -> Entry {
        let index = self.lock().and_then(|mut log| {
            log.size += logged.size();
            (log.size < LIMIT).then(|| {
                log.all.push(logged);
                log.all.len() - 1
            })
        });
        Entry {
            log: self.clone(),
            index,
        }
    }

    fn lock(&self) -> Option<MutexGuard<'_, Entries>> {
        let entries = self.entries.as_ref()?;
        Some(entries.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// One request's place in the log.
#[derive(Debug)]
pub(crate) struct Entry {
    log: Arc<Log>,
    index: Option<usize>,
}

impl Entry {
    /// A 1xx response.
    pub(crate) fn informational(&self, head: &[u8]) {
        self.change(head.len(), |logged| {
            logged.informational.push(head.to_vec())
        });
    }

    /// The final response's head.
    pub(crate) fn head(&self, head: &[u8]) {
        self.change(head.len(), |logged| logged.response_head = head.to_vec());
    }

    /// More of the body.
    pub(crate) fn body(&self, bytes: &[u8]) {
        self.change(bytes.len(), |logged| {
            logged.response_body.extend_from_slice(bytes);
        });
    }

    /// HTTP/2 trailers.
    pub(crate) fn trailers(&self, lines: &[u8]) {
        self.change(lines.len(), |logged| {
            logged.response_trailers = lines.to_vec();
        });
    }

    /// A WebSocket message.
    pub(crate) fn message(&self, message: Message) {
        self.change(message.payload.len(), |logged| {
            logged.messages.push(message);
        });
    }

    /// Whether the response went out whole. Told before the last write, so that a client which has
    /// seen the end finds it in the log, and taken back if that write fails.
    pub(crate) fn complete(&self, complete: bool) {
        self.change(0, |logged| logged.complete = complete);
    }

    fn change(&self, size: usize, change: impl FnOnce(&mut Logged)) {
        let Some(index) = self.index else { return };
        if let Some(mut log) = self.log.lock() {
            log.size += size;
            if log.size < LIMIT
                && let Some(logged) = log.all.get_mut(index)
            {
                change(logged);
            }
        }
    }
}
