//! Sorting by nearness: for captures of many URLs, which no walk meets in that order.

use super::closest::distance;
use super::{Hit, HitSource};
use crate::StoreError;
use std::cmp::Ordering;
use std::collections::BinaryHeap;
use varve_model::Timestamp;

/// Captures that are kept to be sorted.
pub(super) const MAX_SORTED: usize = 100_000;

/// Errors that are kept meanwhile.
const MAX_ERRORS: usize = 1000;

/// The `wanted` captures that are nearest, from near to far, among all that come in order; without
/// `wanted` all of them, which must not be more than [`MAX_SORTED`].
pub(super) fn sorted(hits: HitSource, at: Timestamp, wanted: Option<usize>) -> HitSource {
    let all = std::iter::once_with(move || {
        let mut nearest = BinaryHeap::new();
        let mut errors = Vec::new();
        for (arrival, hit) in hits.enumerate() {
            match hit {
                Ok(hit) => nearest.push(Ranked {
                    rank: (distance(hit.capture.timestamp, at), arrival),
                    hit,
                }),
                Err(error) if errors.len() < MAX_ERRORS => errors.push(Err(error)),
                Err(_) => {}
            }
            if nearest.len() > wanted.unwrap_or(MAX_SORTED) {
                nearest.pop();
                if wanted.is_none() {
                    errors.push(Err(too_many()));
                    break;
                }
            }
        }
        let nearest = nearest.into_sorted_vec().into_iter();
        errors
            .into_iter()
            .chain(nearest.map(|ranked| Ok(ranked.hit)))
    });
    Box::new(all.flatten())
}

fn too_many() -> StoreError {
    let reason = format!("more than {MAX_SORTED} captures to sort by nearness: set a limit");
    StoreError::Query(reason)
}

/// A hit that is ordered by distance and arrival.
struct Ranked {
    rank: (u64, usize),
    hit: Hit,
}

impl PartialEq for Ranked {
    fn eq(&self, other: &Ranked) -> bool {
        self.rank == other.rank
    }
}

impl Eq for Ranked {}

impl PartialOrd for Ranked {
    fn partial_cmp(&self, other: &Ranked) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Ranked {
    fn cmp(&self, other: &Ranked) -> Ordering {
        self.rank.cmp(&other.rank)
    }
}
