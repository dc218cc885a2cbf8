//! Who could not be reached a moment ago. Pages that need the same dead host would wait for it one
//! after the other; they are told at once.

use super::origin::Origin;
use crate::error::FetchError;
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How long a failure is remembered: long enough for pages that are crawled at the same time,
/// short enough for a server that is being restarted.
const HOLDS: Duration = Duration::from_secs(10);
/// How many are remembered. When there are more, the old ones are forgotten, or else all.
const REMEMBERED: usize = 4_096;

/// Origins to which no connection could be made.
#[derive(Default)]
pub(crate) struct Failures {
    known: Mutex<HashMap<Origin, (FetchError, Instant)>>,
}

impl Failures {
    /// Why there was no connection to an origin a moment ago.
    pub(crate) fn recent(&self, origin: &Origin) -> Option<FetchError> {
        let known = self.lock();
        let (error, at) = known.get(origin)?;
        (at.elapsed() < HOLDS).then(|| error.clone())
    }

    /// Remembers an error, if it is one of the other side.
    pub(crate) fn note(&self, origin: &Origin, error: &FetchError) {
        let theirs = matches!(
            error,
            FetchError::Connect { .. } | FetchError::Tls { .. } | FetchError::Timeout { .. }
        );
        if !theirs {
            return;
        }
        let mut known = self.lock();
        if known.len() >= REMEMBERED {
            known.retain(|_, (_, at)| at.elapsed() < HOLDS);
        }
        if known.len() >= REMEMBERED {
            known.clear();
        }
        known.insert(origin.clone(), (error.clone(), Instant::now()));
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Origin, (FetchError, Instant)>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
