//! Which functions ran, and what of them did not, by what V8 tells in UTF-16 code units.

use super::Ran;
use oxc_span::Span;
use std::collections::HashMap;
use std::ops::Range;

/// The functions that ran, in bytes of the source.
pub(super) struct Map {
    functions: Vec<Function>,
    /// Which of them end at a place.
    ending: HashMap<u32, Vec<usize>>,
    /// Where the source ends.
    end: u32,
}

struct Function {
    start: u32,
    /// What of it never ran: in order, and apart from each other.
    idle: Vec<Range<u32>>,
}

/// What of a function never ran.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Idle {
    /// It ran, and this is its number.
    Of(usize),
    /// All of it.
    All,
    /// Nothing that is known of.
    Nothing,
}

impl Map {
    pub(super) fn new(source: &str, ran: &[Ran]) -> Map {
        let ends = |ran: &Ran| {
            let idle = ran.idle.iter().flat_map(|(start, end)| [*start, *end]);
            [ran.start, ran.end]
                .into_iter()
                .chain(idle)
                .collect::<Vec<_>>()
        };
        let mut places: Vec<u32> = ran.iter().flat_map(ends).collect();
        places.sort_unstable();
        places.dedup();
        let bytes = in_bytes(source, &places);
        let mut map = Map {
            functions: Vec::new(),
            ending: HashMap::new(),
            end: source.len() as u32,
        };
        for ran in ran {
            let place = |(start, end): (u32, u32)| Some(*bytes.get(&start)?..*bytes.get(&end)?);
            let Some(whole) = place((ran.start, ran.end)) else {
                continue;
            };
            let mut idle: Vec<Range<u32>> = ran.idle.iter().copied().filter_map(place).collect();
            idle.sort_unstable_by_key(|idle| idle.start);
            let number = map.functions.len();
            map.ending.entry(whole.end).or_default().push(number);
            map.functions.push(Function {
                start: whole.start,
                idle,
            });
        }
        map.take_back_what_ran();
        map
    }

    /// What has a function in it that ran on another page is not idle.
    fn take_back_what_ran(&mut self) {
        let mut starts: Vec<u32> = self.functions.iter().map(|it| it.start).collect();
        starts.sort_unstable();
        for function in &mut self.functions {
            let (start, idle) = (function.start, &mut function.idle);
            idle.retain(|range| {
                let first = starts.partition_point(|other| *other < range.start.max(start + 1));
                starts.get(first).is_none_or(|other| *other >= range.end)
            });
        }
    }

    /// A function, if it ran. V8's ranges of methods begin with their names, before the span of
    /// the parser's; but never before the function around, which begins at `around`.
    pub(super) fn function(&self, function: Span, around: Option<u32>) -> Option<Idle> {
        let fits =
            |start: u32| start <= function.start && around.is_none_or(|around| start > around);
        let mut ending = self.ending(function.end);
        ending
            .find(|number| fits(self.functions[*number].start))
            .map(Idle::Of)
    }

    /// The script itself.
    pub(super) fn script(&self) -> Idle {
        let mut ending = self.ending(self.end);
        let script = ending.find(|number| self.functions[*number].start == 0);
        script.map_or(Idle::Nothing, Idle::Of)
    }

    fn ending(&self, place: u32) -> impl Iterator<Item = usize> {
        let ending = self.ending.get(&place).map_or(&[][..], Vec::as_slice);
        ending.iter().copied()
    }

    /// Whether something in a function never ran.
    pub(super) fn is_idle(&self, of: Idle, span: Span) -> bool {
        let number = match of {
            Idle::All => return true,
            Idle::Nothing => return false,
            Idle::Of(number) => number,
        };
        let idle = &self.functions[number].idle;
        let after = idle.partition_point(|idle| idle.start <= span.start);
        let before = after.checked_sub(1).and_then(|at| idle.get(at));
        before.is_some_and(|idle| span.end <= idle.end)
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
