//! What a page was given already: what stands in for something else is given once before it is
//! given twice, so that a page that asks several times gets the answers that it got, in their order.

use std::collections::HashSet;
use std::sync::{Mutex, PoisonError};
use varve_store::index::Hit;

/// Captures of one page that are remembered.
const MAX_TAKEN: usize = 2_000;

/// The captures that one page was given.
#[derive(Debug, Default)]
pub(crate) struct Taken(Mutex<HashSet<(usize, String, u64)>>);

impl Taken {
    /// Notes that a capture was given. Only those are noted of which there may be several.
    pub(crate) fn note(&self, hit: &Hit) {
        if !hit.capture.url.contains('?') {
            return;
        }
        let mut taken = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if taken.len() < MAX_TAKEN {
            taken.insert(place(hit));
        }
    }

    pub(crate) fn has(&self, hit: &Hit) -> bool {
        let taken = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        taken.contains(&place(hit))
    }
}

fn place(hit: &Hit) -> (usize, String, u64) {
    (hit.layer, hit.capture.filename.clone(), hit.capture.offset)
}
