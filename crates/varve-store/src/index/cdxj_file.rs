//! A sorted file of lines, searched by bytes.
//!
//! [`CdxjFile::seek`] finds a key by halving the file in blocks of [`BLOCK`] bytes. It reads with
//! positioned reads and never maps the file, so that a file cut short under our hands is an error
//! and not the death of the process, and memory stays small whatever the file's size. The first
//! steps of every search go through the same few thousand places: the lines there are kept in
//! [`Pivots`], and only the last steps read. What the lines say is left to others, and so are
//! headers: they are lines like all others here.

mod cursor;
mod pivots;
mod text;

use super::line::{find_newline, sort_words};
use super::{MAX_LINE, Verified};
use crate::fs::Fs;
use crate::{Result, StoreError};
pub use cursor::Cursor;
use pivots::Pivots;
use std::path::Path;
use std::sync::Arc;
use text::Text;

/// The unit of the search. The *first line of a block* is the one after the first line break in
/// it (of block 0, the first of the file), so that looking at it touches one page only.
const BLOCK: u64 = 8192;

/// What is first read to look at a line in the middle of the file: most lines end within it.
const PROBE: usize = 512;

/// A sorted file of lines, open for searching from any thread. Cheap to clone.
#[derive(Clone, Debug)]
pub struct CdxjFile(Arc<Searched>);

#[derive(Debug)]
struct Searched {
    text: Arc<Text>,
    pivots: Pivots,
}

impl CdxjFile {
    /// Opens a file that no longer changes.
    pub fn open(fs: &Fs, path: &Path) -> Result<CdxjFile> {
        let text = Arc::new(Text::open(fs, path)?);
        let pivots = Pivots::for_blocks(text.len().div_ceil(BLOCK));
        Ok(CdxjFile(Arc::new(Searched { text, pivots })))
    }

    /// The file.
    pub fn path(&self) -> &Path {
        self.0.text.path()
    }

    /// The file's length in bytes.
    pub fn len(&self) -> u64 {
        self.0.text.len()
    }

    /// Whether there are no lines.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// A cursor before the first line.
    pub fn start(&self) -> Cursor {
        Cursor::at(self.0.text.clone(), 0)
    }

    /// A cursor after the last line.
    pub fn end(&self) -> Cursor {
        Cursor::at(self.0.text.clone(), self.len())
    }

    /// A cursor before the first line that starts at `offset` of the file or after it, for going
    /// on where another cursor was. The lines need not be sorted.
    pub fn from(&self, offset: u64) -> Result<Cursor> {
        let before = offset.min(self.len());
        // What ends in the byte before is not wanted.
        let Some(before) = before.checked_sub(1) else {
            return Ok(self.start());
        };
        let mut cursor = Cursor::at(self.0.text.clone(), before);
        match cursor.skip_line() {
            Err(error @ StoreError::Io { .. }) => Err(error),
            // Beyond a line that is too long.
            _ => Ok(cursor),
        }
    }

    /// A cursor before the first line that is not less than `key`.
    pub fn seek(&self, key: &[u8]) -> Result<Cursor> {
        // Invariant: the first line of block `low` is less than `key` (or `low` is 0), the first
        // line of block `high` is not (or there is no such block).
        let (mut low, mut high) = (0, self.len().div_ceil(BLOCK));
        let mut node = 1;
        while high - low > 1 {
            let middle = low + (high - low) / 2;
            let below = match self.0.pivots.is_below(node, key) {
                Some(known) => known,
                None => self.probe(node, middle, key)?,
            };
            match below {
                true => low = middle,
                false => high = middle,
            }
            node = 2 * node + usize::from(below);
        }
        let mut cursor = self.cursor_in_block(low)?;
        cursor.skip_below(key)?;
        Ok(cursor)
    }

    /// Whether the first line of a block is less than `key`.
    fn probe(&self, node: usize, block: u64, key: &[u8]) -> Result<bool> {
        let mut small = [0; PROBE];
        let offset = block * BLOCK;
        let seen = self.0.text.read_up_to(&mut small, offset)?;
        if let Some(below) = self.judge(&small[..seen], offset, node, key) {
            return Ok(below);
        }
        for size in [8 << 10, 64 << 10, MAX_LINE + key.len() + 2] {
            let mut large = vec![0; size];
            let seen = self.0.text.read_up_to(&mut large, offset)?;
            if let Some(below) = self.judge(&large[..seen], offset, node, key) {
                return Ok(below);
            }
        }
        Err(self.0.text.too_long(offset))
    }

    /// Compares the first line that starts in `seen` with `key`, if enough of it is there.
    fn judge(&self, seen: &[u8], offset: u64, node: usize, key: &[u8]) -> Option<bool> {
        let at_end = offset + seen.len() as u64 == self.len();
        let Some(before) = find_newline(seen) else {
            // The last line of the file goes through here: no line starts after it.
            return at_end.then_some(false);
        };
        let rest = &seen[before + 1..];
        let line_end = find_newline(rest);
        let line = &rest[..line_end.unwrap_or(rest.len())];
        let enough = line_end.is_some() || at_end || line.len() >= key.len();
        if !enough && key.starts_with(line) {
            return None;
        }
        let words = sort_words(line);
        if line_end.is_some() || words.len() < line.len() {
            self.0.pivots.remember(node, words);
        }
        Some(!rest.is_empty() && line < key)
    }

    /// A cursor before the first line of a block.
    fn cursor_in_block(&self, block: u64) -> Result<Cursor> {
        if block == 0 {
            return Ok(self.start());
        }
        let mut cursor = Cursor::at(self.0.text.clone(), block * BLOCK);
        cursor.skip_line()?;
        Ok(cursor)
    }

    /// Reads all lines and reports each that is less than the one before it, is empty or is too
    /// long.
    pub fn verify_sorted(&self, report: &mut dyn FnMut(StoreError)) -> Result<Verified> {
        let mut cursor = self.start();
        let mut verified = Verified::default();
        loop {
            match cursor.next_line() {
                Ok(Some(line)) => {
                    if let Some(reason) = verified.check_line(line) {
                        report(cursor.fault(reason));
                    }
                }
                Ok(None) => return Ok(verified),
                Err(error @ StoreError::Io { .. }) => return Err(error),
                Err(error) => report(error),
            }
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;
