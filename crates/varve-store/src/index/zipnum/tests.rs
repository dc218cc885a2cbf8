use super::*;
use crate::index::LayerIndex;
use crate::index::testing::{backward, change, check_seek, faults, forward, os, zipped};
use flate2::{Compression, write::GzEncoder};
use proptest::prelude::*;
use std::io::Write;
use tempfile::TempDir;

/// A hundred lines of ten keys.
fn hundred() -> Vec<String> {
    let line = |n: u32| format!("com,a{})/ 2020{:04} {{\"n\": {n}}}", n / 10, n % 10);
    (0..100).map(line).collect()
}

fn line() -> impl Strategy<Value = String> {
    "[ab]{1,2}\\)/[ab]{0,2} 20[01][0-9] \\{[0-9]{0,9}\\}"
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn seek_agrees_with_a_sorted_vec(
        mut lines in prop::collection::vec(line(), 0..300),
        mut keys in prop::collection::vec(line(), 1..6),
        block_lines in 1..40_usize,
    ) {
        lines.sort();
        keys.extend(lines.iter().step_by(lines.len() / 6 + 1).cloned());
        keys.extend(["", "!", "~", "a)/ 2005", "b)/ "].map(str::to_owned));
        let (_dir, index) = zipped(&lines, block_lines);
        check_seek(&index, &lines, &keys);
        prop_assert_eq!(faults(&index), Vec::<String>::new());
    }

    /// Whatever bytes change, nothing panics or runs on, and lines of blocks that are still
    /// whole are still found.
    #[test]
    fn damage_is_survived(
        in_idx: bool,
        edits in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..5),
        cut in prop::option::of(any::<prop::sample::Index>()),
    ) {
        let lines = hundred();
        let (dir, _) = zipped(&lines, 7);
        let name = if in_idx { IDX_FILE } else { DATA_FILE };
        let damaged = change(dir.path(), name, |bytes| {
            for (at, byte) in &edits {
                *at.get_mut(bytes) = *byte;
            }
            if let Some(at) = cut {
                bytes.truncate(at.index(bytes.len()));
            }
        });
        let Ok(index) = damaged else { return Ok(()) };
        let _ = index.verify(&mut |_| {});
        for key in ["", "com,a3)/ 2020", &lines[55], "com,a9)/ 20200009", "~"] {
            let Ok(cursor) = index.seek(key.as_bytes()) else { continue };
            for (found, _) in [forward(cursor.clone()), backward(cursor)] {
                prop_assert!(in_idx || found.iter().all(|line| lines.contains(line)));
            }
        }
    }
}

#[test]
fn a_damaged_block_costs_its_own_lines_only() {
    let lines = hundred();
    let (dir, index) = zipped(&lines, 10);
    let LayerIndex::ZipNum(zipnum) = &index else {
        panic!("not ZipNum")
    };
    let mut idx = zipnum.0.idx.seek(b"com,a4").unwrap();
    let place = BlockPlace::parse(idx.next_line().unwrap().unwrap()).unwrap();
    let middle = (place.offset + place.length / 2) as usize;
    let index = change(dir.path(), DATA_FILE, |bytes| bytes[middle] ^= 1).unwrap();
    let left = [&lines[..40], &lines[50..]].concat();
    for key in [
        "",
        "com,a4)/ 20200000",
        "com,a4)/ 20200005",
        "com,a5)/ 2",
        "~",
    ] {
        let cursor = index.seek(key.as_bytes()).unwrap();
        let split = left.partition_point(|line| line.as_str() < key);
        let (after, mut errors) = forward(cursor.clone());
        let (mut before, errors_before) = backward(cursor);
        before.reverse();
        assert_eq!(
            (after, before),
            (left[split..].to_vec(), left[..split].to_vec()),
            "{key}"
        );
        errors.extend(errors_before);
        assert!(!errors.is_empty(), "{key}");
        for error in errors.into_iter().chain(faults(&index)) {
            assert!(error.contains("index.cdx.gz: offset"), "{error}");
            assert!(
                error.contains("the block that starts with \"com,a4)/ 20200000\""),
                "{error}"
            );
        }
    }
}

