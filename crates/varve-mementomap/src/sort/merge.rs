//! Many runs as one.

use super::{Run, varint};
use crate::{MapError, Result};
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::sync::Arc;

/// So much is held of all runs together.
const IN_MEMORY: usize = 16 << 20;

/// The pairs of runs in order.
pub(crate) fn merge(runs: Vec<Run>) -> Result<Merged> {
    let portion = (IN_MEMORY / runs.len().max(1)).clamp(4 << 10, 256 << 10);
    let mut heads = Vec::with_capacity(runs.len());
    for run in runs {
        let mut head = Head::new(run, portion);
        if head.advance()? {
            heads.push(head);
        }
    }
    let mut merged = Merged {
        heads,
        begun: false,
    };
    for at in (0..merged.heads.len() / 2).rev() {
        merged.sink(at);
    }
    Ok(merged)
}

/// See [`merge`].
pub(crate) struct Merged {
    /// A heap: the least key is at the top.
    heads: Vec<Head>,
    begun: bool,
}

impl Merged {
    /// The next pair; `None` after the last.
    pub(crate) fn next_pair(&mut self) -> Result<Option<(&[u8], &[u8])>> {
        if std::mem::replace(&mut self.begun, true)
            && let Some(top) = self.heads.first_mut()
        {
            if !top.advance()? {
                self.heads.swap_remove(0);
            }
            self.sink(0);
        }
        Ok(self
            .heads
            .first()
            .map(|top| (top.key.as_slice(), top.value())))
    }

    /// Moves a head down to where it belongs.
    fn sink(&mut self, mut at: usize) {
        loop {
            let (left, right) = (2 * at + 1, 2 * at + 2);
            let mut least = at;
            for child in [left, right] {
                if child < self.heads.len() && self.heads[child].key < self.heads[least].key {
                    least = child;
                }
            }
            if least == at {
                return;
            }
            self.heads.swap(at, least);
            at = least;
        }
    }
}

/// A run and its next pair.
struct Head {
    /// What was read of the run.
    buffer: Vec<u8>,
    /// Where the pair that follows is in it.
    next: usize,
    key: Vec<u8>,
    value: std::ops::Range<usize>,
    /// What is still to be read.
    rest: Option<(Arc<File>, u64, u64)>,
    portion: usize,
}

impl Head {
    fn new(run: Run, portion: usize) -> Head {
        let (buffer, rest) = match run {
            Run::Memory(bytes) => (bytes, None),
            Run::File { file, at, len } => (Vec::new(), Some((file, at, len))),
        };
        Head {
            buffer,
            next: 0,
            key: Vec::new(),
            value: 0..0,
            rest,
            portion,
        }
    }

    fn value(&self) -> &[u8] {
        &self.buffer[self.value.clone()]
    }

    /// Goes to the next pair; false after the last.
    fn advance(&mut self) -> Result<bool> {
        loop {
            if let Some((shared, key, value)) = self.pair() {
                self.key.truncate(shared);
                self.key.extend_from_slice(&self.buffer[key.clone()]);
                self.value = value.clone();
                self.next = value.end;
                return Ok(true);
            }
            if !self.refill()? {
                return match self.next == self.buffer.len() {
                    true => Ok(false),
                    false => Err(MapError::scratch(io::ErrorKind::InvalidData.into())),
                };
            }
        }
    }

    /// How much of the last key stays, where the rest of the next one is, and its value; `None`
    /// if it is not all here.
    fn pair(&self) -> Option<(usize, std::ops::Range<usize>, std::ops::Range<usize>)> {
        let mut at = self.next;
        let mut number = || {
            let (number, length) = varint(self.buffer.get(at..)?)?;
            at += length;
            usize::try_from(number).ok()
        };
        let (shared, key, value) = (number()?, number()?, number()?);
        let key = at..at.checked_add(key)?;
        let value = key.end..key.end.checked_add(value)?;
        (value.end <= self.buffer.len()).then_some((shared, key, value))
    }

    /// Reads more; false if there is none.
    fn refill(&mut self) -> Result<bool> {
        let Some((file, at, len)) = self.rest.as_mut().filter(|(_, _, len)| *len > 0) else {
            return Ok(false);
        };
        self.buffer.drain(..self.next);
        self.next = 0;
        self.value = 0..0;
        let held = self.buffer.len();
        let more = (*len).min(self.portion as u64) as usize;
        self.buffer.resize(held + more, 0);
        file.read_exact_at(&mut self.buffer[held..], *at)
            .map_err(MapError::scratch)?;
        *at += more as u64;
        *len -= more as u64;
        Ok(true)
    }
}
