//! The database under the embedded frontier.
//!
//! Commits reach the operating system at once and the disk with the next [`Disk::sync`]. After a
//! failed commit or sync nobody knows what the disk holds: the caller must stop, and open again.

use super::layout::{LATER, QUEUE, STATE, read_state};
use super::space::{Changes, Space};
use crate::frontier::{FrontierError, State, UrlKey};
use fjall::{Database, KeyspaceCreateOptions, PersistMode, Slice};
use std::fs::File;
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Blocks of the database kept in memory.
const CACHE: u64 = 64 * 1024 * 1024;
/// What the database collects in memory before it writes a table, for each of its two keyspaces.
const MEMTABLE: u64 = 16 * 1024 * 1024;
/// The database works in the background with so many threads. With two, one of them spins while the
/// other compacts.
const WORKERS: usize = 1;
/// What is read again at most when the frontier is opened after a crash.
const JOURNALS: u64 = 128 * 1024 * 1024;
/// So many tables may be written at once. Without room for them, a failure is put down to that.
const TABLES: usize = 4;
/// The database has a directory of its own: it knows every file there.
const DATABASE: &str = "database-2";
/// Written to find out whether there is room.
const PROBE: &str = "probe";

/// The database and its spaces; `layout.rs` says what is in them.
pub(super) struct Disk {
    dir: PathBuf,
    database: Database,
    pub(super) seen: Space,
    pub(super) queue: Space,
    pub(super) later: Space,
    pub(super) state: Space,
}

impl Disk {
    /// Opens the database, or makes one.
    pub(super) fn open(dir: &Path) -> Result<Disk, FrontierError> {
        let failed = |error| failure(dir, error);
        std::fs::create_dir_all(dir).map_err(|error| failed(error.into()))?;
        let _ = std::fs::remove_file(dir.join(PROBE));
        let database = Database::builder(dir.join(DATABASE))
            .cache_size(CACHE)
            .worker_threads(WORKERS)
            .max_journaling_size(JOURNALS)
            .open()
            .map_err(failed)?;
        let options = || KeyspaceCreateOptions::default().max_memtable_size(MEMTABLE);
        let keyspace = |name| database.keyspace(name, options).map_err(failed);
        let changing = keyspace("changing")?;
        Ok(Disk {
            dir: dir.to_owned(),
            seen: Space::whole(keyspace("seen")?),
            queue: Space::under(QUEUE, &changing),
            later: Space::under(LATER, &changing),
            state: Space::under(STATE, &changing),
            database,
        })
    }

    /// No changes yet.
    pub(super) fn changes(&self) -> Changes {
        Changes::new(self.database.batch())
    }

    /// Hands changes to the operating system.
    pub(super) fn commit(&self, changes: Changes) -> Result<(), FrontierError> {
        changes.commit().map_err(|error| self.failed(error))
    }

    /// Returns when every commit so far is on disk.
    pub(super) fn sync(&self) -> Result<(), FrontierError> {
        let synced = self.database.persist(PersistMode::SyncData);
        synced.map_err(|error| self.failed(error))
    }

    /// One value.
    pub(super) fn get(&self, space: &Space, key: &[u8]) -> Result<Option<Slice>, FrontierError> {
        space.get(key).map_err(|error| self.failed(error))
    }

    /// Entries from a key on, below an end.
    pub(super) fn range<'a>(
        &'a self,
        space: &Space,
        from: &[u8],
        end: &[u8],
    ) -> impl Iterator<Item = Result<(Slice, Slice), FrontierError>> + use<'a> {
        let entries = space.range(from, end);
        entries.map(|entry| entry.map_err(|error| self.failed(error)))
    }

    /// True if a URL was ever seen.
    pub(super) fn is_seen(&self, key: UrlKey) -> Result<bool, FrontierError> {
        let seen = self.seen.contains(&key.0);
        seen.map_err(|error| self.failed(error))
    }

    /// The last state of a URL, leases aside.
    pub(super) fn state_of(&self, key: UrlKey) -> Result<Option<State>, FrontierError> {
        let value = self.get(&self.seen, &key.0)?;
        value
            .map(|value| read_state(&value).ok_or(damaged("a state cannot be read")))
            .transpose()
    }

    fn failed(&self, error: fjall::Error) -> FrontierError {
        failure(&self.dir, error)
    }
}

/// What is on disk makes no sense.
pub(super) fn damaged(what: &'static str) -> FrontierError {
    FrontierError::Damaged { what }
}

fn failure(dir: &Path, error: fjall::Error) -> FrontierError {
    if matches!(error, fjall::Error::Locked) {
        return FrontierError::InUse { dir: dir.into() };
    }
    let full = match &error {
        fjall::Error::Io(error) if is_full(error) => true,
        // What failed in the background, or in a sync, is told without its cause.
        _ => find_room(dir).is_err_and(|error| is_full(&error)),
    };
    FrontierError::Disk {
        dir: dir.into(),
        cause: Arc::new(error),
        full,
    }
}

fn is_full(error: &io::Error) -> bool {
    let kinds = [ErrorKind::StorageFull, ErrorKind::QuotaExceeded];
    kinds.contains(&error.kind())
}

/// Fails if there is less room than the database needs for its next tables.
fn find_room(dir: &Path) -> io::Result<()> {
    let probe = dir.join(PROBE);
    let fill = || {
        let mut file = File::create(&probe)?;
        let zeros = vec![0; MEMTABLE as usize];
        (0..TABLES).try_for_each(|_| file.write_all(&zeros))?;
        file.sync_data()
    };
    let filled = fill();
    // What cannot be removed now is removed when the frontier is opened again.
    let _ = std::fs::remove_file(&probe);
    filled
}
