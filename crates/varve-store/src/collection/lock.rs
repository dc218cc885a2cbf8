//! The collection's lock: held for moments, so waiting for it is fine.

use super::layout::Layout;
use crate::fs::{FileSystem, LockGuard};
use crate::{Result, StoreError};
use std::time::{Duration, Instant};

const PATIENCE: Duration = Duration::from_secs(60);
const PAUSE: Duration = Duration::from_millis(20);

/// Waits for the collection's lock.
pub(crate) fn collection(fs: &dyn FileSystem, layout: &Layout) -> Result<Box<dyn LockGuard>> {
    let state = layout.state();
    fs.create_dir_all(&state)
        .map_err(StoreError::io(&state, "create"))?;
    let path = layout.collection_lock();
    let started = Instant::now();
    loop {
        if let Some(guard) = fs.try_lock(&path).map_err(StoreError::io(&path, "lock"))? {
            return Ok(guard);
        }
        if started.elapsed() > PATIENCE {
            let reason =
                "another process has held the collection's lock for a minute; is it stuck?";
            return Err(StoreError::invalid(&path, reason));
        }
        std::thread::sleep(PAUSE);
    }
}
