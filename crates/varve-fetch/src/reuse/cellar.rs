//! Where bodies go that were not used for long: a file without a name, one after the other.

use crate::body::Spooled;
use bytes::Bytes;
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::PathBuf;
use std::sync::Arc;

/// The file of the moment. Space in it is not used twice: when it is full, the next one is begun,
/// and a full one goes with the last body that is in it.
pub(super) struct Cellar {
    dir: PathBuf,
    max_bytes: u64,
    file: Option<Arc<File>>,
    filled: u64,
}

impl Cellar {
    /// An empty one, whose files will be in `dir` and not longer than about `max_bytes`.
    pub(super) fn new(dir: PathBuf, max_bytes: u64) -> Cellar {
        Cellar {
            dir,
            max_bytes,
            file: None,
            filled: 0,
        }
    }

    /// An empty one at the same place.
    pub(super) fn emptied(&self) -> Cellar {
        Cellar::new(self.dir.clone(), self.max_bytes)
    }

    /// Puts a body away. Writing to the page cache is quick enough not to leave the task for.
    pub(super) fn put(&mut self, body: &Bytes) -> io::Result<Spooled> {
        if self.filled >= self.max_bytes {
            (self.file, self.filled) = (None, 0);
        }
        let file = match &self.file {
            Some(file) => Arc::clone(file),
            None => Arc::new(tempfile::tempfile_in(&self.dir)?),
        };
        self.file = Some(Arc::clone(&file));
        let start = self.filled;
        file.write_all_at(body, start)?;
        let length = body.len() as u64;
        self.filled += length;
        Ok(Spooled::File {
            file,
            start,
            length,
        })
    }
}
