//! The state of a crawl between its beginning and its end: the frontier, on disk.
//!
//! It lies in `state/crawl` of the collection from the first seed to the last page. A crawl that
//! finds it there goes on with it, whatever ended the one before.

use crate::CrawlError;
use crate::frontier::{EmbeddedFrontier, Frontier};
use std::path::{Path, PathBuf};

/// Where it lies in a collection.
const PLACE: [&str; 2] = ["state", "crawl"];

/// An open crawl.
pub(crate) struct CrawlState {
    dir: PathBuf,
    pub(crate) frontier: EmbeddedFrontier,
    /// Pages that were saved before this process went on with it.
    pub(crate) saved_before: u64,
}

impl CrawlState {
    /// Goes on with the crawl that was interrupted here, or begins a new one.
    pub(crate) async fn open(collection: &Path) -> Result<CrawlState, CrawlError> {
        let dir = place(collection);
        let state = CrawlState::open_at(&dir).await?;
        let counts = state.frontier.counts().await?;
        // All was done, only the tidying up was not.
        if counts.seen > 0 && counts.queued == 0 {
            state.remove()?;
            return CrawlState::open_at(&dir).await;
        }
        Ok(CrawlState {
            saved_before: counts.saved,
            ..state
        })
    }

    async fn open_at(dir: &Path) -> Result<CrawlState, CrawlError> {
        let unusable = |error| CrawlError::State {
            dir: dir.to_owned(),
            error,
        };
        std::fs::create_dir_all(dir).map_err(unusable)?;
        Ok(CrawlState {
            frontier: EmbeddedFrontier::open(dir)?,
            dir: dir.to_owned(),
            saved_before: 0,
        })
    }

    /// The crawl is over.
    pub(crate) fn remove(self) -> Result<(), CrawlError> {
        let CrawlState { dir, frontier, .. } = self;
        drop(frontier);
        std::fs::remove_dir_all(&dir).map_err(|error| CrawlError::State { dir, error })
    }
}

/// Whether a crawl of this collection was interrupted.
pub fn is_interrupted(collection: &Path) -> bool {
    place(collection).exists()
}

fn place(collection: &Path) -> PathBuf {
    PLACE
        .iter()
        .fold(collection.to_owned(), |dir, name| dir.join(name))
}
