//! The state of a crawl between its beginning and its end: the frontier, on disk.
//!
//! It lies in `state/crawl` of the collection from the first seed until the crawl is over. A crawl
//! that finds it there goes on with it, whatever ended the one before; if there is nothing left to
//! visit, it is over at once, and nothing is fetched again.

use crate::CrawlError;
use crate::frontier::{EmbeddedFrontier, Frontier};
use std::path::{Path, PathBuf};

/// Where it lies in a collection.
const PLACE: [&str; 2] = ["state", "crawl"];
/// Where it lies while it is taken away, beside that.
const OVER: &str = "crawl-over";

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
        // Should it stay, it is in nobody's way.
        let _ = std::fs::remove_dir_all(dir.with_file_name(OVER));
        let unusable = |error| CrawlError::State {
            dir: dir.clone(),
            error,
        };
        std::fs::create_dir_all(&dir).map_err(unusable)?;
        let frontier = EmbeddedFrontier::open(&dir)?;
        let saved_before = frontier.counts().await?.saved;
        Ok(CrawlState {
            dir,
            frontier,
            saved_before,
        })
    }

    /// The crawl is over. Half of its state would be taken for damage, so it goes at once.
    pub(crate) fn remove(self) -> Result<(), CrawlError> {
        let CrawlState { dir, frontier, .. } = self;
        drop(frontier);
        let over = dir.with_file_name(OVER);
        let removed = std::fs::rename(&dir, &over).and_then(|()| std::fs::remove_dir_all(&over));
        removed.map_err(|error| CrawlError::State { dir, error })
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

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::frontier::{Claim, Moment, Outcome, Target, UrlKey};
    use url::Url;

    #[tokio::test]
    async fn a_crawl_that_ended_with_its_last_page_is_not_begun_again() {
        let dir = tempfile::tempdir().unwrap();
        let state = CrawlState::open(dir.path()).await.unwrap();
        let url = Url::parse("https://a.example/").unwrap();
        let page = || Target::seed(url.clone(), UrlKey::of(url.as_str()));
        state.frontier.add(vec![page()]).await.unwrap();
        let Claim::Lease(lease) = state.frontier.claim(Moment::now()).await.unwrap() else {
            panic!("there is a page");
        };
        let settled = state.frontier.settle(lease, Outcome::Saved, Vec::new());
        settled.await.unwrap();
        drop(state);
        let state = CrawlState::open(dir.path()).await.unwrap();
        assert_eq!(state.saved_before, 1);
        let added = state.frontier.add(vec![page()]).await.unwrap();
        assert_eq!(added.new, 0);
        state.remove().unwrap();
        assert!(!is_interrupted(dir.path()));
        let state = CrawlState::open(dir.path()).await.unwrap();
        assert_eq!(state.saved_before, 0);
    }
}
