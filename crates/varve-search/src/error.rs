//! What can go wrong with an index of words.

use std::path::PathBuf;

/// Why an index cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum SearchError {
    /// The directory cannot be written or read.
    #[error("{}: {error}", dir.display())]
    Directory {
        /// The directory.
        dir: PathBuf,
        /// Why not.
        error: std::io::Error,
    },
    /// Another process adds to it just now.
    #[error("another process is adding pages")]
    Busy,
    /// The engine says so.
    #[error("the index of words: {0}")]
    Engine(tantivy::TantivyError),
}

impl From<tantivy::TantivyError> for SearchError {
    fn from(error: tantivy::TantivyError) -> SearchError {
        match error {
            tantivy::TantivyError::LockFailure(..) => SearchError::Busy,
            other => SearchError::Engine(other),
        }
    }
}
