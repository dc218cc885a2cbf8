//! What stops a check. What is wrong with pages is a finding.

use std::io::ErrorKind;
use std::path::PathBuf;
use varve_browser::BrowserError;
use varve_serve::ServeError;
use varve_store::StoreError;

/// Why a check could not be made.
#[derive(Debug, thiserror::Error)]
pub enum QaError {
    /// The collection cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The collection cannot be served.
    #[error(transparent)]
    Serve(#[from] ServeError),
    /// There is no Chromium.
    #[error(transparent)]
    Browser(#[from] BrowserError),
    /// Chromium does not start any more.
    #[error("Chromium cannot be started: {0}")]
    NoBrowser(String),
    /// No port on loopback.
    #[error("cannot open a port on loopback: {0}")]
    Port(std::io::Error),
    /// The report cannot be written.
    #[error("{path}: cannot {action}: {error}")]
    Report {
        /// The file or directory.
        path: PathBuf,
        /// What was tried.
        action: &'static str,
        /// Why not.
        error: std::io::Error,
    },
    /// The place for the report holds something else.
    #[error("{0} holds other files: name an empty directory or one with an earlier report")]
    NotAReport(PathBuf),
}

impl QaError {
    /// Whether there is no room left.
    pub fn is_disk_full(&self) -> bool {
        match self {
            QaError::Store(error) => error.is_disk_full(),
            QaError::Report { error, .. } => matches!(
                error.kind(),
                ErrorKind::StorageFull | ErrorKind::QuotaExceeded
            ),
            _ => false,
        }
    }

    /// For errors about a file of the report.
    pub(crate) fn report(
        path: impl Into<PathBuf>,
        action: &'static str,
    ) -> impl FnOnce(std::io::Error) -> QaError {
        let path = path.into();
        move |error| QaError::Report {
            path,
            action,
            error,
        }
    }
}
