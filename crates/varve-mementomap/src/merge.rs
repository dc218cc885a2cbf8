//! Several maps as one: what any of them holds.
//!
//! Equal keys are added up. Where one map has a wildcard and another has details below it, the
//! wildcard takes them in: it is all that is known of both together. Wildcards over everything or
//! over a top-level domain are totals, and leave details as they are. What one map says not to be
//! held is said of all only if no other may hold anything there.
//!
//! Large maps are cut into ranges of keys, which are merged at once; the result is the same.

mod ranges;

use crate::compact::{Compactor, Wildcards};
use crate::input::Part;
use crate::record::Records;
use crate::{Answer, Compacted, Frequency, Map, MapError, Record, Result, RollUp, is_wildcard};
use ranges::{KeyRange, ranges};
use std::fs::File;
use std::io::{BufRead, BufReader, Seek, Write};
use std::path::{Path, PathBuf};

/// So many bytes are worth a thread.
const RANGE: u64 = 8 << 20;

/// Merges sorted maps, which must be files, on all processors.
pub fn merge_maps(paths: &[PathBuf], out: impl Write) -> Result<Compacted> {
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    merge_by(workers, RANGE, paths, out)
}

/// The same by so many threads, if there are enough bytes for each.
fn merge_by(
    workers: usize,
    least: u64,
    paths: &[PathBuf],
    mut out: impl Write,
) -> Result<Compacted> {
    let maps: Vec<Map> = paths
        .iter()
        .map(|path| Map::open(path))
        .collect::<Result<_>>()?;
    let ranges = ranges(paths, &maps, workers, least)?;
    let (first, others) = ranges.split_first().ok_or_else(nothing)?;
    let apart = |range: &KeyRange| -> Result<(File, Compacted)> {
        let mut lines = tempfile::tempfile().map_err(MapError::scratch)?;
        let size = merge_range(range, paths, &maps, &mut lines)?;
        Ok((lines, size))
    };
    std::thread::scope(|scope| {
        let others: Vec<_> = others
            .iter()
            .map(|range| scope.spawn(|| apart(range)))
            .collect();
        let mut total = merge_range(first, paths, &maps, &mut out)?;
        for other in others {
            let joined = other.join();
            let (lines, size) = joined.unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
            append(lines, &mut out)?;
            total.keys += size.keys;
            total.lines += size.lines;
            total.bytes += size.bytes;
            total.roll_ups += size.roll_ups;
        }
        Ok(total)
    })
}

fn nothing() -> MapError {
    MapError::Request("no maps to merge".to_owned())
}

fn append(mut lines: File, out: &mut impl Write) -> Result<()> {
    lines.rewind().map_err(MapError::scratch)?;
    let mut lines = BufReader::with_capacity(256 << 10, lines);
    let copied = std::io::copy(&mut lines, out).and_then(|_| out.flush());
    copied.map_err(|error| MapError::named("the output", error))
}

/// Merges what maps have in a range of keys.
fn merge_range(
    range: &KeyRange,
    paths: &[PathBuf],
    maps: &[Map],
    out: impl Write,
) -> Result<Compacted> {
    let mut heads = Vec::new();
    for (number, path) in paths.iter().enumerate() {
        let (records, start) = range.records(number, path)?;
        let mut head = Head::new(records, path, start, &range.from);
        head.advance(range)?;
        heads.push(head);
    }
    let cutoffs = RollUp::never().cutoffs()?;
    let mut compactor = Compactor::new(cutoffs, Wildcards::TakeIn, out);
    while let Some(least) = least(&heads) {
        let head = &mut heads[least];
        let record = Record {
            key: &head.key,
            frequency: head.frequency,
            more: &head.more,
        };
        if !head.frequency.is_none() || is_held_by_none(&head.key, least, maps)? {
            compactor.push(&record)?;
        }
        head.advance(range)?;
    }
    compactor.finish()
}

/// A map and its next record.
struct Head<'a> {
    records: Records,
    path: &'a Path,
    /// Where in the file its records begin.
    start: u64,
    key: Vec<u8>,
    frequency: Frequency,
    more: Vec<u8>,
    over: bool,
}

