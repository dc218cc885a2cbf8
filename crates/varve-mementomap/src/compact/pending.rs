//! Lines that may yet be taken back.
//!
//! While a host or a directory is being read, nobody knows whether its lines will stay or one
//! wildcard will take their place. [`Pending`] holds them: lines are appended, cut off from some
//! place to the end, or struck out in the middle, and go on to the output when nothing before them
//! can change any more. What is too much for memory waits in a scratch file.

use crate::{MapError, Result};
use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};
use std::os::unix::fs::FileExt;

/// So much waits in memory; what is more goes to the scratch file.
const IN_MEMORY: usize = 8 << 20;
/// Lines go on in portions of at least this size.
const PORTION: usize = 1 << 20;
/// Takes the place of what is struck out. No line holds such a byte.
const STRUCK: u8 = 0;

/// Lines on their way to an output.
pub(super) struct Pending<W> {
    out: W,
    /// How much has gone on to the output: the place of the first byte that waits.
    gone: u64,
    scratch: Option<Scratch>,
    memory: Vec<u8>,
    struck: bool,
    /// How many lines and bytes the output has got.
    lines: u64,
    bytes: u64,
}

/// The older part of what waits.
struct Scratch {
    file: File,
    len: u64,
}

impl<W: Write> Pending<W> {
    pub(super) fn new(out: W) -> Pending<W> {
        Pending {
            out,
            gone: 0,
            scratch: None,
            memory: Vec::with_capacity(IN_MEMORY + PORTION),
            struck: false,
            lines: 0,
            bytes: 0,
        }
    }

    /// The place where the next line will be.
    pub(super) fn place(&self) -> u64 {
        self.memory_starts() + self.memory.len() as u64
    }

    /// Where to append a line.
    pub(super) fn end(&mut self) -> &mut Vec<u8> {
        &mut self.memory
    }

    /// Takes back everything from a place on.
    pub(super) fn cut(&mut self, from: u64) -> Result<()> {
        let starts = self.memory_starts();
        if let Some(kept) = from.checked_sub(starts) {
            self.memory.truncate(kept as usize);
            return Ok(());
        }
        self.memory.clear();
        if let Some(scratch) = &mut self.scratch {
            scratch.len = from - self.gone;
        }
        Ok(())
    }

    /// Takes back what lies between two places; what follows stays where it is.
    pub(super) fn strike(&mut self, from: u64, to: u64) -> Result<()> {
        self.struck |= from < to;
        let starts = self.memory_starts();
        if to > starts {
            let first = from.max(starts) - starts;
            self.memory[first as usize..(to - starts) as usize].fill(STRUCK);
        }
        let Some(scratch) = &mut self.scratch else {
            return Ok(());
        };
        let zeros = vec![STRUCK; PORTION];
        let (mut at, end) = (from - self.gone, to.min(starts) - self.gone);
        while at < end {
            let length = (end - at).min(PORTION as u64);
            scratch
                .file
                .write_all_at(&zeros[..length as usize], at)
                .map_err(MapError::scratch)?;
            at += length;
        }
        Ok(())
    }

    /// What lies between two places.
    pub(super) fn text(&self, from: u64, to: u64) -> Result<Vec<u8>> {
        let starts = self.memory_starts();
        let mut text = Vec::new();
        if let Some(scratch) = &self.scratch
            && from < starts
        {
            text.resize((to.min(starts) - from) as usize, 0);
            let read = scratch.file.read_exact_at(&mut text, from - self.gone);
            read.map_err(MapError::scratch)?;
        }
        if to > starts {
            let memory = from.max(starts) - starts..to - starts;
            text.extend_from_slice(&self.memory[memory.start as usize..memory.end as usize]);
        }
        Ok(text)
    }

    /// Whether enough waits for [`Pending::settle`] to be worth while.
    pub(super) fn is_full(&self) -> bool {
        self.memory.len() >= PORTION
    }

    /// Lets everything go that lies before `place`, and keeps memory within bounds.
    pub(super) fn settle(&mut self, place: u64) -> Result<()> {
        let starts = self.memory_starts();
        // Of what waits in the scratch file all goes, or nothing.
        if place >= starts {
            self.empty_scratch()?;
            let length = (place - starts) as usize;
            write_lines(
                &mut self.out,
                &self.memory[..length],
                self.struck,
                &mut self.lines,
                &mut self.bytes,
            )?;
            self.gone += length as u64;
            self.memory.copy_within(length.., 0);
            self.memory.truncate(self.memory.len() - length);
            self.struck &= !self.memory.is_empty();
        }
        if self.memory.len() > IN_MEMORY {
            self.spill()?;
        }
        Ok(())
    }

