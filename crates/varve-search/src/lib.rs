//! Find pages by the words on them.
//!
//! A [`WordIndex`] is a directory that says which words stand on which pages. It is made from the
//! texts that it is given, layer by layer, and can be thrown away: everything in it can be made
//! again. It knows nothing of archives; a page is a URL, a time, a title and a text.
//!
//! ```
//! # let dir = tempfile::tempdir().unwrap_or_else(|_| unreachable!());
//! use varve_search::{PageText, WordIndex};
//! let index = WordIndex::open(dir.path())?;
//! index.add_layer("2026", [PageText {
//!     url: "https://garden.example/plants".to_owned(),
//!     time: "20260101000000".to_owned(),
//!     title: "Plants".to_owned(),
//!     text: "Ferns like shade. Roses do not.".to_owned(),
//! }])?;
//! let found = index.find("shade \"do not\"", 10)?;
//! assert_eq!(found.hits[0].url, "https://garden.example/plants");
//! # Ok::<(), varve_search::SearchError>(())
//! ```

mod error;
mod excerpt;
mod index;
mod query;
mod words;

pub use error::SearchError;
pub use excerpt::{Piece, excerpt};
pub use index::{FoundPages, PageHit, PageText, WordIndex};
