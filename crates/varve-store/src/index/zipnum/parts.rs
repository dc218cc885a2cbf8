//! Parts: the files that hold the blocks, found by the names that the idx uses.
//!
//! The idx and its `.loc` file may come from anywhere, so the files they name must be below the
//! directory of the idx: absolute paths and `..` are refused.

use crate::fs::{Fs, ReadAt, read_small};
use crate::{Result, StoreError};
use std::collections::HashMap;
use std::io::ErrorKind;
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// A `.loc` file names at most some thousand parts.
const MAX_LOC_BYTES: u64 = 16 << 20;

/// Parts that are kept open.
const MAX_OPEN: usize = 64;

/// An open part.
#[derive(Debug)]
pub(super) struct Part {
    pub(super) file: Arc<dyn ReadAt>,
    pub(super) path: PathBuf,
    pub(super) len: u64,
}

/// The parts of an index.
#[derive(Debug)]
pub(super) struct Parts {
    fs: Fs,
    dir: PathBuf,
    /// What the `.loc` file says, if there is one: names of files, to be tried in order.
    locations: Option<HashMap<String, Vec<String>>>,
    open: Mutex<HashMap<String, Arc<Part>>>,
}

impl Parts {
    /// The parts of the idx at a path.
    pub(super) fn beside(fs: &Fs, idx_path: &Path) -> Result<Parts> {
        Ok(Parts {
            fs: fs.clone(),
            dir: idx_path.parent().unwrap_or(Path::new("")).to_owned(),
            locations: read_locations(fs, &idx_path.with_extension("loc"))?,
            open: Mutex::default(),
        })
    }

    /// Opens a part; `named_by` is the file that errors are about.
    pub(super) fn open(&self, name: &str, named_by: &Path) -> Result<Arc<Part>> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(part) = open.get(name) {
            return Ok(part.clone());
        }
        let part = Arc::new(self.find(name, named_by)?);
        if open.len() >= MAX_OPEN {
            open.clear();
        }
        open.insert(name.to_owned(), part.clone());
        Ok(part)
    }

    fn find(&self, name: &str, named_by: &Path) -> Result<Part> {
        let beside = [name.to_owned(), format!("{name}.cdx.gz")];
        let candidates = match &self.locations {
            Some(locations) => locations.get(name).map_or(&[][..], Vec::as_slice),
            None => &beside[..],
        };
        let mut refused = None;
        for candidate in candidates {
            match is_below(candidate) {
                true => {
                    if let Some(part) = self.try_open(&self.dir.join(candidate))? {
                        return Ok(part);
                    }
                }
                false => refused = Some(candidate),
            }
        }
        let reason = match refused {
            Some(path) => format!("part {name:?}: {path:?} is not below the index's directory"),
            None => format!("part {name:?}: there is no file with its blocks"),
        };
        Err(StoreError::invalid(named_by, reason))
    }

    /// Opens a file, if it is there.
    fn try_open(&self, path: &Path) -> Result<Option<Part>> {
        let file = match self.fs.open(path) {
            Err(error) if names_no_file(error.kind()) => return Ok(None),
            opened => opened.map_err(StoreError::io(path, "open"))?,
        };
        let len = file.len().map_err(StoreError::io(path, "look at"))?;
        Ok(Some(Part {
            file,
            path: path.to_owned(),
            len,
        }))
    }
}

/// Whether an error only says that a name, which may be any text, is not that of a file.
fn names_no_file(kind: ErrorKind) -> bool {
    use ErrorKind::{InvalidFilename, InvalidInput, NotADirectory, NotFound};
    matches!(
        kind,
        InvalidFilename | InvalidInput | NotADirectory | NotFound
    )
}

/// Whether a path stays in the directory that it is relative to.
fn is_below(path: &str) -> bool {
    let mut components = Path::new(path).components();
    !path.is_empty() && components.all(|part| matches!(part, Component::Normal(_)))
}

/// Reads a `.loc` file: a line per part, its name and the paths of its file between tabs.
fn read_locations(fs: &Fs, path: &Path) -> Result<Option<HashMap<String, Vec<String>>>> {
    let kind = fs.kind(path).map_err(StoreError::io(path, "look at"))?;
    if kind.is_none() {
        return Ok(None);
    }
    let bytes = read_small(fs.as_ref(), path, MAX_LOC_BYTES);
    let bytes = bytes.map_err(StoreError::io(path, "read"))?;
    let mut locations = HashMap::new();
    for line in String::from_utf8_lossy(&bytes).lines() {
        let mut fields = line.trim_end().split('\t').map(str::to_owned);
        if let Some(name) = fields.next() {
            locations.insert(name, fields.collect());
        }
    }
    Ok(Some(locations))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_stay_below() {
        let table = [
            ("a.gz", true),
            ("parts/a.gz", true),
            ("./a.gz", false),
            ("", false),
            ("/etc/passwd", false),
            ("../a.gz", false),
            ("parts/../../a.gz", false),
        ];
        for (path, below) in table {
            assert_eq!(is_below(path), below, "{path}");
        }
    }
}
