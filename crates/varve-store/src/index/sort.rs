//! Sorting more lines than memory holds.
//!
//! A [`LineSorter`] takes lines in any order and gives them back ordered by their bytes, each
//! once. What fits into its memory limit never touches the disk. Beyond that it writes *runs*,
//! sorted files in a scratch directory, and merges at most [`FAN_IN`] of them at a time, in as
//! many passes as it takes, so that memory and open files stay bounded whatever the input. Runs
//! need no sync: a crash makes the caller start over.

mod merge;
mod order;
mod run;

use super::MAX_LINE;
use super::line::find_newline;
use crate::fs::Fs;
use crate::{Result, StoreError};
use merge::Merge;
use order::Arena;
use run::Scratch;
use std::path::PathBuf;

/// The most runs that are merged, and so open, at once.
const FAN_IN: usize = 64;

/// Sorts lines in bounded memory: push all, then [`LineSorter::finish`].
#[derive(Debug)]
pub struct LineSorter {
    arena: Arena,
    memory_limit: usize,
    fan_in: usize,
    scratch: Scratch,
}

impl LineSorter {
    /// A sorter that keeps about `memory_limit` bytes of lines in memory (at least 1 MiB, at most
    /// 4 GiB) and writes its runs into the directory `scratch`, which is made when needed and
    /// removed at the end if it was made. While merging, lines of up to 1 MiB may each take their
    /// own size more.
    pub fn new(fs: Fs, scratch: PathBuf, memory_limit: usize) -> LineSorter {
        LineSorter {
            arena: Arena::default(),
            memory_limit: memory_limit.clamp(MAX_LINE, Arena::MAX_BYTES),
            fan_in: FAN_IN,
            scratch: Scratch::new(fs, scratch),
        }
    }

    /// Takes a line, given without its line break.
    pub fn push(&mut self, line: &[u8]) -> Result<()> {
        if line.len() > MAX_LINE || find_newline(line).is_some() {
            let reason = "a line to sort is longer than 1 MiB or holds a line break";
            return Err(StoreError::invalid(self.scratch.dir(), reason));
        }
        if self.arena.len() > 0 && self.arena.size_with(line.len()) > self.memory_limit {
            self.spill()?;
        }
        self.arena.push(line);
        Ok(())
    }

    /// Ends the input and gives the lines back in order.
    pub fn finish(mut self) -> Result<SortedLines> {
        if self.scratch.runs().is_empty() {
            self.arena.sort();
            return Ok(SortedLines(Source::Memory {
                arena: self.arena,
                next: 0,
            }));
        }
        if self.arena.len() > 0 {
            self.spill()?;
        }
        self.arena = Arena::default();
        while self.scratch.runs().len() > self.fan_in {
            self.merge_oldest()?;
        }
        let runs = self.scratch.runs().to_vec();
        let merge = Merge::open(&self.scratch, &runs, self.memory_limit)?;
        Ok(SortedLines(Source::Runs {
            merge,
            _scratch: self.scratch,
        }))
    }

    /// Writes what is in memory as a run.
    fn spill(&mut self) -> Result<()> {
        self.arena.sort();
        let mut run = self.scratch.create_run()?;
        let mut next = 0;
        while let Some(line) = self.arena.next_distinct(&mut next) {
            run.push(line)?;
        }
        self.arena.clear();
        run.finish()
    }

    /// Merges the oldest runs, which are the smallest, into one.
    fn merge_oldest(&mut self) -> Result<()> {
        let oldest = self.scratch.runs()[..self.fan_in].to_vec();
        let mut lines = Merge::open(&self.scratch, &oldest, self.memory_limit)?;
        let mut run = self.scratch.create_run()?;
        while let Some(line) = lines.next_line()? {
            run.push(line)?;
        }
        run.finish()?;
        self.scratch.remove_runs(&oldest)
    }
}

/// The lines of a [`LineSorter`], in order and each once.
#[derive(Debug)]
pub struct SortedLines(Source);

#[derive(Debug)]
enum Source {
    Memory { arena: Arena, next: usize },
    // The runs are removed when the scratch is dropped.
    Runs { merge: Merge, _scratch: Scratch },
}

impl SortedLines {
    /// The next line, without a line break; `None` after the last.
    pub fn next_line(&mut self) -> Result<Option<&[u8]>> {
        match &mut self.0 {
            Source::Memory { arena, next } => Ok(arena.next_distinct(next)),
            Source::Runs { merge, .. } => merge.next_line(),
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;
