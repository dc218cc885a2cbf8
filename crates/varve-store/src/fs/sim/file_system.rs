//! The simulated disk as the store sees it.

use super::ino::Ino;
use super::path;
use super::tree::Body;
use super::{SimDisk, State};
use crate::fs::{AppendFile, Entry, EntryKind, FileSystem, LockGuard, ReadAt};
use std::io::{self, ErrorKind};
use std::path::Path;
use std::sync::Arc;

impl FileSystem for SimDisk {
    fn open(&self, path: &Path) -> io::Result<Arc<dyn ReadAt>> {
        let file = self.handle(|state| path::find_file(&state.live, path))?;
        Ok(Arc::new(file))
    }

    fn create(&self, path: &Path) -> io::Result<Box<dyn AppendFile>> {
        let file = self.handle(|state| state.create(path))?;
        Ok(Box::new(file))
    }

    fn truncate(&self, path: &Path, len: u64) -> io::Result<()> {
        self.state().truncate(path, len)
    }

    fn create_dir_all(&self, path: &Path) -> io::Result<()> {
        self.state().create_dir_all(path)
    }

    fn list(&self, dir: &Path) -> io::Result<Vec<Entry>> {
        let state = self.state();
        let dir = path::find_dir(&state.live, dir)?;
        let entries = state.live.entries(dir).into_iter().flatten();
        let listed = entries.map(|(name, ino)| Entry {
            name: name.to_string(),
            kind: entry_kind(&state, *ino),
        });
        Ok(listed.collect())
    }

    fn kind(&self, path: &Path) -> io::Result<Option<EntryKind>> {
        let state = self.state();
        let found = path::find_if_present(&state.live, path)?;
        Ok(found.map(|ino| entry_kind(&state, ino)))
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.state().rename(from, to)
    }

    fn remove_file(&self, path: &Path) -> io::Result<()> {
        self.state().remove_file(path)
    }

    fn remove_dir_all(&self, path: &Path) -> io::Result<()> {
        self.state().remove_dir_all(path)
    }

    fn sync_dir(&self, dir: &Path) -> io::Result<()> {
        self.state().sync_dir(dir)
    }

    fn try_lock(&self, path: &Path) -> io::Result<Option<Box<dyn LockGuard>>> {
        let Some(ino) = self.state().lock(path)? else {
            return Ok(None);
        };
        let disk = self.clone();
        Ok(Some(Box::new(SimLock { disk, ino })))
    }
}

impl SimDisk {
    fn handle(&self, find: impl FnOnce(&mut State) -> io::Result<Ino>) -> io::Result<SimFile> {
        let mut state = self.state();
        let ino = find(&mut state)?;
        state.hold(ino);
        let disk = self.clone();
        Ok(SimFile { disk, ino })
    }
}

fn entry_kind(state: &State, ino: Ino) -> EntryKind {
    match state.live.body(ino) {
        Some(Body::Dir(_)) => EntryKind::Directory,
        _ => EntryKind::File,
    }
}

/// An open file. It holds on to the inode, wherever its name goes.
#[derive(Debug)]
struct SimFile {
    disk: SimDisk,
    ino: Ino,
}

impl ReadAt for SimFile {
    fn read_at(&self, buf: &mut [u8], offset: u64) -> io::Result<usize> {
        let state = self.disk.state();
        let content = state.live.content(self.ino).ok_or(ErrorKind::NotFound)?;
        Ok(content.read_at(buf, offset))
    }

    fn len(&self) -> io::Result<u64> {
        let state = self.disk.state();
        let content = state.live.content(self.ino).ok_or(ErrorKind::NotFound)?;
        Ok(content.len())
    }
}

impl AppendFile for SimFile {
    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.disk.state().append(self.ino, bytes)
    }

    fn sync(&mut self) -> io::Result<()> {
        self.disk.state().sync_file(self.ino)
    }
}

impl Drop for SimFile {
    fn drop(&mut self) {
        self.disk.state().release(self.ino);
    }
}

#[derive(Debug)]
struct SimLock {
    disk: SimDisk,
    ino: Ino,
}

impl LockGuard for SimLock {}

impl Drop for SimLock {
    fn drop(&mut self) {
        self.disk.state().unlock(self.ino);
    }
}
