//! What was said on a WebSocket: a log that can be written as JSON lines.

use super::frames::Event;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use serde::Serialize;
use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// What all messages of one page load may take; more are counted, not kept.
const KEPT_BYTES: u64 = 64 << 20;
/// What a message takes beside its bytes, roughly.
const OVERHEAD: u64 = 64;

/// What was said on one WebSocket.
#[derive(Clone, Debug)]
pub struct WebSocketLog {
    /// When the handshake was done.
    pub started: SystemTime,
    /// When it ended, from then.
    pub lasted: Duration,
    /// How it ended.
    pub ended: WebSocketEnd,
    /// The messages in the order they passed, pings and pongs left out.
    pub messages: Vec<WebSocketMessage>,
    /// What the page sent, in numbers.
    pub sent: WebSocketCount,
    /// What the page received, in numbers.
    pub received: WebSocketCount,
    room: Room,
}

/// What is left for the messages of one page load.
#[derive(Clone, Debug)]
pub(in crate::proxy) struct Room(Arc<AtomicU64>);

impl Room {
    /// All of it.
    pub(in crate::proxy) fn new() -> Room {
        Room(Arc::new(AtomicU64::new(KEPT_BYTES)))
    }

    /// Takes some, if there is enough.
    fn take(&self, bytes: u64) -> bool {
        let less = |left: u64| left.checked_sub(bytes);
        let order = Ordering::Relaxed;
        self.0.fetch_update(order, order, less).is_ok()
    }
}

/// How a WebSocket ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum WebSocketEnd {
    /// One side closed it.
    Closed,
    /// Nobody wanted to listen any longer.
    Cut,
}

/// One direction of a WebSocket in numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct WebSocketCount {
    /// Messages, those not kept included.
    pub messages: u64,
    /// Their bytes.
    pub bytes: u64,
    /// Messages that were not kept, for want of room.
    pub dropped: u64,
    /// Whether something came that are no frames; what followed is not in the log.
    pub unreadable: bool,
}

/// One message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WebSocketMessage {
    /// Who said it.
    pub direction: Direction,
    /// When its end passed, from the handshake.
    pub after: Duration,
    /// What it is.
    pub kind: MessageKind,
    /// Its bytes, unmasked and put together.
    pub data: Bytes,
}

/// Who said something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Direction {
    /// The page.
    Sent,
    /// The server.
    Received,
}

/// What a message is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum MessageKind {
    /// Text.
    Text,
    /// Bytes.
    Binary,
    /// The end, with an optional code and reason.
    Close,
}

impl WebSocketLog {
    /// Nothing said yet.
    pub(super) fn new(started: SystemTime, room: Room) -> WebSocketLog {
        WebSocketLog {
            started,
            lasted: Duration::ZERO,
            ended: WebSocketEnd::Closed,
            messages: Vec::new(),
            sent: WebSocketCount::default(),
            received: WebSocketCount::default(),
            room,
        }
    }

    /// Takes down what frames gave.
    pub(super) fn add(&mut self, direction: Direction, after: Duration, event: Event) {
        let count = match direction {
            Direction::Sent => &mut self.sent,
            Direction::Received => &mut self.received,
        };
        let Event::Message { kind, size, data } = event else {
            count.unreadable = true;
            return;
        };
        count.messages += 1;
        count.bytes += size;
        let Some(data) = data.filter(|_| self.room.take(size + OVERHEAD)) else {
            count.dropped += 1;
            return;
        };
        self.messages.push(WebSocketMessage {
            direction,
            after,
            kind,
            data: data.into(),
        });
    }

    /// Writes the numbers as the first line and each message as a line of JSON.
    pub fn write_json_lines(&self, out: &mut impl Write) -> io::Result<()> {
        let started = self.started.duration_since(UNIX_EPOCH).unwrap_or_default();
        let totals = TotalsLine {
            started_ms: millis(started),
            lasted_ms: millis(self.lasted),
            ended: self.ended,
            sent: self.sent,
            received: self.received,
        };
        line(out, &totals)?;
        for message in &self.messages {
            line(out, &message.line())?;
        }
        Ok(())
    }
}

