//! Blocks: some hundred lines, compressed together.

use super::idx::BlockPlace;
use super::parts::Part;
use crate::fs::read_full_at;
use crate::{Result, StoreError};
use flate2::bufread::MultiGzDecoder;
use std::collections::VecDeque;
use std::io::Read;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use varve_model::Digest;

/// The most that a block may be, compressed or inflated. Usual ones inflate to 300 KiB.
const MAX_BLOCK: u64 = 64 << 20;

/// What the blocks that are kept may take together.
const CACHE_BYTES: usize = 2 << 20;

/// An inflated block.
#[derive(Debug, Default)]
pub(super) struct Block {
    /// Lines, each with its line break except perhaps the last.
    pub(super) text: Vec<u8>,
}

impl Block {
    /// Reads, checks and inflates the block at a place.
    pub(super) fn read(part: &Part, place: &BlockPlace) -> Result<Block> {
        let compressed = read_compressed(part, place)?;
        let checked = check_digest(&compressed, place.digest.as_deref());
        let text = checked.and_then(|()| inflate(&compressed));
        match text {
            Ok(text) => Ok(Block { text }),
            Err(reason) => Err(fault(part, place, &reason)),
        }
    }
}

fn read_compressed(part: &Part, place: &BlockPlace) -> Result<Vec<u8>> {
    let ends_inside = place
        .offset
        .checked_add(place.length)
        .is_some_and(|end| end <= part.len);
    if place.length == 0 || place.length > MAX_BLOCK || !ends_inside {
        let (length, len) = (place.length, part.len);
        let reason = format!("its length of {length} cannot be, in a file of {len} bytes");
        return Err(fault(part, place, &reason));
    }
    let mut compressed = vec![0; place.length as usize];
    let read = read_full_at(part.file.as_ref(), &mut compressed, place.offset);
    let read = read.map_err(StoreError::io(&part.path, "read"))?;
    match read == compressed.len() {
        true => Ok(compressed),
        false => Err(fault(
            part,
            place,
            "the file was cut short while it was open",
        )),
    }
}

/// Compares the compressed bytes with the digest in the idx; one of an algorithm that is not known
/// is not ours to judge.
fn check_digest(compressed: &[u8], digest: Option<&str>) -> Result<(), String> {
    let Some(text) = digest else {
        return Ok(());
    };
    match Digest::parse(text) {
        Some(digest) if Digest::of(digest.algorithm(), compressed) == digest => Ok(()),
        None if !text.starts_with("sha") => Ok(()),
        _ => Err("its digest is not the one in the idx".to_owned()),
    }
}

fn inflate(compressed: &[u8]) -> Result<Vec<u8>, String> {
    let mut text = Vec::with_capacity((compressed.len() * 8).min(1 << 20));
    let mut lines = MultiGzDecoder::new(compressed).take(MAX_BLOCK + 1);
    let inflated = lines.read_to_end(&mut text);
    inflated.map_err(|error| format!("it cannot be inflated: {error}"))?;
    match text.len() as u64 > MAX_BLOCK {
        true => Err("it inflates to more than 64 MiB".to_owned()),
        false => {
            text.shrink_to_fit();
            Ok(text)
        }
    }
}

/// An error about a block.
pub(super) fn fault(part: &Part, place: &BlockPlace, reason: &str) -> StoreError {
    let words = String::from_utf8_lossy(&place.words);
    let offset = place.offset;
    let reason = format!("offset {offset}: the block that starts with {words:?}: {reason}");
    StoreError::invalid(&part.path, reason)
}

/// The blocks used last.
#[derive(Debug, Default)]
pub(super) struct BlockCache(Mutex<VecDeque<Kept>>);

#[derive(Debug)]
struct Kept {
    path: PathBuf,
    offset: u64,
    block: Arc<Block>,
}

impl BlockCache {
    /// A block that is kept, if it is.
    pub(super) fn get(&self, part: &Part, offset: u64) -> Option<Arc<Block>> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let is_it = |kept: &Kept| kept.offset == offset && kept.path == part.path;
        let found = kept.iter().position(is_it)?;
        let used = kept.remove(found)?;
        let block = used.block.clone();
        kept.push_front(used);
        Some(block)
    }

    /// Keeps a block, and forgets those used longest ago.
    pub(super) fn put(&self, part: &Part, offset: u64, block: &Arc<Block>) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.push_front(Kept {
            path: part.path.clone(),
            offset,
            block: block.clone(),
        });
        let mut bytes = 0;
        kept.retain(|kept| {
            bytes += kept.block.text.capacity() + size_of::<Kept>();
            bytes <= CACHE_BYTES
        });
    }
}
