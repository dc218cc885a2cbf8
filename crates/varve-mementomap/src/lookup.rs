//! Asking a map: the most specific key that speaks for a URL.
//!
//! A map is searched where it lies, by bisection. One search finds the neighbours of a key, and
//! they tell which wildcards can be there at all: what begins like the key stands together. So most
//! questions that nothing speaks for cost one search, and not one for each wildcard.

mod blocks;

use crate::compact::common_prefix;
use crate::header::next_page;
use crate::key::speakers;
use crate::{Frequency, Input, KeyFilter, MapError, Record, Result, is_wildcard};
use blocks::{Block, Blocks, Page, Store};
use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The most files that one map may be in.
pub(crate) const MAX_PAGES: usize = 10_000;
/// What is larger than this when it is unpacked is searched in a scratch file.
const IN_MEMORY: u64 = 64 << 20;

/// What a map says about a URL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The key that speaks for it.
    pub key: String,
    /// How much is held under that key.
    pub frequency: Frequency,
    /// How many more specific keys would have been preferred.
    pub distance: usize,
}

impl Answer {
    /// Whether the archive may hold the URL.
    pub fn may_be_held(&self) -> bool {
        !self.frequency.is_none()
    }
}

/// A map that can be asked. Threads may share it.
pub struct Map {
    headers: Vec<String>,
    blocks: Blocks,
}

/// Where a line is.
#[derive(Clone, Copy)]
struct Place {
    block: u64,
    line: usize,
}

impl Map {
    /// Opens a map and the pages that follow it. One that is compressed, or that comes from
    /// standard input (`-`), is unpacked first.
    pub fn open(path: &Path) -> Result<Map> {
        let mut headers = Vec::new();
        let mut pages = vec![Page::new(
            path.display().to_string(),
            store(path)?,
            &mut headers,
        )?];
        let mut next = headers.iter().find_map(|header| next_page(header));
        while let Some(name) = next {
            let page = page_beside(path, &name, MAX_PAGES - pages.len())?;
            let mut its_headers = Vec::new();
            let store = store(&page)?;
            pages.push(Page::new(
                page.display().to_string(),
                store,
                &mut its_headers,
            )?);
            next = its_headers.iter().find_map(|header| next_page(header));
        }
        let blocks = Blocks::new(pages);
        Ok(Map { headers, blocks })
    }

    /// A map in memory; `name` is what errors call it.
    pub fn from_bytes(name: &str, bytes: Vec<u8>) -> Result<Map> {
        let mut headers = Vec::new();
        let page = Page::new(name.to_owned(), Store::Memory(bytes), &mut headers)?;
        let blocks = Blocks::new(vec![page]);
        Ok(Map { headers, blocks })
    }

    /// The headers, as they stand.
    pub fn headers(&self) -> &[String] {
        &self.headers
    }

    /// Whether it is in several files.
    pub(crate) fn in_pages(&self) -> bool {
        self.headers
            .iter()
            .any(|header| next_page(header).is_some())
    }

    /// What speaks for a key; `None` if nothing does, and so nothing is held.
    pub fn answer(&self, key: &str) -> Result<Option<Answer>> {
        let key = key.as_bytes();
        let place = self.lower_bound(key)?;
        let shared = self.shared_with_neighbours(key, place)?;
        let mut distance = 0;
        let mut buffer = Vec::with_capacity(key.len() + 2);
        let found = speakers(key, &mut buffer, |speaker, needed| {
            let found = match distance {
                0 => self.exactly(key, place).transpose(),
                _ if needed > shared => None,
                _ => self.find(speaker).transpose(),
            };
            distance += 1;
            found
        });
        let Some((key, frequency)) = found.transpose()? else {
            return Ok(None);
        };
        Ok(Some(Answer {
            key,
            frequency,
            distance: distance - 1,
        }))
    }

    /// What speaks for a key, and whether it may be held, also by the word of the map's filter.
    pub fn ask(&self, key: &str, filter: Option<&KeyFilter>) -> Result<(Option<Answer>, bool)> {
        let answer = self.answer(key)?;
        let may_be_held = answer.as_ref().is_some_and(|answer| {
            let below_wildcard = is_wildcard(answer.key.as_bytes());
            let refuted =
                filter.is_some_and(|filter| below_wildcard && !filter.may_contain(key.as_bytes()));
            answer.may_be_held() && !refuted
        });
        Ok((answer, may_be_held))
    }

    /// Whether anything that begins with `prefix` is held.
    pub(crate) fn holds_below(&self, prefix: &[u8]) -> Result<bool> {
        let mut place = self.lower_bound(prefix)?;
        while let Some((block, line)) = self.at(place)? {
            if !block.key(line).starts_with(prefix) {
                break;
            }
            if !self.record(&block, place, line)?.1.is_none() {
                return Ok(true);
            }
            place.line += 1;
        }
        Ok(false)
    }

