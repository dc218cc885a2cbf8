//! Many lines at a time, from the one who reads them to those who understand them.
//!
//! Lines are counted by those who understand them: an error knows its block and its line there, and
//! how many lines the blocks before it have is known when all are done.

use super::Counter;
use crate::input::read_fully;
use crate::{Input, MapError};
use std::io;
use std::sync::mpsc::{Receiver, Sender, SyncSender};
use std::sync::{Mutex, PoisonError};
use varve_model::MAX_LINE;

/// So much is read at once.
pub(super) const BLOCK: usize = 1 << 20;

/// Whole lines.
pub(super) struct Block {
    /// Which block it is, from 0.
    number: u64,
    buffer: Vec<u8>,
    /// How much of the buffer is filled.
    len: usize,
}

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
    /// The error, with the number of the line in the whole input.
    pub(super) fn told(self, name: &str, lines_of: &Mutex<Vec<(u64, u64)>>) -> MapError {
        let before = |block: u64| {
            let lines_of = lines_of.lock().unwrap_or_else(PoisonError::into_inner);
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

/// Reads an input, of which some has been read, in blocks of whole lines, until nobody wants more.
pub(super) fn send_blocks(
    input: &mut Input,
    (mut buffer, mut len): (Vec<u8>, usize),
    blocks: &SyncSender<Block>,
    unused: &Receiver<Vec<u8>>,
) -> Result<(), Fault> {
    let (mut number, mut over) = (0, false);
    loop {
        let whole = match memchr::memrchr(b'\n', &buffer[..len]) {
            _ if over => len,
            Some(at) => at + 1,
            None => 0,
        };
        let rest = len - whole;
        if rest > MAX_LINE {
            let reason = "longer than 1 MiB: this is no such file";
            return Err(Fault::Line(number + u64::from(whole > 0), 0, reason)
                .after(buffer, whole, number, blocks));
        }
        // A buffer that was used before need not be made clean for what is read into it.
        let mut next = unused.try_recv().unwrap_or_default();
        if next.len() < rest + BLOCK {
            next.resize(rest + BLOCK, 0);
        }
        next[..rest].copy_from_slice(&buffer[whole..len]);
        if whole > 0 {
            let block = Block {
                number,
                buffer,
                len: whole,
            };
            if blocks.send(block).is_err() {
                return Ok(());
            }
            number += 1;
        }
        if over {
            return Ok(());
        }
        let got = read_fully(input.reader(), &mut next[rest..])
            .map_err(|error| Fault::After(number, error))?;
        (buffer, len, over) = (next, rest + got, got == 0);
    }
}

impl Fault {
    /// The same fault, when the lines before it are still to be counted.
    fn after(self, buffer: Vec<u8>, len: usize, number: u64, blocks: &SyncSender<Block>) -> Fault {
        if len > 0 {
            let _ = blocks.send(Block {
                number,
                buffer,
                len,
            });
        }
        self
    }
}

impl Counter {
    /// Counts the lines of blocks until there are no more, and gives their buffers back.
    pub(super) fn count_blocks(
        &mut self,
        waiting: &Mutex<Receiver<Block>>,
        used: &Sender<Vec<u8>>,
        lines_of: &Mutex<Vec<(u64, u64)>>,
    ) -> Result<(), Fault> {
        loop {
            let next = waiting
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .recv();
            let Ok(block) = next else {
                return Ok(());
            };
            let before = self.lines;
            let text = &block.buffer[..block.len];
            let last = (!text.ends_with(b"\n")).then_some(text.len());
            let mut start = 0;
            for end in memchr::memchr_iter(b'\n', text).chain(last) {
                if !self.take(&text[start..end]).map_err(Fault::Told)? {
                    let reason = "holds a NUL byte: this is no text";
                    return Err(Fault::Line(block.number, self.lines - before - 1, reason));
                }
                start = end + 1;
            }
            let counted = (block.number, self.lines - before);
            lines_of
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .push(counted);
            // Whoever reads may have come to the end.
            let _ = used.send(block.buffer);
        }
    }
}
