//! What an archive holds, as plain bytes.

use std::path::{Path, PathBuf};
use varve_store::fs::{FileSystem, OsFileSystem};
use varve_store::warc::{RecordType, WarcReader};

/// One record: its kind, the URL it is about, and its block.
pub(crate) struct Record {
    pub(crate) kind: RecordType,
    pub(crate) url: String,
    pub(crate) concurrent_to: Option<String>,
    pub(crate) id: Option<String>,
    pub(crate) truncated: Option<String>,
    pub(crate) block: Vec<u8>,
}

/// All records of a collection, in the order of their layers and files.
pub(crate) fn records(collection: &Path) -> Vec<Record> {
    let mut records = Vec::new();
    for layer in sorted(&collection.join("layers")) {
        for file in sorted(&layer.join("archive")) {
            let file = OsFileSystem.open(&file).unwrap();
            let mut reader = WarcReader::new(file).unwrap();
            while let Some(head) = reader.next_head().unwrap() {
                let mut block = Vec::new();
                loop {
                    let bytes = reader.fill_block().unwrap();
                    if bytes.is_empty() {
                        break;
                    }
                    block.extend_from_slice(bytes);
                    let length = bytes.len();
                    reader.consume_block(length);
                }
                reader.finish().unwrap();
                records.push(Record {
                    kind: head.record_type(),
                    url: head.target_uri().unwrap_or_default(),
                    concurrent_to: head.get("WARC-Concurrent-To").map(|id| id.into_owned()),
                    id: head.get("WARC-Record-ID").map(|id| id.into_owned()),
                    truncated: head.get("WARC-Truncated").map(|why| why.into_owned()),
                    block,
                });
            }
        }
    }
    records
}

/// What a directory holds, by name.
fn sorted(dir: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(dir).unwrap();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}