#[test]
fn verify_names_what_is_wrong() {
    let lines = hundred();
    let edit = |from: &'static str, to: &'static str| {
        move |bytes: &mut Vec<u8>| {
            let text = String::from_utf8_lossy(bytes).replacen(from, to, 1);
            *bytes = text.into_bytes();
        }
    };
    type Edit = Box<dyn FnOnce(&mut Vec<u8>)>;
    let table: [(&str, Edit, &str); 6] = [
        (
            IDX_FILE,
            Box::new(edit("com,a2)/", "com,a2)!")),
            "does not start like its line",
        ),
        (
            IDX_FILE,
            Box::new(edit("sha256:", "sha256:00")),
            "its digest is not",
        ),
        (
            IDX_FILE,
            Box::new(edit("\"offset\": 0", "\"offset\": 1")),
            "in the file ended at 0",
        ),
        (
            IDX_FILE,
            Box::new(edit("{\"offset\"", "{\"of\"")),
            "offset 64: not a line of an idx",
        ),
        (
            IDX_FILE,
            Box::new(edit("\"length\": ", "\"length\": 99999")),
            "cannot be",
        ),
        (
            DATA_FILE,
            Box::new(|bytes| bytes.push(0)),
            "bytes after the last block",
        ),
    ];
    for (name, edit, expected) in table {
        let (dir, _) = zipped(&lines, 10);
        let found = faults(&change(dir.path(), name, edit).unwrap());
        assert!(
            found.iter().any(|error| error.contains(expected)),
            "{expected}: {found:?}"
        );
    }
}

fn gzip(text: &[u8]) -> Vec<u8> {
    let mut member = GzEncoder::new(Vec::new(), Compression::best());
    member.write_all(text).unwrap();
    member.finish().unwrap()
}

#[test]
fn a_bomb_is_refused() {
    let (dir, _) = zipped(&hundred(), 10);
    let bomb = gzip(&vec![b'a'; 65 << 20]);
    let idx = format!("a 1 {{\"offset\": 0, \"length\": {}}}\n", bomb.len());
    std::fs::write(dir.path().join(IDX_FILE), idx).unwrap();
    let index = change(dir.path(), DATA_FILE, |bytes| *bytes = bomb).unwrap();
    let (lines, errors) = forward(index.start());
    assert_eq!((lines.len(), errors.len()), (0, 1));
    assert!(
        errors[0].contains("inflates to more than 64 MiB"),
        "{errors:?}"
    );
}

/// The older spelling: two blocks in the part `p`, found through a `.loc` file if one is given.
fn classic(file: &str, loc: Option<&str>) -> (TempDir, ZipNum) {
    let dir = tempfile::tempdir().unwrap();
    let (first, second) = (gzip(b"a)/ 1 x\nb)/ 1 x\n"), gzip(b"c)/ 1 x\n"));
    let (one, two) = (first.len(), second.len());
    let idx = format!("a)/ 1\tp\t0\t{one}\t1\nc)/ 1\tp\t{one}\t{two}\t2\n");
    std::fs::write(dir.path().join("sample.idx"), idx).unwrap();
    std::fs::write(dir.path().join(file), [first, second].concat()).unwrap();
    if let Some(loc) = loc {
        std::fs::write(dir.path().join("sample.loc"), loc).unwrap();
    }
    let index = ZipNum::open(&os(), &dir.path().join("sample.idx")).unwrap();
    (dir, index)
}

#[test]
fn the_older_spelling() {
    let found = ["a)/ 1 x", "b)/ 1 x", "c)/ 1 x"].map(str::to_owned);
    let table: [(&str, Option<&str>, Option<&str>); 8] = [
        ("p", None, None),
        ("p.cdx.gz", None, None),
        ("data.gz", Some("p\tnot-there\tdata.gz\n"), None),
        ("data.gz", Some("p\t/etc/passwd\tdata.gz\n"), None),
        ("data.gz", Some("q\tdata.gz\n"), Some("there is no file")),
        ("data.gz", Some("p\n"), Some("there is no file")),
        (
            "data.gz",
            Some("p\t/etc/passwd\n"),
            Some("not below the index's directory"),
        ),
        (
            "data.gz",
            Some("p\t../data.gz\n"),
            Some("not below the index's directory"),
        ),
    ];
    for (file, loc, error) in table {
        let (_dir, index) = classic(file, loc);
        let index = LayerIndex::ZipNum(index);
        match error {
            None => {
                check_seek(
                    &index,
                    &found,
                    &["a", "b)/ 1", "c)/ 1", "d"].map(str::to_owned),
                );
                assert_eq!(faults(&index), Vec::<String>::new(), "{loc:?}");
            }
            Some(error) => {
                let (lines, errors) = forward(index.start());
                assert_eq!((lines.len(), errors.len()), (0, 2), "{loc:?}");
                assert!(errors[0].contains(error), "{errors:?}");
            }
        }
    }
}

#[test]
fn other_formats_of_blocks_are_refused() {
    let (dir, _) = zipped(&hundred(), 10);
    let edit = |bytes: &mut Vec<u8>| {
        *bytes = b"!meta 0 {\"format\": \"cdxj-zstd-1.0\"}\n".to_vec();
    };
    let error = change(dir.path(), IDX_FILE, edit).unwrap_err().to_string();
    assert!(
        error.contains("only \"cdxj-gzip-1.0\" can be read"),
        "{error}"
    );
}
