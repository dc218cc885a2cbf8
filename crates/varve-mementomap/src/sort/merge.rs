//! Many runs as one.

use super::run::Part;
use super::{Run, varint};
use crate::{MapError, Result};
use std::cmp::Ordering;
use std::io;
use std::os::unix::fs::FileExt;

/// So much is held of all runs together.
const IN_MEMORY: usize = 16 << 20;

/// The pairs of runs in order; of those with equal keys, those of the first run come first.
pub(crate) fn merge(runs: Vec<Run>) -> Result<Merged> {
    let portion = (IN_MEMORY / runs.len().max(1)).clamp(4 << 10, 256 << 10);
    let mut heads = Vec::with_capacity(runs.len());
    for (number, run) in runs.into_iter().enumerate() {
        let mut head = Head::new(number, run, portion);
        if head.advance()? {
            heads.push(head);
        }
    }
    let mut merged = Merged {
        heads,
        second: None,
        begun: false,
    };
    for at in (0..merged.heads.len() / 2).rev() {
        merged.sink(at);
    }
    merged.second = merged.least_child(0);
    Ok(merged)
}

/// See [`merge`].
pub(crate) struct Merged {
    /// A heap: the least key is at the top.
    heads: Vec<Head>,
    /// The one that comes after the top: as long as the top is not beyond it, nothing moves.
    second: Option<usize>,
    begun: bool,
}

impl Merged {
    /// The next pair; `None` after the last.
    pub(crate) fn next_pair(&mut self) -> Result<Option<(&[u8], &[u8])>> {
        if std::mem::replace(&mut self.begun, true) {
            self.advance()?;
        }
        Ok(self
            .heads
            .first()
            .map(|top| (top.key.as_slice(), top.value())))
    }

    fn advance(&mut self) -> Result<()> {
        let Some(top) = self.heads.first_mut() else {
            return Ok(());
        };
        if !top.advance()? {
            self.heads.swap_remove(0);
        } else if self
            .second
            .is_none_or(|second| self.comes_before(0, second))
        {
            return Ok(());
        }
        self.sink(0);
        self.second = self.least_child(0);
        Ok(())
    }

    /// Moves a head down to where it belongs.
    fn sink(&mut self, mut at: usize) {
        while let Some(child) = self
            .least_child(at)
            .filter(|child| self.comes_before(*child, at))
        {
            self.heads.swap(at, child);
            at = child;
        }
    }

    fn least_child(&self, at: usize) -> Option<usize> {
        let (left, right) = (2 * at + 1, 2 * at + 2);
        match right < self.heads.len() && self.comes_before(right, left) {
            true => Some(right),
            false => Some(left).filter(|left| *left < self.heads.len()),
        }
    }

    fn comes_before(&self, one: usize, other: usize) -> bool {
        let (one, other) = (&self.heads[one], &self.heads[other]);
        match one.key.cmp(&other.key) {
            Ordering::Equal => one.number < other.number,
            order => order == Ordering::Less,
        }
    }
}

/// A run and its next pair.
struct Head {
    /// Which run it is.
    number: usize,
    /// What was read of the run.
    buffer: Vec<u8>,
    /// Where the pair that follows is in it.
    next: usize,
    key: Vec<u8>,
    value: std::ops::Range<usize>,
    /// What is still to be read, and what follows that.
    rest: Option<Part>,
    memory: Vec<u8>,
    portion: usize,
}

impl Head {
    fn new(number: usize, run: Run, portion: usize) -> Head {
        Head {
            number,
            buffer: Vec::new(),
            next: 0,
            key: Vec::new(),
            value: 0..0,
            rest: run.file,
            memory: run.memory,
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
        self.buffer.drain(..self.next);
        self.next = 0;
        self.value = 0..0;
        let Some(rest) = self.rest.as_mut().filter(|rest| rest.len > 0) else {
            let memory = std::mem::take(&mut self.memory);
            let more = !memory.is_empty();
            match self.buffer.is_empty() {
                true => self.buffer = memory,
                false => self.buffer.extend_from_slice(&memory),
            }
            return Ok(more);
        };
        let held = self.buffer.len();
        let more = rest.len.min(self.portion as u64) as usize;
        self.buffer.resize(held + more, 0);
        rest.file
            .read_exact_at(&mut self.buffer[held..], rest.at)
            .map_err(MapError::scratch)?;
        rest.at += more as u64;
        rest.len -= more as u64;
        Ok(true)
    }
}