impl<'a> Head<'a> {
    fn new(records: Records, path: &'a Path, start: u64, least: &[u8]) -> Head<'a> {
        Head {
            records,
            path,
            start,
            key: least.to_vec(),
            frequency: Frequency::NONE,
            more: Vec::new(),
            over: false,
        }
    }

    fn advance(&mut self, range: &KeyRange) -> Result<()> {
        let record = match self.records.next_record() {
            Ok(Some(record)) => record,
            Ok(None) => {
                self.over = true;
                return Ok(());
            }
            Err(error) => return Err(placed(error, self.path, self.start)),
        };
        let too_great = range
            .until
            .as_deref()
            .is_some_and(|most| record.key >= most);
        if too_great || record.key < self.key.as_slice() {
            let key = record.key.to_vec();
            let error = match too_great {
                true => self.records.too_great(&key),
                false => self.records.unsorted(&key),
            };
            return Err(placed(error, self.path, self.start));
        }
        self.key.clear();
        self.key.extend_from_slice(record.key);
        self.frequency = record.frequency;
        self.more.clear();
        self.more.extend_from_slice(record.more);
        Ok(())
    }
}

/// An error about a part of a file, with the number that the line has in the whole.
fn placed(mut error: MapError, path: &Path, start: u64) -> MapError {
    let before = || -> std::io::Result<u64> {
        let mut file = BufReader::with_capacity(256 << 10, Part::new(File::open(path)?, 0..start));
        let mut lines = 0;
        loop {
            let text = file.fill_buf()?;
            if text.is_empty() {
                return Ok(lines);
            }
            lines += memchr::memchr_iter(b'\n', text).count() as u64;
            let seen = text.len();
            file.consume(seen);
        }
    };
    if let MapError::Line { line, .. } | MapError::Unsorted { line, .. } = &mut error {
        *line += before().unwrap_or_default();
    }
    error
}

/// The map whose next key comes first.
fn least(heads: &[Head<'_>]) -> Option<usize> {
    let left = heads.iter().enumerate().filter(|(_, head)| !head.over);
    left.min_by(|(_, one), (_, other)| one.key.cmp(&other.key))
        .map(|(at, _)| at)
}

/// Whether what one map says not to be held is held by none: no map has anything in it, and no
/// other has it below a wildcard.
fn is_held_by_none(key: &[u8], whose: usize, maps: &[Map]) -> Result<bool> {
    let text = String::from_utf8_lossy(key);
    // `com,a,*` is about `com,a)` and all below it, and about `com,a,b)`; `com,a)/x/*` is about
    // `com,a)/x` and what is below it.
    let inside: Vec<Vec<u8>> = match key.split_at(key.len().saturating_sub(2)) {
        (host, b",*") => vec![[host, b")"].concat(), [host, b","].concat()],
        (path, b"/*") => vec![[path, b"/"].concat()],
        _ if key == b"*" => vec![Vec::new()],
        _ => Vec::new(),
    };
    let wildcard = is_wildcard(key);
    let named = text.strip_suffix("/*").unwrap_or(&text);
    for (at, map) in maps.iter().enumerate() {
        for prefix in &inside {
            if map.holds_below(prefix)? {
                return Ok(false);
            }
        }
        let speaks_for = |key: &str| {
            let answer = map.answer(key)?.filter(Answer::may_be_held);
            // Its own wildcards a map overrides; its own key for the same place it does not.
            let counts = |answer: Answer| at != whose || (wildcard && answer.key == named);
            Ok::<_, MapError>(answer.is_some_and(counts))
        };
        // What is named may be denied by itself, and what is below it not.
        if speaks_for(named)? || speaks_for(&text)? {
            return Ok(false);
        }
    }
    Ok(true)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn merged(maps: &[&str]) -> String {
        let dir = tempfile::tempdir().unwrap();
        let paths: Vec<PathBuf> = (0..maps.len())
            .map(|n| dir.path().join(n.to_string()))
            .collect();
        for (path, map) in paths.iter().zip(maps) {
            std::fs::write(path, map).unwrap();
        }
        let mut out = Vec::new();
        merge_maps(&paths, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    /// Maps with wildcards, zeros and hosts below hosts, in files.
    fn large_maps(dir: &Path) -> Vec<PathBuf> {
        let mut dice = 1_u64;
        let mut throw = |sides: u64| {
            dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (dice >> 33) % sides
        };
        let mut paths = Vec::new();
        for map in 0..3 {
            let mut lines = std::collections::BTreeMap::new();
            for _ in 0..4000 {
                let mut key = format!("{},s{}", ["com", "org", "uk"][throw(3) as usize], throw(90));
                if throw(3) == 0 {
                    key += &format!("{}h{}", [",", "-", "+"][throw(3) as usize], throw(5));
                }
                key += match throw(9) {
                    0 => ",*",
                    1 => ")/*",
                    2 => ")/d/*",
                    3 => ")",
                    _ => ")/d/p",
                };
                if key.ends_with('p') {
                    key += &throw(50).to_string();
                }
                lines.insert(key, throw(7));
            }
            lines.insert("com,*".to_owned(), 5);
            let text: String = lines
                .iter()
                .map(|(key, n)| format!("{key} {n}\n"))
                .collect();
            paths.push(dir.join(map.to_string()));
            std::fs::write(&paths[map], format!("!meta {{\"map\": {map}}}\n{text}")).unwrap();
        }
        paths
    }

    #[test]
    fn maps_are_merged_alike_by_any_number_of_threads() {
        let dir = tempfile::tempdir().unwrap();
        let paths = large_maps(dir.path());
        let merged = |workers: usize| {
            let mut out = Vec::new();
            let size = merge_by(workers, 1000, &paths, &mut out).unwrap();
            (String::from_utf8(out).unwrap(), size)
        };
        let alone = merged(1);
        assert!(alone.0.lines().count() > 1000 && alone.0.contains(",* "));
        for workers in [2, 3, 8] {
            let maps: Vec<Map> = paths.iter().map(|path| Map::open(path).unwrap()).collect();
            assert!(ranges(&paths, &maps, workers, 1000).unwrap().len() > 1);
            assert!(merged(workers) == alone, "by {workers} threads");
        }
    }

    #[test]
    fn disorder_is_found_wherever_maps_are_cut() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("map");
        let line = |n: usize| format!("com,s{n:03}) 1\n");
        for (misplaced, between) in [(150, 20), (20, 150), (99, 101), (101, 99)] {
            let mut lines: Vec<String> = (0..200).filter(|n| *n != misplaced).map(line).collect();
            lines.insert(between, line(misplaced));
            std::fs::write(&path, lines.concat()).unwrap();
            for workers in [1, 2, 4] {
                let merged = merge_by(workers, 100, std::slice::from_ref(&path), std::io::sink());
                let error = merged.unwrap_err().to_string();
                assert!(error.contains("not in the order"), "{error}");
                let told: usize = error
                    .split("line ")
                    .nth(1)
                    .and_then(|rest| rest.split(':').next())
                    .and_then(|number| number.parse().ok())
                    .unwrap();
                assert!(lines.len() >= told && told > 0, "{error}");
            }
        }
    }

    #[test]
    fn equal_keys_are_added_up_and_others_are_kept() {
        assert_eq!(
            merged(&["com,a) 1/1\ncom,c)/x 5\n", "com,a) 2/2\ncom,b) 3\n", ""]),
            "com,a) 3/3\ncom,b) 3\ncom,c)/x 5\n"
        );
    }

    #[test]
    fn a_wildcard_takes_in_the_details_of_others() {
        let coarse = "com,a,* 50\ncom,b)/x/* 7\n";
        let fine = "com,a)/y 1\ncom,a,www) 2\ncom,b)/x 3\ncom,b)/x-1 4\ncom,b)/x/y 5\n";
        let expected = "com,a,* 53\ncom,b)/x-1 4\ncom,b)/x/* 15\n";
        assert_eq!(merged(&[coarse, fine]), expected);
        assert_eq!(merged(&[fine, coarse]), expected);
    }

    #[test]
    fn totals_leave_details_as_they_are() {
        assert_eq!(
            merged(&["* 10\ncom,* 8\ncom,a) 1\n", "* 5\ncom,b) 5\n"]),
            "* 15\ncom,* 8\ncom,a) 1\ncom,b) 5\n"
        );
    }

    #[test]
    fn what_is_not_held_by_one_is_said_only_if_no_other_may_hold_it() {
        let one = "com,a)/* 50\ncom,a)/x/* 0\ncom,a)/y 0\n";
        for (other, expected) in [
            (
                "com,b) 1\n",
                "com,a)/* 50\ncom,a)/x/* 0\ncom,a)/y 0\ncom,b) 1\n",
            ),
            ("com,a)/x/q 3\n", "com,a)/* 53\ncom,a)/y 0\n"),
            ("com,a)/x 3\n", "com,a)/* 53\ncom,a)/y 0\n"),
            ("com,a)/* 3\n", "com,a)/* 53\n"),
            ("com,* 3\n", "com,* 3\ncom,a)/* 50\n"),
            // Denied itself, but not what is below it.
            ("com,a)/* 3\ncom,a)/x 0\n", "com,a)/* 53\ncom,a)/x 0\n"),
            ("com,a)/y 3\n", "com,a)/* 53\ncom,a)/x/* 0\n"),
        ] {
            assert_eq!(merged(&[one, other]), expected, "{other}");
            assert_eq!(merged(&[other, one]), expected, "{other}");
        }
    }
}
