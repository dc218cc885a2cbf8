//! Writing the index of a Layer.

use super::line::{find_newline, is_header, sort_words};
use super::zipnum::ZipNumWriter;
use super::{INDEX_FILE, MAX_LINE};
use crate::fs::{AppendFile, Fs};
use crate::{Result, StoreError};
use std::path::{Path, PathBuf};

/// What is written at once.
const BUFFER: usize = 256 << 10;

/// How an index is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum IndexForm {
    /// One sorted text file: fastest to search.
    #[default]
    Plain,
    /// Compressed blocks and a small index of them: about a sixth of the size.
    ZipNum,
}

/// Writes the index of a Layer from lines that come sorted.
#[derive(Debug)]
pub struct IndexWriter {
    sink: Sink,
    path: PathBuf,
    last: Vec<u8>,
    lines: u64,
}

#[derive(Debug)]
enum Sink {
    Plain(Output),
    ZipNum(Box<ZipNumWriter>),
}

impl IndexWriter {
    /// Creates the index's files in a directory that exists; they must not exist yet.
    pub fn create(fs: &Fs, indexes_dir: &Path, form: IndexForm) -> Result<IndexWriter> {
        let path = indexes_dir.join(INDEX_FILE);
        let sink = match form {
            IndexForm::Plain => Sink::Plain(Output::create(fs, &path)?),
            IndexForm::ZipNum => Sink::ZipNum(Box::new(ZipNumWriter::create(fs, indexes_dir)?)),
        };
        Ok(IndexWriter {
            sink,
            path: indexes_dir.to_owned(),
            last: Vec::new(),
            lines: 0,
        })
    }

    /// Adds a line, given without its line break. It must not be less than the one before, and
    /// it must be one that can be read again: a key, a timestamp and more, of at most 1 MiB.
    pub fn push(&mut self, line: &[u8]) -> Result<()> {
        if let Some(reason) = self.refusal(line) {
            let start = String::from_utf8_lossy(&line[..line.len().min(200)]);
            let reason = format!("the index cannot take the line {start:?}: {reason}");
            return Err(StoreError::invalid(&self.path, reason));
        }
        self.last.clear();
        self.last.extend_from_slice(line);
        self.lines += 1;
        match &mut self.sink {
            Sink::Plain(output) => {
                output.write(line)?;
                output.write(b"\n")
            }
            Sink::ZipNum(writer) => writer.push(line),
        }
    }

    fn refusal(&self, line: &[u8]) -> Option<&'static str> {
        match line {
            _ if line.len() > MAX_LINE => Some("it is longer than 1 MiB"),
            _ if find_newline(line).is_some() => Some("it holds a line break"),
            _ if is_header(line) => Some("it is a header, which readers pass over"),
            _ if sort_words(line).len() == line.len() => Some("it is not a key, a time and more"),
            _ if self.lines > 0 && line < self.last.as_slice() => Some("it is out of order"),
            _ => None,
        }
    }

    /// Writes what is left and makes the files survive power loss (their names need a sync of the
    /// directory). Returns how many lines there are.
    pub fn finish(self) -> Result<u64> {
        match self.sink {
            Sink::Plain(output) => output.finish()?,
            Sink::ZipNum(writer) => writer.finish()?,
        }
        Ok(self.lines)
    }
}

/// A file being written through a buffer.
#[derive(Debug)]
pub(super) struct Output {
    file: Box<dyn AppendFile>,
    path: PathBuf,
    buffer: Vec<u8>,
    written: u64,
}

impl Output {
    pub(super) fn create(fs: &Fs, path: &Path) -> Result<Output> {
        let file = fs.create(path).map_err(StoreError::io(path, "create"))?;
        Ok(Output {
            file,
            path: path.to_owned(),
            buffer: Vec::new(),
            written: 0,
        })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// How many bytes were written so far.
    pub(super) fn written(&self) -> u64 {
        self.written
    }

    pub(super) fn write(&mut self, bytes: &[u8]) -> Result<()> {
        if self.buffer.len() + bytes.len() > BUFFER {
            self.flush()?;
        }
        self.buffer.extend_from_slice(bytes);
        self.written += bytes.len() as u64;
        Ok(())
    }

    /// Writes what is left and syncs.
    pub(super) fn finish(mut self) -> Result<()> {
        self.flush()?;
        let synced = self.file.sync();
        synced.map_err(StoreError::io(&self.path, "sync"))
    }

    fn flush(&mut self) -> Result<()> {
        let appended = self.file.append(&self.buffer);
        appended.map_err(StoreError::io(&self.path, "write"))?;
        self.buffer.clear();
        Ok(())
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;
