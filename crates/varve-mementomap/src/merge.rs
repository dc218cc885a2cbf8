//! Several maps as one: what any of them holds.
//!
//! Equal keys are added up. Where one map has a wildcard and another has details below it, the
//! wildcard takes them in: it is all that is known of both together. Wildcards over everything or
//! over a top-level domain are totals, and leave details as they are. What one map says not to be
//! held is said of all only if no other may hold anything there.

use crate::compact::{Compactor, Wildcards};
use crate::record::Records;
use crate::{Answer, Compacted, Frequency, Map, MapError, Record, Result, RollUp, is_wildcard};
use std::io::Write;
use std::path::PathBuf;

/// Merges sorted maps, which must be files.
pub fn merge_maps(paths: &[PathBuf], out: impl Write) -> Result<Compacted> {
    let mut heads = Vec::new();
    for path in paths {
        let mut head = Head::new(Records::open(path)?);
        head.advance()?;
        heads.push(head);
    }
    let others: Vec<Map> = paths
        .iter()
        .map(|path| Map::open(path))
        .collect::<Result<_>>()?;
    let cutoffs = RollUp::never().cutoffs()?;
    let mut compactor = Compactor::new(cutoffs, Wildcards::TakeIn, out);
    while let Some(least) = least(&heads) {
        let head = &mut heads[least];
        let record = Record {
            key: &head.key,
            frequency: head.frequency,
            more: &head.more,
        };
        if !head.frequency.is_none() || is_held_by_none(&head.key, least, &others)? {
            compactor.push(&record)?;
        }
        head.advance()?;
    }
    compactor.finish()
}

/// A map and its next record.
struct Head {
    records: Records,
    key: Vec<u8>,
    frequency: Frequency,
    more: Vec<u8>,
    over: bool,
}

impl Head {
    fn new(records: Records) -> Head {
        Head {
            records,
            key: Vec::new(),
            frequency: Frequency::NONE,
            more: Vec::new(),
            over: false,
        }
    }

    fn advance(&mut self) -> Result<()> {
        let Some(record) = self.records.next_record()? else {
            self.over = true;
            return Ok(());
        };
        if record.key < self.key.as_slice() {
            let key = record.key.to_vec();
            return Err(self.records.unsorted(&key));
        }
        self.key.clear();
        self.key.extend_from_slice(record.key);
        self.frequency = record.frequency;
        self.more.clear();
        self.more.extend_from_slice(record.more);
        Ok(())
    }
}

/// The map whose next key comes first.
fn least(heads: &[Head]) -> Option<usize> {
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
