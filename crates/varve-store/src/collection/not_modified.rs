//! A server says that nothing changed: a revisit without a head of its own.
//!
//! The block of such a revisit is empty. A 304 head there would be replayed as it stands by
//! readers that take a revisit's head for the response's: pywb and wabac.js answer 304 without a
//! body. Where there is no head they take that of the original. The 304 is not lost: it stands in
//! the metadata record, as `not-modified`.

use super::exchange::{Exchange, Original, revisit_record};
use crate::warc::NewRecord;
use crate::world::World;
use std::fmt::Write;
use varve_model::Digest;

pub(super) const PROFILE: &str = "http://netpreserve.org/warc/1.1/revisit/server-not-modified";

/// The capture that is still good: the server answered 304 to a request that named it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotModified {
    /// The capture that holds the payload; not itself a revisit.
    pub original: Original,
    /// The digest of its payload.
    pub digest: Digest,
}

/// The revisit.
pub(super) fn record(exchange: &Exchange, earlier: &NotModified, world: &dyn World) -> NewRecord {
    let original = earlier.original.clone();
    let revisit = revisit_record(exchange, PROFILE, original, earlier.digest, world);
    NewRecord {
        content_type: None,
        head: Vec::new(),
        body: Vec::new().into(),
        ..revisit
    }
}

/// What the metadata record tells of the answer: its head, byte for byte, as a JSON string. Each
/// byte is the character of its number.
pub(super) fn told(exchange: &Exchange) -> (String, String) {
    let mut head = String::from('"');
    for byte in &exchange.response.head {
        match byte {
            b'"' | b'\\' => head.extend(['\\', char::from(*byte)]),
            b'\r' => head.push_str("\\r"),
            b'\n' => head.push_str("\\n"),
            b' '..=b'~' => head.push(char::from(*byte)),
            // Writing to memory does not fail.
            _ => drop(write!(head, "\\u{byte:04x}")),
        }
    }
    head.push('"');
    ("not-modified".to_owned(), head)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::collection::{Known, Message};
    use crate::world::{TestWorld, World};
    use varve_model::Timestamp;

    #[test]
    fn the_head_can_be_read_back_byte_for_byte() {
        let head: Vec<u8> = (0..=255).chain(*b"\"\\\r\n").collect();
        let world = TestWorld::new(Timestamp::parse("20260102030405").unwrap());
        let exchange = Exchange {
            url: "http://a.example/".into(),
            date: world.now(),
            peer: None,
            protocols: Vec::new(),
            request: None,
            response: Message::new(head.clone(), Vec::new()),
            known: Known::ByDigest,
            metadata: Vec::new(),
        };
        let (_, told) = told(&exchange);
        assert!(told.bytes().all(|byte| (b' '..=b'~').contains(&byte)));
        let text: String = serde_json::from_str(&told).unwrap();
        let bytes: Vec<u8> = text.chars().map(|c| u8::try_from(c).unwrap()).collect();
        assert_eq!(bytes, head);
    }
}
