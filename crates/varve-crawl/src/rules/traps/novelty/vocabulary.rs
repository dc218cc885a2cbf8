//! The words that a space has used, in bounded memory.

use super::super::text::Features;
use super::packed::Packed;

/// The first pages of a space count as new without a look. Most spaces have no more, and need no
/// memory.
const FIRST_PAGES: u8 = 8;

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
    /// Without the bits that are the same in all of them.
    known: Packed,
    thinning: u32,
    /// How many of the first pages there were.
    pages: u8,
}

impl Vocabulary {
    /// Takes a page in; tells whether it had something new.
    pub(super) fn learn(&mut self, features: &Features) -> bool {
        if self.pages < FIRST_PAGES {
            self.pages += 1;
            return true;
        }
        let mut known: Vec<u32> = self.known.iter().map(|it| it << self.thinning).collect();
        let words = self.unknown(&known, &features.words);
        let pairs = self.unknown(&known, &features.pairs);
        let handful = (HANDFUL >> self.thinning).max(1);
        let is_new = !words.is_empty() || pairs.len() >= handful;
        if !words.is_empty() || !pairs.is_empty() {
            known.extend(words);
            known.extend(pairs);
            // It consists of three runs, which are merged.
            known.sort();
            known.dedup();
            self.keep(known);
        }
        is_new
    }

    /// How many hashes it holds.
    pub(super) fn len(&self) -> usize {
        self.known.len()
    }

    /// Those of some hashes that are looked at and not known. All are in order.
    fn unknown(&self, known: &[u32], hashes: &[u32]) -> Vec<u32> {
        let mask = self.mask();
        let mut known = known.iter().peekable();
        let mut is_known = |hash: &u32| {
            while known.next_if(|known| *known < hash).is_some() {}
            known.peek() == Some(&hash)
        };
        let looked_at = hashes.iter().filter(|hash| *hash & mask == 0);
        looked_at.filter(|hash| !is_known(hash)).copied().collect()
    }

    /// Holds these from now on, or as many of them as fit.
    fn keep(&mut self, mut hashes: Vec<u32>) {
        while hashes.len() > MAX_VOCABULARY {
            self.thinning += 1;
            if self.thinning > MAX_THINNING {
                self.thinning = 0;
                hashes.clear();
            }
            let mask = self.mask();
            hashes.retain(|hash| hash & mask == 0);
        }
        self.known = Packed::of(hashes.into_iter().map(|hash| hash >> self.thinning));
    }

    fn mask(&self) -> u32 {
        (1 << self.thinning) - 1
    }
}
