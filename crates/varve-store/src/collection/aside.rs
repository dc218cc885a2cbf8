//! Archive files that were never finished: what is saved of them is kept, the rest set aside.
//!
//! Every step can be interrupted and done again.

use super::layout::{ARCHIVE, OPEN, RECOVERING, TAILS};
use super::open_layer::{finish_archive, sync_dir};
use crate::fs::{FileSystem, ReadAt};
use crate::warc::Body;
use crate::{Result, StoreError};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// An archive file that still has its open name.
pub(crate) struct Unfinished<'a> {
    pub(crate) fs: &'a dyn FileSystem,
    /// The open layer's directory.
    pub(crate) layer: &'a Path,
    /// The name it would have if it were finished.
    pub(crate) name: &'a str,
}

impl Unfinished<'_> {
    pub(crate) fn archive(&self) -> PathBuf {
        self.layer.join(ARCHIVE)
    }

    pub(crate) fn path(&self) -> PathBuf {
        self.archive().join(format!("{}{OPEN}", self.name))
    }

    pub(crate) fn open(&self) -> Result<(Arc<dyn ReadAt>, u64)> {
        let path = self.path();
        let file = self.fs.open(&path).map_err(StoreError::io(&path, "open"))?;
        let length = file.len().map_err(StoreError::io(&path, "look at"))?;
        Ok((file, length))
    }

    /// Keeps bytes that are no whole record in the layer's tails.
    pub(crate) fn set_aside(&self, file: &Arc<dyn ReadAt>, bytes: Range<u64>) -> Result<()> {
        let tails = self.layer.join(TAILS);
        self.fs
            .create_dir_all(&tails)
            .map_err(StoreError::io(&tails, "create"))?;
        sync_dir(self.fs, self.layer)?;
        copy_aside(
            self.fs,
            file,
            &[bytes],
            &tails.join(format!("{}.tail", self.name)),
        )
    }

    /// Cuts the file to what is saved of it, and finishes it; with nothing saved it goes away.
    pub(crate) fn cut(&self, saved: u64) -> Result<()> {
        let path = self.path();
        if saved == 0 {
            self.fs
                .remove_file(&path)
                .map_err(StoreError::io(&path, "remove"))?;
            return sync_dir(self.fs, &self.archive());
        }
        self.fs
            .truncate(&path, saved)
            .map_err(StoreError::io(&path, "truncate"))?;
        finish_archive(self.fs, &self.archive(), self.name)
    }
}

/// Copies parts of a file to another, durably. A copy that is there already is whole: it was made
/// by an earlier try.
pub(crate) fn copy_aside(
    fs: &dyn FileSystem,
    file: &Arc<dyn ReadAt>,
    parts: &[Range<u64>],
    to: &Path,
) -> Result<()> {
    if exists(fs, to)? {
        return Ok(());
    }
    let mut name = to.as_os_str().to_owned();
    name.push(RECOVERING);
    let temporary = PathBuf::from(name);
    if exists(fs, &temporary)? {
        fs.remove_file(&temporary)
            .map_err(StoreError::io(&temporary, "remove"))?;
    }
    let mut copy = fs
        .create(&temporary)
        .map_err(StoreError::io(&temporary, "create"))?;
    for part in parts {
        let length = part.end - part.start;
        let body = Body::File {
            file: file.clone(),
            offset: part.start,
            length,
        };
        body.each_piece(|piece| copy.append(piece))
            .map_err(StoreError::io(&temporary, "write"))?;
    }
    copy.sync().map_err(StoreError::io(&temporary, "sync"))?;
    fs.rename(&temporary, to)
        .map_err(StoreError::io(&temporary, "rename"))?;
    sync_dir(fs, to.parent().unwrap_or(Path::new(".")))
}

pub(crate) fn exists(fs: &dyn FileSystem, path: &Path) -> Result<bool> {
    Ok(fs
        .kind(path)
        .map_err(StoreError::io(path, "look at"))?
        .is_some())
}
