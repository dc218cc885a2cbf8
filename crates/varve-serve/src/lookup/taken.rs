//! What a page was given already, while it is open: what stands in for something else is given once
//! before it is given twice, so that a page that asks several times gets the answers that it got, in
//! their order.

use std::collections::{HashSet, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};
use url::Origin;
use varve_model::Timestamp;
use varve_store::index::Hit;

/// Pages that are open at once.
const MAX_PAGES: usize = 64;
/// Captures of one page that are remembered.
const MAX_TAKEN: usize = 2_000;

/// An archived origin at the time of a page: as much as every request tells of the page it is for.
type Page = (Origin, Timestamp);

/// The pages that are open, the latest last.
#[derive(Default)]
pub(crate) struct OpenPages(Mutex<VecDeque<(Page, Arc<Taken>)>>);

impl OpenPages {
    /// A page is opened, perhaps again: it was given nothing yet.
    pub(crate) fn open(&self, origin: Origin, time: Timestamp) {
        let page = (origin, time);
        let mut pages = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        pages.retain(|(open, _)| *open != page);
        if pages.len() >= MAX_PAGES {
            pages.pop_front();
        }
        pages.push_back((page, Arc::default()));
    }

    /// What a page was given, if it is open.
    pub(crate) fn taken_by(&self, origin: &Origin, time: Timestamp) -> Option<Arc<Taken>> {
        let pages = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut latest_first = pages.iter().rev();
        let found = latest_first.find(|((open, when), _)| open == origin && *when == time);
        found.map(|(_, taken)| taken.clone())
    }
}

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

    pub(super) fn has(&self, hit: &Hit) -> bool {
        let taken = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        taken.contains(&place(hit))
    }
}

fn place(hit: &Hit) -> (usize, String, u64) {
    (hit.layer, hit.capture.filename.clone(), hit.capture.offset)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use url::Url;
    use varve_model::Capture;

    #[test]
    fn a_page_that_is_opened_again_was_given_nothing() {
        let pages = OpenPages::default();
        let origin = Url::parse("https://h/").unwrap().origin();
        let time = Timestamp::parse("20260101000000").unwrap();
        assert!(pages.taken_by(&origin, time).is_none());
        pages.open(origin.clone(), time);
        let line = r#"h)/a?b 20260101000000 {"url":"https://h/a?b","offset":"1","length":"1","filename":"f"}"#;
        let capture = Capture::parse(line).unwrap();
        let hit = Hit { layer: 0, capture };
        pages.taken_by(&origin, time).unwrap().note(&hit);
        assert!(pages.taken_by(&origin, time).unwrap().has(&hit));
        pages.open(origin.clone(), time);
        assert!(!pages.taken_by(&origin, time).unwrap().has(&hit));
    }
}
