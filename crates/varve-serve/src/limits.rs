//! How much is done at once, and how long anything may take.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// A request that takes longer is answered without its result.
pub(crate) const REQUEST_TIME: Duration = Duration::from_secs(30);
/// A request waits so long for its turn.
const TURN_TIME: Duration = Duration::from_secs(5);
/// More requests than this do not wait for a turn but are told to come again.
const WAITING: usize = 256;
/// Bodies that are sent piece by piece at a time.
const STREAMS: usize = 64;
/// The bytes of a request's body.
pub(crate) const REQUEST_BODY: usize = 4 << 20;
/// A collection's manifest is looked at no more often.
pub(crate) const LOOK_AGAIN: Duration = Duration::from_secs(1);
/// How long those who are told to come again should wait, in seconds.
pub(crate) const RETRY_AFTER: &str = "1";

/// Gives requests their turns: reading and rewriting take a processor each.
pub(crate) struct Turns {
    places: Arc<Semaphore>,
    streams: Arc<Semaphore>,
    waiting: AtomicUsize,
    patience: Duration,
}

/// There is too much to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Overloaded;

impl Turns {
    pub(crate) fn new(places: usize) -> Turns {
        Turns {
            places: Arc::new(Semaphore::new(places.max(1))),
            streams: Arc::new(Semaphore::new(STREAMS)),
            waiting: AtomicUsize::new(0),
            patience: TURN_TIME,
        }
    }

    /// Waits for a turn, which lasts until what is given is dropped.
    pub(crate) async fn turn(&self) -> Result<OwnedSemaphorePermit, Overloaded> {
        if let Ok(place) = self.places.clone().try_acquire_owned() {
            return Ok(place);
        }
        let _waiting = Waiting::begin(&self.waiting).ok_or(Overloaded)?;
        let place = tokio::time::timeout(self.patience, self.places.clone().acquire_owned()).await;
        place.ok().and_then(Result::ok).ok_or(Overloaded)
    }

    /// A place to send a long body from.
    pub(crate) fn stream(&self) -> Result<OwnedSemaphorePermit, Overloaded> {
        self.streams
            .clone()
            .try_acquire_owned()
            .map_err(|_| Overloaded)
    }
}

/// Counts who waits, also when waiting is given up.
struct Waiting<'a>(&'a AtomicUsize);

impl Waiting<'_> {
    fn begin(waiting: &AtomicUsize) -> Option<Waiting<'_>> {
        let before = waiting.fetch_add(1, Ordering::Relaxed);
        let counted = Waiting(waiting);
        (before < WAITING).then_some(counted)
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[tokio::test]
    async fn who_waits_too_long_comes_again() {
        let turns = Turns {
            patience: Duration::from_millis(1),
            ..Turns::new(1)
        };
        let first = turns.turn().await.unwrap();
        assert_eq!(turns.turn().await.unwrap_err(), Overloaded);
        drop(first);
        assert!(turns.turn().await.is_ok());
        assert_eq!(turns.waiting.load(Ordering::Relaxed), 0);
    }
}
