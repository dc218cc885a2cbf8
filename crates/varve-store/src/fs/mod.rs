//! The file system as the store sees it: whole files read at offsets, files that only grow, and
//! the few directory operations that durability is built from.
//!
//! Everything the store does on disk goes through [`FileSystem`], so that crashes, full disks and
//! failing hardware can be simulated ([`sim`]). The trait is deliberately smaller than what an
//! operating system offers: a file is created once, appended to, synced and from then on only
//! read. What cannot be expressed cannot go wrong.

mod os;
pub mod sim;

use std::fmt::Debug;
use std::io;
use std::path::Path;
use std::sync::Arc;

pub use os::OsFileSystem;

/// A file open for reading at any offset, from any thread.
#[expect(clippy::len_without_is_empty, reason = "asking a disk can fail")]
pub trait ReadAt: Send + Sync + Debug {
    /// Reads up to `buf.len()` bytes at `offset`; 0 means the end of the file.
    fn read_at(&self, buf: &mut [u8], offset: u64) -> io::Result<usize>;

    /// The length in bytes. A file that still grows may answer more at the next call.
    fn len(&self) -> io::Result<u64>;
}

/// A file being written, which can only grow.
pub trait AppendFile: Send + Debug {
    /// Appends all of `bytes`. After an error the file may hold a part of them.
    fn append(&mut self, bytes: &[u8]) -> io::Result<()>;

    /// Makes everything appended so far survive power loss. After an error nothing is known about
    /// the unsynced bytes: the caller must give the file up and never sync it again.
    fn sync(&mut self) -> io::Result<()>;
}

/// What a directory entry is. Symbolic links are never followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntryKind {
    /// A regular file.
    File,
    /// A directory.
    Directory,
    /// Anything else: a link, a socket, a device.
    Other,
}

/// One name in a directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The name, without the directory.
    pub name: String,
    /// What it names.
    pub kind: EntryKind,
}

/// Held while a lock file is locked; dropping it, or the death of the process, releases the lock.
pub trait LockGuard: Send + Debug {}

/// The operations that the store needs of a disk.
pub trait FileSystem: Send + Sync + Debug {
    /// Opens an existing file for reading.
    fn open(&self, path: &Path) -> io::Result<Arc<dyn ReadAt>>;

    /// Creates a file that does not exist yet.
    fn create(&self, path: &Path) -> io::Result<Box<dyn AppendFile>>;

    /// Cuts a file to `len` bytes, durably.
    fn truncate(&self, path: &Path, len: u64) -> io::Result<()>;

    /// Creates a directory and its parents; existing ones are fine. Only as durable as the
    /// `sync_dir` of the parents that follows.
    fn create_dir_all(&self, path: &Path) -> io::Result<()>;

    /// The entries of a directory in byte order of their names.
    fn list(&self, dir: &Path) -> io::Result<Vec<Entry>>;

    /// What stands at `path`, if anything.
    fn kind(&self, path: &Path) -> io::Result<Option<EntryKind>>;

    /// Renames atomically; a file at `to` is replaced.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()>;

    /// Gives a file that is not written to any more a second name; a copy where that cannot be.
    fn share(&self, from: &Path, to: &Path) -> io::Result<()> {
        let file = self.open(from)?;
        let mut copy = self.create(to)?;
        let mut buffer = vec![0; 1 << 20];
        let mut offset = 0;
        loop {
            let read = file.read_at(&mut buffer, offset)?;
            if read == 0 {
                return Ok(());
            }
            copy.append(&buffer[..read])?;
            offset += read as u64;
        }
    }

    /// Removes a file.
    fn remove_file(&self, path: &Path) -> io::Result<()>;

    /// Removes a directory and everything below it; an absent one is fine.
    fn remove_dir_all(&self, path: &Path) -> io::Result<()>;

    /// Makes the names created, renamed and removed in `dir` survive power loss.
    fn sync_dir(&self, dir: &Path) -> io::Result<()>;

    /// Locks `path` (created when absent) against other processes; `None` when another holds it.
    fn try_lock(&self, path: &Path) -> io::Result<Option<Box<dyn LockGuard>>>;
}

/// A reference to a file system, cheap to clone.
pub type Fs = Arc<dyn FileSystem>;

/// Reads until `buf` is full or the file ends; returns how many bytes were read.
pub fn read_full_at(file: &dyn ReadAt, buf: &mut [u8], offset: u64) -> io::Result<usize> {
    let mut filled = 0;
    while filled < buf.len() {
        let read = file.read_at(&mut buf[filled..], offset + filled as u64)?;
        if read == 0 {
            break;
        }
        filled += read;
    }
    Ok(filled)
}

/// Reads a whole file that must not be larger than `limit` bytes.
pub fn read_small(fs: &dyn FileSystem, path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    let file = fs.open(path)?;
    let len = file.len()?;
    if len > limit {
        let message = format!("{len} bytes are more than the {limit} expected at most");
        return Err(io::Error::new(io::ErrorKind::InvalidData, message));
    }
    let mut bytes = vec![0; len as usize];
    let read = read_full_at(file.as_ref(), &mut bytes, 0)?;
    bytes.truncate(read);
    Ok(bytes)
}

/// Writes a file under a temporary name, then renames it into place: after a crash either the old
/// content or the new one is there, whole.
pub fn write_atomically(fs: &dyn FileSystem, path: &Path, bytes: &[u8]) -> io::Result<()> {
    let dir = path.parent().unwrap_or(Path::new("."));
    let mut name = path.file_name().unwrap_or_default().to_os_string();
    name.push(".new");
    let temporary = dir.join(name);
    if fs.kind(&temporary)?.is_some() {
        fs.remove_file(&temporary)?;
    }
    let mut file = fs.create(&temporary)?;
    file.append(bytes)?;
    file.sync()?;
    drop(file);
    fs.rename(&temporary, path)?;
    fs.sync_dir(dir)
}
