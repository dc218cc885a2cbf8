//! Answers: the steps of a query, put together in the order that it asks for.

use super::closest::outward;
use super::collapse::{Collapse, keep_first, keep_last};
use super::nearness::{MAX_SORTED, sorted};
use super::{Hit, HitSource, Query, Sort};
use crate::index::merged::MergedIndex;
use crate::{Result, StoreError};
use std::fmt;

/// The answer to a query, one hit at a time. A line or block that cannot be read is an `Err`
/// among the hits; those after it still come.
pub struct Hits(HitSource);

impl fmt::Debug for Hits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Hits")
    }
}

impl Iterator for Hits {
    type Item = Result<Hit>;

    fn next(&mut self) -> Option<Result<Hit>> {
        self.0.next()
    }
}

impl MergedIndex {
    /// Answers a query.
    pub fn query(&self, query: &Query) -> Result<Hits> {
        let plan = query.plan();
        let no_time = matches!((query.from, query.to), (Some(from), Some(to)) if from > to);
        let no_keys = plan.end.as_ref().is_some_and(|end| *end <= plan.start);
        if query.limit == Some(0) || no_time || no_keys {
            return Ok(Hits(Box::new(std::iter::empty())));
        }
        let hits = match query.sort {
            Sort::Ascending => collapsed(Box::new(plan.forward(self)?), query, keep_first),
            Sort::Reverse => collapsed(Box::new(plan.backward(self)?), query, keep_last),
            Sort::Closest(at) => match query.single_key() {
                Some(key) if query.collapse.is_empty() => Box::new(outward(&plan, self, &key, at)?),
                _ => {
                    let wanted = check_needed(query)?;
                    let hits = collapsed(Box::new(plan.forward(self)?), query, keep_first);
                    sorted(hits, at, wanted)
                }
            },
        };
        Ok(Hits(Box::new(Page {
            hits,
            skip: query.offset,
            left: query.limit,
        })))
    }
}

fn check_needed(query: &Query) -> Result<Option<usize>> {
    match query.needed() {
        Some(needed) if needed > MAX_SORTED => {
            let most = MAX_SORTED;
            let reason = format!("captures sorted by nearness: at most {most} with the offset");
            Err(StoreError::Query(reason))
        }
        needed => Ok(needed),
    }
}

fn collapsed(
    hits: HitSource,
    query: &Query,
    keep: fn(HitSource, Collapse) -> HitSource,
) -> HitSource {
    query.collapse.iter().cloned().fold(hits, keep)
}

/// Offset and limit. Errors do not count.
struct Page {
    hits: HitSource,
    skip: usize,
    left: Option<usize>,
}

impl Iterator for Page {
    type Item = Result<Hit>;

    fn next(&mut self) -> Option<Result<Hit>> {
        while self.left != Some(0) {
            let hit = self.hits.next()?;
            match hit.is_ok() {
                true if self.skip > 0 => self.skip -= 1,
                true => {
                    self.left = self.left.map(|left| left - 1);
                    return Some(hit);
                }
                false => return Some(hit),
            }
        }
        None
    }
}
