//! The exit codes, all of them. `docs/exit-codes.md` tells users the same.

use std::io::ErrorKind;
use std::process::ExitCode;
use varve_crawl::CrawlError;
use varve_mementomap::MapError;
use varve_qa::QaError;
use varve_store::StoreError;

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// Done.
    Done = 0,
    /// Something failed.
    Error = 1,
    /// The disk is full; everything saved is kept, and the command can be run again.
    DiskFull = 3,
    /// The crawl is done, but some pages could not be saved.
    FailedPages = 4,
    /// An audit found damage, or a check of quality bad pages.
    VerificationFailed = 5,
    /// Interrupted; everything saved is kept, and the command can be run again.
    Interrupted = 130,
}

impl Exit {
    /// The code for an error.
    pub(crate) fn of(error: &anyhow::Error) -> Exit {
        let disk_full = error.chain().any(|cause| match cause.downcast_ref() {
            Some(CrawlError::Store(error)) => error.is_disk_full(),
            Some(CrawlError::Frontier(error)) => error.is_disk_full(),
            _ => {
                let store = cause.downcast_ref::<StoreError>();
                let qa = cause.downcast_ref::<QaError>();
                let map = cause.downcast_ref::<MapError>();
                store.is_some_and(StoreError::is_disk_full)
                    || qa.is_some_and(QaError::is_disk_full)
                    || map.and_then(MapError::kind) == Some(ErrorKind::StorageFull)
            }
        });
        if disk_full {
            Exit::DiskFull
        } else {
            Exit::Error
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit as u8)
    }
}

/// The table for `--help`.
pub(crate) const HELP: &str = "\
Exit codes:
  0    done
  1    error
  2    wrong usage
  3    disk full (what was saved is kept; run the command again)
  4    finished, but some pages could not be saved
  5    verification failed
  130  interrupted (what was saved is kept; run the command again)";
