//! What records of a kind have in common, as a dictionary for zstd.
//!
//! A dictionary has two parts. The first is made of pieces that many records have. Behind it stand
//! some records as they are: pages of a site are mostly alike, so the others say little but what is
//! their own. A record in the dictionary takes next to nothing in its file; so that costs no room.

use std::collections::BTreeMap;

/// What a dictionary is made of, at most: so much of a kind.
const SAMPLES: usize = 12 << 20;
/// The first part is not longer than this, nor than this part of what it is made of: it has to be
/// stored, too.
const COMMON: usize = 110 << 10;
const PART: usize = 40;
/// A shorter first part is not worth it, unless records stand behind it.
const SHORTEST: usize = 4 << 10;
/// It is that long if they do, at least.
const HEAD: usize = 1 << 10;
/// What is in common is looked for in pieces, of which there have to be some.
const PIECE: usize = 2 << 10;
const FEWEST: usize = 8;
/// The records in it, in all. Whoever reads one record has to read all of this.
const RECORDS: usize = 448 << 10;

/// Records of a kind, by their sites.
#[derive(Default)]
pub(super) struct Samples {
    sites: BTreeMap<String, Vec<Vec<u8>>>,
    bytes: usize,
}

/// Whether records stand in a dictionary as they are.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Whole {
    /// Some of them.
    Some,
    /// Only what they have in common.
    None,
}

impl Samples {
    /// Whether there are enough.
    pub(super) fn is_full(&self) -> bool {
        self.bytes >= SAMPLES
    }

    pub(super) fn add(&mut self, site: &str, sample: Vec<u8>) {
        self.bytes += sample.len();
        let site = self.sites.entry(site.to_owned()).or_default();
        site.push(sample);
    }

    /// The dictionary; none if it would not be worth it.
    pub(super) fn dictionary(&self, whole: Whole) -> Option<Vec<u8>> {
        let chosen = match whole {
            Whole::Some => self.chosen(),
            Whole::None => Vec::new(),
        };
        let length = (self.bytes / PART).min(COMMON);
        let length = match chosen.len() {
            // A record is no dictionary for itself.
            0 | 1 => (length >= SHORTEST).then_some(length)?,
            _ => length.max(HEAD),
        };
        let pieces: Vec<&[u8]> = self.all().flat_map(|it| it.chunks(PIECE)).collect();
        (pieces.len() >= FEWEST).then_some(())?;
        let mut dictionary = zstd::dict::from_samples(&pieces, length).ok()?;
        // All that stands behind its tables is what it offers, so more may stand there.
        for record in chosen {
            dictionary.extend_from_slice(record);
        }
        Some(dictionary)
    }

    fn all(&self) -> impl Iterator<Item = &[u8]> {
        self.sites.values().flatten().map(Vec::as_slice)
    }

    /// Records that stand for others: of all sites in turn, and of each evenly.
    fn chosen(&self) -> Vec<&[u8]> {
        let mut turns: Vec<_> = self.sites.values().map(|site| spread(site)).collect();
        let (mut chosen, mut room) = (Vec::new(), RECORDS);
        while !turns.is_empty() {
            turns.retain_mut(|site| {
                let next = site.next();
                if let Some(record) = next.filter(|record| record.len() <= room) {
                    room -= record.len();
                    chosen.push(record);
                }
                next.is_some()
            });
        }
        // What is near is cheaper to refer to, and the first of each site are the most useful.
        chosen.reverse();
        chosen
    }
}

/// All records of a site, so that the first few are far from each other.
fn spread(records: &[Vec<u8>]) -> impl Iterator<Item = &[u8]> {
    let digits = usize::BITS - records.len().saturating_sub(1).leading_zeros();
    let reversed = move |number: usize| match digits {
        0 => 0,
        digits => number.reverse_bits() >> (usize::BITS - digits),
    };
    let order = (0..1_usize << digits).map(reversed);
    order.filter_map(|at| records.get(at).map(Vec::as_slice))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_far_from_each_other_come_first() {
        for length in [0, 1, 2, 3, 5, 8] {
            let records: Vec<Vec<u8>> = (0..length).map(|number| vec![number]).collect();
            let mut order: Vec<u8> = spread(&records).map(|record| record[0]).collect();
            if length == 8 {
                assert_eq!(order, [0, 4, 2, 6, 1, 5, 3, 7]);
            }
            order.sort_unstable();
            assert_eq!(order, (0..length).collect::<Vec<u8>>());
        }
    }

    #[test]
    fn all_sites_have_their_turn() {
        let mut samples = Samples::default();
        for number in 0..3 {
            samples.add("a", vec![number; 10]);
        }
        samples.add("b", vec![9; RECORDS]);
        samples.add("c", vec![8; 10]);
        let chosen: Vec<u8> = samples.chosen().iter().map(|it| it[0]).collect();
        assert_eq!(
            chosen,
            [1, 2, 8, 0],
            "the first last, and none that is too long"
        );
    }

    #[test]
    fn pages_that_are_alike_are_packed_small() {
        let words = |seed: u64, count: usize| -> String {
            let mut state = seed;
            let word = |_| {
                state = state
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1);
                format!("{:x} ", state >> 40)
            };
            (0..count).map(word).collect()
        };
        let (before, after) = (words(1, 1_500), words(2, 1_500));
        let page = |number: u64| format!("{before}{}{after}", words(number + 7, 50)).into_bytes();
        let mut samples = Samples::default();
        (0..6).for_each(|number| samples.add("a", page(number)));
        let packed = |whole: Whole, page: &[u8]| {
            let dictionary = samples.dictionary(whole).unwrap_or_default();
            let compressor = zstd::bulk::Compressor::with_dictionary(9, &dictionary);
            compressor
                .and_then(|mut it| it.compress(page))
                .map_or(0, |it| it.len())
        };
        let new = page(100);
        let (alone, beside) = (packed(Whole::None, &new), packed(Whole::Some, &new));
        assert!(beside > 0 && beside * 5 < alone, "{beside} {alone}");
    }

    #[test]
    fn little_gives_no_dictionary() {
        let mut samples = Samples::default();
        assert_eq!(samples.dictionary(Whole::Some), None);
        samples.add("a", b"short".to_vec());
        assert_eq!(samples.dictionary(Whole::Some), None);
        samples.add("a", b"shorter".to_vec());
        assert_eq!(samples.dictionary(Whole::Some), None);
    }
}
