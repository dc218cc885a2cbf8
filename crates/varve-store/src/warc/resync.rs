//! Finding the next record after damage.

use super::fault::ReadError;
use super::member::{Compression, may_start_member};
use super::reader::WarcReader;

/// A gigabyte of honest bytes holds a handful of places that look like the start of a member and
/// are none. A file with thousands was made to keep us busy.
const MAX_FALSE_STARTS: u32 = 10_000;

impl WarcReader {
    /// After damage: goes to the next place where a record can be read, and says where; `None`
    /// when there is none.
    pub fn resync(&mut self, damaged_at: u64) -> Result<Option<u64>, ReadError> {
        self.left = None;
        let compression = self.compression();
        let mut window = self.members.raw_window(damaged_at.saturating_add(1));
        while self.false_starts < MAX_FALSE_STARTS {
            let bytes = window.peek(16)?;
            if bytes.is_empty() {
                return Ok(None);
            }
            let Some(skip) = next_candidate(compression, bytes) else {
                let skip = bytes.len().saturating_sub(15).max(1);
                window.consume(skip);
                continue;
            };
            window.consume(skip);
            let candidate = window.position();
            if self.members.starts_with(candidate, b"WARC/")? {
                self.members.jump(candidate);
                return Ok(Some(candidate));
            }
            self.false_starts += 1;
            window.consume(1);
        }
        Ok(None)
    }

    /// Gives up on everything before `end`.
    pub(crate) fn give_up(&mut self, end: u64) {
        self.left = None;
        self.members.jump(end);
    }
}

/// How many bytes to skip to the next place that looks like the start of a member.
fn next_candidate(compression: Compression, bytes: &[u8]) -> Option<usize> {
    let first = match compression {
        Compression::None => b'W',
        Compression::Gzip => 0x1f,
        Compression::Zstd => 0x28,
    };
    memchr::memchr_iter(first, bytes).find(|at| {
        let rest = &bytes[*at..];
        rest.len() >= 7 && may_start_member(compression, rest)
    })
}
