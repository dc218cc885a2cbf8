//! Names of archive files that are unique over all layers.

use crate::collection::Collection;
use crate::collection::layout::ARCHIVE;
use crate::{Result, StoreError};
use std::collections::{HashMap, HashSet};
use std::path::PathBuf;

/// The archive files of a collection with the names they have in an export.
pub(crate) struct ArchiveNames {
    names: HashMap<(usize, String), String>,
    files: Vec<(String, PathBuf)>,
}

impl ArchiveNames {
    pub(crate) fn of(collection: &Collection) -> Result<ArchiveNames> {
        let mut all = ArchiveNames {
            names: HashMap::new(),
            files: Vec::new(),
        };
        let mut taken = HashSet::new();
        for layer in 0..collection.layers().len() {
            let archive = collection.layer_dir(layer).join(ARCHIVE);
            for entry in collection
                .fs
                .list(&archive)
                .map_err(StoreError::io(&archive, "list"))?
            {
                let mut name = entry.name.clone();
                if !taken.insert(name.clone()) {
                    name = format!("{}-{name}", collection.layers()[layer].id);
                    taken.insert(name.clone());
                }
                all.files.push((name.clone(), archive.join(&entry.name)));
                all.names.insert((layer, entry.name), name);
            }
        }
        Ok(all)
    }

    /// The exported name of a layer's archive file.
    pub(crate) fn get(&self, layer: usize, name: &str) -> Option<&str> {
        self.names
            .get(&(layer, name.to_owned()))
            .map(String::as_str)
    }

    /// Exported names and where the files are, in order.
    pub(crate) fn files(&self) -> &[(String, PathBuf)] {
        &self.files
    }

    pub(crate) fn into_files(self) -> Vec<(String, PathBuf)> {
        self.files
    }
}
