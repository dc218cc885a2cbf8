//! Bodies of any size: in memory while small, in a file without a name when large.

use bytes::Bytes;
use std::fs::File;
use std::io::{self, Write};
use std::os::unix::fs::FileExt;
use std::path::PathBuf;
use std::sync::Arc;

/// Larger bodies go to a file.
const IN_MEMORY: usize = 1 << 20;

/// The bytes of a body, all there.
#[derive(Clone, Debug)]
pub enum Spooled {
    /// In memory.
    Memory(Bytes),
    /// In a file that has no name and goes with its last handle.
    File {
        /// The file.
        file: Arc<File>,
        /// Where in it the body starts: others may be there too.
        start: u64,
        /// How long the body is.
        length: u64,
    },
}

impl Spooled {
    /// No bytes.
    pub fn empty() -> Spooled {
        Spooled::Memory(Bytes::new())
    }

    /// The length in bytes.
    pub fn len(&self) -> u64 {
        match self {
            Spooled::Memory(bytes) => bytes.len() as u64,
            Spooled::File { length, .. } => *length,
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Up to `limit` bytes from `offset`. Cheap when in memory.
    pub fn read_at(&self, offset: u64, limit: usize) -> io::Result<Bytes> {
        let left = self.len().saturating_sub(offset).min(limit as u64) as usize;
        match self {
            Spooled::Memory(bytes) => {
                let start = (offset as usize).min(bytes.len());
                Ok(bytes.slice(start..start + left))
            }
            Spooled::File { file, start, .. } => {
                let mut buffer = vec![0; left];
                file.read_exact_at(&mut buffer, start + offset)?;
                Ok(buffer.into())
            }
        }
    }
}

/// A body that is still coming.
#[derive(Debug)]
pub struct Spool {
    dir: Arc<PathBuf>,
    memory: Vec<u8>,
    file: Option<File>,
    length: u64,
}

impl Spool {
    /// An empty one, which will make its file in `dir` if it needs one.
    pub fn new(dir: Arc<PathBuf>) -> Spool {
        Spool {
            dir,
            memory: Vec::new(),
            file: None,
            length: 0,
        }
    }

    /// How many bytes there are so far.
    pub fn len(&self) -> u64 {
        self.length
    }

    /// Whether there are none yet.
    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// Adds bytes. Writing to the page cache is quick enough not to leave the task for.
    pub fn push(&mut self, bytes: &[u8]) -> io::Result<()> {
        if self.file.is_none() && self.memory.len() + bytes.len() > IN_MEMORY {
            let mut file = tempfile::tempfile_in(self.dir.as_path())?;
            file.write_all(&self.memory)?;
            self.memory = Vec::new();
            self.file = Some(file);
        }
        match &mut self.file {
            Some(file) => file.write_all(bytes)?,
            None => self.memory.extend_from_slice(bytes),
        }
        self.length += bytes.len() as u64;
        Ok(())
    }

    /// All of it.
    pub fn finish(mut self) -> Spooled {
        // It may be kept for long, and a body grows by doubling.
        self.memory.shrink_to_fit();
        match self.file {
            Some(file) => Spooled::File {
                file: Arc::new(file),
                start: 0,
                length: self.length,
            },
            None => Spooled::Memory(self.memory.into()),
        }
    }
}
