//! A place between two lines of a file, from which lines are read in either direction.

use super::text::Text;
use crate::index::MAX_LINE;
use crate::index::line::{find_newline, lower_bound, rfind_newline};
use crate::{Result, StoreError};
use std::ops::Range;
use std::sync::Arc;

/// What is read at first: a block of the search.
const FIRST_READ: usize = super::BLOCK as usize;

/// What is read at once when many lines are wanted.
const MAX_READ: usize = 64 << 10;

/// A place between two lines. [`Cursor::next_line`] gives the line after it and moves behind that
/// line, [`Cursor::prev_line`] gives the line before it and moves in front of that one; so the two
/// in turn give the same line twice.
///
/// After an error about a line the cursor is beyond that line: reading can go on.
#[derive(Clone, Debug)]
pub struct Cursor {
    text: Arc<Text>,
    /// Bytes of the file, from `base` on.
    window: Vec<u8>,
    base: u64,
    /// The place, as an offset in the file.
    at: u64,
    /// The line given last, in the window.
    line: Range<usize>,
}

impl Cursor {
    /// A cursor at a place where a line starts.
    pub(super) fn at(text: Arc<Text>, at: u64) -> Cursor {
        Cursor {
            text,
            window: Vec::new(),
            base: at,
            at,
            line: 0..0,
        }
    }

    /// The line given last, without its line break; empty if none was.
    pub fn line(&self) -> &[u8] {
        self.window.get(self.line.clone()).unwrap_or_default()
    }

    /// Where the line given last starts in the file.
    pub fn offset(&self) -> u64 {
        self.base + self.line.start as u64
    }

    /// The place: where the line after it starts in the file.
    pub fn position(&self) -> u64 {
        self.at
    }

    /// An error about the line given last, which says where it is.
    pub fn fault(&self, reason: &str) -> StoreError {
        self.text.fault(self.offset(), reason)
    }

    /// The line after the cursor; `None` at the end.
    pub fn next_line(&mut self) -> Result<Option<&[u8]>> {
        if self.at >= self.text.len() {
            return Ok(None);
        }
        self.line = 0..0;
        let (start, end) = self.find_end()?;
        self.line = start..end;
        // The last line may have no line break.
        self.at = (self.base + end as u64 + 1).min(self.text.len());
        Ok(Some(self.line()))
    }

    /// The line before the cursor; `None` at the start.
    pub fn prev_line(&mut self) -> Result<Option<&[u8]>> {
        if self.at == 0 {
            return Ok(None);
        }
        self.line = 0..0;
        let (start, end) = self.find_start()?;
        self.line = start..end;
        self.at = self.base + start as u64;
        Ok(Some(self.line()))
    }

    /// Moves behind the next line break, for a cursor that may stand within a line.
    pub(super) fn skip_line(&mut self) -> Result<()> {
        self.next_line().map(|_| ())
    }

    /// Moves forward to the first line that is not less than `key`.
    pub(super) fn skip_below(&mut self, key: &[u8]) -> Result<()> {
        loop {
            // Whole lines in the window are searched, the rest is read line by line.
            let start = self.in_window();
            let ahead = &self.window[start..];
            let whole = rfind_newline(ahead).map_or(0, |at| at + 1);
            let skipped = lower_bound(&ahead[..whole], key);
            self.at += skipped as u64;
            if skipped < whole {
                return Ok(());
            }
            let before = self.at;
            match self.next_line()? {
                Some(line) if line < key => {}
                _ => {
                    self.at = before;
                    return Ok(());
                }
            }
        }
    }

    /// The window's range of the line that starts at the cursor.
    fn find_end(&mut self) -> Result<(usize, usize)> {
        let mut searched = 0;
        loop {
            let start = self.in_window();
            if let Some(at) = find_newline(&self.window[start + searched..]) {
                let end = start + searched + at;
                return if end - start > MAX_LINE {
                    self.step_over_next()
                } else {
                    Ok((start, end))
                };
            }
            searched = self.window.len() - start;
            if searched > MAX_LINE {
                return self.step_over_next();
            }
            if self.window_end() == self.text.len() {
                return Ok((start, self.window.len()));
            }
            self.grow_forward(start)?;
        }
    }

    /// The window's range of the line that ends at the cursor.
    fn find_start(&mut self) -> Result<(usize, usize)> {
        loop {
            let place = self.in_window();
            if place > 0 {
                let break_before = self.window[place - 1] == b'\n';
                let end = place - usize::from(break_before);
                let start = match rfind_newline(&self.window[..end]) {
                    Some(at) => Some(at + 1),
                    None => (self.base == 0).then_some(0),
                };
                if end - start.unwrap_or(0) > MAX_LINE {
                    return self.step_over_prev(end);
                }
                if let Some(start) = start {
                    return Ok((start, end));
                }
            }
            self.grow_backward(place)?;
        }
    }

    /// The cursor's place in the window; a window that does not reach it is given up.
    fn in_window(&mut self) -> usize {
        if self.at < self.base || self.at > self.window_end() {
            self.window.clear();
            self.base = self.at;
        }
        (self.at - self.base) as usize
    }

    fn window_end(&self) -> u64 {
        self.base + self.window.len() as u64
    }

    /// How much to read next: more each time, so that long scans read in large pieces.
    fn read_size(&self) -> usize {
        self.window.len().clamp(FIRST_READ, MAX_READ)
    }

    /// Reads more after the window; once it is large, what is before `keep` goes.
    fn grow_forward(&mut self, keep: usize) -> Result<()> {
        let more = self.read_size();
        if self.window.len() >= MAX_READ {
            self.window.drain(..keep);
            self.base += keep as u64;
        }
        let end = self.window_end();
        let filled = self.window.len();
        self.window.resize(filled + more, 0);
        let read = self.text.read_up_to(&mut self.window[filled..], end);
        self.window.truncate(filled + *read.as_ref().unwrap_or(&0));
        read.map(|_| ())
    }

    /// Reads more before the window; once it is large, what is after `keep` goes.
    fn grow_backward(&mut self, keep: usize) -> Result<()> {
        let more = (self.read_size() as u64).min(self.base);
        if self.window.len() >= MAX_READ {
            self.window.truncate(keep);
        }
        let mut window = vec![0; more as usize];
        self.text.read_up_to(&mut window, self.base - more)?;
        window.append(&mut self.window);
        self.window = window;
        self.base -= more;
        Ok(())
    }

    /// Moves behind a line that is too long, without keeping it.
    fn step_over_next<T>(&mut self) -> Result<T> {
        let offset = self.at;
        loop {
            self.window.clear();
            self.base = self.at;
            self.grow_forward(0)?;
            let found = find_newline(&self.window);
            self.at = found.map_or(self.window_end(), |at| self.base + at as u64 + 1);
            if found.is_some() || self.at >= self.text.len() {
                return Err(self.text.too_long(offset));
            }
        }
    }

    /// Moves in front of a line that is too long and ends at `end` of the window.
    fn step_over_prev<T>(&mut self, end: usize) -> Result<T> {
        self.window.truncate(end);
        loop {
            if let Some(at) = rfind_newline(&self.window) {
                self.at = self.base + at as u64 + 1;
                return Err(self.text.too_long(self.at));
            }
            self.at = self.base;
            self.window.clear();
            if self.base == 0 {
                return Err(self.text.too_long(0));
            }
            self.grow_backward(0)?;
        }
    }
}
