//! Asking a map: the most specific key that speaks for a URL.
//!
//! A map is searched where it lies, by bisection. One search finds the neighbours of a key, and
//! they tell which wildcards can be there at all: what begins like the key stands together. So most
//! questions that nothing speaks for cost one search, and not one for each wildcard.

mod block;
mod blocks;
mod tops;

use crate::bytes::common_prefix;
use crate::header::next_page;
use crate::key::speakers;
use crate::{Frequency, Input, KeyFilter, MapError, Record, Result, is_wildcard};
use block::Block;
use blocks::{Blocks, Page, Store};
use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tops::{Said, Tops};

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
    tops: Tops,
}

/// Where a line is: in which block, and where it begins there.
struct Place {
    number: u64,
    block: Arc<Block>,
    line: usize,
}

impl Place {
    fn key(&self) -> &[u8] {
        self.block.key(self.line)
    }
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
        Ok(Map::of(headers, pages))
    }

    /// A map in memory; `name` is what errors call it.
    pub fn from_bytes(name: &str, bytes: Vec<u8>) -> Result<Map> {
        let mut headers = Vec::new();
        let page = Page::new(name.to_owned(), Store::Memory(bytes), &mut headers)?;
        Ok(Map::of(headers, vec![page]))
    }

    fn of(headers: Vec<String>, pages: Vec<Page>) -> Map {
        Map {
            headers,
            blocks: Blocks::new(pages),
            tops: Tops::default(),
        }
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
        let Some(place) = self.lower_bound(key)? else {
            return Ok(None);
        };
        // How much of the key its neighbours begin with. The line before is in the same block,
        // unless there is none.
        let before = place.block.before(place.line);
        let before = before.map_or(0, |line| common_prefix(place.block.key(line), key));
        let place = self.onward(place)?;
        let after = place.as_ref().map_or(0, |at| common_prefix(at.key(), key));
        let shared = before.max(after);
        let mut distance = 0;
        let mut buffer = Vec::with_capacity(key.len() + 2);
        let found = speakers(key, &mut buffer, |speaker, needed| {
            let found = match distance {
                0 => self.exactly(key, place.as_ref()).transpose(),
                _ if needed > shared => None,
                _ => {
                    let said = self.tops.said(speaker, || self.find(speaker));
                    said.transpose()
                }
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
        let mut next = self.lower_bound(prefix)?;
        while let Some(place) = next {
            let Some(mut place) = self.onward(place)? else {
                break;
            };
            if !place.key().starts_with(prefix) {
                break;
            }
            if !self.record(&place)?.1.is_none() {
                return Ok(true);
            }
            place.line = place.block.after(place.line);
            next = Some(place);
        }
        Ok(false)
    }

    /// The line of the key itself, which is at `place` if it is there. The root of a site may be
    /// written with a slash.
    fn exactly(&self, key: &[u8], place: Option<&Place>) -> Result<Said> {
        match place.filter(|place| place.key() == key) {
            Some(place) => self.record(place).map(Some),
            None if key.ends_with(b")") => self.find(&[key, b"/"].concat()),
            None => Ok(None),
        }
    }

    fn find(&self, key: &[u8]) -> Result<Said> {
        let place = match self.lower_bound(key)? {
            Some(place) => self.onward(place)?,
            None => None,
        };
        match place.filter(|place| place.key() == key) {
            Some(place) => self.record(&place).map(Some),
            None => Ok(None),
        }
    }

    fn record(&self, place: &Place) -> Result<(String, Frequency)> {
        let Place {
            number,
            block,
            line,
        } = place;
        match Record::parse(block.line(*line)) {
            Ok(record) => {
                let key = String::from_utf8_lossy(block.key(*line)).into_owned();
                Ok((key, record.frequency))
            }
            Err(reason) => Err(self.blocks.fault(*number, block, *line, reason)),
        }
    }

    /// Where the first line is whose key is not less than `key`, or the end of the block before it;
    /// `None` in an empty map.
    fn lower_bound(&self, key: &[u8]) -> Result<Option<Place>> {
        if self.blocks.len() == 0 {
            return Ok(None);
        }
        // The last block whose first key is less than the key.
        let (mut low, mut high) = (0, self.blocks.len());
        while low + 1 < high {
            let middle = (low + high) / 2;
            let (mut seen, mut first) = (middle, self.blocks.first_key(middle)?);
            // A block within one long line has none; the next one that has speaks for it.
            while first.is_empty() && seen + 1 < high {
                seen += 1;
                first = self.blocks.first_key(seen)?;
            }
            match !first.is_empty() && first < key {
                true => low = seen,
                false => high = middle,
            }
        }
        let block = self.blocks.block(low)?;
        Ok(Some(Place {
            number: low,
            line: block.lower_bound(key),
            block,
        }))
    }

    /// The same place, or where the next line is if the block ends here; `None` behind the last.
    fn onward(&self, mut place: Place) -> Result<Option<Place>> {
        while !place.block.has(place.line) {
            place.number += 1;
            if place.number == self.blocks.len() {
                return Ok(None);
            }
            place.block = self.blocks.block(place.number)?;
            place.line = place.block.first();
        }
        Ok(Some(place))
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
