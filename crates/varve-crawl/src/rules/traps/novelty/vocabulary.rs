//! The words that a space has used, in bounded memory.

use super::super::text::Features;
use std::collections::HashSet;

/// A page with so many new neighbours of known words is not dry.
const HANDFUL: usize = 3;

/// Hashes that the vocabulary of one space holds; beyond, only every second is looked at, and so on.
pub(super) const MAX_VOCABULARY: usize = 1 << 14;

/// How often the vocabulary is thinned out. A space that has yet more to say is no trap: it begins
/// anew.
const MAX_THINNING: u32 = 4;

/// The words that a space has used, or an even selection of them.
#[derive(Debug, Default)]
pub(super) struct Vocabulary {
    known: HashSet<u32>,
    thinning: u32,
}

impl Vocabulary {
    /// Takes a page in; tells whether it had something new.
    pub(super) fn learn(&mut self, features: &Features) -> bool {
        let words = self.add(&features.words);
        let pairs = self.add(&features.pairs);
        let handful = (HANDFUL >> self.thinning).max(1);
        while self.known.len() > MAX_VOCABULARY {
            self.thinning += 1;
            if self.thinning > MAX_THINNING {
                *self = Vocabulary::default();
            }
            let mask = self.mask();
            self.known.retain(|hash| hash & mask == 0);
        }
        words > 0 || pairs >= handful
    }

    /// How many hashes it holds.
    pub(super) fn len(&self) -> usize {
        self.known.len()
    }

    fn add(&mut self, hashes: &[u32]) -> usize {
        let mask = self.mask();
        hashes
            .iter()
            .filter(|hash| **hash & mask == 0 && self.known.insert(**hash))
            .count()
    }

    fn mask(&self) -> u32 {
        (1 << self.thinning) - 1
    }
}
