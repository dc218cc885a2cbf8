//! A layer being written, in `state/`: its journal, its lock and its archive files.

use super::journal::{Entry, JournalReader, JournalWriter, LayerKind};
use super::layout::{ARCHIVE, Layout, OPEN};
use super::lock;
use crate::fs::{AppendFile, FileSystem, Fs, LockGuard};
use crate::world::World;
use crate::{Result, StoreError};
use std::path::{Path, PathBuf};

/// An open layer. Dropping it without sealing leaves it to recovery.
pub(crate) struct OpenLayer {
    pub(crate) fs: Fs,
    pub(crate) layout: Layout,
    pub(crate) id: String,
    journal: JournalWriter,
    _lock: Box<dyn LockGuard>,
}

impl OpenLayer {
    /// Makes a new open layer, durably.
    pub(crate) fn create(
        fs: &Fs,
        layout: &Layout,
        world: &dyn World,
        kind: LayerKind,
    ) -> Result<OpenLayer> {
        OpenLayer::create_apart(fs, layout, world, kind, layout)
    }

    /// The same under a name that no layer of another collection has, either.
    pub(crate) fn create_apart(
        fs: &Fs,
        layout: &Layout,
        world: &dyn World,
        kind: LayerKind,
        other: &Layout,
    ) -> Result<OpenLayer> {
        let _collection = lock::collection(fs.as_ref(), layout)?;
        let id = free_layer_id(fs.as_ref(), [layout, other], world)?;
        let lock_path = layout.layer_lock(&id);
        let lock = fs
            .try_lock(&lock_path)
            .map_err(StoreError::io(&lock_path, "lock"))?
            .ok_or_else(|| StoreError::invalid(&lock_path, "is locked by another process"))?;
        let archive = layout.open_layer(&id).join(ARCHIVE);
        fs.create_dir_all(&archive)
            .map_err(StoreError::io(&archive, "create"))?;
        let journal = JournalWriter::create(fs.as_ref(), layout.journal(&id))?;
        let mut layer = OpenLayer {
            fs: fs.clone(),
            layout: layout.clone(),
            id,
            journal,
            _lock: lock,
        };
        layer.push(&Entry::Layer(kind))?;
        layer.sync()?;
        sync_dir(fs.as_ref(), &layer.dir())?;
        sync_dir(fs.as_ref(), &layout.state())?;
        Ok(layer)
    }

    /// The layer's directory.
    pub(crate) fn dir(&self) -> PathBuf {
        self.layout.open_layer(&self.id)
    }

    /// Adds an entry to the journal, and tells its place there.
    pub(crate) fn push(&mut self, entry: &Entry) -> Result<u64> {
        self.journal.push(entry)
    }

    /// For reading entries that were synced.
    pub(crate) fn journal_reader(&self) -> Result<JournalReader> {
        JournalReader::open(self.fs.as_ref(), self.layout.journal(&self.id))
    }

    /// Whether the journal's end is unknown, so that only recovery can tell what is saved.
    pub(crate) fn is_doubtful(&self) -> bool {
        self.journal.is_broken()
    }

    /// Makes the journal durable.
    pub(crate) fn sync(&mut self) -> Result<()> {
        self.journal.sync()
    }

    /// Creates an archive file under the name it has while it is open; its name is durable.
    pub(crate) fn create_archive(&self, name: &str) -> Result<Box<dyn AppendFile>> {
        let path = self.archive_dir().join(format!("{name}{OPEN}"));
        let file = self
            .fs
            .create(&path)
            .map_err(StoreError::io(&path, "create"))?;
        sync_dir(self.fs.as_ref(), &self.archive_dir())?;
        Ok(file)
    }

    /// Gives a synced archive file its final name, durably.
    pub(crate) fn finish_archive(&self, name: &str) -> Result<()> {
        finish_archive(self.fs.as_ref(), &self.archive_dir(), name)
    }

    /// Removes an archive file that is still open.
    pub(crate) fn drop_archive(&self, name: &str) -> Result<()> {
        let path = self.archive_dir().join(format!("{name}{OPEN}"));
        self.fs
            .remove_file(&path)
            .map_err(StoreError::io(&path, "remove"))
    }

    pub(crate) fn archive_dir(&self) -> PathBuf {
        self.dir().join(ARCHIVE)
    }
}

pub(crate) fn finish_archive(fs: &dyn FileSystem, archive: &Path, name: &str) -> Result<()> {
    let (from, to) = (archive.join(format!("{name}{OPEN}")), archive.join(name));
    fs.rename(&from, &to)
        .map_err(StoreError::io(&from, "rename"))?;
    sync_dir(fs, archive)
}

pub(crate) fn sync_dir(fs: &dyn FileSystem, dir: &Path) -> Result<()> {
    fs.sync_dir(dir).map_err(StoreError::io(dir, "sync"))
}

/// A name that sorts by time and that no layer has, whatever the clock did.
fn free_layer_id(fs: &dyn FileSystem, in_all: [&Layout; 2], world: &dyn World) -> Result<String> {
    loop {
        let random = world.random();
        let time = world.now().digits17();
        let id = format!("{time}-{:02x}{:02x}{:02x}", random[0], random[1], random[2]);
        let mut taken = false;
        let places = |layout: &Layout| {
            [
                layout.layer(&id),
                layout.open_layer(&id),
                layout.journal(&id),
            ]
        };
        for path in in_all.into_iter().flat_map(places) {
            taken |= fs
                .kind(&path)
                .map_err(StoreError::io(&path, "look at"))?
                .is_some();
        }
        if !taken {
            return Ok(id);
        }
    }
}
