//! Bodies of which parts are stored elsewhere.
//!
//! The record of such a capture holds a body with stubs in the place of some parts. Another record,
//! found by a key that the first one names, holds the parts. Together they are the original, byte
//! for byte: the key is a digest of it. What the stubs say is nobody's business here.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::ops::Range;
use varve_model::{Digest, DigestAlgorithm, Timestamp};

/// The field of a record whose body has stubs: where its parts are.
pub(crate) const COLD_FIELD: &str = "Varve-Cold";
/// The field of an altered record that says what its payload's digest was.
pub(crate) const ORIGINAL_FIELD: &str = "Varve-Original-Payload-Digest";
/// What the record of parts is.
pub const PARTS_TYPE: &str = "application/vnd.varve.parts";
const URN: &str = "urn:varve:cold:";
const FORMAT: &str = "varve-parts-1";
const KEY_DIGITS: usize = 32;

/// The name of a whole body: the first half of its SHA-256.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PartsKey(String);

impl PartsKey {
    /// The key of a body.
    pub fn of(whole: &[u8]) -> PartsKey {
        let digest = Digest::of(DigestAlgorithm::Sha256, whole);
        let half = digest.as_bytes().iter().take(KEY_DIGITS / 2);
        PartsKey(half.map(|byte| format!("{byte:02x}")).collect())
    }

    /// Reads what [`PartsKey::as_str`] gave.
    pub fn parse(text: &str) -> Option<PartsKey> {
        let digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        let fits = text.len() == KEY_DIGITS && text.bytes().all(digit);
        fits.then(|| PartsKey(text.to_owned()))
    }

    /// Its digits.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// What the record with the parts is called.
    pub fn urn(&self) -> String {
        format!("{URN}{}", self.0)
    }

    /// The key in such a name.
    pub fn of_urn(urn: &str) -> Option<PartsKey> {
        PartsKey::parse(urn.strip_prefix(URN)?)
    }
}

impl fmt::Display for PartsKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A part that stands elsewhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// Where its stub stands in the stored body.
    pub stub: Range<usize>,
    /// What was there.
    pub bytes: Vec<u8>,
    /// What who took it out has to say about it.
    pub note: String,
}

/// The parts of a body, in order, and a capture whose body has the stubs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parts {
    /// The URL of the capture.
    pub url: String,
    /// Its date.
    pub date: Timestamp,
    /// What was taken out of it.
    pub parts: Vec<Part>,
}

#[derive(Serialize, Deserialize)]
struct Head {
    format: String,
    url: String,
    date: String,
    /// Where each stub stands, how long it is, how long the part is, and its note.
    parts: Vec<(usize, usize, usize, String)>,
}

impl Parts {
    /// As a record holds them: a line of JSON, then the parts one after the other.
    pub fn to_bytes(&self) -> Vec<u8> {
        let line = |part: &Part| {
            let Part { stub, bytes, note } = part;
            (stub.start, stub.len(), bytes.len(), note.clone())
        };
        let head = Head {
            format: FORMAT.to_owned(),
            url: self.url.clone(),
            date: self.date.digits(),
            parts: self.parts.iter().map(line).collect(),
        };
        let mut out = serde_json::to_vec(&head).unwrap_or_default();
        out.push(b'\n');
        for part in &self.parts {
            out.extend_from_slice(&part.bytes);
        }
        out
    }

    /// Reads what [`Parts::to_bytes`] wrote; nothing if it did not.
    pub fn parse(bytes: &[u8]) -> Option<Parts> {
        let end = memchr::memchr(b'\n', bytes)?;
        let head: Head = serde_json::from_slice(&bytes[..end]).ok()?;
        (head.format == FORMAT).then_some(())?;
        let mut rest = &bytes[end + 1..];
        let mut after = 0;
        let mut parts = Vec::with_capacity(head.parts.len());
        for (at, stub, length, note) in head.parts {
            let stub = at..at.checked_add(stub)?;
            (after <= stub.start).then_some(())?;
            after = stub.end;
            let (own, others) = rest.split_at_checked(length)?;
            rest = others;
            let bytes = own.to_vec();
            parts.push(Part { stub, bytes, note });
        }
        rest.is_empty().then_some(())?;
        Some(Parts {
            url: head.url,
            date: Timestamp::parse(&head.date).ok()?,
            parts,
        })
    }

