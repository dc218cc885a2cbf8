//! A sorted file as a row of blocks, each read when it is first needed.
//!
//! A block holds the lines that begin in its part of the file, whole. Only so many blocks stay in
//! memory, so that any file can be searched; the first of each search are the same for all, and
//! stay. (The file is read at places and not mapped: a mapped file that somebody cuts short kills
//! the program.)

use super::block::Block;
use crate::{MapError, Result};
use std::collections::VecDeque;
use std::fs::File;
use std::os::unix::fs::FileExt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use varve_model::MAX_LINE;

/// How much of a file belongs to a block: little, since a look-up reads one for a few lines of it.
const BLOCK: u64 = 4 << 10;
/// So much is read behind a block, where its last line ends: few lines are longer.
const REST: u64 = 512;
/// How many blocks stay in memory: about 32 MiB.
const KEPT: usize = 8 << 10;

/// What is read at once where all of a file is read.
const PORTION: u64 = 32 << 10;

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
            let more = (len - start - held as u64).min(PORTION) as usize;
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

    /// The lines that begin in a block, which must be in order unless that is known.
    fn read(&self, number: u64, is_in_order: bool) -> Result<Block> {
        let named = |error| MapError::named(&self.name, error);
        let from = self.start + number * BLOCK;
        let end = (from + BLOCK).min(self.len);
        // One byte before, to see whether a line begins right here; and behind it, most likely,
        // the rest of the last line.
        let base = from - u64::from(number > 0);
        let mut text = vec![0; ((end + REST).min(self.len) - base) as usize];
        self.store.read_at(&mut text, base).map_err(named)?;
        let inside = (end - base) as usize;
        let first = match number {
            0 => 0,
            _ => memchr::memchr(b'\n', &text[..inside]).map_or(inside, |at| at + 1),
        };
        if first == inside {
            text.truncate(first);
        } else {
            self.end_lines(&mut text, inside, base)?;
        }
        let block = Block::new(base, text, first);
        let disorder = if is_in_order { None } else { block.disorder() };
        match disorder {
            Some(line) => Err(self.fault(block.place(line), UNSORTED)),
            None => Ok(block),
        }
    }

    /// Cuts a text, which is at `base`, behind the last of the lines that begin before `inside`;
    /// reads more if it ends beyond the text.
    fn end_lines(&self, text: &mut Vec<u8>, inside: usize, base: u64) -> Result<()> {
        // The break of that line is the first one from here on.
        let mut seen = inside - 1;
        loop {
            if let Some(at) = memchr::memchr(b'\n', &text[seen..]) {
                text.truncate(seen + at + 1);
                return Ok(());
            }
            seen = text.len();
            let next = base + seen as u64;
            if next == self.len {
                return Ok(());
            }
            if seen as u64 > BLOCK + MAX_LINE as u64 {
                return Err(self.fault(next, "longer than 1 MiB: this is no map"));
            }
            text.resize(seen + (self.len - next).min(BLOCK) as usize, 0);
            let read = self.store.read_at(&mut text[seen..], next);
            read.map_err(|error| MapError::named(&self.name, error))?;
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
        let mut portion = vec![0; PORTION as usize];
        let (mut at, mut number) = (0, 1);
        while at < place {
            let length = (place - at).min(PORTION) as usize;
            self.store.read_at(&mut portion[..length], at).ok()?;
            number += memchr::memchr_iter(b'\n', &portion[..length]).count() as u64;
            at += length as u64;
        }
        Some(number)
    }
}

const UNSORTED: &str = "comes after a greater key: not in the order of `LC_ALL=C sort`; `varve mementomap compact --sort --host-weight inf --path-weight inf` mends that";

/// All files of a map as one row of blocks.
pub(super) struct Blocks {
    /// The files, each with the number of its first block.
    pages: Vec<(u64, Page)>,
    len: u64,
    /// The first key of each block that has been looked at; nothing for a block without one.
    firsts: Vec<OnceLock<Box<[u8]>>>,
    /// The blocks that were in order when they were read before.
    in_order: Vec<AtomicBool>,
    kept: Mutex<Kept>,
}

/// The blocks in memory.
struct Kept {
    /// Each at its number: every look-up asks for some, so they are not searched for.
    blocks: Vec<Option<Arc<Block>>>,
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
            in_order: (0..len).map(|_| AtomicBool::new(false)).collect(),
            kept: Mutex::new(Kept {
                blocks: vec![None; len as usize],
                order: VecDeque::new(),
            }),
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
        let key = match block.has(block.first()) {
            true => block.key(block.first()),
            false => &[],
        };
        Ok(first.get_or_init(|| key.into()))
    }

    pub(super) fn block(&self, number: u64) -> Result<Arc<Block>> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(block) = &kept.blocks[number as usize] {
            return Ok(block.clone());
        }
        let (first, page) = self.page(number);
        let in_order = &self.in_order[number as usize];
        let block = page.read(number - first, in_order.load(Ordering::Relaxed))?;
        in_order.store(true, Ordering::Relaxed);
        let block = Arc::new(block);
        if kept.order.len() == KEPT
            && let Some(oldest) = kept.order.pop_front()
        {
            kept.blocks[oldest as usize] = None;
        }
        kept.order.push_back(number);
        kept.blocks[number as usize] = Some(block.clone());
        Ok(block)
    }

    /// An error about a line of a block.
    pub(super) fn fault(&self, number: u64, block: &Block, line: usize, reason: &str) -> MapError {
        self.page(number).1.fault(block.place(line), reason)
    }

    /// The file that a block is in, and the number of its first block.
    fn page(&self, number: u64) -> &(u64, Page) {
        let page = self.pages.partition_point(|(first, _)| *first <= number) - 1;
        &self.pages[page]
    }
}
