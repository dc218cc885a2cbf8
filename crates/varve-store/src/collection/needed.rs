//! Parts of bodies that replay asked for, remembered beside the layers until one has them at hand.
//!
//! The file is only a hint: what it says too much costs some bytes, what it says too little costs
//! a request for a part. So damage to it is no reason to fail.

use super::Collection;
use super::parted::PartsKey;
use crate::fs::{read_small, write_atomically};
use crate::{Result, StoreError};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

/// Parts, by the bodies that they are of.
pub type Needed = BTreeMap<PartsKey, BTreeSet<usize>>;

const FORMAT: &str = "varve-needed-1";
const MAX_FILE: u64 = 16 << 20;
/// More are not remembered.
const MAX_PARTS: usize = 100_000;

#[derive(Serialize, Deserialize)]
struct File {
    format: String,
    parts: BTreeMap<String, BTreeSet<usize>>,
}

impl Collection {
    /// The parts that replay asked for.
    pub fn needed(&self) -> Needed {
        let bytes = read_small(self.fs.as_ref(), &self.needed_path(), MAX_FILE);
        let file: Option<File> = bytes
            .ok()
            .and_then(|bytes| serde_json::from_slice(&bytes).ok());
        let file = file.filter(|file| file.format == FORMAT);
        let parts = file.into_iter().flat_map(|file| file.parts);
        parts
            .filter_map(|(key, parts)| Some((PartsKey::parse(&key)?, parts)))
            .collect()
    }

    /// Adds to them.
    pub fn remember_needed(&self, more: Needed) -> Result<()> {
        let mut all = self.needed();
        for (key, parts) in more {
            all.entry(key).or_default().extend(parts);
        }
        let mut left = MAX_PARTS;
        let mut few = |(key, parts): (PartsKey, BTreeSet<usize>)| {
            let parts: BTreeSet<usize> = parts.into_iter().take(left).collect();
            left -= parts.len();
            (!parts.is_empty()).then(|| (key.as_str().to_owned(), parts))
        };
        let file = File {
            format: FORMAT.to_owned(),
            parts: all.into_iter().filter_map(&mut few).collect(),
        };
        let path = self.needed_path();
        let bytes = serde_json::to_vec(&file).unwrap_or_default();
        write_atomically(self.fs.as_ref(), &path, &bytes).map_err(StoreError::io(&path, "write"))
    }

    fn needed_path(&self) -> PathBuf {
        self.layout.state().join("needed.json")
    }
}
