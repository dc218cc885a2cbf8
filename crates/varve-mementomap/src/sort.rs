//! Sorting more keys than memory holds.
//!
//! A [`Sorter`] takes pairs of a key and a value in any order. Those that come in order, which most
//! do, make one long *run*, in which a key is stored without what it shares with the one before it;
//! those that come late are sorted, and make runs of their own. What is too much for memory goes
//! to scratch files. [`merge`] gives the pairs of any number of runs back in order.

mod merge;
mod run;

pub(crate) use merge::merge;
pub(crate) use run::{Run, push_varint, varint};

use crate::header::is_page;
use crate::{MapError, Records, Result};
use run::{Packed, Scratch};
use std::io::Write;
use std::path::Path;

/// So much is held by one sorter.
const IN_MEMORY: usize = 16 << 20;

/// Puts pairs in order.
pub(crate) struct Sorter {
    limit: usize,
    /// Pairs that came in order, as far as they are in memory.
    ordered: Packed,
    /// Those of the same run that are not.
    ordered_before: Scratch,
    late: Late,
    late_before: Scratch,
    runs: Vec<Run>,
    /// How many runs were closed when the one that is open began.
    closed: usize,
    /// Whether the pair given last is the last of those in order.
    in_order: bool,
}

impl Sorter {
    pub(crate) fn new() -> Sorter {
        Sorter::holding(IN_MEMORY)
    }

    fn holding(limit: usize) -> Sorter {
        Sorter {
            limit,
            ordered: Packed::holding(limit),
            ordered_before: Scratch::default(),
            late: Late::default(),
            late_before: Scratch::default(),
            runs: Vec::new(),
            closed: 0,
            in_order: false,
        }
    }

    pub(crate) fn push(&mut self, key: &[u8], value: &[u8]) -> Result<()> {
        self.in_order = false;
        self.push_sharing(key, value, 0)
    }

    /// Takes a pair whose key shares so much with the key given last.
    #[inline]
    pub(crate) fn push_sharing(&mut self, key: &[u8], value: &[u8], shared: usize) -> Result<()> {
        let held = self.ordered.bytes.len() + self.late.size();
        if held > 0 && held + key.len() + value.len() > self.limit {
            self.spill()?;
        }
        self.in_order = match self.in_order {
            true => self.ordered.push_sharing(key, value, shared),
            false => self.ordered.push(key, value),
        };
        if !self.in_order {
            self.late.push(key, value);
        }
        Ok(())
    }

    /// All pairs, as runs. Of equal keys, the one that came first is in the first run or comes first
    /// in the same.
    pub(crate) fn finish(mut self) -> Vec<Run> {
        self.close();
        if !self.late.pairs.is_empty() {
            self.runs.push(Run::in_memory(self.late.packed()));
        }
        self.runs
    }

    /// Frees memory. The run of those that come in order goes on, unless few do.
    fn spill(&mut self) -> Result<()> {
        self.in_order = false;
        let mostly_late = self.late.size() > self.ordered.bytes.len();
        self.ordered_before.append(&self.ordered.bytes)?;
        self.ordered.bytes.clear();
        if mostly_late {
            self.close();
        }
        if !self.late.pairs.is_empty() {
            self.late_before.append(&self.late.packed())?;
            self.runs.extend(self.late_before.take_run());
        }
        if mostly_late {
            self.closed = self.runs.len();
        }
        Ok(())
    }

    /// Ends the run of those that came in order.
    fn close(&mut self) {
        let ordered = std::mem::take(&mut self.ordered);
        let run = match self.ordered_before.take_run() {
            Some(run) => run.followed_by(ordered.bytes),
            None if ordered.bytes.is_empty() => return,
            None => Run::in_memory(ordered.bytes),
        };
        // Whatever came late came after what is equal here.
        self.runs.insert(self.closed, run);
    }
}

/// Pairs that came late.
#[derive(Default)]
struct Late {
    text: Vec<u8>,
    pairs: Vec<Pair>,
}

/// Where a key and, behind it, its value are in the text.
#[derive(Clone, Copy)]
struct Pair {
    at: u32,
    key: u32,
    value: u32,
}

