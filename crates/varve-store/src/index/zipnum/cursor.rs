//! A place between two lines of a ZipNum index, from which lines are read in either direction.

use super::ZipNum;
use super::block::Block;
use super::idx::BlockPlace;
use crate::index::MAX_LINE;
use crate::index::cdxj_file::Cursor;
use crate::index::line::{find_newline, is_header, lower_bound, rfind_newline, sort_words};
use crate::{Result, StoreError};
use std::ops::Range;
use std::sync::Arc;

/// A place between two lines, like [`Cursor`]. After an error about a block the cursor is beyond
/// that block: reading can go on.
#[derive(Clone, Debug)]
pub struct ZipNumCursor {
    index: ZipNum,
    /// Stands behind the line of the current block.
    idx: Cursor,
    /// The current block; empty before the first block and if it is damaged.
    block: Arc<Block>,
    /// Whether the current block is damaged and nobody was told yet.
    damaged: bool,
    /// Whether there is a current block: `idx` may also stand before all blocks.
    inside: bool,
    /// The place in the block.
    at: usize,
    /// The line given last, in the block.
    line: Range<usize>,
}

impl ZipNumCursor {
    /// A cursor before the block whose line in the idx comes next.
    pub(super) fn before_block(index: ZipNum, idx: Cursor) -> ZipNumCursor {
        ZipNumCursor {
            index,
            idx,
            block: Arc::default(),
            damaged: false,
            inside: false,
            at: 0,
            line: 0..0,
        }
    }

    /// A cursor after the last block, for an idx cursor at the end.
    pub(super) fn after_all(index: ZipNum, idx: Cursor) -> Result<ZipNumCursor> {
        let mut cursor = ZipNumCursor::before_block(index, idx);
        if cursor.enter_prev()? {
            cursor.note_damage()?;
            cursor.at = cursor.block.text.len();
        }
        Ok(cursor)
    }

    /// A cursor before the first line that is not less than `key`.
    pub(super) fn seek(index: ZipNum, key: &[u8]) -> Result<ZipNumCursor> {
        // The first block whose first line is not less than the key's words: the line may be
        // in the block before it.
        let idx = index.0.idx.seek(sort_words(key))?;
        let mut cursor = ZipNumCursor::before_block(index, idx);
        let mut found = cursor.enter_prev()? || cursor.enter_next()?;
        while found {
            cursor.note_damage()?;
            cursor.at = lower_bound(&cursor.block.text, key);
            let beyond = !cursor.damaged && cursor.at == cursor.block.text.len();
            found = beyond && cursor.enter_next()?;
        }
        Ok(cursor)
    }

    /// The line given last, without its line break; empty if none was.
    pub fn line(&self) -> &[u8] {
        self.block.text.get(self.line.clone()).unwrap_or_default()
    }

    /// Where the line given last is: an error that says so, for the reason given.
    pub fn fault(&self, reason: &str) -> StoreError {
        let line = String::from_utf8_lossy(sort_words(self.idx.line()));
        let at = self.line.start;
        let reason = format!("the block that starts with {line:?}: inflated offset {at}: {reason}");
        StoreError::invalid(self.index.path(), reason)
    }

    /// The line after the cursor; `None` at the end.
    pub fn next_line(&mut self) -> Result<Option<&[u8]>> {
        self.tell_damage()?;
        while self.at >= self.block.text.len() {
            if !self.enter_next()? {
                return Ok(None);
            }
            self.load()?;
        }
        let rest = &self.block.text[self.at..];
        let len = find_newline(rest).unwrap_or(rest.len());
        self.line = self.at..self.at + len;
        self.at = (self.line.end + 1).min(self.block.text.len());
        self.checked_line().map(Some)
    }

    /// The line before the cursor; `None` at the start.
    pub fn prev_line(&mut self) -> Result<Option<&[u8]>> {
        self.tell_damage()?;
        while self.at == 0 {
            if !self.enter_prev()? {
                return Ok(None);
            }
            self.load()?;
            self.at = self.block.text.len();
        }
        let before = &self.block.text[..self.at];
        let end = self.at - usize::from(before.ends_with(b"\n"));
        let start = rfind_newline(&before[..end]).map_or(0, |at| at + 1);
        self.line = start..end;
        self.at = start;
        self.checked_line().map(Some)
    }

    fn checked_line(&self) -> Result<&[u8]> {
        match self.line.len() > MAX_LINE {
            true => Err(self.fault("a line is longer than 1 MiB")),
            false => Ok(self.line()),
        }
    }

    /// Moves on to the next block, without reading it; false if there is none.
    fn enter_next(&mut self) -> Result<bool> {
        while let Some(line) = self.idx.next_line()? {
            if !is_header(line) {
                self.leave(true);
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Moves back to the block before, without reading it; false if there is none.
    fn enter_prev(&mut self) -> Result<bool> {
        if self.inside {
            self.idx.prev_line()?;
            self.leave(false);
        }
        let Some(line) = self.idx.prev_line()? else {
            return Ok(false);
        };
        let found = !is_header(line);
        self.idx.next_line()?;
        if found {
            self.leave(true);
        }
        Ok(found)
    }

    /// Forgets the current block.
    fn leave(&mut self, inside: bool) {
        self.block = Arc::default();
        self.damaged = false;
        self.inside = inside;
        self.at = 0;
        self.line = 0..0;
    }

    /// Reads the current block.
    fn load(&mut self) -> Result<()> {
        let place = BlockPlace::parse(self.idx.line()).map_err(|reason| {
            let reason = format!("offset {}: {reason}", self.idx.offset());
            StoreError::invalid(self.index.path(), reason)
        })?;
        self.block = self.index.load(&place)?;
        Ok(())
    }

    /// Reads the current block; that it is damaged will be told to who wants its lines.
    fn note_damage(&mut self) -> Result<()> {
        match self.load() {
            Err(error @ StoreError::Io { .. }) => Err(error),
            loaded => {
                self.damaged = loaded.is_err();
                Ok(())
            }
        }
    }

    fn tell_damage(&mut self) -> Result<()> {
        if !self.damaged {
            return Ok(());
        }
        self.damaged = false;
        self.load()
    }
}
