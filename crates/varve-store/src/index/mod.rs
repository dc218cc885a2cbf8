//! The sorted index: which captures a collection holds, by key and time.
//!
//! Each Layer has one index of sorted lines (CDXJ), written once by an [`IndexWriter`] from what a
//! [`LineSorter`] has put in order, as a plain file ([`CdxjFile`]) or in compressed blocks
//! ([`ZipNum`]). A [`LayerIndex`] is either. A [`MergedIndex`] is many of them seen as one, and
//! answers every [`Query`]: the captures of a URL, of a host, the one nearest to a time.
//!
//! Memory stays small whatever the size of the index, and damage stays local: a line that cannot
//! be read is an `Err` among the results, which go on after it. What a line means is
//! `varve-model`'s to say; where the records lie that it points to is left to the WARC reader.

mod cdxj_file;
mod layer;
mod line;
mod merged;
mod query;
mod sort;
#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod testing;
mod tournament;
mod verify;
mod writer;
mod zipnum;

pub use cdxj_file::{CdxjFile, Cursor};
pub use layer::{LayerCursor, LayerIndex};
pub use merged::{Gate, MergedCursor, MergedIndex};
pub use query::{Collapse, Field, Filter, Hit, Hits, Query, Sort};
pub use sort::{LineSorter, SortedLines};
pub(crate) use varve_model::MAX_LINE;
pub use verify::Verified;
pub use writer::{IndexForm, IndexWriter};
pub use zipnum::{BLOCK_LINES, DATA_FILE, IDX_FILE, ZipNum, ZipNumCursor};

/// The name of the plain index in a Layer.
pub const INDEX_FILE: &str = "index.cdxj";
