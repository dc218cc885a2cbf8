//! Stored scripts as they are served: what restores the bodies of functions stands where they were.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;
use varve_js::{Mark, restoring};
use varve_store::collection::{Part, Parts, PartsKey};

/// A stored body with stubs that fetch what they stand for, and with those parts that are at hand.
pub(super) fn with_stubs(
    stored: Vec<u8>,
    key: &PartsKey,
    mark: Option<&str>,
    at_hand: Option<&Parts>,
) -> Vec<u8> {
    let mark = mark.and_then(Mark::parse);
    let places = mark.map_or_else(Vec::new, |mark| mark.places(&stored));
    let parts = at_hand.map_or(&[][..], |at_hand| &at_hand.parts);
    let filled = filled(&stored, key, &places, parts);
    // Parts that do not fit are another body's; stubs do the same.
    let filled = filled.or_else(|| self::filled(&stored, key, &places, &[]));
    filled.unwrap_or(stored)
}

/// The body with something else in those places; nothing if they are not in it.
fn filled(
    stored: &[u8],
    key: &PartsKey,
    places: &[Range<usize>],
    parts: &[Part],
) -> Option<Vec<u8>> {
    let mut edits: BTreeMap<usize, (usize, Cow<'_, [u8]>)> = BTreeMap::new();
    for Part { stub, bytes, .. } in parts {
        edits.insert(stub.start, (stub.end, Cow::Borrowed(bytes)));
    }
    for (number, place) in places.iter().enumerate() {
        let before = edits.range(..=place.start).next_back();
        // The place is in the stub of a part that is at hand.
        if before.is_some_and(|(_, (end, _))| *end > place.start) {
            continue;
        }
        let restoring = restoring(key.as_str(), number).into_bytes();
        edits.insert(place.start, (place.end, Cow::Owned(restoring)));
    }
    let mut out = Vec::with_capacity(stored.len());
    let mut copied = 0;
    for (start, (end, bytes)) in edits {
        out.extend_from_slice(stored.get(copied..start)?);
        out.extend_from_slice(&bytes);
        copied = end;
    }
    out.extend_from_slice(stored.get(copied..)?);
    Some(out)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use varve_model::Timestamp;
    use varve_store::collection::WholeDigest;

    const STORED: &[u8] = b"f(){return _v} g=()=>_v; h(){return _v}";

    fn key() -> PartsKey {
        PartsKey::of(&WholeDigest::of(b"whole"), [])
    }

    fn at_hand(stub: Range<usize>) -> Parts {
        Parts {
            whole: WholeDigest::of(b"whole"),
            url: String::new(),
            date: Timestamp::parse("20260102030405").unwrap(),
            parts: vec![Part {
                stub,
                bytes: b"WARM".to_vec(),
                note: String::new(),
            }],
        }
    }

    #[track_caller]
    fn check(mark: Option<&str>, at_hand: Option<&Parts>, expected: &str) {
        let served = with_stubs(STORED.to_vec(), &key(), mark, at_hand);
        let served = String::from_utf8(served).unwrap();
        let short = |number: usize| format!("[{number}]");
        let served = (0..3).fold(served, |served, number| {
            served.replace(&restoring(key().as_str(), number), &short(number))
        });
        assert_eq!(served, expected);
    }

    #[test]
    fn each_mark_is_what_restores_its_body() {
        check(
            Some("_v"),
            None,
            "f(){return [0]} g=()=>[1]; h(){return [2]}",
        );
    }

    #[test]
    fn what_is_at_hand_is_in_its_place_and_the_others_keep_their_numbers() {
        let value = at_hand(21..23);
        check(
            Some("_v"),
            Some(&value),
            "f(){return [0]} g=()=>WARM; h(){return [2]}",
        );
        let body = at_hand(4..13);
        check(
            Some("_v"),
            Some(&body),
            "f(){WARM} g=()=>[1]; h(){return [2]}",
        );
    }

    #[test]
    fn without_a_mark_stubs_are_as_they_are() {
        let stored = String::from_utf8(STORED.to_vec()).unwrap();
        check(None, None, &stored);
        check(Some("not a name"), None, &stored);
        check(None, Some(&at_hand(50..70)), &stored);
        check(
            None,
            Some(&at_hand(21..23)),
            &stored.replacen("=>_v", "=>WARM", 1),
        );
    }
}
