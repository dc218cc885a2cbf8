//! Parts as a record holds them: a line of JSON, then the parts one after the other.
//!
//! A part that is in the record of another body already is not written again; the line says where
//! it is. Versions of a script have most of their functions in common.

use super::{Part, Parts, PartsKey, WholeDigest};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use varve_model::Timestamp;

const FORMAT: &str = "varve-parts-1";

/// Where a part is: in the record of another body, under that number there.
pub(super) type Place = (PartsKey, usize);

#[derive(Serialize, Deserialize)]
struct Head {
    format: String,
    sha256: WholeDigest,
    url: String,
    date: String,
    /// Where each stub stands, how long it is, how long the part is, and its note.
    parts: Vec<(usize, usize, usize, String)>,
    /// Which of them are in records of other bodies: their numbers here and there.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    elsewhere: BTreeMap<String, Vec<(usize, usize)>>,
}

/// The record of parts of which those that have a place are elsewhere.
pub(super) fn write(parts: &Parts, places: &[Option<Place>]) -> Vec<u8> {
    let line = |part: &Part| {
        let Part { stub, bytes, note } = part;
        (stub.start, stub.len(), bytes.len(), note.clone())
    };
    let mut elsewhere: BTreeMap<String, Vec<(usize, usize)>> = BTreeMap::new();
    for (here, place) in places.iter().enumerate() {
        if let Some((key, there)) = place {
            let numbers = elsewhere.entry(key.as_str().to_owned()).or_default();
            numbers.push((here, *there));
        }
    }
    let head = Head {
        format: FORMAT.to_owned(),
        sha256: parts.whole.clone(),
        url: parts.url.clone(),
        date: parts.date.digits(),
        parts: parts.parts.iter().map(line).collect(),
        elsewhere,
    };
    let mut out = serde_json::to_vec(&head).unwrap_or_default();
    out.push(b'\n');
    for (number, part) in parts.parts.iter().enumerate() {
        if places.get(number).is_none_or(Option::is_none) {
            out.extend_from_slice(&part.bytes);
        }
    }
    out
}

/// What a record of parts says.
#[derive(Debug)]
pub(super) struct Written {
    /// The parts; those that are elsewhere are empty.
    parts: Parts,
    /// How long each is.
    lengths: Vec<usize>,
    /// Which are elsewhere, by the key of the body whose record has them.
    elsewhere: BTreeMap<PartsKey, Vec<(usize, usize)>>,
}

impl Written {
    /// Reads what [`write`] wrote; nothing if it did not.
    pub(super) fn parse(bytes: &[u8]) -> Option<Written> {
        let end = memchr::memchr(b'\n', bytes)?;
        let head: Head = serde_json::from_slice(&bytes[..end]).ok()?;
        (head.format == FORMAT).then_some(())?;
        let elsewhere = keys(head.elsewhere)?;
        let away: std::collections::HashSet<usize> = elsewhere
            .values()
            .flatten()
            .map(|(here, _)| *here)
            .collect();
        let mut rest = &bytes[end + 1..];
        let mut after = 0;
        let mut parts = Vec::with_capacity(head.parts.len());
        let mut lengths = Vec::with_capacity(head.parts.len());
        for (number, (at, stub, length, note)) in head.parts.into_iter().enumerate() {
            let stub = at..at.checked_add(stub)?;
            (after <= stub.start).then_some(())?;
            after = stub.end;
            let here = if away.contains(&number) { 0 } else { length };
            let (own, others) = rest.split_at_checked(here)?;
            rest = others;
            let bytes = own.to_vec();
            parts.push(Part { stub, bytes, note });
            lengths.push(length);
        }
        let in_range = |(here, _): &(usize, usize)| *here < lengths.len();
        let fits = rest.is_empty() && elsewhere.values().flatten().all(in_range);
        fits.then_some(())?;
        let parts = Parts {
            whole: head.sha256,
            url: head.url,
            date: Timestamp::parse(&head.date).ok()?,
            parts,
        };
        Some(Written {
            parts,
            lengths,
            elsewhere,
        })
    }

    /// The body that they are of.
    pub(super) fn whole(&self) -> &WholeDigest {
        &self.parts.whole
    }

