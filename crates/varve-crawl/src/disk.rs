//! Room on the disk that a collection is on.

use std::path::{Path, PathBuf};

/// So much is left free, for the index and for other programs: a share of the disk, but not more
/// than this.
const RESERVE: u64 = 64 << 20;
const SHARE: u64 = 20;

/// A disk, as the crawl needs to know it.
#[derive(Debug)]
pub(crate) struct Disk(PathBuf);

impl Disk {
    /// The disk that this directory is on.
    pub(crate) fn of(dir: &Path) -> Disk {
        Disk(dir.to_owned())
    }

    /// Whether there is too little room to go on. What cannot be asked is believed to have room:
    /// writing will tell.
    pub(crate) fn is_low(&self) -> bool {
        rustix::fs::statvfs(&self.0).is_ok_and(|disk| {
            let bytes = |blocks: u64| blocks.saturating_mul(disk.f_frsize);
            bytes(disk.f_bavail) < RESERVE.min(bytes(disk.f_blocks) / SHARE)
        })
    }
}
