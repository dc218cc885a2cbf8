//! Making a map: from lines of an index to keys with counts.
//!
//! Indexes are sorted by SURTs with their queries, and so nearly, but not quite, by keys without
//! them: `b`, `b-c`, `b?x`, `b/d`. Keys are therefore sorted anew, in bounded memory, and counted
//! where they meet. Lines are read by one thread and understood by as many as there are
//! processors.

mod blocks;
mod format;
mod line;

pub use format::Format;
pub use line::Filter;
pub(crate) use line::{question, url_surt};

use blocks::{BLOCK, Fault, send_blocks};

use crate::compact::{Compacted, Compactor, RollUp, Wildcards};
use crate::input::read_fully;
use crate::key::key_of;
use crate::sort::{Run, Sorter, merge, push_varint, varint};
use crate::{Frequency, Input, MapError, Record, Result};
use std::io::Write;
use std::sync::Mutex;
use std::sync::mpsc::{channel, sync_channel};

/// What is made a map of.
#[derive(Clone, Debug, Default)]
pub struct Wanted {
    /// What lines are; told by the first ones if nobody says so.
    pub format: Option<Format>,
    /// Which of them count.
    pub filter: Filter,
    /// Whether unique originals are counted, too: frequencies are `M/R` then.
    pub originals: bool,
}

/// What making a map came to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Generated {
    /// How many lines were read.
    pub lines: u64,
    /// How many of them count: so many mementos are in the map.
    pub mementos: u64,
    /// The map.
    pub map: Compacted,
}

/// Counts keys: takes lines, and gives a map in the end.
pub struct Counter {
    wanted: Wanted,
    /// The key counted last; with originals, what follows it in the SURT is behind a zero byte, so
    /// that a key's originals stand together.
    key: Vec<u8>,
    count: u64,
    scratch: Vec<u8>,
    sorter: Sorter,
    runs: Vec<Run>,
    lines: u64,
    mementos: u64,
}

impl Counter {
    /// A counter of lines of an index, if `wanted` does not say something else.
    pub fn new(wanted: Wanted) -> Counter {
        Counter {
            wanted,
            key: Vec::new(),
            count: 0,
            scratch: Vec::new(),
            sorter: Sorter::new(),
            runs: Vec::new(),
            lines: 0,
            mementos: 0,
        }
    }

    /// Takes a line, without its line break; one that cannot be understood does not count.
    pub fn push(&mut self, line: &[u8]) -> Result<()> {
        self.take(line).map(|_| ())
    }

    /// The same; false if the line is no text at all.
    fn take(&mut self, line: &[u8]) -> Result<bool> {
        self.lines += 1;
        let format = self.wanted.format.unwrap_or(Format::Index);
        let Some(surt) = line::surt(line, format, &self.wanted.filter) else {
            return Ok(memchr::memchr(0, line).is_none());
        };
        let key = key_of(&surt);
        if memchr::memchr(0, &surt).is_some() {
            return Ok(false);
        }
        if memchr::memchr(b')', key).is_none() {
            return Ok(true);
        }
        self.mementos += 1;
        let same = match self.wanted.originals {
            true => self.is_same_original(key, &surt),
            false => self.key == key,
        };
        if same {
            self.count += 1;
            return Ok(true);
        }
        self.flush()?;
        self.key.extend_from_slice(key);
        if self.wanted.originals {
            self.key.push(0);
            self.key.extend_from_slice(&surt);
        }
        self.count = 1;
        Ok(true)
    }

    /// Reads all lines of an input.
    pub fn read(&mut self, mut input: Input) -> Result<()> {
        let workers = std::thread::available_parallelism().map_or(1, usize::from);
        let name = input.name().to_owned();
        let mut start = vec![0; BLOCK];
        let got = read_fully(input.reader(), &mut start);
        let got = got.map_err(|error| MapError::named(&name, error))?;
        let format = match self.wanted.format {
            Some(format) => format,
            None => Format::sniff(&name, &start[..got])?,
        };
        let wanted = Wanted {
            format: Some(format),
            ..self.wanted.clone()
        };
        let (blocks, waiting) = sync_channel(workers);
        let (used, unused) = channel();
        let waiting = Mutex::new(waiting);
        let lines_of = Mutex::new(Vec::new());
        let counters = std::thread::scope(|scope| {
            let work = |used| {
                let mut counter = Counter::new(wanted.clone());
                let counted = counter.count_blocks(&waiting, &used, &lines_of);
                counted.map(|()| counter)
            };
            let workers: Vec<_> = (0..workers)
                .map(|_| {
                    let used = used.clone();
                    scope.spawn(move || work(used))
                })
                .collect();
            let read = send_blocks(&mut input, (start, got), &blocks, &unused);
            drop(blocks);
            let counters: std::result::Result<Vec<Counter>, Fault> = workers
                .into_iter()
                .map(|worker| {
                    worker
                        .join()
                        .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
                })
                .collect();
            read.and(counters)
        });
        let counters = counters.map_err(|fault| fault.told(&name, &lines_of))?;
        for counter in counters {
            self.lines += counter.lines;
            self.mementos += counter.mementos;
            self.runs.extend(counter.into_runs()?);
        }
        Ok(())
    }

    /// Writes the map, rolled up.
    pub fn finish(self, roll_up: &RollUp, out: impl Write) -> Result<Generated> {
        let mut generated = Generated {
            lines: self.lines,
            mementos: self.mementos,
            map: Compacted::default(),
        };
        let originals = self.wanted.originals;
        let mut merged = merge(self.into_runs()?)?;
        let mut compactor = Compactor::new(roll_up.cutoffs()?, Wildcards::Beside, out);
        let (mut original, mut seen) = (Vec::new(), false);
        while let Some((pair, count)) = merged.next_pair()? {
            let mementos = varint(count).map_or(0, |(count, _)| count);
            let (key, frequency) = match originals {
                false => (pair, Frequency::mementos_only(mementos)),
                true => {
                    // The same original may come from several runs.
                    let again = std::mem::replace(&mut seen, true) && original == pair;
                    original.clear();
                    original.extend_from_slice(pair);
                    let end = memchr::memchr(0, pair).unwrap_or(pair.len());
                    let frequency = Frequency::exactly(mementos, u64::from(!again));
                    (&pair[..end], frequency)
                }
            };
            let record = Record {
                key,
                frequency,
                more: &[],
            };
            compactor.push(&record)?;
        }
        generated.map = compactor.finish()?;
        Ok(generated)
    }

    fn is_same_original(&self, key: &[u8], surt: &[u8]) -> bool {
        let counted = self.key.split_at_checked(key.len());
        counted.is_some_and(|(before, after)| before == key && after.get(1..) == Some(surt))
    }

    /// Passes the key counted last on.
    fn flush(&mut self) -> Result<()> {
        if self.count > 0 {
            self.scratch.clear();
            push_varint(&mut self.scratch, self.count);
            self.sorter.push(&self.key, &self.scratch)?;
        }
        self.key.clear();
        self.count = 0;
        Ok(())
    }

    fn into_runs(mut self) -> Result<Vec<Run>> {
        self.flush()?;
        self.runs.extend(self.sorter.finish());
        Ok(self.runs)
    }
}

#[cfg(test)]
mod tests;
