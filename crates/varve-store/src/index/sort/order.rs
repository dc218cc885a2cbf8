//! Lines in memory, put in order.
//!
//! Index lines share long beginnings (`com,example)/blog/2020/...`), so comparing whole lines
//! while sorting would read the same bytes again and again, each time from memory that the cache
//! has forgotten. Instead the lines are sorted eight bytes at a time: the next eight bytes of each
//! line are copied beside its place, the places are sorted by these numbers, and only lines that
//! are equal so far are looked at again, eight bytes (or their whole common beginning) deeper.

use std::cmp::Ordering;
use std::ops::Range;

/// Groups up to this size are sorted by comparing the lines themselves.
const SMALL: usize = 12;

/// Lines in one piece of memory.
#[derive(Debug, Default)]
pub(super) struct Arena {
    bytes: Vec<u8>,
    places: Vec<Place>,
}

/// Where a line is, and the eight bytes of it that are being compared.
#[derive(Clone, Copy, Debug)]
struct Place {
    chunk: u64,
    start: u32,
    len: u32,
}

impl Arena {
    /// The most bytes of lines that one arena may hold: offsets are 32 bits.
    pub(super) const MAX_BYTES: usize = u32::MAX as usize;

    /// Adds a line; the caller keeps the sum below [`Arena::MAX_BYTES`].
    pub(super) fn push(&mut self, line: &[u8]) {
        let start = self.bytes.len() as u32;
        self.bytes.extend_from_slice(line);
        self.places.push(Place {
            chunk: 0,
            start,
            len: line.len() as u32,
        });
    }

    /// The memory that the lines take, with `extra` bytes more in one more line.
    pub(super) fn size_with(&self, extra: usize) -> usize {
        self.bytes.len() + extra + (self.places.len() + 1) * size_of::<Place>()
    }

    /// How many lines there are.
    pub(super) fn len(&self) -> usize {
        self.places.len()
    }

    /// The line at `next` or, if it equals the one before, the first after it that does not;
    /// `next` moves on. After [`Arena::sort`] this gives every line once.
    pub(super) fn next_distinct(&self, next: &mut usize) -> Option<&[u8]> {
        let before = next.checked_sub(1).and_then(|before| self.line(before));
        loop {
            let line = self.line(*next)?;
            *next += 1;
            if before != Some(line) {
                return Some(line);
            }
        }
    }

    fn line(&self, index: usize) -> Option<&[u8]> {
        self.places.get(index).map(|place| place.line(&self.bytes))
    }

    /// Forgets the lines but keeps their memory for more.
    pub(super) fn clear(&mut self) {
        self.bytes.clear();
        self.places.clear();
    }

    /// Sorts the lines by their bytes.
    pub(super) fn sort(&mut self) {
        let Arena { bytes, places } = self;
        // A stack of its own: hostile lines nest groups deeper than the thread's stack allows.
        let mut groups = vec![Group {
            range: 0..places.len(),
            depth: 0,
        }];
        while let Some(Group { range, depth }) = groups.pop() {
            let first = range.start;
            let group = &mut places[range];
            if group.len() <= SMALL {
                group.sort_unstable_by(|a, b| a.rest(bytes, depth).cmp(b.rest(bytes, depth)));
                continue;
            }
            let depth = depth + common_prefix(bytes, group, depth);
            for place in group.iter_mut() {
                place.chunk = chunk(place.rest(bytes, depth));
            }
            group.sort_unstable_by(|a, b| a.cmp_chunk(b, depth));
            push_undecided(&mut groups, group, first, depth);
        }
    }
}

/// Lines that are equal in their first `depth` bytes.
struct Group {
    range: Range<usize>,
    depth: usize,
}

impl Place {
    fn line<'a>(&self, bytes: &'a [u8]) -> &'a [u8] {
        &bytes[self.start as usize..][..self.len as usize]
    }

    fn rest<'a>(&self, bytes: &'a [u8], depth: usize) -> &'a [u8] {
        &self.line(bytes)[depth..]
    }

    /// Whether the line goes on after the chunk at `depth`.
    fn goes_on(&self, depth: usize) -> bool {
        self.len as usize > depth + size_of::<u64>()
    }

    /// Orders by the chunk; a chunk that the line's end filled up with zeros comes before one
    /// that really holds zeros.
    fn cmp_chunk(&self, other: &Place, depth: usize) -> Ordering {
        let reach = |place: &Place| (place.len as usize).min(depth + size_of::<u64>() + 1);
        let by_chunk = self.chunk.cmp(&other.chunk);
        by_chunk.then_with(|| reach(self).cmp(&reach(other)))
    }
}

/// The first eight bytes as a number that sorts like them.
fn chunk(rest: &[u8]) -> u64 {
    match rest.first_chunk() {
        Some(bytes) => u64::from_be_bytes(*bytes),
        None => {
            let mut bytes = [0; 8];
            bytes[..rest.len()].copy_from_slice(rest);
            u64::from_be_bytes(bytes)
        }
    }
}

/// How many bytes after `depth` all lines of the group share. Worth asking only when a whole
/// chunk is saved, so less than that counts as nothing.
fn common_prefix(bytes: &[u8], group: &[Place], depth: usize) -> usize {
    let Some((first, others)) = group.split_first() else {
        return 0;
    };
    let mut common = first.rest(bytes, depth);
    for other in others {
        let rest = other.rest(bytes, depth);
        if !rest.starts_with(common) {
            common = &common[..shared(common, rest)];
            if common.len() < size_of::<u64>() {
                return 0;
            }
        }
    }
    common.len()
}

fn shared(a: &[u8], b: &[u8]) -> usize {
    a.iter().zip(b).take_while(|(a, b)| a == b).count()
}

/// Finds the lines of a sorted group that their chunks could not tell apart.
fn push_undecided(groups: &mut Vec<Group>, group: &[Place], first: usize, depth: usize) {
    let mut start = first;
    for equal in group.chunk_by(|a, b| a.chunk == b.chunk) {
        let end = start + equal.len();
        // Lines that end here are in order already; those that go on come after them.
        let ended = equal.partition_point(|place| !place.goes_on(depth));
        if equal.len() - ended > 1 {
            groups.push(Group {
                range: start + ended..end,
                depth: depth + size_of::<u64>(),
            });
        }
        start = end;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check(lines: &[Vec<u8>]) {
        let mut arena = Arena::default();
        for line in lines {
            arena.push(line);
        }
        arena.sort();
        let mut expected = lines.to_vec();
        expected.sort();
        let sorted: Vec<_> = (0..arena.len()).filter_map(|i| arena.line(i)).collect();
        assert_eq!(sorted, expected);
    }

    proptest! {
        #[test]
        fn sorts_like_std(lines in prop::collection::vec("(com,|\\)){0,9}[ab\0]{0,3}", 0..300)) {
            check(&lines.into_iter().map(String::into_bytes).collect::<Vec<_>>());
        }
    }

    #[test]
    fn lines_that_are_beginnings_of_each_other() {
        let nested: Vec<_> = (0..3000).rev().map(|n| vec![b'a'; n % 1500]).collect();
        check(&nested);
        let zeros: Vec<_> = (0..100).rev().map(|n| vec![0; n % 30]).collect();
        check(&zeros);
    }

    #[test]
    fn equal_lines() {
        check(&vec![b"com,example)/ 2020 {}".to_vec(); 5000]);
    }
}
