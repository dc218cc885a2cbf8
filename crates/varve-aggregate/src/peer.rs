//! `Peer`: an archive that is asked, how it is, and what is known about it.

use crate::archives::Archive;
use crate::health::{Health, Patience};
use crate::maps::MapSlot;
use crate::tally::Tally;
use crate::trouble::Trouble;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::Semaphore;
use tokio::time::Instant;

/// One archive.
pub(crate) struct Peer {
    pub(crate) archive: Archive,
    pub(crate) id: Arc<str>,
    pub(crate) tally: Tally,
    pub(crate) map: MapSlot,
    /// Requests that it has to answer at once.
    pub(crate) places: Semaphore,
    health: Mutex<Health>,
}

impl Peer {
    pub(crate) fn new(archive: Archive, patience: Patience, places: usize) -> Peer {
        Peer {
            id: archive.id.as_str().into(),
            map: MapSlot::default(),
            tally: Tally::default(),
            places: Semaphore::new(places.clamp(1, Semaphore::MAX_PERMITS)),
            health: Mutex::new(Health::new(patience)),
            archive,
        }
    }

    pub(crate) fn is_dormant(&self) -> bool {
        self.health().is_dormant(Instant::now())
    }

    /// Leave to ask it, if it is not dormant.
    pub(crate) fn admit(&self) -> Option<Visit<'_>> {
        let admitted = self.health().admit(Instant::now());
        admitted.then_some(Visit {
            peer: self,
            ended: false,
        })
    }

    fn health(&self) -> MutexGuard<'_, Health> {
        self.health.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A request that is on its way. If nobody says how it ended, it was given up.
pub(crate) struct Visit<'p> {
    peer: &'p Peer,
    ended: bool,
}

impl Visit<'_> {
    pub(crate) fn end(mut self, trouble: Option<&Trouble>) {
        self.ended = true;
        let mut health = self.peer.health();
        match trouble {
            Some(trouble) if trouble.is_illness() => health.failed(Instant::now()),
            _ => health.succeeded(),
        }
    }
}

impl Drop for Visit<'_> {
    fn drop(&mut self) {
        if !self.ended {
            self.peer.health().unknown(Instant::now());
        }
    }
}
