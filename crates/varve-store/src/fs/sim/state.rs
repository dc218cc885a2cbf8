//! The simulated disk behind its lock: the live tree, the log, and each change of the two.
//!
//! A change goes three steps: refuse what an operating system would refuse, let planned faults
//! strike, then [`State::commit`] it to tree and log at once.

use super::fault::{FaultError, FaultOp, Faults};
use super::ino::{Ino, InoMap};
use super::op::Op;
use super::path;
use super::tree::Tree;
use std::io::{self, ErrorKind};
use std::path::Path;
use std::sync::Arc;

/// What the clones of one disk share.
#[derive(Debug)]
pub(super) struct State {
    /// The disk before the first logged operation, all of it durable.
    pub(super) base: Tree,
    /// What reads see: `base` with the whole log applied.
    pub(super) live: Tree,
    pub(super) log: Vec<Op>,
    pub(super) faults: Faults,
    pub(super) capacity: Option<u64>,
    pub(super) next_ino: usize,
    locked: InoMap<()>,
    /// How many handles a file has; those of files without are absent.
    handles: InoMap<usize>,
}

impl State {
    pub(super) fn new(tree: Tree, next_ino: usize) -> State {
        State {
            base: tree.clone(),
            live: tree,
            log: Vec::new(),
            faults: Faults::default(),
            capacity: None,
            next_ino,
            locked: InoMap::new(),
            handles: InoMap::new(),
        }
    }

    /// Does an operation that is known to be possible, and logs it.
    pub(super) fn commit(&mut self, op: Op) {
        op.apply(&mut self.live);
        self.log.push(op);
    }

    /// Cuts a file and syncs it, which is one operation to the caller but two to a crash.
    pub(super) fn truncate(&mut self, path: &Path, len: u64) -> io::Result<()> {
        let ino = path::find_file(&self.live, path)?;
        self.commit(Op::Truncate { ino, len });
        self.sync_file(ino)
    }

    /// Appends what faults and capacity let through.
    pub(super) fn append(&mut self, ino: Ino, bytes: &[u8]) -> io::Result<()> {
        if bytes.is_empty() {
            return Ok(());
        }
        let room = bytes.len().min(self.free_bytes());
        let (written, error) = match self.faults.attempt(FaultOp::Append) {
            Some(fired) => {
                let prefix = fired.draw % (bytes.len() as u64 + 1);
                (room.min(prefix as usize), Some(fired.error))
            }
            None if room < bytes.len() => (room, Some(FaultError::NoSpace)),
            None => (room, None),
        };
        if written > 0 {
            let offset = self.live.content(ino).map_or(0, |content| content.len());
            let bytes = Arc::from(&bytes[..written]);
            self.commit(Op::Append { ino, offset, bytes });
        }
        error.map_or(Ok(()), |error| Err(error.into()))
    }

    pub(super) fn sync_file(&mut self, ino: Ino) -> io::Result<()> {
        let result = self.attempt(FaultOp::SyncFile);
        self.commit(match result {
            Ok(()) => Op::SyncFile(ino),
            Err(_) => Op::SyncFileFailed(ino),
        });
        result
    }

    pub(super) fn sync_dir(&mut self, path: &Path) -> io::Result<()> {
        let ino = path::find_dir(&self.live, path)?;
        self.attempt(FaultOp::SyncDir)?;
        self.commit(Op::SyncDir(ino));
        Ok(())
    }

    /// Locks the file at `path`, creating it when absent; `None` when it is locked.
    pub(super) fn lock(&mut self, path: &Path) -> io::Result<Option<Ino>> {
        let ino = match path::find_file(&self.live, path) {
            Err(error) if error.kind() == ErrorKind::NotFound => self.create(path)?,
            found => found?,
        };
        Ok(self.locked.insert(ino, ()).is_none().then_some(ino))
    }

    pub(super) fn unlock(&mut self, ino: Ino) {
        self.locked.remove(ino);
    }

    /// Counts a handle of a file in; [`State::release`] counts it out.
    pub(super) fn hold(&mut self, ino: Ino) {
        let others = self.handles.get(ino).copied().unwrap_or(0);
        self.handles.insert(ino, others + 1);
    }

    pub(super) fn release(&mut self, ino: Ino) {
        if let Some(count) = self.handles.get_mut(ino) {
            *count -= 1;
            if *count == 0 {
                self.handles.remove(ino);
                self.reap(ino);
            }
        }
    }

    fn free_bytes(&self) -> usize {
        self.capacity.map_or(usize::MAX, |capacity| {
            capacity.saturating_sub(self.live.total_bytes()) as usize
        })
    }

    pub(super) fn new_ino(&mut self) -> Ino {
        self.next_ino += 1;
        Ino(self.next_ino)
    }

    /// Counts an operation that is otherwise possible; an error when a planned fault strikes it.
    pub(super) fn attempt(&mut self, op: FaultOp) -> io::Result<()> {
        match self.faults.attempt(op) {
            Some(fired) => Err(fired.error.into()),
            None => Ok(()),
        }
    }

    /// Frees an inode that has neither a name nor a handle.
    pub(super) fn reap(&mut self, ino: Ino) {
        if !self.live.is_named(ino) && !self.handles.contains(ino) {
            self.live.forget(ino);
        }
    }
}
