//! A part of a file that is a file to its reader, and a file that can be sought in.

use crate::fs::ReadAt;
use std::io::{self, Read, Seek, SeekFrom};
use std::sync::Arc;

/// A part of a file, such as a member of a ZIP that is stored and not compressed.
#[derive(Clone, Debug)]
pub struct FileSlice {
    file: Arc<dyn ReadAt>,
    offset: u64,
    length: u64,
}

impl FileSlice {
    /// `length` bytes of `file` from `offset`.
    pub fn new(file: Arc<dyn ReadAt>, offset: u64, length: u64) -> FileSlice {
        FileSlice {
            file,
            offset,
            length,
        }
    }
}

impl ReadAt for FileSlice {
    fn read_at(&self, buf: &mut [u8], offset: u64) -> io::Result<usize> {
        let left = self.length.saturating_sub(offset);
        let wanted = buf.len().min(usize::try_from(left).unwrap_or(usize::MAX));
        self.file
            .read_at(&mut buf[..wanted], self.offset.saturating_add(offset))
    }

    fn len(&self) -> io::Result<u64> {
        Ok(self.length)
    }
}

/// Reads and seeks in a file, as the ZIP library wants it.
#[derive(Clone, Debug)]
pub(crate) struct Seeking {
    file: Arc<dyn ReadAt>,
    length: u64,
    position: u64,
}

impl Seeking {
    pub(crate) fn new(file: Arc<dyn ReadAt>) -> io::Result<Seeking> {
        let length = file.len()?;
        Ok(Seeking {
            file,
            length,
            position: 0,
        })
    }
}

impl Read for Seeking {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read_at(buf, self.position)?;
        self.position += read as u64;
        Ok(read)
    }
}

impl Seek for Seeking {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let position = match to {
            SeekFrom::Start(offset) => Some(offset),
            SeekFrom::End(delta) => self.length.checked_add_signed(delta),
            SeekFrom::Current(delta) => self.position.checked_add_signed(delta),
        };
        self.position = position.ok_or(io::ErrorKind::InvalidInput)?;
        Ok(self.position)
    }
}
