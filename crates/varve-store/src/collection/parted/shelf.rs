//! Which parts are stored already, and where.

use super::written::{self, Place, Written};
use super::{Parts, PartsKey, WholeDigest};
use crate::collection::attachment::Attachment;
use std::collections::{HashMap, HashSet};
use varve_model::{Digest, DigestAlgorithm};

/// Parts that are stored, by what they are.
#[derive(Default)]
pub struct Shelf {
    /// The first half of a part's digest tells which body has it, and its number there.
    known: HashMap<u128, (u32, u32)>,
    bodies: Vec<PartsKey>,
    /// The bodies in parts that are stored, by what they are as a whole.
    stored: HashMap<WholeDigest, HashSet<PartsKey>>,
}

impl Shelf {
    /// Whether the parts of a body are stored.
    pub fn has(&self, whole: &WholeDigest, key: &PartsKey) -> bool {
        let keys = self.stored.get(whole);
        keys.is_some_and(|keys| keys.contains(key))
    }

    /// All bodies in parts: what they are as a whole, and the keys of their parts.
    pub fn stored(&self) -> impl Iterator<Item = (&WholeDigest, &PartsKey)> {
        let stored = self.stored.iter();
        stored.flat_map(|(whole, keys)| keys.iter().map(move |key| (whole, key)))
    }

    fn add(&mut self, whole: &WholeDigest, key: &PartsKey) {
        let keys = self.stored.entry(whole.clone()).or_default();
        keys.insert(key.clone());
    }

    /// Takes note of a record of parts.
    pub(super) fn learn(&mut self, key: &PartsKey, written: &Written) {
        self.add(written.whole(), key);
        for (number, bytes) in written.own() {
            self.put(key, number, bytes);
        }
    }

    /// The record of a body's parts, without those that are stored. These are from now on.
    pub fn record(&mut self, key: &PartsKey, parts: &Parts) -> Attachment {
        let bytes = self.write(key, parts);
        parts.record(key.urn(), bytes)
    }

    fn write(&mut self, key: &PartsKey, parts: &Parts) -> Vec<u8> {
        self.add(&parts.whole, key);
        let mut places = Vec::with_capacity(parts.parts.len());
        for (number, part) in parts.parts.iter().enumerate() {
            let place = self.place(&part.bytes);
            if place.is_none() {
                self.put(key, number, &part.bytes);
            }
            // One that the body has twice is written twice: a record does not refer to itself.
            places.push(place.filter(|(other, _)| other != key));
        }
        written::write(parts, &places)
    }

    fn place(&self, bytes: &[u8]) -> Option<Place> {
        let (body, number) = self.known.get(&name(bytes))?;
        Some((self.bodies.get(*body as usize)?.clone(), *number as usize))
    }

    fn put(&mut self, key: &PartsKey, number: usize, bytes: &[u8]) {
        if self.bodies.last() != Some(key) {
            self.bodies.push(key.clone());
        }
        let place = (self.bodies.len() as u32 - 1, number as u32);
        self.known.entry(name(bytes)).or_insert(place);
    }
}

fn name(bytes: &[u8]) -> u128 {
    let digest = Digest::of(DigestAlgorithm::Sha256, bytes);
    let half = digest.as_bytes().iter().take(16);
    half.fold(0, |name, byte| (name << 8) | u128::from(*byte))
}

#[cfg(test)]
mod tests {
    use super::super::Part;
    use super::*;
    use varve_model::Timestamp;

    fn parts(bodies: &[&str]) -> Parts {
        let part = |(number, body): (usize, &&str)| Part {
            stub: 10 * number..10 * number + 5,
            bytes: body.as_bytes().to_vec(),
            note: String::new(),
        };
        Parts {
            whole: WholeDigest::of(bodies.concat().as_bytes()),
            url: "https://garden.example/a.js".to_owned(),
            date: Timestamp::parse("20260607080910").expect("a time"),
            parts: bodies.iter().enumerate().map(part).collect(),
        }
    }

    fn keys() -> (PartsKey, PartsKey) {
        let key = |version: &[u8]| PartsKey::of(&WholeDigest::of(version), []);
        (key(b"version 1"), key(b"version 2"))
    }

    #[test]
    fn a_part_is_written_once() {
        let (first, second) = keys();
        let mut shelf = Shelf::default();
        let one = shelf.write(&first, &parts(&["shared", "shared", "only here"]));
        assert_eq!(one.windows(6).filter(|it| *it == b"shared").count(), 2);
        let two = shelf.write(&second, &parts(&["new", "shared"]));
        assert_eq!(two.windows(6).filter(|it| *it == b"shared").count(), 0);

        let mut read = Written::parse(&two).expect("what was written");
        read.take_from(&first, &Written::parse(&one).expect("what was written"));
        assert_eq!(read.complete(), Some(parts(&["new", "shared"])));
    }

    #[test]
    fn what_was_stored_before_is_known() {
        let (first, second) = keys();
        let one = Shelf::default().write(&first, &parts(&["shared"]));
        let mut shelf = Shelf::default();
        shelf.learn(&first, &Written::parse(&one).expect("what was written"));
        let whole = WholeDigest::of(b"shared");
        assert!(shelf.has(&whole, &first) && !shelf.has(&whole, &second));
        let two = shelf.write(&second, &parts(&["shared"]));
        assert!(!two.windows(6).any(|it| it == b"shared"));
    }
}
