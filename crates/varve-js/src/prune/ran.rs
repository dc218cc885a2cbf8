//! Which functions ran, by what V8 tells in UTF-16 code units.

use super::Ran;
use oxc_span::Span;
use std::collections::HashMap;

/// The ranges that ran, in bytes of the source.
pub(super) struct Map {
    /// Where those begin that end at a place.
    starts: HashMap<u32, Vec<u32>>,
}

impl Map {
    pub(super) fn new(source: &str, ran: &[Ran]) -> Map {
        let mut places: Vec<u32> = ran.iter().flat_map(|ran| [ran.start, ran.end]).collect();
        places.sort_unstable();
        places.dedup();
        let bytes = in_bytes(source, &places);
        let mut starts: HashMap<u32, Vec<u32>> = HashMap::new();
        for ran in ran {
            if let (Some(start), Some(end)) = (bytes.get(&ran.start), bytes.get(&ran.end)) {
                starts.entry(*end).or_default().push(*start);
            }
        }
        Map { starts }
    }

    /// Whether a function ran. V8's ranges of methods begin with their names, before the span of
    /// the parser's; but never before the function around, which begins at `around`.
    pub(super) fn has(&self, function: Span, around: Option<u32>) -> bool {
        let starts = self
            .starts
            .get(&function.end)
            .map_or(&[][..], Vec::as_slice);
        let after = |start: u32| around.is_none_or(|around| start > around);
        starts
            .iter()
            .any(|start| *start <= function.start && after(*start))
    }
}

/// The places in bytes, of those that stand between characters. They are in order.
fn in_bytes(source: &str, places: &[u32]) -> HashMap<u32, u32> {
    let mut wanted = places.iter().copied().peekable();
    let mut found = HashMap::with_capacity(places.len());
    let mut units = 0;
    for (at, character) in source.char_indices() {
        while wanted.next_if(|place| *place < units).is_some() {}
        if wanted.next_if_eq(&units).is_some() {
            found.insert(units, at as u32);
        }
        units += character.len_utf16() as u32;
    }
    while wanted.next_if(|place| *place < units).is_some() {}
    if wanted.next_if_eq(&units).is_some() {
        found.insert(units, source.len() as u32);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_found_behind_what_is_wider() {
        let found = in_bytes("aé😀b", &[0, 1, 2, 3, 4, 5, 9]);
        let mut found: Vec<_> = found.into_iter().collect();
        found.sort_unstable();
        // 3 is within the pair of surrogates.
        assert_eq!(found, [(0, 0), (1, 1), (2, 3), (4, 7), (5, 8)]);
    }
}
