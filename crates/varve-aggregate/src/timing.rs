//! How the time of a look-up is divided: most of it is the peers', the rest is for the answer, which
//! has to be put together, written down and sent before the deadline.

use std::time::Duration;

/// The answer has this part of the time.
const PART: u32 = 10;
/// And so much more for each look-up that is under way, since all of them may be waiting for the
/// same peer, and be answered at the same moment. (It is measured in `bench/aggregate`.)
const EACH: Duration = Duration::from_millis(1);

/// How long peers are heard in a look-up that is to be answered within `deadline`, the last of so
/// many that are under way.
pub(crate) fn hearing(deadline: Duration, under_way: usize) -> Duration {
    let each = EACH.saturating_mul(u32::try_from(under_way).unwrap_or(u32::MAX));
    let answer = (deadline / PART).saturating_add(each);
    // Peers always have something.
    deadline - answer.min(deadline / 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn peers_have_most_of_the_time_and_less_of_it_when_there_is_much_to_answer() {
        for (deadline, under_way, expected) in [
            (20_000, 0, 18_000),
            (10_000, 1, 8_999),
            (10_000, 1_000, 8_000),
            (1_000, 100, 800),
            (1_000, 1_000, 500),
            (0, 1_000, 0),
        ] {
            let expected = Duration::from_millis(expected);
            let deadline = Duration::from_millis(deadline);
            assert_eq!(
                hearing(deadline, under_way),
                expected,
                "{deadline:?} {under_way}"
            );
        }
        assert_eq!(
            hearing(Duration::from_secs(2), usize::MAX),
            Duration::from_secs(1)
        );
    }
}
