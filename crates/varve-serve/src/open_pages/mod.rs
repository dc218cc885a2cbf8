//! Pages that are open in somebody's browser, as far as their answers depend on each other.

mod given;
mod order;
mod taken;

pub(crate) use given::Answered;
pub(crate) use order::name_of;

use given::Given;

use order::ScriptOrder;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};
use taken::Taken;
use url::{Origin, Url};
use varve_model::Timestamp;

/// Pages that are open at once.
const MAX_PAGES: usize = 64;

/// An archived origin at the time of a page: as much as every request tells of the page it is for.
type Place = (Origin, Timestamp);

/// The pages that are open, the latest last.
#[derive(Default)]
pub(crate) struct OpenPages(Mutex<VecDeque<(Place, Arc<OpenPage>)>>);

/// One of them.
#[derive(Debug, Default)]
pub(crate) struct OpenPage {
    pub(crate) taken: Taken,
    pub(crate) order: ScriptOrder,
    pub(crate) given: Given,
}

impl OpenPages {
    /// A page is opened, perhaps again: it was given nothing yet. It has these scripts that run as
    /// they come, and `came` says in which order they came.
    pub(crate) fn open(&self, url: &Url, time: Timestamp, scripts: &[Url], came: &[u64]) {
        let place = (url.origin(), time);
        let page = OpenPage {
            taken: Taken::default(),
            order: ScriptOrder::new(scripts, came),
            given: Given::default(),
        };
        let mut pages = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        pages.retain(|(open, _)| *open != place);
        if pages.len() >= MAX_PAGES {
            pages.pop_front();
        }
        pages.push_back((place, Arc::new(page)));
    }

    /// The page at an origin, if it is open.
    pub(crate) fn at(&self, origin: &Origin, time: Timestamp) -> Option<Arc<OpenPage>> {
        let pages = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut latest_first = pages.iter().rev();
        let found = latest_first.find(|((open, when), _)| open == origin && *when == time);
        found.map(|(_, page)| page.clone())
    }

    /// The page of this time that something is for: the one at an origin that is told, else the
    /// latest.
    pub(crate) fn of_time(
        &self,
        origin: Option<&Origin>,
        time: Timestamp,
    ) -> Option<Arc<OpenPage>> {
        if let Some(page) = origin.and_then(|origin| self.at(origin, time)) {
            return Some(page);
        }
        let pages = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut latest_first = pages.iter().rev();
        let found = latest_first.find(|((_, when), _)| *when == time);
        found.map(|(_, page)| page.clone())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use varve_model::Capture;
    use varve_store::index::Hit;

    #[test]
    fn a_page_that_is_opened_again_was_given_nothing() {
        let pages = OpenPages::default();
        let url = Url::parse("https://h/").unwrap();
        let time = Timestamp::parse("20260101000000").unwrap();
        let open = || pages.open(&url, time, &[], &[]);
        let page = || pages.at(&url.origin(), time);
        assert!(page().is_none());
        open();
        let place = r#""offset":"1","length":"1","filename":"f""#;
        let line = format!(r#"h)/a?b 20260101000000 {{"url":"https://h/a?b",{place}}}"#);
        let capture = Capture::parse(&line).unwrap();
        let hit = Hit { layer: 0, capture };
        page().unwrap().taken.note(&hit);
        assert!(page().unwrap().taken.has(&hit));
        open();
        assert!(!page().unwrap().taken.has(&hit));
    }
}
