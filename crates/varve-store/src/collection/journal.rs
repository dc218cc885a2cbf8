//! The journal of an open layer: what is saved, line by line, each with its checksum.
//!
//! A line is `CRC32 KIND PAYLOAD`. The first line that is torn ends the journal: what stands
//! behind it was never synced.

use crate::fs::{AppendFile, FileSystem, ReadAt, read_full_at};
use crate::{Result, StoreError};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The journal's file name.
pub(crate) const JOURNAL: &str = "journal";
const MAX_LINE: usize = 4 << 20;
const FLUSH_AT: usize = 256 * 1024;
/// Most lines are not longer.
const FIRST_LOOK: usize = 1024;

/// One line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Entry {
    /// What kind of layer this is; the first line.
    Layer(LayerKind),
    /// An index entry (a CDXJ line).
    Capture(String),
    /// A page (a line of pages.jsonl) and the archive file that it belongs to, if to one.
    Page { file: String, line: String },
    /// A line for the layer's log.
    Log(String),
    /// The bytes of an archive file up to this length, and all entries so far, are saved.
    Commit { file: String, length: u64 },
    /// An imported file is wholly saved (a `Source` as JSON).
    Source(String),
    /// A payload that was recorded, for who records to know it again; nobody else reads it.
    Payload(String),
}

/// Where a layer's records come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LayerKind {
    /// Copied from files that still exist: what was not wholly copied can be dropped.
    Import,
    /// Recorded: every whole record counts.
    Record,
}

impl Entry {
    fn to_text(&self) -> (&'static str, String) {
        match self {
            Entry::Layer(LayerKind::Import) => ("layer", "import".into()),
            Entry::Layer(LayerKind::Record) => ("layer", "record".into()),
            Entry::Capture(line) => ("capture", line.clone()),
            Entry::Page { file, line } => ("page", format!("{file} {line}")),
            Entry::Log(line) => ("log", line.clone()),
            Entry::Commit { file, length } => ("commit", format!("{length} {file}")),
            Entry::Source(json) => ("source", json.clone()),
            Entry::Payload(json) => ("payload", json.clone()),
        }
    }

    fn parse(kind: &str, payload: &str) -> Option<Entry> {
        Some(match kind {
            "layer" if payload == "import" => Entry::Layer(LayerKind::Import),
            "layer" if payload == "record" => Entry::Layer(LayerKind::Record),
            "capture" => Entry::Capture(payload.into()),
            "page" => {
                let (file, line) = payload.split_once(' ')?;
                Entry::Page {
                    file: file.into(),
                    line: line.into(),
                }
            }
            "log" => Entry::Log(payload.into()),
            "commit" => {
                let (length, file) = payload.split_once(' ')?;
                Entry::Commit {
                    file: file.into(),
                    length: length.parse().ok()?,
                }
            }
            "source" => Entry::Source(payload.into()),
            "payload" => Entry::Payload(payload.into()),
            _ => return None,
        })
    }
}

/// Writes a journal. After a failed write or sync nothing is known about its end, and whatever
/// would stand behind a torn line could never be read: it takes no more entries.
pub(crate) struct JournalWriter {
    file: Box<dyn AppendFile>,
    path: PathBuf,
    buffer: Vec<u8>,
    /// How long the file is without the buffer.
    length: u64,
    broken: bool,
}

impl JournalWriter {
    pub(crate) fn create(fs: &dyn FileSystem, path: PathBuf) -> Result<JournalWriter> {
        let file = fs.create(&path).map_err(StoreError::io(&path, "create"))?;
        Ok(JournalWriter {
            file,
            path,
            buffer: Vec::new(),
            length: 0,
            broken: false,
        })
    }

    /// Whether an error left the end of the journal unknown.
    pub(crate) fn is_broken(&self) -> bool {
        self.broken
    }

