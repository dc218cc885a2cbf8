//! Making a map: from lines of an index to keys with counts.
//!
//! Indexes are sorted by SURTs with their queries, and so nearly, but not quite, by keys without
//! them: `b`, `b-c`, `b?x`, `b/d`. Keys are therefore sorted anew, in bounded memory, and counted
//! where they meet. As many threads as there are processors read lines in turns and understand
//! them; the map is the same with any number of them.

mod blocks;
mod detail;
mod format;
mod line;
mod source;

pub use format::Format;
pub use line::Filter;
pub(crate) use line::{question, url_surt};

use blocks::{BLOCK, Fault};
use detail::Detail;
use source::Source;

use crate::bytes::common_prefix;
use crate::compact::{Compacted, Compactor, RollUp, Wildcards};
use crate::input::read_fully;
use crate::key::{is_key, key_of};
use crate::sort::{Run, Sorter, merge, push_varint, varint};
use crate::{Frequency, Input, MapError, Record, Result};
use std::io::Write;

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

/// What became of a line.
enum Taken<'a> {
    /// It was taken. A line that begins with this word, if there is one, is taken likewise.
    Line(&'a [u8]),
    /// It is no text at all.
    NoText,
}

/// Counts keys: takes lines, and gives a map in the end.
pub struct Counter {
    wanted: Wanted,
    /// Whether a SURT at the beginning of a line is all that there is to know.
    reads_surts: bool,
    /// The key counted last; with originals, what follows it in the SURT is behind a zero byte, so
    /// that a key's originals stand together.
    key: Vec<u8>,
    /// Where its host ends.
    host: usize,
    /// How much it has in common with the key before it.
    shared: usize,
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
        let index = matches!(wanted.format, None | Some(Format::Index));
        Counter {
            reads_surts: index && wanted.filter.is_empty(),
            wanted,
            key: Vec::new(),
            host: 0,
            shared: 0,
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

    fn take<'a>(&mut self, line: &'a [u8]) -> Result<Taken<'a>> {
        self.lines += 1;
        // What follows a key behind a zero byte must not be taken for more of it.
        let last = match self.wanted.originals {
            true => &[],
            false => self.key.as_slice(),
        };
        if self.reads_surts
            && let Some(found) = line::first_word(line, last, self.host)
        {
            let surt = &found.word[..found.word.len() - 1];
            self.count(found.key, surt, found.shared)?;
            self.host = found.host;
            return Ok(Taken::Line(found.word));
        }
        let format = self.wanted.format.unwrap_or(Format::Index);
        let Some(surt) = line::surt(line, format, &self.wanted.filter) else {
            return Ok(match memchr::memchr(0, line) {
                Some(_) => Taken::NoText,
                None => Taken::Line(&[]),
            });
        };
        if memchr::memchr(0, &surt).is_some() {
            return Ok(Taken::NoText);
        }
        let key = key_of(&surt);
        if is_key(key)
            && let Some(host) = memchr::memchr(b')', key)
        {
            self.count(key, &surt, common_prefix(key, &self.key))?;
            self.host = host;
        }
        Ok(Taken::Line(&[]))
    }

    /// Takes a line that begins with the same telling word as the one before it.
    #[inline]
    fn take_again(&mut self) {
        self.lines += 1;
        self.mementos += 1;
        self.count += 1;
    }

    /// Counts a key and its SURT. So much of the key stands at the beginning of the one before it.
    #[inline]
    fn count(&mut self, key: &[u8], surt: &[u8], shared: usize) -> Result<()> {
        self.mementos += 1;
        let same = match self.wanted.originals {
            true => self.is_same_original(key, surt),
            false => shared == key.len() && shared == self.key.len(),
        };
        if same && self.count > 0 {
            self.count += 1;
            return Ok(());
        }
        self.flush()?;
        self.shared = shared;
        self.key.truncate(shared);
        self.key.extend_from_slice(&key[shared..]);
        if self.wanted.originals {
            self.key.push(0);
            self.key.extend_from_slice(surt);
        }
        self.count = 1;
        Ok(())
    }

    /// Reads all lines of an input, on all processors.
    pub fn read(&mut self, input: Input) -> Result<()> {
        let workers = std::thread::available_parallelism().map_or(1, usize::from);
        self.read_by(workers, input)
    }

    /// The same by so many threads.
    fn read_by(&mut self, workers: usize, mut input: Input) -> Result<()> {
        let name = input.name().to_owned();
        let mut start = vec![0; BLOCK];
        let got = read_fully(input.reader(), &mut start);
        start.truncate(got.map_err(|error| MapError::named(&name, error))?);
        // What fits into one block is not worth more threads.
        let workers = if start.len() < BLOCK { 1 } else { workers };
        let format = match self.wanted.format {
            Some(format) => format,
            None => Format::sniff(&name, &start)?,
        };
        let wanted = Wanted {
            format: Some(format),
            ..self.wanted.clone()
        };
        let source = Source::new(&mut input, start);
        let source = source.map_err(|error| MapError::named(&name, error))?;
        let work = || {
            let (mut counter, mut lines_of) = (Counter::new(wanted.clone()), Vec::new());
            let counted = counter.count_from(&source, &mut lines_of);
            (counter, lines_of, counted)
        };
        let workers: Vec<_> = std::thread::scope(|scope| {
            let workers: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
            let joined = workers.into_iter().map(|worker| worker.join());
            joined
                .map(|worker| worker.unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
                .collect()
        });
        let (mut lines_of, mut faults) = (Vec::new(), Vec::new());
        for (counter, its_lines, counted) in workers {
            lines_of.extend(its_lines);
            faults.extend(counted.err());
            self.lines += counter.lines;
            self.mementos += counter.mementos;
            self.runs.extend(counter.into_runs()?);
        }
        match faults.into_iter().min_by_key(Fault::place) {
            Some(fault) => Err(fault.told(&name, &lines_of)),
            None => Ok(()),
        }
    }

    /// Writes the map, rolled up.
    pub fn finish(self, roll_up: &RollUp, out: impl Write) -> Result<Generated> {
        let (lines, mementos) = (self.lines, self.mementos);
        let cutoffs = roll_up.cutoffs()?;
        let map = match cutoffs.may_roll_up() {
            true => {
                let mut compactor = Compactor::new(cutoffs, Wildcards::Beside, out);
                self.each_key(|key, frequency| {
                    let record = Record {
                        key,
                        frequency,
                        more: &[],
                    };
                    compactor.push(&record).map(|_| ())
                })?;
                compactor.finish()?
            }
            false => {
                let mut detail = Detail::new(out);
                self.each_key(|key, frequency| detail.push(key, frequency))?;
                detail.finish()?
            }
        };
        Ok(Generated {
            lines,
            mementos,
            map,
        })
    }

    /// Gives all keys in order, the same perhaps several times.
    fn each_key(self, mut take: impl FnMut(&[u8], Frequency) -> Result<()>) -> Result<()> {
        let originals = self.wanted.originals;
        let mut merged = merge(self.into_runs()?)?;
        let (mut original, mut seen) = (Vec::new(), false);
        while let Some((pair, count)) = merged.next_pair()? {
            let mementos = varint(count).map_or(0, |(count, _)| count);
            if !originals {
                take(pair, Frequency::mementos_only(mementos))?;
                continue;
            }
            // The same original may come from several runs.
            let again = std::mem::replace(&mut seen, true) && original == pair;
            original.clear();
            original.extend_from_slice(pair);
            let end = memchr::memchr(0, pair).unwrap_or(pair.len());
            take(
                &pair[..end],
                Frequency::exactly(mementos, u64::from(!again)),
            )?;
        }
        Ok(())
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
            match self.wanted.originals {
                true => self.sorter.push(&self.key, &self.scratch)?,
                false => {
                    let (key, shared) = (&self.key, self.shared);
                    self.sorter.push_sharing(key, &self.scratch, shared)?;
                }
            }
        }
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
