//! A file of lines that no longer changes: its bytes, and errors that say where.

use crate::fs::{Fs, ReadAt, read_full_at};
use crate::{Result, StoreError};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// An open file with the length it had when it was opened.
#[derive(Debug)]
pub(super) struct Text {
    file: Arc<dyn ReadAt>,
    path: PathBuf,
    len: u64,
}

impl Text {
    pub(super) fn open(fs: &Fs, path: &Path) -> Result<Text> {
        let file = fs.open(path).map_err(StoreError::io(path, "open"))?;
        let len = file.len().map_err(StoreError::io(path, "look at"))?;
        Ok(Text {
            file,
            path: path.to_owned(),
            len,
        })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn len(&self) -> u64 {
        self.len
    }

    /// Fills `buf` from `offset` on, less only at the end of the file; how much there was.
    pub(super) fn read_up_to(&self, buf: &mut [u8], offset: u64) -> Result<usize> {
        let left = self.len.saturating_sub(offset);
        let wanted = buf.len().min(usize::try_from(left).unwrap_or(usize::MAX));
        let read = read_full_at(self.file.as_ref(), &mut buf[..wanted], offset);
        match read.map_err(StoreError::io(&self.path, "read"))? {
            read if read == wanted => Ok(read),
            read => Err(self.cut_short(offset + read as u64)),
        }
    }

    /// Not a fault of one line that could be stepped over: whoever reads has to stop.
    fn cut_short(&self, at: u64) -> StoreError {
        let was = self.len;
        let reason = format!("the file now ends at {at}, it had {was} bytes when it was opened");
        let cut = io::Error::new(io::ErrorKind::UnexpectedEof, reason);
        StoreError::io(&self.path, "read")(cut)
    }

    pub(super) fn too_long(&self, offset: u64) -> StoreError {
        self.fault(offset, "a line is longer than 1 MiB")
    }

    /// An error about the bytes at `offset`.
    pub(super) fn fault(&self, offset: u64, reason: &str) -> StoreError {
        StoreError::invalid(&self.path, format!("offset {offset}: {reason}"))
    }
}