impl Pair {
    fn key(self, text: &[u8]) -> &[u8] {
        &text[self.at as usize..][..self.key as usize]
    }

    fn value(self, text: &[u8]) -> &[u8] {
        &text[(self.at + self.key) as usize..][..self.value as usize]
    }
}

impl Late {
    fn size(&self) -> usize {
        self.text.len() + self.pairs.len() * size_of::<Pair>()
    }

    fn push(&mut self, key: &[u8], value: &[u8]) {
        self.pairs.push(Pair {
            at: self.text.len() as u32,
            key: key.len() as u32,
            value: value.len() as u32,
        });
        self.text.extend_from_slice(key);
        self.text.extend_from_slice(value);
    }

    /// All of them in order; nothing is left. What came first stays first.
    fn packed(&mut self) -> Vec<u8> {
        let text = &self.text;
        self.pairs
            .sort_by(|one, other| one.key(text).cmp(other.key(text)));
        let mut packed = Packed::default();
        for pair in self.pairs.drain(..) {
            packed.push(pair.key(text), pair.value(text));
        }
        self.text.clear();
        packed.bytes
    }
}

/// Writes a map with its headers, its lines in order. Equal keys stay apart.
pub fn sort_map(path: &Path, mut out: impl Write) -> Result<()> {
    let output = |error| MapError::named("the output", error);
    let mut records = Records::open(path)?;
    let headers = records.headers().to_vec();
    let mut sorter = Sorter::new();
    let mut rest = Vec::new();
    while let Some(record) = records.next_record()? {
        rest.clear();
        record.write(&mut rest);
        sorter.push(record.key, &rest[record.key.len()..])?;
    }
    for header in headers.iter().filter(|header| !is_page(header)) {
        writeln!(out, "{header}").map_err(output)?;
    }
    let mut merged = merge(sorter.finish())?;
    let mut out = std::io::BufWriter::new(out);
    while let Some((key, rest)) = merged.next_pair()? {
        out.write_all(key)
            .and_then(|()| out.write_all(rest))
            .map_err(output)?;
    }
    out.flush().map_err(output)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use proptest::prelude::*;

    fn sorted(pairs: &[(String, u8)], sorters: usize, limit: usize) -> Vec<(String, u8)> {
        let mut all: Vec<Sorter> = (0..sorters).map(|_| Sorter::holding(limit)).collect();
        for (number, (key, value)) in pairs.iter().enumerate() {
            all[number % sorters]
                .push(key.as_bytes(), &[*value])
                .unwrap();
        }
        let mut merged = merge(all.into_iter().flat_map(Sorter::finish).collect()).unwrap();
        let mut result = Vec::new();
        while let Some((key, value)) = merged.next_pair().unwrap() {
            result.push((String::from_utf8(key.to_vec()).unwrap(), value[0]));
        }
        result
    }

    proptest! {
        #[test]
        fn pairs_come_back_in_order_whatever_is_held_in_memory(
            pairs in proptest::collection::vec(("[a-c,)/-]{0,12}", any::<u8>()), 0..200),
            sorters in 1usize..4,
            limit in 1usize..3000,
        ) {
            let mut expected = pairs.clone();
            let mut found = sorted(&pairs, sorters, limit);
            prop_assert!(found.is_sorted_by_key(|(key, _)| key.clone()));
            // By one sorter, what is equal stays in the order in which it came.
            if sorters == 1 {
                expected.sort_by(|one, other| one.0.cmp(&other.0));
            } else {
                expected.sort();
                found.sort();
            }
            prop_assert_eq!(found, expected);
        }
    }

    #[test]
    fn maps_are_sorted_with_all_that_their_lines_say() {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(
            file.path(),
            "!meta {}\ncom,b) 1/1 {\"a\": 2}\ncom,a) 3\ncom,b) 4\n",
        )
        .unwrap();
        let mut out = Vec::new();
        sort_map(file.path(), &mut out).unwrap();
        assert_eq!(
            String::from_utf8(out).unwrap(),
            "!meta {}\ncom,a) 3\ncom,b) 1/1 {\"a\": 2}\ncom,b) 4\n"
        );
    }
}
