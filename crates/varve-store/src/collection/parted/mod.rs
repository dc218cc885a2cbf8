//! Bodies of which parts are stored elsewhere.
//!
//! The record of such a capture holds a body with stubs in the place of some parts. Another record,
//! found by a key that the first one names, holds the parts. Together they are the original, byte
//! for byte: its digest is stored with them. What the stubs say is nobody's business here.

mod key;
mod reading;
mod shelf;
mod written;

use super::attachment::{Attachment, AttachmentKind};
pub use key::{PartsKey, WholeDigest};
pub use reading::Parted;
pub use shelf::Shelf;
use std::ops::Range;
use varve_model::Timestamp;

/// The field of a record whose body has stubs: where its parts are.
pub(crate) const COLD_FIELD: &str = "Varve-Cold";
/// The field of such a record that says what stands for each part in its body.
pub(crate) const MARK_FIELD: &str = "Varve-Mark";
/// The field of an altered record that says what its payload's digest was.
pub(crate) const ORIGINAL_FIELD: &str = "Varve-Original-Payload-Digest";
/// What the record of parts is.
const PARTS_TYPE: &str = "application/vnd.varve.parts";

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
    /// The digest of the whole.
    pub whole: WholeDigest,
    /// The URL of the capture.
    pub url: String,
    /// Its date.
    pub date: Timestamp,
    /// What was taken out of it.
    pub parts: Vec<Part>,
}

impl Parts {
    /// The record of those that turned out to be needed.
    pub fn hot_record(&self, key: &PartsKey) -> Attachment {
        self.record(key.hot_urn(), written::write(self, &[]))
    }

    fn record(&self, uri: String, bytes: Vec<u8>) -> Attachment {
        Attachment {
            kind: AttachmentKind::Resource,
            uri,
            date: self.date,
            content_type: PARTS_TYPE.to_owned(),
            body: bytes.into(),
        }
    }

    /// The whole body, out of the stored one. Nothing if that is another's.
    pub fn join(&self, stored: &[u8]) -> Option<Vec<u8>> {
        let whole = self.fill(stored)?;
        (WholeDigest::of(&whole) == self.whole).then_some(whole)
    }

    /// The stored body with these parts in their places, whatever else it lacks.
    pub fn fill(&self, stored: &[u8]) -> Option<Vec<u8>> {
        let mut filled = Vec::with_capacity(stored.len());
        let mut copied = 0;
        for part in &self.parts {
            filled.extend_from_slice(stored.get(copied..part.stub.start)?);
            filled.extend_from_slice(&part.bytes);
            copied = part.stub.end;
        }
        filled.extend_from_slice(stored.get(copied..)?);
        Some(filled)
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

    const WHOLE: &[u8] = b"one two three four";
    const STORED: &[u8] = b"one # three ##";

    fn parts() -> Parts {
        let part = |stub: Range<usize>, bytes: &[u8]| Part {
            stub,
            bytes: bytes.to_vec(),
            note: "why".to_owned(),
        };
        Parts {
            whole: WholeDigest::of(WHOLE),
            url: "https://garden.example/a.js".to_owned(),
            date: Timestamp::parse("20260607080910111").expect("a time"),
            parts: vec![part(4..5, b"two"), part(12..14, b"four")],
        }
    }

    #[test]
    fn parts_and_stored_body_give_the_whole() {
        let read = parts();
        assert_eq!(read.join(STORED), Some(WHOLE.to_vec()));
        for (number, expected) in [b"two".as_slice(), b"four"].into_iter().enumerate() {
            let place = read.place_in_whole(number).expect("a part");
            assert_eq!(&WHOLE[place], expected);
        }
        assert_eq!(read.place_in_whole(2), None);
    }

    #[test]
    fn some_parts_fill_some_places() {
        let mut some = parts();
        some.parts.remove(0);
        assert_eq!(some.fill(STORED), Some(b"one # three four".to_vec()));
        assert_eq!(some.fill(b"short"), None);
    }

    #[test]
    fn another_body_is_not_taken_for_the_whole() {
        for stored in [b"One # three ##".as_slice(), b"one # three", b"", b"one"] {
            assert_eq!(parts().join(stored), None, "{stored:?}");
        }
    }
}