    /// The parts that this record has itself, with their numbers.
    pub(super) fn own(&self) -> impl Iterator<Item = (usize, &[u8])> {
        let parts = self.parts.parts.iter().zip(&self.lengths).enumerate();
        let own = parts.filter(|(_, (part, length))| part.bytes.len() == **length);
        own.map(|(number, (part, _))| (number, part.bytes.as_slice()))
    }

    /// The bodies whose records have the others.
    pub(super) fn needs(&self) -> Vec<PartsKey> {
        self.elsewhere.keys().cloned().collect()
    }

    /// Takes those that another record has.
    pub(super) fn take_from(&mut self, key: &PartsKey, other: &Written) {
        for (here, there) in self.elsewhere.remove(key).unwrap_or_default() {
            if let (Some(part), Some(found)) =
                (self.parts.parts.get_mut(here), other.parts.parts.get(there))
            {
                part.bytes.clone_from(&found.bytes);
            }
        }
    }

    /// The parts, if all of them are here now.
    pub(super) fn complete(self) -> Option<Parts> {
        let mut parts = self.parts.parts.iter().zip(&self.lengths);
        let is_complete = parts.all(|(part, length)| part.bytes.len() == *length);
        is_complete.then_some(self.parts)
    }
}

fn keys(
    elsewhere: BTreeMap<String, Vec<(usize, usize)>>,
) -> Option<BTreeMap<PartsKey, Vec<(usize, usize)>>> {
    let keys = elsewhere.into_iter();
    keys.map(|(key, numbers)| Some((PartsKey::parse(&key)?, numbers)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::ops::Range;

    fn parts(bodies: &[&str]) -> Parts {
        let part = |(number, body): (usize, &&str)| Part {
            stub: Range {
                start: 10 * number,
                end: 10 * number + 5,
            },
            bytes: body.as_bytes().to_vec(),
            note: "why".to_owned(),
        };
        Parts {
            whole: WholeDigest::of(b"whole"),
            url: "https://garden.example/a.js".to_owned(),
            date: Timestamp::parse("20260607080910111").expect("a time"),
            parts: bodies.iter().enumerate().map(part).collect(),
        }
    }

    fn key() -> PartsKey {
        PartsKey::of(&WholeDigest::of(b"another body"), [])
    }

    #[test]
    fn parts_are_read_as_they_were_written() {
        let parts = parts(&["one", "", "three"]);
        let read = Written::parse(&write(&parts, &[])).expect("what was written");
        assert_eq!(read.needs(), []);
        assert_eq!(read.complete(), Some(parts));
    }

    #[test]
    fn parts_of_other_bodies_are_taken_from_their_records() {
        let other = parts(&["the first", "the second"]);
        let other = Written::parse(&write(&other, &[])).expect("what was written");
        let whole = parts(&["one", "the second", "three"]);
        let bytes = write(&whole, &[None, Some((key(), 1)), None]);
        assert!(!String::from_utf8_lossy(&bytes).contains("second"));

        let mut read = Written::parse(&bytes).expect("what was written");
        assert_eq!(read.needs(), [key()]);
        let own: Vec<usize> = read.own().map(|(number, _)| number).collect();
        assert_eq!(own, [0, 2]);
        read.take_from(&key(), &other);
        assert_eq!(read.complete(), Some(whole));
    }

    #[test]
    fn parts_that_are_gone_are_missed() {
        let whole = parts(&["one", "the second"]);
        let bytes = write(&whole, &[None, Some((key(), 1))]);
        let read = || Written::parse(&bytes).expect("what was written");
        assert_eq!(read().complete(), None);
        let other = parts(&["the first", "of another length"]);
        let other = Written::parse(&write(&other, &[])).expect("what was written");
        let mut read = read();
        read.take_from(&key(), &other);
        assert_eq!(read.complete(), None);
    }

    proptest! {
        #[test]
        fn wild_bytes_are_no_parts(mut bytes in any::<Vec<u8>>(), cut in 0..300_usize, at in 0..300_usize) {
            let _ = Written::parse(&bytes);
            let mut written = write(&parts(&["one", "two"]), &[Some((key(), 7))]);
            written.truncate(written.len().saturating_sub(cut));
            if let (Some(byte), Some(new)) = (written.get_mut(at), bytes.pop()) {
                *byte = new;
            }
            if let Some(parts) = Written::parse(&written).and_then(Written::complete) {
                let _ = parts.join(b"some stored body");
                let _ = parts.place_in_whole(1);
            }
        }
    }
}
