//! What can go wrong with a frontier.

use super::LeaseId;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;

/// What can go wrong with a frontier. All but [`FrontierError::NotLeased`] are final: the frontier
/// refuses further work and repeats the error. What was answered before is on disk; open it again
/// when the cause is gone.
#[derive(Clone, Debug, thiserror::Error)]
pub enum FrontierError {
    /// The disk cannot be written or read.
    #[error("the crawl state in {} cannot be kept: {cause}{}", dir.display(), space(*.full))]
    Disk {
        /// Where it is kept.
        dir: PathBuf,
        /// What the database says.
        cause: Arc<dyn std::error::Error + Send + Sync>,
        /// True if there is no room left.
        full: bool,
    },
    /// Another process has it open.
    #[error("the crawl state in {} is in use by another process", dir.display())]
    InUse {
        /// Where it is kept.
        dir: PathBuf,
    },
    /// What is on disk makes no sense.
    #[error("the crawl state is damaged: {what}")]
    Damaged {
        /// What makes no sense.
        what: &'static str,
    },
    /// The lease is settled already, or is of another process.
    #[error("lease {} is not held (any more)", .0.0)]
    NotLeased(LeaseId),
    /// The machine has no threads left.
    #[error("cannot start a thread: {0}")]
    Thread(Arc<io::Error>),
    /// A bug: the thread behind the frontier ended by panic.
    #[error("the keeper of the crawl state died; what was saved before is kept")]
    Lost,
}

impl FrontierError {
    /// True if the reason is a disk without room. The frontier can be opened again when there is.
    pub fn is_disk_full(&self) -> bool {
        matches!(self, FrontierError::Disk { full: true, .. })
    }

    /// True if the frontier can do no more work.
    pub fn is_final(&self) -> bool {
        !matches!(self, FrontierError::NotLeased(_))
    }
}

fn space(full: bool) -> &'static str {
    if full { " (no space left)" } else { "" }
}
