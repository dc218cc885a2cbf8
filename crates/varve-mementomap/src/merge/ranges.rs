//! Cutting maps where nothing on one side has to do with anything on the other.
//!
//! A wildcard takes in what is below a host or a directory, and none takes in a whole top-level
//! domain. So lines before and after the beginning of a name right below one, such as `com,m`, can
//! be merged apart from each other. Places are found by bisection, and only in plain files: others
//! have to be read from their beginning.

use crate::input::{Part, line_from, read_fully};
use crate::key::key_of;
use crate::{Input, Map, MapError, Records, Result};
use std::fs::File;
use std::path::{Path, PathBuf};
use varve_model::MAX_LINE;

/// So many lines are looked at for a name to cut at.
const TRIES: usize = 1000;

/// A part of the keys of all maps.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct KeyRange {
    /// Of each map, which of its bytes; `None` for all of it.
    places: Vec<Option<std::ops::Range<u64>>>,
    /// All keys are at least this one.
    pub(super) from: Vec<u8>,
    /// And less than this one, if there is one.
    pub(super) until: Option<Vec<u8>>,
}

impl KeyRange {
    /// All keys.
    fn all(maps: usize) -> KeyRange {
        KeyRange {
            places: vec![None; maps],
            from: Vec::new(),
            until: None,
        }
    }

    /// The records of a map that are in it, and where in the file they begin.
    pub(super) fn records(&self, map: usize, path: &Path) -> Result<(Records, u64)> {
        match &self.places[map] {
            None => Ok((Records::open(path)?, 0)),
            Some(place) => {
                let input = Input::part(path, place.clone())?;
                Ok((Records::new(input)?, place.start))
            }
        }
    }
}

/// Cuts maps into at most so many ranges, if they have `least` bytes for each, and can be cut.
pub(super) fn ranges(
    paths: &[PathBuf],
    maps: &[Map],
    most: usize,
    least: u64,
) -> Result<Vec<KeyRange>> {
    let all = vec![KeyRange::all(paths.len())];
    let in_pages = maps.iter().any(|map| map.in_pages());
    let Some(files) = plain_files(paths)?.filter(|_| !in_pages) else {
        return Ok(all);
    };
    let bytes: u64 = files.iter().map(|file| file.len).sum();
    let most = most.min(usize::try_from(bytes / least).unwrap_or(most));
    let Some(largest) = files
        .iter()
        .max_by_key(|file| file.len)
        .filter(|_| most > 1)
    else {
        return Ok(all);
    };
    let mut cuts = Vec::new();
    for part in 1..most as u64 {
        cuts.extend(largest.name_at(largest.len / most as u64 * part)?);
    }
    cuts.dedup();
    between(&files, &cuts)
}

/// The ranges between some keys.
fn between(files: &[Plain], cuts: &[Vec<u8>]) -> Result<Vec<KeyRange>> {
    let mut starts = vec![0; files.len()];
    let mut ranges = Vec::new();
    for number in 0..=cuts.len() {
        let until = cuts.get(number).cloned();
        let mut places = Vec::new();
        for (file, start) in files.iter().zip(&mut starts) {
            let end = match &until {
                Some(cut) => file.lower_bound(cut)?,
                None => file.len,
            };
            places.push(Some(*start..end));
            *start = end;
        }
        let from = number.checked_sub(1).map(|before| cuts[before].clone());
        ranges.push(KeyRange {
            places,
            from: from.unwrap_or_default(),
            until,
        });
    }
    Ok(ranges)
}

/// A file that can be read at any place.
struct Plain<'a> {
    path: &'a Path,
    file: File,
    len: u64,
}

/// All maps as plain files; `None` if one is something else.
fn plain_files(paths: &[PathBuf]) -> Result<Option<Vec<Plain<'_>>>> {
    let mut files = Vec::new();
    for path in paths {
        let named = |error| MapError::io(path, error);
        let file = File::open(path).map_err(named)?;
        let known = file.metadata().map_err(named)?;
        let mut start = [0; 4];
        let mut part = Part::new(&file, 0..known.len());
        let got = match known.is_file() {
            true => read_fully(&mut part, &mut start).map_err(named)?,
            false => return Ok(None),
        };
        if Input::is_packed(&start[..got]) {
            return Ok(None);
        }
        let len = known.len();
        files.push(Plain { path, file, len });
    }
    Ok(Some(files))
}

