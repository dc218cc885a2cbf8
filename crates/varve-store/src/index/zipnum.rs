//! ZipNum: a sorted index in compressed blocks, with a small index of the blocks.
//!
//! The lines are cut into *blocks* of about a thousand, each a gzip member of its own, one after
//! the other in a *part* (`index.cdx.gz`). The *idx* (`index.idx`) has a line per block: the key
//! and timestamp of its first line, and its place. Two spellings are read: that of WACZ
//! (`key timestamp {"offset": 0, "length": 275, "digest": "sha256:..."}` below a `!meta` header
//! that names the part), which is also written, and the older one of pywb and the Wayback Machine
//! (`key timestamp<TAB>part<TAB>offset<TAB>length`), whose parts a `.loc` file may map to files.
//!
//! A search halves the idx like any sorted file and inflates one block. A damaged block costs its
//! own lines only: cursors report it and go on.

mod block;
mod cursor;
mod idx;
mod parts;
mod verify;
mod writer;

use super::cdxj_file::CdxjFile;
use crate::Result;
use crate::fs::Fs;
use block::{Block, BlockCache};
pub use cursor::ZipNumCursor;
use idx::{BlockPlace, Meta};
use parts::Parts;
use std::path::Path;
use std::sync::Arc;
pub(super) use writer::ZipNumWriter;

/// The name of the compressed blocks in a Layer.
pub const DATA_FILE: &str = "index.cdx.gz";

/// The name of the idx in a Layer.
pub const IDX_FILE: &str = "index.idx";

/// How many lines a block has unless told otherwise.
pub const BLOCK_LINES: usize = 1024;

/// A ZipNum index, open for searching from any thread. Cheap to clone.
#[derive(Clone, Debug)]
pub struct ZipNum(Arc<Opened>);

#[derive(Debug)]
struct Opened {
    idx: CdxjFile,
    /// The part of all blocks whose idx line names none.
    default_part: String,
    parts: Parts,
    cache: BlockCache,
}

impl ZipNum {
    /// Opens an index by its idx file. The parts must be beside it or below its directory.
    pub fn open(fs: &Fs, idx_path: &Path) -> Result<ZipNum> {
        let idx = CdxjFile::open(fs, idx_path)?;
        let meta = Meta::read(&idx)?;
        Ok(ZipNum(Arc::new(Opened {
            idx,
            default_part: meta.filename,
            parts: Parts::beside(fs, idx_path)?,
            cache: BlockCache::default(),
        })))
    }

    /// The idx file.
    pub fn path(&self) -> &Path {
        self.0.idx.path()
    }

    /// A cursor before the first line.
    pub fn start(&self) -> ZipNumCursor {
        ZipNumCursor::before_block(self.clone(), self.0.idx.start())
    }

    /// A cursor after the last line.
    pub fn end(&self) -> Result<ZipNumCursor> {
        ZipNumCursor::after_all(self.clone(), self.0.idx.end())
    }

    /// A cursor before the first line that is not less than `key`.
    pub fn seek(&self, key: &[u8]) -> Result<ZipNumCursor> {
        ZipNumCursor::seek(self.clone(), key)
    }

    /// Reads a block, or finds it among those read last.
    fn load(&self, place: &BlockPlace) -> Result<Arc<Block>> {
        let part = self.0.parts.open(self.part_name(place), self.path())?;
        if let Some(block) = self.0.cache.get(&part, place.offset) {
            return Ok(block);
        }
        let block = Arc::new(Block::read(&part, place)?);
        self.0.cache.put(&part, place.offset, &block);
        Ok(block)
    }

    fn part_name<'a>(&'a self, place: &'a BlockPlace) -> &'a str {
        place.part.as_deref().unwrap_or(&self.0.default_part)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;
