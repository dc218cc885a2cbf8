//! Pages by the words on them.
//!
//! Each collection has an index of words in `state/search`, which a thread keeps up with its
//! layers. It holds what may not be shown, too; whoever asks it leaves that out.

mod keeper;
mod text;

pub(crate) use keeper::Keeper;
pub(crate) use text::text_of;

use crate::archive::Archive;
use std::collections::HashSet;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use varve_model::{Access, Timestamp};
use varve_search::{FoundPages, PageHit, SearchError, WordIndex};

/// Pages that are found at most; nobody reads more.
const MAX_FOUND: usize = 1000;

/// The indexes of words of all collections.
pub(crate) struct Search {
    shelves: Vec<Shelf>,
}

/// The words of one collection.
struct Shelf {
    /// Or why there is none.
    index: Result<WordIndex, SearchError>,
    /// Layers whose words are not in it yet.
    missing: AtomicUsize,
}

/// What was found.
#[derive(Debug, Default)]
pub(crate) struct Answer {
    pub(crate) hits: Vec<PageHit>,
    /// Whether there may be more than these.
    pub(crate) is_cut: bool,
    /// What may be missing in it, and why.
    pub(crate) notes: Vec<String>,
}

impl Search {
    /// Opens the indexes of collections, or makes them.
    pub(crate) fn open<'a>(roots: impl Iterator<Item = &'a Path>) -> Search {
        let shelf = |root: &Path| Shelf {
            index: WordIndex::open(&root.join("state").join("search")),
            missing: AtomicUsize::new(0),
        };
        Search {
            shelves: roots.map(shelf).collect(),
        }
    }

    /// The pages with these words, the best first: of each URL its best capture.
    pub(crate) fn find(&self, archive: &Archive, words: &str) -> Answer {
        let mut answer = Answer::default();
        let mut seen = HashSet::new();
        for shelf in &self.shelves {
            let found = match &shelf.index {
                Ok(index) => index.find(words, MAX_FOUND),
                Err(error) => {
                    let note = format!("A collection cannot be searched by words: {error}.");
                    answer.notes.push(note);
                    continue;
                }
            };
            let FoundPages { hits, total } = found.unwrap_or_default();
            answer.is_cut |= total > hits.len();
            answer.hits.extend(hits.into_iter().filter(|hit| {
                let time = Timestamp::parse(&hit.time);
                let shown = |time| archive.rules().access(&hit.url, time) == Access::Allow;
                time.is_ok_and(shown) && seen.insert(hit.url.clone())
            }));
            if shelf.missing.load(Ordering::Relaxed) > 0 {
                let note = "Some pages are still being read; look again in a while.";
                answer.notes.push(note.to_owned());
            }
        }
        answer
    }
}
