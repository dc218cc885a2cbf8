//! Files that were sent, on their way into a collection: in a directory of their own in its
//! `state/uploads`, which is removed with them. A lock beside it tells those of the living from what
//! a dead server left.

use super::refused::Refused;
use super::sessions::random;
use axum::http::StatusCode;
use bytes::Bytes;
use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};
use tokio::fs::File;
use tokio::io::AsyncWriteExt;
use varve_store::fs::{FileSystem, LockGuard, OsFileSystem};

/// So much of a disk stays free, whatever is sent.
const RESERVE: u64 = 64 << 20;
/// Room is looked for again after so many bytes.
const LOOK_AGAIN: u64 = 16 << 20;
/// Labels are not longer.
const LONGEST_LABEL: usize = 100;

/// What was sent, until this is dropped.
pub(super) struct Upload {
    dir: PathBuf,
    _lock: Option<Box<dyn LockGuard>>,
    pub(super) files: Vec<PathBuf>,
    pub(super) bytes: u64,
    /// The bytes at which there was room for them.
    looked_at: u64,
}

impl Upload {
    /// A place for what is sent to the collection in a directory; `expected` is how much that is.
    pub(super) fn begin(root: &Path, expected: u64) -> Result<Upload, Refused> {
        let uploads = uploads(root);
        std::fs::create_dir_all(&uploads).map_err(not_written)?;
        check_room(&uploads, expected)?;
        let name = random().map_err(|_| not_written(io::ErrorKind::Other.into()))?;
        let dir = uploads.join(name);
        let lock = OsFileSystem.try_lock(&lock_of(&dir)).map_err(not_written)?;
        std::fs::create_dir(&dir).map_err(not_written)?;
        Ok(Upload {
            dir,
            _lock: lock,
            files: Vec::new(),
            bytes: 0,
            looked_at: 0,
        })
    }

    /// Begins a file. What it was called is only a label.
    pub(super) async fn file(&mut self, called: &str) -> Result<File, Refused> {
        let label = label(called);
        let mut path = self.dir.join(&label);
        let mut number = 2;
        while self.files.contains(&path) {
            path = self.dir.join(format!("{number}-{label}"));
            number += 1;
        }
        let file = File::create_new(&path).await.map_err(not_written)?;
        self.files.push(path);
        Ok(file)
    }

    /// Writes the next bytes of a file, while the disk has room for them, and for their copy.
    pub(super) async fn write(&mut self, file: &mut File, piece: &Bytes) -> Result<(), Refused> {
        file.write_all(piece).await.map_err(not_written)?;
        self.bytes += piece.len() as u64;
        if self.bytes - self.looked_at >= LOOK_AGAIN {
            self.looked_at = self.bytes;
            check_room(&self.dir, self.bytes)?;
        }
        Ok(())
    }

    /// Ends a file.
    pub(super) async fn end(&mut self, file: &mut File) -> Result<(), Refused> {
        file.flush().await.map_err(not_written)
    }
}

impl Drop for Upload {
    fn drop(&mut self) {
        // What cannot be removed now is removed at the next start.
        let _ = remove(&self.dir);
    }
}

/// Removes what an earlier server left of uploads.
pub(super) fn clear(root: &Path) -> io::Result<()> {
    let uploads = uploads(root);
    if !uploads.is_dir() {
        return Ok(());
    }
    let entries: io::Result<Vec<_>> = std::fs::read_dir(&uploads)?.collect();
    let dirs = entries?
        .into_iter()
        .map(|entry| entry.path().with_extension(""));
    for dir in dirs.collect::<BTreeSet<PathBuf>>() {
        // Another server may serve the same collection.
        if let Some(_lock) = OsFileSystem.try_lock(&lock_of(&dir))? {
            remove(&dir)?;
        }
    }
    Ok(())
}

fn remove(dir: &Path) -> io::Result<()> {
    OsFileSystem.remove_dir_all(dir)?;
    std::fs::remove_file(lock_of(dir))
}

fn lock_of(dir: &Path) -> PathBuf {
    dir.with_extension("lock")
}

fn uploads(root: &Path) -> PathBuf {
    root.join("state").join("uploads")
}

/// What a file is called: nothing but a name, whatever was sent for one.
fn label(called: &str) -> String {
    let safe = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_');
    let name = called.rsplit(['/', '\\']).next().unwrap_or("");
    let name: String = name
        .chars()
        .map(|c| if safe(c) { c } else { '_' })
        .collect();
    // Its ending says what it is.
    let name = &name[name.len().saturating_sub(LONGEST_LABEL)..];
    match name.trim_start_matches('.') {
        "" => "upload".to_owned(),
        name => name.to_owned(),
    }
}

fn check_room(dir: &Path, needed: u64) -> Result<(), Refused> {
    // What cannot be asked is believed to have room: writing will tell.
    let room = rustix::fs::statvfs(dir)
        .map_or(u64::MAX, |disk| disk.f_bavail.saturating_mul(disk.f_frsize));
    match room < needed.saturating_add(RESERVE) {
        true => Err(full()),
        false => Ok(()),
    }
}

fn full() -> Refused {
    let why = "the disk has no room for this; nothing was added";
    Refused::new(StatusCode::INSUFFICIENT_STORAGE, why)
}

fn not_written(error: io::Error) -> Refused {
    match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => full(),
        _ => {
            let why = format!("the collection cannot be written to: {error}; nothing was added");
            Refused::new(StatusCode::INTERNAL_SERVER_ERROR, why)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_from_outside_is_only_a_label() {
        let check = |called: &str, expected: &str| assert_eq!(label(called), expected, "{called}");
        check("a.warc.gz", "a.warc.gz");
        check("../../etc/passwd", "passwd");
        check("C:\\x\\a b.warc", "a_b.warc");
        check("..", "upload");
        check("", "upload");
        check("/", "upload");
        check(".hidden", "hidden");
        check("\u{0}é\n.warc", "___.warc");
        assert_eq!(label(&"x".repeat(1000)).len(), LONGEST_LABEL);
    }

    #[test]
    fn a_disk_without_room_is_told_before_anything_is_written() {
        let dir = std::env::temp_dir();
        assert!(check_room(&dir, 0).is_ok());
        assert!(check_room(&dir, u64::MAX).is_err());
    }
}
