//! Chance that repeats itself: the same seed gives the same throws on every machine.

/// A small generator of pseudo-random numbers (SplitMix64).
#[derive(Clone, Debug)]
pub(crate) struct Dice(u64);

impl Dice {
    /// Dice for one purpose: neighbouring seeds give unrelated throws.
    pub(crate) fn new(seed: u64) -> Dice {
        let mut dice = Dice(seed ^ 0x5bf0_3635_dcf4_9d21);
        dice.0 = dice.throw();
        dice
    }

    /// 64 random bits.
    pub(crate) fn throw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number less than `end`.
    pub(crate) fn below(&mut self, end: u64) -> u64 {
        ((u128::from(self.throw()) * u128::from(end)) >> 64) as u64
    }

    /// A number from `start` to before `end`.
    pub(crate) fn between(&mut self, start: u64, end: u64) -> u64 {
        start + self.below(end - start)
    }

    /// True so many times in a hundred.
    pub(crate) fn percent(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }

    /// One of several.
    pub(crate) fn pick<'a, T: ?Sized>(&mut self, from: &[&'a T]) -> &'a T {
        from[self.below(from.len() as u64) as usize]
    }

    /// From 0 to before 1.
    pub(crate) fn unit(&mut self) -> f64 {
        (self.throw() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// A number less than `end`, small ones more often (density falls with the square root).
    pub(crate) fn skewed(&mut self, end: u64) -> u64 {
        let unit = self.unit();
        ((unit * unit * end as f64) as u64).min(end - 1)
    }

    /// Log-normal: half of the throws are below `median`, and `sigma` says how far the rest goes.
    pub(crate) fn log_normal(&mut self, median: f64, sigma: f64) -> f64 {
        let radius = (-2.0 * (1.0 - self.unit()).ln()).sqrt();
        let normal = radius * (std::f64::consts::TAU * self.unit()).cos();
        median * (sigma * normal).exp()
    }

    /// Random bytes, which do not compress.
    pub(crate) fn fill(&mut self, bytes: &mut [u8]) {
        for eight in bytes.chunks_mut(8) {
            eight.copy_from_slice(&self.throw().to_le_bytes()[..eight.len()]);
        }
    }
}
