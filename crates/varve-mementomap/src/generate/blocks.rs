//! Many lines at a time, for several who understand them.
//!
//! Whoever needs lines reads the next block into a buffer of their own: what was read is still near
//! when it is understood. An error knows its block and its line there, and how many lines the
//! blocks before it have is known when all are done.

use super::{Counter, Taken};
use crate::MapError;
use crate::input::read_fully;
use std::io::{self, Read};
use varve_model::MAX_LINE;

/// So much is read at once: it stays in the cache of one processor.
pub(super) const BLOCK: usize = 256 << 10;

/// What went wrong, and where.
pub(super) enum Fault {
    /// Said already.
    Told(MapError),
    /// At a line of a block, from 0.
    Line(u64, u64, &'static str),
    /// Reading what follows a block.
    After(u64, io::Error),
}

impl Fault {
    /// Where it is: of several, the first is told.
    pub(super) fn place(&self) -> (u64, u64) {
        match self {
            Fault::Told(_) => (0, 0),
            Fault::Line(block, line, _) => (*block, *line),
            Fault::After(block, _) => (*block, 0),
        }
    }

    /// The error, with the number of the line in the whole input.
    pub(super) fn told(self, name: &str, lines_of: &[(u64, u64)]) -> MapError {
        let before = |block: u64| {
            let earlier = lines_of.iter().filter(|(number, _)| *number < block);
            earlier.map(|(_, lines)| lines).sum::<u64>()
        };
        match self {
            Fault::Told(error) => error,
            Fault::Line(block, line, reason) => MapError::Line {
                name: name.to_owned(),
                line: before(block) + line + 1,
                reason: reason.to_owned(),
            },
            Fault::After(block, error) => MapError::Io {
                name: format!("{name}, after line {}", before(block)),
                error,
            },
        }
    }
}

/// Lines in blocks of whole ones.
pub(super) struct Blocks<R> {
    reader: R,
    /// What was read and given to nobody yet.
    rest: Vec<u8>,
    /// The number of the next block.
    number: u64,
    over: bool,
}

impl<R: Read> Blocks<R> {
    /// `start`, which has been read already, and what follows it. Blocks are numbered from `number`.
    pub(super) fn new(reader: R, start: Vec<u8>, number: u64) -> Blocks<R> {
        Blocks {
            reader,
            rest: start,
            number,
            over: false,
        }
    }

    /// Nobody needs more.
    pub(super) fn stop(&mut self) {
        self.over = true;
        self.rest.clear();
    }

    /// Fills a buffer with whole lines; gives the number of the block and its length.
    pub(super) fn next(&mut self, buffer: &mut Vec<u8>) -> Result<Option<(u64, usize)>, Fault> {
        let mut len = self.rest.len();
        buffer.resize(buffer.len().max(len + BLOCK), 0);
        buffer[..len].copy_from_slice(&self.rest);
        loop {
            if !self.over {
                let got = read_fully(&mut self.reader, &mut buffer[len..len + BLOCK])
                    .map_err(|error| Fault::After(self.number, error))?;
                self.over = got < BLOCK;
                len += got;
            }
            let whole = match memchr::memrchr(b'\n', &buffer[..len]) {
                _ if self.over => len,
                Some(at) => at + 1,
                None => 0,
            };
            if whole > 0 || self.over {
                self.rest.clear();
                self.rest.extend_from_slice(&buffer[whole..len]);
                let number = self.number;
                self.number += 1;
                return Ok((whole > 0).then_some((number, whole)));
            }
            if len > MAX_LINE {
                let reason = "longer than 1 MiB: this is no such file";
                return Err(Fault::Line(self.number, 0, reason));
            }
            buffer.resize(buffer.len().max(len + BLOCK), 0);
        }
    }
}

impl Counter {
    /// Counts the lines of a block; gives its number and how many there are.
    pub(super) fn count_block(&mut self, number: u64, text: &[u8]) -> Result<(u64, u64), Fault> {
        let before = self.lines;
        let (mut start, mut word): (_, &[u8]) = (0, &[]);
        while start < text.len() {
            let rest = &text[start..];
            let again = !word.is_empty() && rest.starts_with(word);
            // There is no line break in a word.
            let seen = if again { word.len() } else { 0 };
            let end = memchr::memchr(b'\n', &rest[seen..]).map_or(rest.len(), |at| seen + at);
            start += end + 1;
            if again {
                self.take_again();
                continue;
            }
            word = match self.take(&rest[..end]).map_err(Fault::Told)? {
                Taken::Line(word) => word,
                Taken::NoText => {
                    let reason = "holds a NUL byte: this is no text";
                    return Err(Fault::Line(number, self.lines - before - 1, reason));
                }
            };
        }
        Ok((number, self.lines - before))
    }
}
