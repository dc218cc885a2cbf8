//! A buffered forward view of a part of a file that knows where it stands.

use super::inflate::PADDING;
use crate::fs::{ReadAt, read_full_at};
use std::io;
use std::sync::Arc;

const BUFFER: usize = 256 * 1024;

/// Reads `[start, end)` of a file in order.
#[derive(Debug)]
pub(crate) struct Window {
    file: Arc<dyn ReadAt>,
    /// Has `PADDING` bytes more than are ever filled.
    buffer: Vec<u8>,
    taken: usize,
    filled: usize,
    /// File offset of the byte after the buffered ones.
    next: u64,
    end: u64,
}

impl Window {
    pub(crate) fn new(file: Arc<dyn ReadAt>, start: u64, end: u64) -> Window {
        Window::expecting(BUFFER as u64, file, start, end)
    }

    /// The same, when probably no more than the first `bytes` will be read.
    pub(crate) fn expecting(bytes: u64, file: Arc<dyn ReadAt>, start: u64, end: u64) -> Window {
        let most = bytes.min(BUFFER as u64);
        let room = (end.saturating_sub(start)).min(most) as usize;
        Window {
            file,
            buffer: vec![0; room.max(64) + PADDING],
            taken: 0,
            filled: 0,
            next: start,
            end,
        }
    }

    /// The file offset of the next byte.
    pub(crate) fn position(&self) -> u64 {
        self.next - (self.filled - self.taken) as u64
    }

    /// The file offset behind the last byte.
    pub(crate) fn end(&self) -> u64 {
        self.end
    }

    /// The file beneath.
    pub(crate) fn file(&self) -> &Arc<dyn ReadAt> {
        &self.file
    }

    /// Buffered bytes, read from the file when there are none; empty at the end.
    pub(crate) fn fill(&mut self) -> io::Result<&[u8]> {
        if self.taken == self.filled {
            self.taken = 0;
            self.filled = self.read_into(0)?;
        }
        Ok(&self.buffer[self.taken..self.filled])
    }

    /// At least `wanted` buffered bytes (at most a kilobyte), fewer only at the end.
    pub(crate) fn peek(&mut self, wanted: usize) -> io::Result<&[u8]> {
        debug_assert!(wanted <= 1024);
        if self.room() < wanted {
            self.buffer.resize(wanted + PADDING, 0);
        }
        while self.filled - self.taken < wanted {
            self.move_to_front();
            let read = self.read_into(self.filled)?;
            if read == 0 {
                break;
            }
            self.filled += read;
        }
        Ok(&self.buffer[self.taken..self.filled])
    }

    /// How many bytes are buffered.
    pub(crate) fn held(&self) -> usize {
        self.filled - self.taken
    }

    /// The buffered bytes, then `PADDING` bytes of anything.
    pub(crate) fn padded(&self) -> &[u8] {
        &self.buffer[self.taken..self.filled + PADDING]
    }

    /// Buffers more bytes, up to `most`; false when there are no more or no more may be.
    pub(crate) fn extend(&mut self, most: usize) -> io::Result<bool> {
        if self.next >= self.end || self.held() >= most {
            return Ok(false);
        }
        self.move_to_front();
        if self.filled == self.room() {
            let room = (self.room() * 2).min(most);
            self.buffer.resize(room + PADDING, 0);
        }
        let left = (self.room() - self.filled) as u64;
        let wanted = left.min(self.end - self.next) as usize;
        let into = &mut self.buffer[self.filled..self.filled + wanted];
        let read = read_full_at(self.file.as_ref(), into, self.next)?;
        self.next += read as u64;
        self.filled += read;
        Ok(read > 0)
    }

    fn room(&self) -> usize {
        self.buffer.len() - PADDING
    }

    fn move_to_front(&mut self) {
        self.buffer.copy_within(self.taken..self.filled, 0);
        self.filled -= self.taken;
        self.taken = 0;
    }

    pub(crate) fn consume(&mut self, count: usize) {
        self.taken = (self.taken + count).min(self.filled);
    }

    fn read_into(&mut self, from: usize) -> io::Result<usize> {
        let left = self
            .end
            .saturating_sub(self.next)
            .min((self.room() - from) as u64);
        if left == 0 {
            return Ok(0);
        }
        let read = self
            .file
            .read_at(&mut self.buffer[from..from + left as usize], self.next)?;
        self.next += read as u64;
        Ok(read)
    }
}
