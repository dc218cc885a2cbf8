//! The request beside a response: the next record of the file.

use super::record::StoredRecord;
use crate::fs::FileSystem;
use crate::warc::{RecordType, Wanted};
use std::path::Path;
use varve_model::{Capture, Surt};

/// Line ends after a record that is not compressed.
const LINE_ENDS: u64 = 4;

/// The request record that follows a capture's record, if it is of the same URL.
pub(super) fn following(
    fs: &dyn FileSystem,
    path: &Path,
    capture: &Capture,
) -> Option<StoredRecord> {
    let extension = path.extension().and_then(|end| end.to_str());
    let gap = match extension {
        Some("gz" | "zst") => 0,
        _ => LINE_ENDS,
    };
    let length = (capture.length > 0).then_some(capture.length)?;
    let next = capture.offset.checked_add(length)?.checked_add(gap)?;
    let record = StoredRecord::open(fs, path, next, Wanted::Start).ok()?;
    let head = record.head();
    let same_url = Surt::from_url(&head.target_uri()?) == capture.key;
    (head.record_type() == RecordType::Request && same_url).then_some(record)
}
