//! From WARC files to a sorted index: the calls of `varve audit --rebuild-index`, without the audit.

use crate::sorting::{SORT_MEMORY, file_system, write_sorted};
use anyhow::Result;
use serde_json::{Value, json};
use std::path::Path;
use varve_store::index::{IndexForm, LineSorter};
use varve_store::warc::{Scanner, Step, Verify};

/// Indexes WARC files into the directory `out`.
pub(crate) fn index(out: &Path, files: &[&str]) -> Result<Value> {
    let mut sorter = LineSorter::new(file_system(), out.join("runs"), SORT_MEMORY);
    for file in files {
        push_captures(Path::new(file), &mut sorter)?;
    }
    let captures = write_sorted(sorter, out, IndexForm::Plain)?;
    Ok(json!({"captures": captures}))
}

fn push_captures(path: &Path, sorter: &mut LineSorter) -> Result<()> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let mut scanner =
        Scanner::new(file_system().open(path)?, Verify::Nothing).map_err(|error| error.at(path))?;
    while let Some(step) = scanner.next_step()? {
        if let Step::Record(record) = step
            && let Some(capture) = record.capture(&name)
        {
            sorter.push(capture.to_line().as_bytes())?;
        }
    }
    Ok(())
}
