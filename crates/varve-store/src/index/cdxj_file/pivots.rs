//! Pivots: the lines that every search compares with first, remembered.
//!
//! The halving of a file is a binary tree, the same for all searches. Its upper nodes are numbered
//! as in a heap (the root is 1, the children of `n` are `2n` and `2n + 1`), and each keeps the
//! beginning of its line from the first search that read it. Nodes are written once and read
//! without locks.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The levels of the tree that are remembered at most: 32767 nodes.
const MAX_LEVELS: u32 = 15;

/// The last levels are always read: remembering them would cost memory in proportion to the file.
const READ_LEVELS: u32 = 3;

/// The bytes of lines that are remembered at most, in one file and of one line.
const MAX_BYTES: usize = 3 << 20;
const MAX_LINE_BYTES: usize = 240;

/// Beginnings of the lines in the upper nodes of the search tree.
#[derive(Debug)]
pub(super) struct Pivots {
    nodes: Box<[OnceLock<Box<[u8]>>]>,
    bytes: AtomicUsize,
}

impl Pivots {
    /// Room for the upper nodes of a search among `blocks`.
    pub(super) fn for_blocks(blocks: u64) -> Pivots {
        let levels = blocks.checked_ilog2().unwrap_or(0);
        let levels = levels.saturating_sub(READ_LEVELS).min(MAX_LEVELS);
        Pivots {
            nodes: (0..1_usize << levels).map(|_| OnceLock::new()).collect(),
            bytes: AtomicUsize::new(0),
        }
    }

    /// Whether the line at a node is less than `key`, if what is remembered can tell.
    pub(super) fn is_below(&self, node: usize, key: &[u8]) -> Option<bool> {
        let start = self.nodes.get(node)?.get()?;
        match key.get(..start.len()) {
            // The line goes on after its remembered start, so a shorter key is less or equal
            // unless it is already greater within that start.
            None => Some(**start < *key),
            Some(head) if head == &**start => (key.len() == start.len()).then_some(false),
            Some(head) => Some(&**start < head),
        }
    }

    /// Keeps the start of a node's line, if the node is remembered and there is room.
    pub(super) fn remember(&self, node: usize, start: &[u8]) {
        let Some(place) = self.nodes.get(node) else {
            return;
        };
        let start = &start[..start.len().min(MAX_LINE_BYTES)];
        let used = self.bytes.fetch_add(start.len(), Ordering::Relaxed);
        if used + start.len() > MAX_BYTES || place.set(start.into()).is_err() {
            self.bytes.fetch_sub(start.len(), Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_start_tells_what_it_can() {
        let pivots = Pivots::for_blocks(1 << 10);
        pivots.remember(1, b"com,m)/ 2020");
        let table: [(&str, Option<bool>); 8] = [
            ("", Some(false)),
            ("com,a)/ 2020 {}", Some(false)),
            ("com,m", Some(false)),
            ("com,m)/ 2020", Some(false)),
            ("com,m)/ 2020 {", None),
            ("com,m)/ 2021", Some(true)),
            ("com,n", Some(true)),
            ("com,n)/ 2020 {}", Some(true)),
        ];
        for (key, expected) in table {
            assert_eq!(pivots.is_below(1, key.as_bytes()), expected, "{key}");
        }
        assert_eq!(pivots.is_below(2, b"a"), None);
        assert_eq!(pivots.is_below(usize::MAX, b"a"), None);
    }

    #[test]
    fn memory_is_bounded() {
        let pivots = Pivots::for_blocks(u64::MAX);
        assert_eq!(pivots.nodes.len(), 1 << 15);
        for node in 0..40_000 {
            pivots.remember(node, &[b'x'; 1000]);
        }
        let kept = pivots.nodes.iter().filter_map(OnceLock::get);
        assert!(kept.map(|start| start.len()).sum::<usize>() <= MAX_BYTES);
    }
}
