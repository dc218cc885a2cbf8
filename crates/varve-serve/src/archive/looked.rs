//! When something on the disk was last looked at: now and then by one, while the others go on.

use crate::limits::LOOK_AGAIN;
use std::sync::Mutex;
use std::time::Instant;

#[derive(Debug)]
pub(super) struct Looked(Mutex<Instant>);

impl Looked {
    /// Just now.
    pub(super) fn now() -> Looked {
        Looked(Mutex::new(Instant::now()))
    }

    /// Whether it was not long ago, and nobody is looking.
    pub(super) fn is_recent(&self) -> bool {
        let looked = self.0.try_lock();
        looked.is_ok_and(|looked| looked.elapsed() < LOOK_AGAIN)
    }

    /// Whether the caller should look, now.
    pub(super) fn is_time(&self) -> bool {
        let Ok(mut looked) = self.0.try_lock() else {
            return false;
        };
        let is_time = looked.elapsed() >= LOOK_AGAIN;
        if is_time {
            *looked = Instant::now();
        }
        is_time
    }
}
