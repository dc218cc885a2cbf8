//! What can go wrong.

use std::path::PathBuf;
use varve_qa::QaError;
use varve_store::StoreError;

/// Why a collection was not pruned. It is as it was before.
#[derive(Debug, thiserror::Error)]
pub enum PruneError {
    /// The collection.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The replay.
    #[error(transparent)]
    Qa(#[from] QaError),
    /// No visit tells what ran.
    #[error(
        "{}: no visit of it tells which functions of scripts ran; crawl with --prune to learn that",
        .0.display()
    )]
    NothingLearned(PathBuf),
    /// Replays differ however much is left whole.
    #[error(
        "{}: replay differs from before on {pages} pages, although their scripts were left whole; nothing was changed",
        .collection.display()
    )]
    Differs {
        /// The collection.
        collection: PathBuf,
        /// How many pages.
        pages: usize,
    },
    /// Somebody wanted it to end.
    #[error("{}: interrupted; nothing was changed", .0.display())]
    Interrupted(PathBuf),
}
