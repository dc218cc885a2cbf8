//! Sorting more keys than memory holds.
//!
//! A [`Sorter`] takes pairs of a key and a value in any order. Those that come in order, which most
//! do, are only copied; the rest is sorted. What is too much for memory goes to a scratch file as
//! *runs* in which a key is stored without what it shares with the one before it. [`merge`] gives
//! the pairs of any number of runs back in order.

mod merge;

pub(crate) use merge::merge;

use crate::compact::common_prefix;
use crate::header::is_page;
use crate::{MapError, Records, Result};
use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;

/// So much is held by one sorter.
const IN_MEMORY: usize = 16 << 20;

/// Pairs in order: in memory or in a part of a scratch file.
pub(crate) enum Run {
    Memory(Vec<u8>),
    File { file: Arc<File>, at: u64, len: u64 },
}

/// Puts pairs in order.
pub(crate) struct Sorter {
    limit: usize,
    text: Vec<u8>,
    /// Pairs that came in order.
    ordered: Vec<Pair>,
    /// Pairs that came late.
    late: Vec<Pair>,
    scratch: Option<(Arc<File>, u64)>,
    runs: Vec<Run>,
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

impl Sorter {
    pub(crate) fn new() -> Sorter {
        Sorter::holding(IN_MEMORY)
    }

    fn holding(limit: usize) -> Sorter {
        Sorter {
            limit,
            text: Vec::new(),
            ordered: Vec::new(),
            late: Vec::new(),
            scratch: None,
            runs: Vec::new(),
        }
    }

    pub(crate) fn push(&mut self, key: &[u8], value: &[u8]) -> Result<()> {
        let held = self.ordered.len() + self.late.len();
        let size = self.text.len() + held * size_of::<Pair>();
        if held > 0 && size + key.len() + value.len() > self.limit {
            self.spill()?;
        }
        let pair = Pair {
            at: self.text.len() as u32,
            key: key.len() as u32,
            value: value.len() as u32,
        };
        let last = self.ordered.last().map(|last| last.key(&self.text));
        let in_order = last.is_none_or(|last| last <= key);
        self.text.extend_from_slice(key);
        self.text.extend_from_slice(value);
        match in_order {
            true => self.ordered.push(pair),
            false => self.late.push(pair),
        }
        Ok(())
    }

    /// All pairs, as runs.
    pub(crate) fn finish(mut self) -> Vec<Run> {
        if !self.text.is_empty() {
            let mut run = Vec::with_capacity(self.text.len() / 2);
            self.encode(&mut run);
            self.runs.push(Run::Memory(run));
        }
        self.runs
    }

    fn spill(&mut self) -> Result<()> {
        let mut run = Vec::with_capacity(self.text.len() / 2);
        self.encode(&mut run);
        let (file, at) = match &mut self.scratch {
            Some(scratch) => scratch,
            none => {
                let file = tempfile::tempfile().map_err(MapError::scratch)?;
                none.insert((Arc::new(file), 0))
            }
        };
        (&**file).write_all(&run).map_err(MapError::scratch)?;
        self.runs.push(Run::File {
            file: file.clone(),
            at: *at,
            len: run.len() as u64,
        });
        *at += run.len() as u64;
        Ok(())
    }

    /// Appends all pairs in order to a run, and forgets them.
    fn encode(&mut self, run: &mut Vec<u8>) {
        let text = &self.text;
        // Stable: what came first stays first.
        self.late
            .sort_by(|one, other| one.key(text).cmp(other.key(text)));
        let (mut ordered, mut late) = (self.ordered.iter().peekable(), self.late.iter().peekable());
        let mut last: &[u8] = &[];
        loop {
            let pair = match (ordered.peek(), late.peek()) {
                (Some(one), Some(other)) if other.key(text) < one.key(text) => late.next(),
                (Some(_), _) => ordered.next(),
                _ => late.next(),
            };
            let Some(pair) = pair else {
                break;
            };
            let key = pair.key(text);
            let shared = common_prefix(last, key);
            push_varint(run, shared as u64);
            push_varint(run, (key.len() - shared) as u64);
            push_varint(run, u64::from(pair.value));
            run.extend_from_slice(&key[shared..]);
            run.extend_from_slice(pair.value(text));
            last = key;
        }
        self.text.clear();
        self.ordered.clear();
        self.late.clear();
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

/// Appends a number in as few bytes as it needs.
pub(crate) fn push_varint(out: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// A number at the beginning of some bytes, and how many it takes.
pub(crate) fn varint(bytes: &[u8]) -> Option<(u64, usize)> {
    let mut number = 0;
    for (at, byte) in bytes.iter().take(10).enumerate() {
        number |= u64::from(byte & 0x7f) << (7 * at);
        if byte & 0x80 == 0 {
            return Some((number, at + 1));
        }
    }
    None
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
            expected.sort();
            found.sort();
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

    #[test]
    fn numbers_take_few_bytes() {
        for number in [0, 1, 127, 128, 300, u64::from(u32::MAX), u64::MAX] {
            let mut bytes = Vec::new();
            push_varint(&mut bytes, number);
            assert_eq!(varint(&bytes), Some((number, bytes.len())));
        }
        assert_eq!(varint(&[0x80]), None);
    }
}
