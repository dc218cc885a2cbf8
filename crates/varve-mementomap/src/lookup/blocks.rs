//! A sorted file as a row of blocks, each read when it is first needed.
//!
//! A block holds the lines that begin in its part of the file, whole. Only so many blocks stay in
//! memory, so that any file can be searched; the first of each search are the same for all, and
//! stay. (The file is read at places and not mapped: a mapped file that somebody cuts short kills
//! the program.)

use crate::{MapError, Result};
use std::collections::{HashMap, VecDeque};
use std::fs::File;
use std::os::unix::fs::FileExt;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use varve_model::MAX_LINE;

/// How much of a file belongs to a block.
const BLOCK: u64 = 32 << 10;
/// How many blocks stay in memory: about 32 MiB.
const KEPT: usize = 1024;

/// The bytes of a map.
pub(super) enum Store {
    Memory(Vec<u8>),
    File(File),
}

impl Store {
    fn read_at(&self, buffer: &mut [u8], at: u64) -> std::io::Result<()> {
        match self {
            Store::File(file) => file.read_exact_at(buffer, at),
            Store::Memory(bytes) => {
                let at = at as usize;
                buffer.copy_from_slice(&bytes[at..at + buffer.len()]);
                Ok(())
            }
        }
    }

    fn len(&self) -> std::io::Result<u64> {
        match self {
            Store::File(file) => Ok(file.metadata()?.len()),
            Store::Memory(bytes) => Ok(bytes.len() as u64),
        }
    }
}

/// A file of a map: its lines from `start` on.
pub(super) struct Page {
    name: String,
    store: Store,
    start: u64,
    len: u64,
}

impl Page {
    /// The file behind its headers, which are read and given to `headers`.
    pub(super) fn new(name: String, store: Store, headers: &mut Vec<String>) -> Result<Page> {
        let named = |error| MapError::named(&name, error);
        let len = store.len().map_err(named)?;
        let mut start = 0;
        let mut text = Vec::new();
        loop {
            let held = text.len();
            let more = (len - start - held as u64).min(BLOCK) as usize;
            text.resize(held + more, 0);
            store
                .read_at(&mut text[held..], start + held as u64)
                .map_err(named)?;
            while text.first() == Some(&b'!')
                && let Some(end) = memchr::memchr(b'\n', &text)
            {
                headers.push(String::from_utf8_lossy(&text[..end]).trim_end().to_owned());
                text.drain(..=end);
                start += end as u64 + 1;
            }
            if text.first() != Some(&b'!') || more == 0 {
                break;
            }
            if start + text.len() as u64 > MAX_LINE as u64 {
                let reason = "more than 1 MiB of headers: this is no map".to_owned();
                return Err(MapError::Line {
                    name,
                    line: 1,
                    reason,
                });
            }
        }
        Ok(Page {
            name,
            store,
            start,
            len,
        })
    }

    pub(super) fn blocks(&self) -> u64 {
        (self.len - self.start).div_ceil(BLOCK)
    }

    /// The lines that begin in a block.
    fn read(&self, number: u64) -> Result<Block> {
        let named = |error| MapError::named(&self.name, error);
        let from = self.start + number * BLOCK;
        let end = (from + BLOCK).min(self.len);
        // One byte before, to see whether a line begins right here.
        let before = u64::from(number > 0);
        let mut text = vec![0; (end - from + before) as usize];
        self.store
            .read_at(&mut text, from - before)
            .map_err(named)?;
        let first = match number {
            0 => 0,
            _ => memchr::memchr(b'\n', &text).map_or(text.len(), |at| at + 1),
        };
        text.drain(..first);
        let at = from - before + first as u64;
        // The last line ends in a block that follows.
        let mut next = end;
        while !text.is_empty() && text.last() != Some(&b'\n') && next < self.len {
            if text.len() as u64 > BLOCK + MAX_LINE as u64 {
                return Err(self.fault(next, "longer than 1 MiB: this is no map"));
            }
            let held = text.len();
            let more = (self.len - next).min(4096) as usize;
            text.resize(held + more, 0);
            self.store.read_at(&mut text[held..], next).map_err(named)?;
            next += more as u64;
            if let Some(end) = memchr::memchr(b'\n', &text[held..]) {
                text.truncate(held + end + 1);
            }
        }
        let block = Block::new(text);
        match block.disorder() {
            Some(line) => Err(self.fault(at + u64::from(block.starts[line]), UNSORTED)),
            None => Ok(block),
        }
    }

    /// An error about the line at a place.
    fn fault(&self, place: u64, reason: &str) -> MapError {
        MapError::Line {
            name: self.name.clone(),
            line: self.line_number(place).unwrap_or_default(),
            reason: reason.to_owned(),
        }
    }

