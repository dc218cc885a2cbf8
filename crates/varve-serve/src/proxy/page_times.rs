//! The times of pages that the proxy has shown: what they ask for is to be of the same time.
//!
//! URLs say nothing of time here, so it is the referrer that tells which page asks. What a page
//! needs (style sheets, scripts, frames) asks in its name.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use url::Url;
use varve_model::Timestamp;

/// URLs that are remembered; with more of them all are forgotten.
const REMEMBERED: usize = 20_000;
/// Longer URLs are not.
const MAX_URL: usize = 4096;

/// The times of pages, by the time that was asked for and the URL that they are referred to by.
#[derive(Default)]
pub(super) struct PageTimes(Mutex<HashMap<(Timestamp, String), Timestamp>>);

impl PageTimes {
    /// A page was shown, as it was at a time. To other origins it is known by its own origin only.
    pub(super) fn is_shown(&self, asked: Timestamp, url: &Url, time: Timestamp) {
        let origin = format!("{}/", url.origin().ascii_serialization());
        self.remember(asked, origin, time);
        self.belongs(asked, url, time);
    }

    /// Something was given to a page of this time.
    pub(super) fn belongs(&self, asked: Timestamp, url: &Url, time: Timestamp) {
        self.remember(asked, url.as_str().to_owned(), time);
    }

    /// The time of the page in whose name is asked.
    pub(super) fn of(&self, asked: Timestamp, referrer: &str) -> Option<Timestamp> {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.get(&(asked, referrer.to_owned())).copied()
    }

    fn remember(&self, asked: Timestamp, url: String, time: Timestamp) {
        if url.len() > MAX_URL {
            return;
        }
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= REMEMBERED {
            known.clear();
        }
        known.insert((asked, url), time);
    }
}
