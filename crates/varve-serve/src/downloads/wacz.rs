//! A collection as one WACZ, put together while it is read.
//!
//! Nothing of it is written but its index and its page list. The archive files are read once, for
//! the checksums that a ZIP file has of its members; that is done beside all requests, for one
//! collection at a time. Those who ask before it is done wait for a while, and are then told to
//! come again.

use super::download::Download;
use super::{collection, names, unreadable};
use crate::archive::Opened;
use crate::respond::{Notice, Reply, without_directories};
use crate::serving::Serving;
use axum::http::header;
use axum::http::{HeaderMap, StatusCode};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::{Semaphore, watch};
use varve_model::{Digest, DigestAlgorithm};
use varve_store::collection::Collection;
use varve_store::export::{Checksums, view_wacz};
use varve_store::fs::ReadAt;
use varve_store::wacz::WaczView;
use varve_store::{Result, StoreError};

/// How long a request waits for what is being prepared.
const PATIENCE: Duration = Duration::from_secs(10);
/// When to come again, in seconds.
const COME_AGAIN: &str = "5";

/// What is known of the collections as WACZ.
pub(crate) struct Downloads {
    checksums: Arc<Checksums>,
    /// By the names of the collections.
    views: Mutex<HashMap<String, Prepared>>,
    turn: Arc<Semaphore>,
    patience: Duration,
}

/// A WACZ that is there, or will be.
#[derive(Clone)]
struct Prepared {
    /// What tells it from those of the same collection at other times.
    tag: String,
    view: watch::Receiver<Option<Outcome>>,
}

/// The WACZ, or why there is none.
type Outcome = std::result::Result<Arc<WaczView>, String>;

impl Default for Downloads {
    fn default() -> Downloads {
        Downloads {
            checksums: Arc::default(),
            views: Mutex::default(),
            turn: Arc::new(Semaphore::new(1)),
            patience: PATIENCE,
        }
    }
}

/// The collection of this name as a WACZ.
pub(super) async fn wacz(serving: &Arc<Serving>, name: &str, headers: &HeaderMap) -> Reply {
    let (shared, wanted) = (serving.clone(), name.to_owned());
    let looking = tokio::task::spawn_blocking(move || collection(&shared, &wanted));
    let opened = match looking.await {
        Ok(Ok(opened)) => opened,
        Ok(Err(notice)) => return notice.page(),
        Err(_) => return Notice::late().page(),
    };
    let (tag, outcome) = serving.downloads.wait(name, opened).await;
    match outcome {
        Some(Ok(view)) => Download {
            length: view.len().unwrap_or(0),
            file: view,
            content_type: "application/wacz",
            name: Some(format!("{}.wacz", names::plain(name))),
            tag,
            modified: None,
        }
        .reply(headers),
        Some(Err(why)) => unreadable(&why),
        None => {
            let why = "This is being prepared. Try again in a moment.";
            let notice = Notice::new(StatusCode::SERVICE_UNAVAILABLE, "Not ready yet", why);
            notice.page().with(header::RETRY_AFTER, COME_AGAIN)
        }
    }
}

impl Downloads {
    /// The tag of a collection's WACZ, and what came of it; nothing, if that takes too long.
    async fn wait(&self, name: &str, opened: Arc<Opened>) -> (String, Option<Outcome>) {
        let mut prepared = self.prepare(name, opened);
        let done = prepared.view.wait_for(Option::is_some);
        let outcome = match tokio::time::timeout(self.patience, done).await {
            Ok(Ok(outcome)) => outcome.clone(),
            Ok(Err(_)) => Some(Err("It was given up.".to_owned())),
            Err(_) => None,
        };
        if let Some(Err(_)) = outcome {
            self.forget(name);
        }
        (prepared.tag, outcome)
    }

    /// The WACZ of a collection as it is now; begun, if nobody has asked for it before.
    fn prepare(&self, name: &str, opened: Arc<Opened>) -> Prepared {
        let tag = tag(opened.collection());
        let mut views = self.views.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = views.get(name).filter(|known| known.tag == tag) {
            return known.clone();
        }
        let (tell, view) = watch::channel(None);
        let prepared = Prepared { tag, view };
        views.insert(name.to_owned(), prepared.clone());
        let (checksums, turn) = (self.checksums.clone(), self.turn.clone());
        tokio::spawn(async move {
            let _turn = turn.acquire_owned().await;
            let working = tokio::task::spawn_blocking(move || view_of(&opened, &checksums));
            let outcome = match working.await {
                Ok(Ok(view)) => Ok(Arc::new(view)),
                Ok(Err(error)) => Err(without_directories(&error)),
                Err(_) => Err("Something went wrong while this was prepared.".to_owned()),
            };
            tell.send_replace(Some(outcome));
        });
        prepared
    }

    /// Has a collection prepared anew when it is asked for again.
    fn forget(&self, name: &str) {
        let mut views = self.views.lock().unwrap_or_else(PoisonError::into_inner);
        views.remove(name);
    }
}

fn view_of(opened: &Opened, checksums: &Checksums) -> Result<WaczView> {
    let collection = opened.collection();
    if collection.is_our_own()? {
        let why = "is pruned: other tools do not know its scripts; `varve export` makes them whole";
        return Err(StoreError::invalid(collection.root(), why));
    }
    let scratch = tempfile::tempdir();
    let scratch = scratch.map_err(StoreError::io(&std::env::temp_dir(), "write"))?;
    view_wacz(collection, scratch.path(), checksums)
}

/// The digest of what a WACZ of the collection is made of.
fn tag(collection: &Collection) -> String {
    let mut made_of = env!("CARGO_PKG_VERSION").to_owned();
    for layer in collection.layers() {
        made_of += &format!(" {} {} {}", layer.id, layer.sealed, layer.datapackage);
    }
    Digest::of(DigestAlgorithm::Sha256, made_of.as_bytes()).to_string()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::archive::{Archive, Rules};
    use varve_store::fs::{Fs, OsFileSystem};
    use varve_store::world::{RealWorld, World};

    #[tokio::test]
    async fn who_asks_too_soon_comes_again() {
        let dir = tempfile::tempdir().unwrap();
        let (fs, world): (Fs, Arc<dyn World>) = (Arc::new(OsFileSystem), Arc::new(RealWorld));
        Collection::open_or_create(fs.clone(), dir.path(), world.clone()).unwrap();
        let archive = Archive::open(
            &fs,
            &world,
            &[dir.path().to_owned()],
            Rules::open(None, &world).unwrap(),
        )
        .unwrap();
        let opened = || archive.now().remove(0);
        let downloads = Downloads {
            patience: Duration::from_millis(20),
            ..Downloads::default()
        };
        // Another one is being prepared.
        let other = downloads.turn.clone().acquire_owned().await.unwrap();
        assert!(downloads.wait("a", opened()).await.1.is_none());
        drop(other);
        let until = tokio::time::Instant::now() + Duration::from_secs(60);
        loop {
            match downloads.wait("a", opened()).await.1 {
                Some(outcome) => return assert!(outcome.is_ok()),
                None => assert!(tokio::time::Instant::now() < until),
            }
        }
    }
}
