//! What the tests of the index share: files in a temporary directory, and sorted vectors of lines
//! as the model that every index must agree with.

use super::{INDEX_FILE, LayerCursor, LayerIndex, zipnum::ZipNumWriter};
use crate::fs::{Fs, OsFileSystem};
use crate::{Result, StoreError};
use std::path::Path;
use std::sync::Arc;
use tempfile::TempDir;

pub(crate) fn os() -> Fs {
    Arc::new(OsFileSystem)
}

/// A plain index of these bytes.
pub(crate) fn plain(text: &[u8]) -> (TempDir, LayerIndex) {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join(INDEX_FILE), text).unwrap();
    let index = LayerIndex::open(&os(), dir.path()).unwrap();
    (dir, index)
}

/// A ZipNum index of these lines.
pub(crate) fn zipped(lines: &[String], block_lines: usize) -> (TempDir, LayerIndex) {
    let dir = tempfile::tempdir().unwrap();
    let mut writer = ZipNumWriter::with_block_lines(&os(), dir.path(), block_lines).unwrap();
    for line in lines {
        writer.push(line.as_bytes()).unwrap();
    }
    writer.finish().unwrap();
    let index = LayerIndex::open(&os(), dir.path()).unwrap();
    (dir, index)
}

/// An index in one of three forms: plain with and without a final line break, and ZipNum.
pub(crate) fn in_form(lines: &[String], form: u8) -> (TempDir, LayerIndex) {
    let text = lines.join("\n");
    match form % 3 {
        0 => plain(text.as_bytes()),
        1 if !lines.is_empty() => plain((text + "\n").as_bytes()),
        _ => zipped(lines, 7),
    }
}

/// All lines after a cursor, and what was said about damage among them.
pub(crate) fn forward(cursor: LayerCursor) -> (Vec<String>, Vec<String>) {
    walk(cursor, |cursor| cursor.next_line())
}

/// All lines before a cursor, nearest first, and what was said about damage among them.
pub(crate) fn backward(cursor: LayerCursor) -> (Vec<String>, Vec<String>) {
    walk(cursor, |cursor| cursor.prev_line())
}

fn walk(
    mut cursor: LayerCursor,
    step: impl Fn(&mut LayerCursor) -> Result<Option<&[u8]>>,
) -> (Vec<String>, Vec<String>) {
    let (mut lines, mut faults) = (Vec::new(), Vec::new());
    loop {
        assert!(
            lines.len() + faults.len() < 1_000_000,
            "the walk does not end"
        );
        match step(&mut cursor) {
            Ok(Some(line)) => lines.push(String::from_utf8_lossy(line).into_owned()),
            Ok(None) => return (lines, faults),
            Err(error) => {
                faults.push(error.to_string());
                if matches!(error, StoreError::Io { .. }) {
                    return (lines, faults);
                }
            }
        }
    }
}

/// Every key splits the lines in two, whichever way they are read.
pub(crate) fn check_seek(index: &LayerIndex, lines: &[String], keys: &[String]) {
    // Twice: the second search goes by what the first has remembered.
    for key in keys.iter().chain(keys) {
        let split = lines.partition_point(|line| line < key);
        let cursor = index.seek(key.as_bytes()).unwrap();
        let (after, faults) = forward(cursor.clone());
        assert_eq!(
            (after.as_slice(), faults.len()),
            (&lines[split..], 0),
            "{key}"
        );
        let (mut before, faults) = backward(cursor);
        before.reverse();
        assert_eq!(
            (before.as_slice(), faults.len()),
            (&lines[..split], 0),
            "{key}"
        );
    }
    assert_eq!(forward(index.start()).0, lines);
    let (mut all, _) = backward(index.end().unwrap());
    all.reverse();
    assert_eq!(all, lines);
}

/// Runs the verification and returns what it reports.
pub(crate) fn faults(index: &LayerIndex) -> Vec<String> {
    let mut found = Vec::new();
    let report = &mut |error: StoreError| found.push(error.to_string());
    index.verify(report).unwrap();
    found
}

/// Changes a file's bytes and opens the index in its directory again.
pub(crate) fn change(
    dir: &Path,
    name: &str,
    edit: impl FnOnce(&mut Vec<u8>),
) -> Result<LayerIndex> {
    let path = dir.join(name);
    let mut bytes = std::fs::read(&path).unwrap();
    edit(&mut bytes);
    std::fs::write(&path, bytes).unwrap();
    LayerIndex::open(&os(), dir)
}