    /// The whole body, out of the stored one. Nothing if that is not the one the key names.
    pub fn join(&self, stored: &[u8], key: &PartsKey) -> Option<Vec<u8>> {
        let mut whole = Vec::with_capacity(stored.len());
        let mut copied = 0;
        for part in &self.parts {
            whole.extend_from_slice(stored.get(copied..part.stub.start)?);
            whole.extend_from_slice(&part.bytes);
            copied = part.stub.end;
        }
        whole.extend_from_slice(stored.get(copied..)?);
        (PartsKey::of(&whole) == *key).then_some(whole)
    }

    /// Where a part stands in the whole body.
    pub fn place_in_whole(&self, number: usize) -> Option<Range<usize>> {
        let (mut whole, mut copied) = (0, 0);
        for part in self.parts.get(..number)? {
            whole += part.stub.start - copied + part.bytes.len();
            copied = part.stub.end;
        }
        let part = self.parts.get(number)?;
        let start = whole + (part.stub.start - copied);
        Some(start..start + part.bytes.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const WHOLE: &[u8] = b"one two three four";
    const STORED: &[u8] = b"one # three ##";

    fn parts() -> Parts {
        let part = |stub: Range<usize>, bytes: &[u8]| Part {
            stub,
            bytes: bytes.to_vec(),
            note: "why".to_owned(),
        };
        Parts {
            url: "https://garden.example/a.js".to_owned(),
            date: Timestamp::parse("20260607080910111").expect("a time"),
            parts: vec![part(4..5, b"two"), part(12..14, b"four")],
        }
    }

    #[test]
    fn parts_and_stored_body_give_the_whole() {
        let read = Parts::parse(&parts().to_bytes()).expect("what was written");
        assert_eq!(read, parts());
        assert_eq!(
            read.join(STORED, &PartsKey::of(WHOLE)),
            Some(WHOLE.to_vec())
        );
        for (number, expected) in [b"two".as_slice(), b"four"].into_iter().enumerate() {
            let place = read.place_in_whole(number).expect("a part");
            assert_eq!(&WHOLE[place], expected);
        }
        assert_eq!(read.place_in_whole(2), None);
    }

    #[test]
    fn another_body_is_not_taken_for_the_whole() {
        let key = PartsKey::of(WHOLE);
        for stored in [b"One # three ##".as_slice(), b"one # three", b"", b"one"] {
            assert_eq!(parts().join(stored, &key), None, "{stored:?}");
        }
    }

    #[test]
    fn a_key_is_known_by_its_name() {
        let key = PartsKey::of(WHOLE);
        assert_eq!(PartsKey::of_urn(&key.urn()), Some(key.clone()));
        assert_eq!(PartsKey::parse(&key.as_str().to_uppercase()), None);
        assert_eq!(PartsKey::of_urn("urn:varve:cold:12"), None);
    }

    proptest! {
        #[test]
        fn wild_bytes_are_no_parts(mut bytes in any::<Vec<u8>>(), cut in 0..200_usize, at in 0..200_usize) {
            let _ = Parts::parse(&bytes);
            let mut written = parts().to_bytes();
            written.truncate(written.len().saturating_sub(cut));
            if let (Some(byte), Some(new)) = (written.get_mut(at), bytes.pop()) {
                *byte = new;
            }
            if let Some(read) = Parts::parse(&written) {
                let _ = read.join(STORED, &PartsKey::of(WHOLE));
                let _ = read.place_in_whole(1);
            }
        }
    }
}
