//! What of a function never ran: ranges in UTF-16 code units, in order and apart from each other.

use serde::{Deserialize, Serialize};

/// The ranges of a function that never ran.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Vec<(u32, u32)>", into = "Vec<(u32, u32)>")]
pub struct Idle(Box<[(u32, u32)]>);

impl From<Vec<(u32, u32)>> for Idle {
    fn from(mut ranges: Vec<(u32, u32)>) -> Idle {
        ranges.retain(|(start, end)| start < end);
        ranges.sort_unstable();
        let mut apart: Vec<(u32, u32)> = Vec::with_capacity(ranges.len());
        for (start, end) in ranges {
            match apart.last_mut() {
                Some(last) if start <= last.1 => last.1 = last.1.max(end),
                _ => apart.push((start, end)),
            }
        }
        Idle(apart.into())
    }
}

impl From<Idle> for Vec<(u32, u32)> {
    fn from(idle: Idle) -> Vec<(u32, u32)> {
        idle.0.into_vec()
    }
}

impl Idle {
    /// The ranges.
    pub fn ranges(&self) -> &[(u32, u32)] {
        &self.0
    }

    /// What ran neither in one visit nor in the other.
    #[must_use]
    pub fn and(&self, other: &Idle) -> Idle {
        let (mut mine, mut others) = (self.0.iter().peekable(), other.0.iter().peekable());
        let mut both = Vec::new();
        while let (Some(one), Some(another)) = (mine.peek(), others.peek()) {
            let (start, end) = (one.0.max(another.0), one.1.min(another.1));
            if start < end {
                both.push((start, end));
            }
            if one.1 < another.1 {
                mine.next();
            } else {
                others.next();
            }
        }
        Idle(both.into())
    }
}

#[cfg(test)]
mod tests {
    use super::Idle;
    use proptest::prelude::*;

    #[test]
    fn what_two_visits_left_idle_is_what_both_did() {
        let check = |one: &[(u32, u32)], other: &[(u32, u32)], both: &[(u32, u32)]| {
            let (one, other) = (Idle::from(one.to_vec()), Idle::from(other.to_vec()));
            assert_eq!(one.and(&other).ranges(), both);
            assert_eq!(other.and(&one).ranges(), both);
        };
        check(&[(0, 10)], &[], &[]);
        check(&[(0, 10)], &[(5, 20)], &[(5, 10)]);
        check(&[(0, 10), (20, 30)], &[(5, 25)], &[(5, 10), (20, 25)]);
        check(&[(0, 10), (20, 30)], &[(10, 20)], &[]);
        check(&[(4, 6), (0, 5), (6, 8)], &[(0, 100)], &[(0, 8)]);
    }

    proptest! {
        #[test]
        fn a_place_is_idle_if_it_is_in_both(
            one in proptest::collection::vec((0u32..40, 0u32..40), 0..6),
            other in proptest::collection::vec((0u32..40, 0u32..40), 0..6),
        ) {
            let has = |ranges: &[(u32, u32)], at: u32| ranges.iter().any(|it| it.0 <= at && at < it.1);
            let both = Idle::from(one.clone()).and(&Idle::from(other.clone()));
            for at in 0..40 {
                prop_assert_eq!(has(both.ranges(), at), has(&one, at) && has(&other, at));
            }
        }
    }
}
