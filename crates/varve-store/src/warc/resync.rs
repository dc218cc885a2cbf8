//! Finding the next record after damage.

use super::fault::ReadError;
use super::member::{Compression, may_start_member};
use super::reader::WarcReader;

impl WarcReader {
    /// After damage: goes to the next place where a record can be read, and says where; `None`
    /// when there is none.
    pub fn resync(&mut self, damaged_at: u64) -> Result<Option<u64>, ReadError> {
        self.left = None;
        let compression = self.compression();
        let mut window = self.members.raw_window(damaged_at.saturating_add(1));
        loop {
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
            if self.starts_record(candidate)? {
                self.members.jump(candidate);
                return Ok(Some(candidate));
            }
            window.consume(1);
        }
    }

    /// Gives up on everything before `end`.
    pub(crate) fn give_up(&mut self, end: u64) {
        self.members.jump(end);
    }

    /// Whether a record's header can be read at `offset`.
    fn starts_record(&mut self, offset: u64) -> Result<bool, ReadError> {
        self.members.jump(offset);
        let started = match self.members.begin() {
            Ok(_) => self.members.fill().map(|bytes| bytes.starts_with(b"WARC/")),
            Err(error) => Err(error),
        };
        match started {
            Err(ReadError::Io(error)) => Err(error.into()),
            Err(ReadError::Damaged { .. }) => Ok(false),
            Ok(started) => Ok(started),
        }
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
        rest.len() >= 5 && may_start_member(compression, rest)
    })
}
