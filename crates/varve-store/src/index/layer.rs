//! The index of one Layer, in whichever form it was written.

use super::cdxj_file::{CdxjFile, Cursor};
use super::zipnum::{DATA_FILE, IDX_FILE, ZipNum, ZipNumCursor};
use super::{INDEX_FILE, Verified};
use crate::fs::Fs;
use crate::{Result, StoreError};
use std::path::Path;

/// The index of one Layer. Cheap to clone.
#[derive(Clone, Debug)]
pub enum LayerIndex {
    /// A sorted text file.
    Plain(CdxjFile),
    /// Compressed blocks.
    ZipNum(ZipNum),
}

impl LayerIndex {
    /// Opens the index in a Layer's `indexes` directory: `index.cdxj`, or else `index.idx` with
    /// `index.cdx.gz`.
    pub fn open(fs: &Fs, indexes_dir: &Path) -> Result<LayerIndex> {
        let holds = |name| {
            let path = indexes_dir.join(name);
            let kind = fs.kind(&path).map_err(StoreError::io(&path, "look at"))?;
            Ok::<_, StoreError>(kind.is_some().then_some(path))
        };
        if let Some(path) = holds(INDEX_FILE)? {
            return Ok(LayerIndex::Plain(CdxjFile::open(fs, &path)?));
        }
        if let Some(path) = holds(IDX_FILE)? {
            return Ok(LayerIndex::ZipNum(ZipNum::open(fs, &path)?));
        }
        let reason = format!("no index here: neither {INDEX_FILE} nor {IDX_FILE} with {DATA_FILE}");
        Err(StoreError::invalid(indexes_dir, reason))
    }

    /// The file that the index is searched by.
    pub fn path(&self) -> &Path {
        match self {
            LayerIndex::Plain(file) => file.path(),
            LayerIndex::ZipNum(index) => index.path(),
        }
    }

    /// A cursor before the first line.
    pub fn start(&self) -> LayerCursor {
        match self {
            LayerIndex::Plain(file) => LayerCursor::Plain(file.start()),
            LayerIndex::ZipNum(index) => LayerCursor::ZipNum(Box::new(index.start())),
        }
    }

    /// A cursor after the last line.
    pub fn end(&self) -> Result<LayerCursor> {
        match self {
            LayerIndex::Plain(file) => Ok(LayerCursor::Plain(file.end())),
            LayerIndex::ZipNum(index) => Ok(LayerCursor::ZipNum(Box::new(index.end()?))),
        }
    }

    /// A cursor before the first line that is not less than `key`.
    pub fn seek(&self, key: &[u8]) -> Result<LayerCursor> {
        match self {
            LayerIndex::Plain(file) => Ok(LayerCursor::Plain(file.seek(key)?)),
            LayerIndex::ZipNum(index) => Ok(LayerCursor::ZipNum(Box::new(index.seek(key)?))),
        }
    }

    /// Reads the whole index and reports everything that is wrong with it: order, and in ZipNum
    /// form also places and digests of blocks.
    pub fn verify(&self, report: &mut dyn FnMut(StoreError)) -> Result<Verified> {
        match self {
            LayerIndex::Plain(file) => file.verify_sorted(report),
            LayerIndex::ZipNum(index) => index.verify(report),
        }
    }
}

/// A place between two lines of a Layer's index; see [`Cursor`].
#[derive(Clone, Debug)]
pub enum LayerCursor {
    /// In a sorted text file.
    Plain(Cursor),
    /// In compressed blocks.
    ZipNum(Box<ZipNumCursor>),
}

impl LayerCursor {
    /// The line after the cursor; `None` at the end.
    pub fn next_line(&mut self) -> Result<Option<&[u8]>> {
        match self {
            LayerCursor::Plain(cursor) => cursor.next_line(),
            LayerCursor::ZipNum(cursor) => cursor.next_line(),
        }
    }

    /// The line before the cursor; `None` at the start.
    pub fn prev_line(&mut self) -> Result<Option<&[u8]>> {
        match self {
            LayerCursor::Plain(cursor) => cursor.prev_line(),
            LayerCursor::ZipNum(cursor) => cursor.prev_line(),
        }
    }

    /// The line given last.
    pub fn line(&self) -> &[u8] {
        match self {
            LayerCursor::Plain(cursor) => cursor.line(),
            LayerCursor::ZipNum(cursor) => cursor.line(),
        }
    }

    /// An error about the line given last, which says where it is.
    pub fn fault(&self, reason: &str) -> StoreError {
        match self {
            LayerCursor::Plain(cursor) => cursor.fault(reason),
            LayerCursor::ZipNum(cursor) => cursor.fault(reason),
        }
    }
}