    fn line_number(&self, place: u64) -> Option<u64> {
        let mut portion = vec![0; BLOCK as usize];
        let (mut at, mut number) = (0, 1);
        while at < place {
            let length = (place - at).min(BLOCK) as usize;
            self.store.read_at(&mut portion[..length], at).ok()?;
            number += memchr::memchr_iter(b'\n', &portion[..length]).count() as u64;
            at += length as u64;
        }
        Some(number)
    }
}

const UNSORTED: &str = "comes after a greater key: not in the order of `LC_ALL=C sort`; `varve mementomap compact --sort --host-weight inf --path-weight inf` mends that";

/// Some lines that follow each other.
pub(super) struct Block {
    text: Vec<u8>,
    /// Where lines begin.
    starts: Vec<u32>,
}

impl Block {
    fn new(mut text: Vec<u8>) -> Block {
        if text.is_empty() {
            return Block {
                text,
                starts: Vec::new(),
            };
        }
        text.pop_if(|last| *last == b'\n');
        let breaks = memchr::memchr_iter(b'\n', &text).map(|at| at as u32 + 1);
        let starts = std::iter::once(0).chain(breaks).collect();
        Block { text, starts }
    }

    pub(super) fn len(&self) -> usize {
        self.starts.len()
    }

    pub(super) fn line(&self, number: usize) -> &[u8] {
        let end = match self.starts.get(number + 1) {
            Some(next) => *next as usize - 1,
            None => self.text.len(),
        };
        &self.text[self.starts[number] as usize..end]
    }

    pub(super) fn key(&self, number: usize) -> &[u8] {
        let line = self.line(number);
        &line[..memchr::memchr3(b' ', b'\t', b'\n', line).unwrap_or(line.len())]
    }

    /// The first line whose key is not less than `key`.
    pub(super) fn lower_bound(&self, key: &[u8]) -> usize {
        let (mut low, mut high) = (0, self.len());
        while low < high {
            let middle = (low + high) / 2;
            match self.key(middle) < key {
                true => low = middle + 1,
                false => high = middle,
            }
        }
        low
    }

    fn disorder(&self) -> Option<usize> {
        (1..self.len()).find(|number| self.key(number - 1) > self.key(*number))
    }
}

/// All files of a map as one row of blocks.
pub(super) struct Blocks {
    /// The files, each with the number of its first block.
    pages: Vec<(u64, Page)>,
    len: u64,
    /// The first key of each block that has been looked at; nothing for a block without one.
    firsts: Vec<OnceLock<Box<[u8]>>>,
    kept: Mutex<Kept>,
}

/// The blocks in memory.
#[derive(Default)]
struct Kept {
    blocks: HashMap<u64, Arc<Block>>,
    /// In the order in which they came.
    order: VecDeque<u64>,
}

impl Blocks {
    pub(super) fn new(pages: Vec<Page>) -> Blocks {
        let mut len = 0;
        let numbered = pages.into_iter().map(|page| {
            let first = len;
            len += page.blocks();
            (first, page)
        });
        let pages = numbered.collect();
        Blocks {
            pages,
            len,
            firsts: (0..len).map(|_| OnceLock::new()).collect(),
            kept: Mutex::default(),
        }
    }

    pub(super) fn len(&self) -> u64 {
        self.len
    }

    /// The first key of a block; nothing if no line begins in it.
    pub(super) fn first_key(&self, number: u64) -> Result<&[u8]> {
        let first = &self.firsts[number as usize];
        if let Some(key) = first.get() {
            return Ok(key);
        }
        let block = self.block(number)?;
        let key = if block.len() > 0 { block.key(0) } else { &[] };
        Ok(first.get_or_init(|| key.into()))
    }

    pub(super) fn block(&self, number: u64) -> Result<Arc<Block>> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(block) = kept.blocks.get(&number) {
            return Ok(block.clone());
        }
        let page = self.pages.partition_point(|(first, _)| *first <= number) - 1;
        let (first, page) = &self.pages[page];
        let block = Arc::new(page.read(number - first)?);
        if kept.order.len() == KEPT
            && let Some(oldest) = kept.order.pop_front()
        {
            kept.blocks.remove(&oldest);
        }
        kept.order.push_back(number);
        kept.blocks.insert(number, block.clone());
        Ok(block)
    }

    /// An error about a line.
    pub(super) fn fault(&self, number: u64, line: usize, reason: &str) -> MapError {
        let page = self.pages.partition_point(|(first, _)| *first <= number) - 1;
        let (first, page) = &self.pages[page];
        let before = match self.block(number) {
            Ok(block) => u64::from(block.starts[line]),
            Err(_) => 0,
        };
        page.fault(page.start + (number - first) * BLOCK + before, reason)
    }
}
