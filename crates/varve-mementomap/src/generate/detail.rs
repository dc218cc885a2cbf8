//! Writing a map in full detail, in which nothing rolls up.

use crate::{Compacted, Frequency, MapError, Result};
use std::io::Write;

/// Lines go on in portions of this size.
const PORTION: usize = 256 << 10;

/// Takes keys in order, the same perhaps several times, and writes a line for each.
pub(super) struct Detail<W> {
    out: W,
    /// Lines that wait; the last has no frequency yet.
    text: Vec<u8>,
    /// Where the last key begins.
    key: usize,
    frequency: Option<Frequency>,
    written: Compacted,
}

impl<W: Write> Detail<W> {
    pub(super) fn new(out: W) -> Detail<W> {
        Detail {
            out,
            text: Vec::with_capacity(2 * PORTION),
            key: 0,
            frequency: None,
            written: Compacted::default(),
        }
    }

    #[inline]
    pub(super) fn push(&mut self, key: &[u8], frequency: Frequency) -> Result<()> {
        if let Some(sum) = &mut self.frequency {
            if self.text[self.key..] == *key {
                *sum = sum.plus(frequency);
                return Ok(());
            }
            self.end_line()?;
        }
        self.key = self.text.len();
        self.text.extend_from_slice(key);
        self.frequency = Some(frequency);
        Ok(())
    }

    pub(super) fn finish(mut self) -> Result<Compacted> {
        self.end_line()?;
        self.pass_on()?;
        self.out.flush().map_err(output)?;
        Ok(self.written)
    }

    fn end_line(&mut self) -> Result<()> {
        let Some(frequency) = self.frequency.take() else {
            return Ok(());
        };
        self.text.push(b' ');
        frequency.write(&mut self.text);
        self.text.push(b'\n');
        self.written.keys += 1;
        self.written.lines += 1;
        match self.text.len() < PORTION {
            true => Ok(()),
            false => self.pass_on(),
        }
    }

    fn pass_on(&mut self) -> Result<()> {
        self.written.bytes += self.text.len() as u64;
        self.out.write_all(&self.text).map_err(output)?;
        self.text.clear();
        Ok(())
    }
}

fn output(error: std::io::Error) -> MapError {
    MapError::named("the output", error)
}
