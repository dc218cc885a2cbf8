//! The captures of a URL around one of them.

use crate::archive::Opened;
use varve_model::Timestamp;
use varve_store::index::{MergedIndex, Query, Sort};

/// With no more captures than this, one look at the index finds all that is wanted.
const FEW: usize = 32;
/// Lines of the index that are looked at for each neighbour.
const MAX_LINES: u64 = 100_000;

/// The times of the captures around one, to the second.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Around {
    pub(crate) first: Option<Timestamp>,
    pub(crate) previous: Option<Timestamp>,
    pub(crate) next: Option<Timestamp>,
    pub(crate) last: Option<Timestamp>,
}

impl Around {
    /// Finds them for the capture of a URL at a time, told to the second.
    pub(crate) fn find(index: &MergedIndex, url: &str, time: Timestamp) -> Around {
        let all = times(index, url, Query::default(), FEW + 1);
        if all.len() <= FEW {
            return Around {
                first: all.first().copied(),
                previous: all.iter().rfind(|other| **other < time).copied(),
                next: all.iter().find(|other| **other > time).copied(),
                last: all.last().copied(),
            };
        }
        let near = |millis| Timestamp::from_unix_millis(time.unix_millis() + millis);
        let one = |sort, from, to| {
            let query = Query {
                sort,
                from,
                to,
                ..Query::default()
            };
            times(index, url, query, 1).first().copied()
        };
        Around {
            first: all.first().copied(),
            previous: one(Sort::Reverse, None, near(-1)),
            next: one(Sort::Ascending, near(1000), None),
            last: one(Sort::Reverse, None, None),
        }
    }
}

/// The times of some captures, to the second.
fn times(index: &MergedIndex, url: &str, query: Query, limit: usize) -> Vec<Timestamp> {
    let query = Query {
        url: url.to_owned(),
        limit: Some(limit),
        scan_limit: Some(MAX_LINES),
        ..query
    };
    let hits = Opened::hits(index, &query).unwrap_or_default();
    let times = hits.iter().map(|hit| hit.capture.timestamp.to_seconds());
    times.collect()
}
