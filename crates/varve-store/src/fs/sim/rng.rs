//! The simulation's random numbers: SplitMix64, small, and the same for a seed on every machine.

/// A stream of pseudo-random numbers, wholly given by its seed.
#[derive(Clone, Debug)]
pub(super) struct Rng(u64);

impl Rng {
    pub(super) fn new(seed: u64) -> Rng {
        Rng(seed)
    }

    /// A stream for one of many `cases` of the same seed: neighbouring cases must not draw alike.
    pub(super) fn for_case(seed: u64, case: u64) -> Rng {
        let mut outer = Rng(seed);
        Rng(outer.next() ^ case.wrapping_mul(0xd6e8_feb8_6659_fd93))
    }

    pub(super) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `limit`, which must not be zero. The modulo's bias is far below what a test
    /// could notice.
    pub(super) fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit as u64) as usize
    }

    pub(super) fn coin(&mut self) -> bool {
        self.next() >> 63 == 1
    }

    pub(super) fn fill(&mut self, bytes: &mut [u8]) {
        for chunk in bytes.chunks_mut(8) {
            chunk.copy_from_slice(&self.next().to_le_bytes()[..chunk.len()]);
        }
    }
}
