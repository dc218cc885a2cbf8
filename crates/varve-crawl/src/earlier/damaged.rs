//! URLs of which the stored copy cannot be read: what comes in its place must not refer to it.

use std::collections::HashSet;
use std::sync::{Mutex, MutexGuard, PoisonError};
use url::Url;

/// More than this many are not remembered; they cost what they cost without this.
const REMEMBERED: usize = 10_000;

/// The URLs that were met.
#[derive(Default)]
pub(super) struct Damaged(Mutex<HashSet<Url>>);

impl Damaged {
    pub(super) fn note(&self, url: &Url) {
        let mut urls = self.lock();
        if urls.len() < REMEMBERED {
            urls.insert(url.clone());
        }
    }

    pub(super) fn contains(&self, url: &Url) -> bool {
        self.lock().contains(url)
    }

    fn lock(&self) -> MutexGuard<'_, HashSet<Url>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