    /// Lets everything go; gives back how many lines and bytes that were in all.
    pub(super) fn finish(mut self) -> Result<(u64, u64)> {
        self.settle(self.place())?;
        self.out.flush().map_err(output)?;
        Ok((self.lines, self.bytes))
    }

    fn memory_starts(&self) -> u64 {
        self.gone + self.scratch.as_ref().map_or(0, |scratch| scratch.len)
    }

    fn spill(&mut self) -> Result<()> {
        let scratch = match &mut self.scratch {
            Some(scratch) => scratch,
            none => {
                let file = tempfile::tempfile().map_err(MapError::scratch)?;
                none.insert(Scratch { file, len: 0 })
            }
        };
        let written = scratch.file.write_all_at(&self.memory, scratch.len);
        written.map_err(MapError::scratch)?;
        scratch.len += self.memory.len() as u64;
        self.memory.clear();
        Ok(())
    }

    fn empty_scratch(&mut self) -> Result<()> {
        let Some(mut scratch) = self.scratch.take_if(|scratch| scratch.len > 0) else {
            return Ok(());
        };
        scratch
            .file
            .seek(SeekFrom::Start(0))
            .map_err(MapError::scratch)?;
        let mut portion = vec![0; PORTION];
        let mut left = scratch.len;
        while left > 0 {
            let length = left.min(PORTION as u64) as usize;
            let portion = &mut portion[..length];
            scratch
                .file
                .read_exact(portion)
                .map_err(MapError::scratch)?;
            write_lines(
                &mut self.out,
                portion,
                self.struck,
                &mut self.lines,
                &mut self.bytes,
            )?;
            left -= length as u64;
        }
        self.gone += scratch.len;
        self.scratch = Some(Scratch {
            file: scratch.file,
            len: 0,
        });
        Ok(())
    }
}

/// Writes what is not struck out of some lines, and counts it.
fn write_lines(
    out: &mut impl Write,
    text: &[u8],
    struck: bool,
    lines: &mut u64,
    bytes: &mut u64,
) -> Result<()> {
    let mut write = |part: &[u8]| {
        *lines += memchr::memchr_iter(b'\n', part).count() as u64;
        *bytes += part.len() as u64;
        out.write_all(part).map_err(output)
    };
    if !struck {
        return write(text);
    }
    for part in text
        .split(|byte| *byte == STRUCK)
        .filter(|part| !part.is_empty())
    {
        write(part)?;
    }
    Ok(())
}

fn output(source: std::io::Error) -> MapError {
    MapError::named("the output", source)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    /// Appends a line and gives its place.
    fn line(pending: &mut Pending<&mut Vec<u8>>, text: &str) -> u64 {
        let place = pending.place();
        pending.end().extend_from_slice(text.as_bytes());
        place
    }

    #[test]
    fn lines_are_cut_off_and_struck_out() {
        let mut out = Vec::new();
        let mut pending = Pending::new(&mut out);
        line(&mut pending, "a\n");
        let b = line(&mut pending, "b\n");
        let c = line(&mut pending, "c\n");
        let d = line(&mut pending, "d\n");
        pending.strike(b, c).unwrap();
        pending.cut(d).unwrap();
        line(&mut pending, "e\n");
        assert_eq!(pending.finish().unwrap(), (3, 6));
        assert_eq!(out, b"a\nc\ne\n");
    }

    #[test]
    fn more_than_memory_holds_is_taken_back_as_well() {
        let mut out = Vec::new();
        let mut pending = Pending::new(&mut out);
        let wide = format!("{}\n", "x".repeat(99_999));
        let first = line(&mut pending, "first\n");
        let second = line(&mut pending, "second\n");
        for _ in 0..300 {
            line(&mut pending, &wide);
            pending.settle(first).unwrap();
        }
        assert!(pending.scratch.as_ref().unwrap().len > 20_000_000);
        assert!(pending.memory.len() <= IN_MEMORY + wide.len());
        // In the scratch file as in memory.
        pending.strike(first, second).unwrap();
        pending.cut(second + 7 + 100 * wide.len() as u64).unwrap();
        line(&mut pending, "last\n");
        assert_eq!(pending.finish().unwrap().0, 102);
        assert!(out.starts_with(b"second\nx") && out.ends_with(b"x\nlast\n"));
    }
}