impl Plain<'_> {
    /// The name right below a top-level domain that one of the lines from a place on begins with.
    fn name_at(&self, place: u64) -> Result<Option<Vec<u8>>> {
        let named = |error| MapError::io(self.path, error);
        let mut at = line_from(&self.file, self.len, place).map_err(named)?;
        for _ in 0..TRIES {
            let line = self.line(at)?;
            if let Some(name) = line.key().and_then(name) {
                return Ok(Some(name.to_vec()));
            }
            at = line.end;
        }
        Ok(None)
    }

    /// Where the first line begins whose key is not less than `cut`.
    fn lower_bound(&self, cut: &[u8]) -> Result<u64> {
        let named = |error| MapError::io(self.path, error);
        let (mut low, mut high) = (0, self.len);
        while low < high {
            let middle = low + (high - low) / 2;
            let first = line_from(&self.file, self.len, middle).map_err(named)?;
            let (mut at, mut line) = (first, Line::default());
            // Lines without a key say nothing; the next one speaks for them.
            while at < high {
                line = self.line(at)?;
                if line.key().is_some() {
                    break;
                }
                at = line.end;
            }
            if at >= high {
                high = middle;
            } else if line.key().is_some_and(|key| key < cut) {
                low = line.end;
            } else {
                high = first;
            }
        }
        Ok(low)
    }

    /// The line that begins at a place.
    fn line(&self, at: u64) -> Result<Line> {
        let mut line = Line::default();
        let mut rest = Part::new(&self.file, at..self.len);
        loop {
            let held = line.text.len();
            line.text.resize(held + (4 << 10), 0);
            let got = read_fully(&mut rest, &mut line.text[held..])
                .map_err(|error| MapError::io(self.path, error))?;
            line.text.truncate(held + got);
            if let Some(end) = memchr::memchr(b'\n', &line.text[held..]) {
                line.text.truncate(held + end);
                line.end = at + line.text.len() as u64 + 1;
                return Ok(line);
            }
            if got == 0 || line.text.len() > MAX_LINE {
                line.end = at + line.text.len() as u64;
                return Ok(line);
            }
        }
    }
}

/// A line, and where the next one begins.
#[derive(Default)]
struct Line {
    text: Vec<u8>,
    end: u64,
}

impl Line {
    fn key(&self) -> Option<&[u8]> {
        let mut words = self.text.split(|byte| byte.is_ascii_whitespace());
        let key = key_of(words.next()?);
        (!key.is_empty() && key[0] != b'!').then_some(key)
    }
}

/// The first two names of a host, or its only one. Bytes below separators would part a name from
/// what is below it: `a+b` stands between `a)` and `a,b)`.
fn name(key: &[u8]) -> Option<&[u8]> {
    let host = match memchr::memchr(b')', key) {
        Some(end) => &key[..end],
        None => key.strip_suffix(b",*")?,
    };
    let mut commas = memchr::memchr_iter(b',', host);
    let name = &host[..commas.nth(1).unwrap_or(host.len())];
    let plain = |byte: &u8| *byte >= b',';
    (!name.is_empty() && name.iter().all(plain)).then_some(name)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn places_are_those_of_the_first_line_that_is_not_less() {
        let text = "!meta {}\n!meta {\"x\": 1}\ncom,a) 1\n\ncom,b)/ 2\ncom,b)/x 3\n\n\norg,c) 4";
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), text).unwrap();
        let paths = [file.path().to_owned()];
        let files = plain_files(&paths).unwrap().unwrap();
        for cut in ["a", "com,a", "com,b", "com,b)/x", "com,c", "org", "org,d"] {
            let records = |text: &'static str| {
                let says = |line: &&str| !line.is_empty() && !line.starts_with('!');
                text.lines().filter(says).collect::<Vec<_>>()
            };
            let place = files[0].lower_bound(cut.as_bytes()).unwrap() as usize;
            let (before, after) = text.split_at(place);
            assert!(records(before).iter().all(|line| *line < cut), "{cut}");
            assert!(records(after).iter().all(|line| *line >= cut), "{cut}");
        }
    }

    #[test]
    fn cuts_are_names_right_below_top_level_domains() {
        for (key, expected) in [
            ("com,cnn)/x", Some("com,cnn")),
            ("com,cnn,www)/x", Some("com,cnn")),
            ("localhost)/x", Some("localhost")),
            ("com,a+b)/x", None),
            ("*", None),
            ("com,cnn,www,*", Some("com,cnn")),
            ("com,*", Some("com")),
        ] {
            assert_eq!(name(key.as_bytes()), expected.map(str::as_bytes), "{key}");
        }
    }
}
