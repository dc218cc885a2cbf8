//! What can go wrong in the store, with the place where it did.

use crate::warc::Fault;
use std::io;
use std::path::{Path, PathBuf};

/// The store's result.
pub type Result<T, E = StoreError> = std::result::Result<T, E>;

/// An error of the store. Damage in archived files is not an error by itself (readers return
/// [`Fault`]s); it becomes one where an operation cannot go on without the damaged bytes.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The disk or the operating system refused.
    #[error("{}: cannot {action}: {error}", path.display())]
    Io {
        /// The file or directory.
        path: PathBuf,
        /// What was tried, as a verb: "open", "write".
        action: &'static str,
        /// Why it failed.
        error: io::Error,
    },
    /// Bytes that are not what they should be.
    #[error("{}: offset {offset}: {fault}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Where in the file.
        offset: u64,
        /// What is wrong there.
        fault: Fault,
    },
    /// A file of ours whose content makes no sense.
    #[error("{}: {reason}", path.display())]
    Invalid {
        /// The file.
        path: PathBuf,
        /// What is wrong and what to do.
        reason: String,
    },
    /// The directory holds no collection.
    #[error("{}: no collection here (no collection.json); create one with `varve import FILE -c {}`", path.display(), path.display())]
    NotACollection {
        /// The directory.
        path: PathBuf,
    },
    /// An exchange that was in a file whose write or sync failed for another one.
    #[error("{url}: not saved: the archive file it was written to failed; fetch it again")]
    NotSaved {
        /// The exchange's URL.
        url: String,
    },
    /// A URL that no index line can hold.
    #[error("{url}...: the URL is longer than {limit} bytes and cannot be indexed")]
    UrlTooLong {
        /// Its beginning.
        url: String,
        /// The limit in bytes.
        limit: usize,
    },
    /// A query that cannot be understood.
    #[error("{0}")]
    Query(String),
}

impl StoreError {
    /// Wraps an I/O error with the path and the action that failed.
    pub fn io(path: &Path, action: &'static str) -> impl FnOnce(io::Error) -> StoreError {
        let path = path.to_owned();
        move |error| StoreError::Io {
            path,
            action,
            error,
        }
    }

    /// A file of ours whose content makes no sense.
    pub fn invalid(path: &Path, reason: impl Into<String>) -> StoreError {
        StoreError::Invalid {
            path: path.to_owned(),
            reason: reason.into(),
        }
    }

    /// Whether the disk (or the user's quota) is full: everything acknowledged is safe, and the
    /// same command can be run again when there is room.
    pub fn is_disk_full(&self) -> bool {
        matches!(
            self,
            StoreError::Io { error, .. }
                if matches!(error.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded)
        )
    }
}
