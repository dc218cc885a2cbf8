//! Where those who count take lines from.
//!
//! A plain file is cut into *stripes*, each read by one of them without waiting for the others;
//! whatever else there is, compressed or from a pipe, they read in turns.

use super::Counter;
use super::blocks::{Blocks, Fault};
use crate::input::{Input, Part, line_from};
use std::fs::File;
use std::io::{self, Read};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

/// So much of a file is counted by one, before the next who is free takes what follows.
const STRIPE: u64 = 8 << 20;

/// Lines for several at once.
pub(super) enum Source<'a> {
    Turns(Mutex<Blocks<&'a mut (dyn Read + Send)>>),
    Stripes(Stripes<'a>),
}

impl<'a> Source<'a> {
    /// All of an input, of which `start` has been read already.
    pub(super) fn new(input: &'a mut Input, start: Vec<u8>) -> io::Result<Source<'a>> {
        let len = match input.plain_file() {
            Some(file) => file.metadata()?.len(),
            None => 0,
        };
        // Some files of the system have more than they say.
        if len <= start.len() as u64 {
            let blocks = Blocks::new(input.reader(), start, 0);
            return Ok(Source::Turns(Mutex::new(blocks)));
        }
        let input: &'a Input = input;
        let file = input.plain_file().ok_or(io::ErrorKind::InvalidInput)?;
        Ok(Source::Stripes(Stripes {
            len,
            file,
            next: AtomicU64::new(0),
            width: STRIPE,
        }))
    }
}

impl Counter {
    /// Counts lines until there are no more; with each block goes how many it has.
    pub(super) fn count_from(
        &mut self,
        source: &Source<'_>,
        lines_of: &mut Vec<(u64, u64)>,
    ) -> Result<(), Fault> {
        let mut buffer = Vec::new();
        match source {
            Source::Turns(blocks) => {
                let blocks = || blocks.lock().unwrap_or_else(PoisonError::into_inner);
                let counted =
                    self.count_blocks(|buffer| blocks().next(buffer), &mut buffer, lines_of);
                counted.inspect_err(|_| blocks().stop())
            }
            Source::Stripes(stripes) => {
                while let Some(mut blocks) = stripes.next()? {
                    self.count_blocks(|buffer| blocks.next(buffer), &mut buffer, lines_of)
                        .inspect_err(|_| stripes.stop())?;
                }
                Ok(())
            }
        }
    }

    fn count_blocks(
        &mut self,
        mut next: impl FnMut(&mut Vec<u8>) -> Result<Option<(u64, usize)>, Fault>,
        buffer: &mut Vec<u8>,
        lines_of: &mut Vec<(u64, u64)>,
    ) -> Result<(), Fault> {
        while let Some((number, len)) = next(buffer)? {
            lines_of.push(self.count_block(number, &buffer[..len])?);
        }
        Ok(())
    }
}

/// A plain file in stripes. A stripe has the lines that begin in it.
pub(super) struct Stripes<'a> {
    file: &'a File,
    len: u64,
    next: AtomicU64,
    width: u64,
}

impl<'a> Stripes<'a> {
    /// The blocks of the next stripe that nobody has.
    fn next(&self) -> Result<Option<Blocks<Part<&'a File>>>, Fault> {
        let stripe = self.next.fetch_add(1, Ordering::Relaxed);
        let from = stripe.saturating_mul(self.width);
        if from >= self.len {
            return Ok(None);
        }
        // There are never so many blocks in a stripe.
        let number = stripe << 32;
        let place = |at| {
            let found = line_from(self.file, self.len, at);
            found.map_err(|error| Fault::After(number, error))
        };
        let part = Part::new(self.file, place(from)?..place(from + self.width)?);
        Ok(Some(Blocks::new(part, Vec::new(), number)))
    }

    /// Nobody takes another one.
    fn stop(&self) {
        self.next.store(u64::MAX / 2, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use std::io::Write;

    #[test]
    fn stripes_have_every_line_once_wherever_they_are_cut() {
        let text = "a\n\nlonger than a stripe\nbb\n\n\nccc\nthe last one";
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(text.as_bytes()).unwrap();
        for width in 1..=text.len() as u64 + 1 {
            let stripes = Stripes {
                file: &file,
                len: text.len() as u64,
                next: AtomicU64::new(0),
                width,
            };
            let (mut all, mut buffer) = (String::new(), Vec::new());
            while let Some(mut blocks) = stripes.next().ok().unwrap() {
                while let Some((_, len)) = blocks.next(&mut buffer).ok().unwrap() {
                    let lines = std::str::from_utf8(&buffer[..len]).unwrap();
                    assert!(
                        lines.ends_with('\n') || lines.ends_with("last one"),
                        "{width}"
                    );
                    all += lines;
                }
            }
            assert_eq!(all, text, "{width}");
        }
    }
}