impl WebSocketMessage {
    fn line(&self) -> MessageLine<'_> {
        let (code, words) = match (self.kind, self.data.split_first_chunk::<2>()) {
            (MessageKind::Close, Some((code, reason))) => (Some(u16::from_be_bytes(*code)), reason),
            _ => (None, &self.data[..]),
        };
        let text = match self.kind {
            MessageKind::Binary => None,
            _ => std::str::from_utf8(words).ok(),
        };
        MessageLine {
            direction: self.direction,
            ms: millis(self.after),
            kind: self.kind,
            code,
            text,
            base64: text.is_none().then(|| STANDARD.encode(words)),
        }
    }
}

#[derive(Serialize)]
struct TotalsLine {
    started_ms: u64,
    lasted_ms: u64,
    ended: WebSocketEnd,
    sent: WebSocketCount,
    received: WebSocketCount,
}

/// Bytes that are no text stand as base64, whatever the message says it is.
#[derive(Serialize)]
struct MessageLine<'m> {
    direction: Direction,
    ms: u64,
    kind: MessageKind,
    #[serde(skip_serializing_if = "Option::is_none")]
    code: Option<u16>,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<&'m str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    base64: Option<String>,
}

fn line(out: &mut impl Write, value: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer(&mut *out, value)?;
    out.write_all(b"\n")
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn said(kind: MessageKind, data: &[u8]) -> Event {
        Event::Message {
            kind,
            size: data.len() as u64,
            data: Some(data.to_vec()),
        }
    }

    #[test]
    fn a_log_is_lines_of_json() {
        let mut log = WebSocketLog::new(UNIX_EPOCH + Duration::from_millis(1_500), Room::new());
        let at = Duration::from_millis;
        log.add(
            Direction::Sent,
            at(1),
            said(MessageKind::Text, "wie \"geht\" ’s".as_bytes()),
        );
        log.add(
            Direction::Received,
            at(2),
            said(MessageKind::Binary, &[0, 255]),
        );
        log.add(Direction::Received, at(3), said(MessageKind::Text, &[0xff]));
        log.add(
            Direction::Sent,
            at(4),
            said(MessageKind::Close, b"\x03\xe8bye"),
        );
        log.add(Direction::Received, at(5), said(MessageKind::Close, b""));
        log.add(Direction::Received, at(6), Event::Unreadable);
        log.lasted = at(7);
        let mut out = Vec::new();
        log.write_json_lines(&mut out).unwrap();
        let expected = r#"{"started_ms":1500,"lasted_ms":7,"ended":"closed","sent":{"messages":2,"bytes":20,"dropped":0,"unreadable":false},"received":{"messages":3,"bytes":3,"dropped":0,"unreadable":true}}
{"direction":"sent","ms":1,"kind":"text","text":"wie \"geht\" ’s"}
{"direction":"received","ms":2,"kind":"binary","base64":"AP8="}
{"direction":"received","ms":3,"kind":"text","base64":"/w=="}
{"direction":"sent","ms":4,"kind":"close","code":1000,"text":"bye"}
{"direction":"received","ms":5,"kind":"close","text":""}
"#;
        assert_eq!(String::from_utf8(out).unwrap(), expected);
    }

    #[test]
    fn messages_without_room_are_counted() {
        let room = Room(Arc::new(AtomicU64::new(2 * OVERHEAD + 5)));
        let mut log = WebSocketLog::new(UNIX_EPOCH, room);
        for _ in 0..3 {
            log.add(
                Direction::Sent,
                Duration::ZERO,
                said(MessageKind::Text, b"ab"),
            );
        }
        assert_eq!(log.messages.len(), 2);
        let count = WebSocketCount {
            messages: 3,
            bytes: 6,
            dropped: 1,
            unreadable: false,
        };
        assert_eq!(log.sent, count);
    }
}
