//! Runs: sorted lines in scratch files, each line behind its length.

use crate::fs::{AppendFile, Fs, ReadAt};
use crate::index::MAX_LINE;
use crate::{Result, StoreError};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// How much is written at once.
const WRITE_BUFFER: usize = 256 << 10;

/// The bytes before each line: its length.
const HEAD: usize = size_of::<u32>();

/// The directory of the runs. Dropping it removes them.
#[derive(Debug)]
pub(super) struct Scratch {
    fs: Fs,
    dir: PathBuf,
    made_dir: bool,
    runs: Vec<PathBuf>,
    named: usize,
}

impl Scratch {
    pub(super) fn new(fs: Fs, dir: PathBuf) -> Scratch {
        Scratch {
            fs,
            dir,
            made_dir: false,
            runs: Vec::new(),
            named: 0,
        }
    }

    pub(super) fn dir(&self) -> &Path {
        &self.dir
    }

    /// The runs, oldest first.
    pub(super) fn runs(&self) -> &[PathBuf] {
        &self.runs
    }

    /// Starts a new run.
    pub(super) fn create_run(&mut self) -> Result<RunWriter> {
        if self.named == 0 {
            let kind = self.fs.kind(&self.dir);
            self.made_dir = kind
                .map_err(StoreError::io(&self.dir, "look at"))?
                .is_none();
            let made = self.fs.create_dir_all(&self.dir);
            made.map_err(StoreError::io(&self.dir, "create"))?;
        }
        let path = self.dir.join(format!("run-{}", self.named));
        self.named += 1;
        // A run of a process that died.
        let _ = self.fs.remove_file(&path);
        let file = self.fs.create(&path);
        let file = file.map_err(StoreError::io(&path, "create"))?;
        self.runs.push(path.clone());
        Ok(RunWriter {
            file,
            path,
            buffer: Vec::with_capacity(WRITE_BUFFER),
        })
    }

    /// Opens a run that is complete.
    pub(super) fn open_run(&self, path: &Path, buffer: usize) -> Result<RunReader> {
        let file = self.fs.open(path).map_err(StoreError::io(path, "open"))?;
        Ok(RunReader {
            file,
            path: path.to_owned(),
            buffer: vec![0; buffer],
            filled: 0,
            next: 0,
            offset: 0,
            line: 0..0,
        })
    }

    /// Removes runs that were merged into another.
    pub(super) fn remove_runs(&mut self, merged: &[PathBuf]) -> Result<()> {
        for path in merged {
            let removed = self.fs.remove_file(path);
            removed.map_err(StoreError::io(path, "remove"))?;
            self.runs.retain(|run| run != path);
        }
        Ok(())
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // Nobody can be told of a failure here, and what stays behind is only scratch.
        for path in &self.runs {
            let _ = self.fs.remove_file(path);
        }
        if self.made_dir && self.fs.list(&self.dir).is_ok_and(|left| left.is_empty()) {
            let _ = self.fs.remove_dir_all(&self.dir);
        }
    }
}

/// A run being written.
#[derive(Debug)]
pub(super) struct RunWriter {
    file: Box<dyn AppendFile>,
    path: PathBuf,
    buffer: Vec<u8>,
}

impl RunWriter {
    pub(super) fn push(&mut self, line: &[u8]) -> Result<()> {
        if self.buffer.len() + HEAD + line.len() > WRITE_BUFFER {
            self.flush()?;
        }
        let head = (line.len() as u32).to_le_bytes();
        self.buffer.extend_from_slice(&head);
        self.buffer.extend_from_slice(line);
        Ok(())
    }

    pub(super) fn finish(mut self) -> Result<()> {
        self.flush()
    }

    fn flush(&mut self) -> Result<()> {
        let appended = self.file.append(&self.buffer);
        appended.map_err(StoreError::io(&self.path, "write"))?;
        self.buffer.clear();
        Ok(())
    }
}

/// A run being read from start to end.
#[derive(Debug)]
pub(super) struct RunReader {
    file: Arc<dyn ReadAt>,
    path: PathBuf,
    buffer: Vec<u8>,
    filled: usize,
    /// Where in the buffer the next line's length stands.
    next: usize,
    /// Where in the file the buffer ends.
    offset: u64,
    line: std::ops::Range<usize>,
}

impl RunReader {
    /// The line that [`RunReader::advance`] came to.
    pub(super) fn line(&self) -> &[u8] {
        &self.buffer[self.line.clone()]
    }

    /// Goes to the next line; false after the last.
    pub(super) fn advance(&mut self) -> Result<bool> {
        if !self.has(HEAD)? {
            return match self.filled == self.next {
                true => Ok(false),
                false => Err(self.broken()),
            };
        }
        let mut head = [0; HEAD];
        head.copy_from_slice(&self.buffer[self.next..self.next + HEAD]);
        let len = u32::from_le_bytes(head) as usize;
        if len > MAX_LINE || !self.has(HEAD + len)? {
            return Err(self.broken());
        }
        let start = self.next + HEAD;
        self.line = start..start + len;
        self.next = start + len;
        Ok(true)
    }

    /// Sees to it that `wanted` bytes from `next` on are in the buffer, if the file has them.
    fn has(&mut self, wanted: usize) -> Result<bool> {
        if self.filled - self.next >= wanted {
            return Ok(true);
        }
        self.buffer.copy_within(self.next..self.filled, 0);
        self.filled -= self.next;
        self.next = 0;
        if self.buffer.len() < wanted {
            self.buffer.resize(wanted, 0);
        }
        while self.filled < wanted {
            let read = self
                .file
                .read_at(&mut self.buffer[self.filled..], self.offset);
            let read = read.map_err(StoreError::io(&self.path, "read"))?;
            if read == 0 {
                return Ok(false);
            }
            self.filled += read;
            self.offset += read as u64;
        }
        Ok(true)
    }

    fn broken(&self) -> StoreError {
        StoreError::invalid(
            &self.path,
            "the scratch file changed while sorting; sort again",
        )
    }
}