    /// The line of the key itself. The root of a site may be written with a slash.
    fn exactly(&self, key: &[u8], place: Place) -> Result<Option<(String, Frequency)>> {
        if let Some((block, line)) = self.at(place)?
            && block.key(line) == key
        {
            return self.record(&block, place, line).map(Some);
        }
        match key.ends_with(b")") {
            true => self.find(&[key, b"/"].concat()),
            false => Ok(None),
        }
    }

    fn find(&self, key: &[u8]) -> Result<Option<(String, Frequency)>> {
        let place = self.lower_bound(key)?;
        match self.at(place)? {
            Some((block, line)) if block.key(line) == key => {
                self.record(&block, place, line).map(Some)
            }
            _ => Ok(None),
        }
    }

    fn record(&self, block: &Block, place: Place, line: usize) -> Result<(String, Frequency)> {
        match Record::parse(block.line(line)) {
            Ok(record) => {
                let key = String::from_utf8_lossy(block.key(line)).into_owned();
                Ok((key, record.frequency))
            }
            Err(reason) => Err(self.blocks.fault(place.block, line, reason)),
        }
    }

    /// The first line whose key is not less than `key`.
    fn lower_bound(&self, key: &[u8]) -> Result<Place> {
        // The last block whose first key is less than the key.
        let (mut low, mut high) = (0, self.blocks.len());
        while low + 1 < high {
            let middle = (low + high) / 2;
            // A block within one long line has none; the next one that has speaks for it.
            let mut seen = middle;
            while self.blocks.first_key(seen)?.is_empty() && seen + 1 < high {
                seen += 1;
            }
            let first = self.blocks.first_key(seen)?;
            match !first.is_empty() && first < key {
                true => low = seen,
                false => high = middle,
            }
        }
        let line = match self.blocks.len() {
            0 => 0,
            _ => self.blocks.block(low)?.lower_bound(key),
        };
        Ok(Place { block: low, line })
    }

    /// The line at a place, or the next one if its block has no such line.
    fn at(&self, mut place: Place) -> Result<Option<(Arc<Block>, usize)>> {
        while place.block < self.blocks.len() {
            let block = self.blocks.block(place.block)?;
            if place.line < block.len() {
                return Ok(Some((block, place.line)));
            }
            place.line -= block.len();
            place.block += 1;
        }
        Ok(None)
    }

    /// How much of a key its neighbours begin with.
    fn shared_with_neighbours(&self, key: &[u8], place: Place) -> Result<usize> {
        let after = match self.at(place)? {
            Some((block, line)) => common_prefix(block.key(line), key),
            None => 0,
        };
        // The block was chosen so that the line before is in it, unless there is none.
        let before = match place.line.checked_sub(1) {
            Some(line) => {
                let block = self.blocks.block(place.block)?;
                common_prefix(block.key(line), key)
            }
            None => 0,
        };
        Ok(after.max(before))
    }
}

/// The file of the next page, which must be beside the one that names it; `left` may follow.
pub(crate) fn page_beside(path: &Path, name: &str, left: usize) -> Result<PathBuf> {
    if name.contains('/') || name.starts_with('.') || left == 0 {
        let text = format!("{}: \"{name}\" cannot be its next page", path.display());
        return Err(MapError::Request(text));
    }
    Ok(path.with_file_name(name))
}

/// The bytes of a file, unpacked.
fn store(path: &Path) -> Result<Store> {
    let named = |error| MapError::io(path, error);
    if path != Path::new("-") {
        let mut file = File::open(path).map_err(named)?;
        let mut start = Vec::new();
        let head = Read::by_ref(&mut file).take(4).read_to_end(&mut start);
        head.map_err(named)?;
        if !Input::is_packed(&start) && file.metadata().map_err(named)?.is_file() {
            return Ok(Store::File(file));
        }
    }
    let mut input = Input::open(path)?;
    let mut bytes = Vec::new();
    let mut start = Read::take(input.reader(), IN_MEMORY);
    start.read_to_end(&mut bytes).map_err(named)?;
    if (bytes.len() as u64) < IN_MEMORY {
        return Ok(Store::Memory(bytes));
    }
    let mut file = tempfile::tempfile().map_err(MapError::scratch)?;
    file.write_all(&bytes).map_err(MapError::scratch)?;
    std::io::copy(&mut input.reader(), &mut file).map_err(named)?;
    file.seek(SeekFrom::Start(0)).map_err(MapError::scratch)?;
    Ok(Store::File(file))
}

#[cfg(test)]
mod tests;
