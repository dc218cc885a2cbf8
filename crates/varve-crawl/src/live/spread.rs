//! How long pages took: a histogram with fixed bounds.

use serde::Serialize;
use std::time::Duration;

/// Upper bounds of the buckets, in seconds. What takes longer is in one more bucket.
pub const BOUNDS: [f64; 11] = [0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 120.0];

/// How many took how long.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Spread {
    /// How many fell into each bucket, the last of which has no bound.
    pub counts: [u64; BOUNDS.len() + 1],
    /// All of them together, in seconds.
    pub sum: f64,
}

impl Spread {
    /// Counts one.
    pub fn add(&mut self, took: Duration) {
        let seconds = took.as_secs_f64();
        let bucket = BOUNDS.partition_point(|bound| *bound < seconds);
        self.counts[bucket] += 1;
        self.sum += seconds;
    }

    /// How many there are.
    pub fn count(&self) -> u64 {
        self.counts.iter().sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_duration_falls_into_the_first_bucket_that_holds_it() {
        let check = |millis: u64, bucket: usize| {
            let mut spread = Spread::default();
            spread.add(Duration::from_millis(millis));
            assert_eq!(spread.counts[bucket], 1, "{millis} ms: {spread:?}");
            assert_eq!(spread.count(), 1);
        };
        check(0, 0);
        check(50, 0);
        check(51, 1);
        check(1_000, 4);
        check(120_000, 10);
        check(120_001, 11);
    }
}