    /// Adds an entry, and tells its place, where it can be read after the next sync.
    pub(crate) fn push(&mut self, entry: &Entry) -> Result<u64> {
        let (kind, payload) = entry.to_text();
        let text = format!("{kind} {payload}");
        debug_assert!(!text.contains('\n'));
        let line = format!("{:08x} {text}\n", crc32fast::hash(text.as_bytes()));
        let place = self.length + self.buffer.len() as u64;
        self.buffer.extend_from_slice(line.as_bytes());
        if self.buffer.len() > FLUSH_AT {
            self.flush()?;
        } else {
            self.refuse_when_broken()?;
        }
        Ok(place)
    }

    /// Makes all lines so far durable.
    pub(crate) fn sync(&mut self) -> Result<()> {
        self.flush()?;
        let synced = self.file.sync();
        self.broken |= synced.is_err();
        synced.map_err(StoreError::io(&self.path, "sync"))
    }

    fn flush(&mut self) -> Result<()> {
        self.refuse_when_broken()?;
        let written = self.file.append(&self.buffer);
        self.broken |= written.is_err();
        self.length += self.buffer.len() as u64;
        self.buffer.clear();
        written.map_err(StoreError::io(&self.path, "write"))
    }

    fn refuse_when_broken(&self) -> Result<()> {
        match self.broken {
            false => Ok(()),
            true => Err(StoreError::invalid(
                &self.path,
                "failed before: run the command again",
            )),
        }
    }
}

/// Reads single entries of a journal that is still being written.
pub(crate) struct JournalReader {
    file: Arc<dyn ReadAt>,
    path: PathBuf,
}

impl JournalReader {
    pub(crate) fn open(fs: &dyn FileSystem, path: PathBuf) -> Result<JournalReader> {
        let file = fs.open(&path).map_err(StoreError::io(&path, "open"))?;
        Ok(JournalReader { file, path })
    }

    /// The entry at a place that [`JournalWriter::push`] told; `None` if there is none.
    pub(crate) fn entry_at(&self, place: u64) -> Result<Option<Entry>> {
        let mut line = vec![0; FIRST_LOOK];
        loop {
            let read = read_full_at(self.file.as_ref(), &mut line, place)
                .map_err(StoreError::io(&self.path, "read"))?;
            if let Some(end) = memchr::memchr(b'\n', &line[..read]) {
                return Ok(parse_line(&line[..end]));
            }
            if read < line.len() || line.len() >= MAX_LINE {
                return Ok(None);
            }
            line.resize((line.len() * 8).min(MAX_LINE), 0);
        }
    }
}

/// Gives the entries of a journal in order, up to the first torn line.
pub(crate) fn read(
    fs: &dyn FileSystem,
    path: &Path,
    mut take: impl FnMut(Entry) -> Result<()>,
) -> Result<()> {
    let file = fs.open(path).map_err(StoreError::io(path, "open"))?;
    let mut buffer = vec![0; FLUSH_AT];
    let (mut filled, mut offset) = (0, 0);
    loop {
        let read = read_full_at(file.as_ref(), &mut buffer[filled..], offset)
            .map_err(StoreError::io(path, "read"))?;
        offset += read as u64;
        filled += read;
        let mut start = 0;
        while let Some(length) = memchr::memchr(b'\n', &buffer[start..filled]) {
            let Some(entry) = parse_line(&buffer[start..start + length]) else {
                return Ok(());
            };
            take(entry)?;
            start += length + 1;
        }
        buffer.copy_within(start..filled, 0);
        filled -= start;
        if read == 0 || filled > MAX_LINE {
            return Ok(());
        }
        if filled == buffer.len() {
            buffer.resize(buffer.len() * 2, 0);
        }
    }
}

fn parse_line(line: &[u8]) -> Option<Entry> {
    let line = std::str::from_utf8(line).ok()?;
    let (crc, text) = line.split_at_checked(8)?;
    let text = text.strip_prefix(' ')?;
    if u32::from_str_radix(crc, 16).ok()? != crc32fast::hash(text.as_bytes()) {
        return None;
    }
    let (kind, payload) = text.split_once(' ')?;
    Entry::parse(kind, payload)
}
