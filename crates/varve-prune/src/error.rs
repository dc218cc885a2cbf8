//! What can go wrong.

use std::path::PathBuf;
use varve_browser::BrowserError;
use varve_qa::QaError;
use varve_serve::ServeError;
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
    /// The server for it.
    #[error(transparent)]
    Serve(#[from] ServeError),
    /// The browser for it.
    #[error(transparent)]
    Browser(#[from] BrowserError),
    /// No port can be had.
    #[error("cannot listen on loopback: {0}")]
    Port(#[source] std::io::Error),
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
