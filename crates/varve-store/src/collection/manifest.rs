//! `collection.json`: which layers a collection has, in order.
//!
//! The manifest is the one file that changes, so it is replaced whole, and it carries a checksum
//! of itself: a flipped bit in it must not pass for another collection.

use crate::fs::{FileSystem, read_small, write_atomically};
use crate::{Result, StoreError};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use varve_model::{Digest, DigestAlgorithm};

/// The manifest's file name.
pub const MANIFEST: &str = "collection.json";
const FORMAT: &str = "varve-collection-1";
const MAX_MANIFEST: u64 = 256 << 20;

/// The content of `collection.json`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// The format of the collection; one is known.
    pub format: String,
    /// When the collection was made.
    pub created: String,
    /// The layers, oldest first.
    pub layers: Vec<LayerEntry>,
    checksum: String,
}

/// What the manifest says of a layer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LayerEntry {
    /// The layer's name and that of its directory.
    pub id: String,
    /// When it was sealed.
    pub sealed: String,
    /// How many index entries it has.
    pub captures: u64,
    /// How many bytes its archive files have.
    pub bytes: u64,
    /// The digest of its `datapackage.json`, which has those of all its other files.
    pub datapackage: String,
}

impl Manifest {
    /// The manifest of an empty collection.
    pub fn new(created: String) -> Manifest {
        Manifest {
            format: FORMAT.into(),
            created,
            layers: Vec::new(),
            checksum: String::new(),
        }
    }

    /// Where the manifest of the collection at `root` stands.
    pub fn path(root: &Path) -> PathBuf {
        root.join(MANIFEST)
    }

    /// Reads the manifest of the collection at `root`.
    pub fn load(fs: &dyn FileSystem, root: &Path) -> Result<Manifest> {
        let path = Manifest::path(root);
        if fs
            .kind(&path)
            .map_err(StoreError::io(&path, "look at"))?
            .is_none()
        {
            return Err(StoreError::NotACollection {
                path: root.to_owned(),
            });
        }
        let bytes = read_small(fs, &path, MAX_MANIFEST).map_err(StoreError::io(&path, "read"))?;
        Manifest::parse(&bytes).map_err(|reason| StoreError::invalid(&path, reason))
    }

    /// Reads the bytes of a manifest, which must be exactly those that [`Self::to_bytes`] gives.
    pub fn parse(bytes: &[u8]) -> Result<Manifest, String> {
        let manifest: Manifest =
            serde_json::from_slice(bytes).map_err(|error| format!("is no manifest: {error}"))?;
        if manifest.format != FORMAT {
            return Err(format!(
                "has the unknown format {:?}; is Varve too old?",
                manifest.format
            ));
        }
        if let Some(entry) = manifest.layers.iter().find(|entry| !is_layer_id(&entry.id)) {
            return Err(format!(
                "names a layer {:?}, which is no layer's name",
                entry.id
            ));
        }
        if manifest.to_bytes() != bytes {
            return Err("does not match its checksum: it was damaged or edited".into());
        }
        Ok(manifest)
    }

    /// The bytes of the manifest, with its checksum.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut unsigned = self.clone();
        unsigned.checksum = String::new();
        let text = to_json(&unsigned);
        let checksum = Digest::of(DigestAlgorithm::Sha256, text.as_bytes()).to_string();
        to_json(&Manifest {
            checksum,
            ..unsigned
        })
        .into_bytes()
    }

    /// Replaces the manifest of the collection at `root`.
    pub fn store(&self, fs: &dyn FileSystem, root: &Path) -> Result<()> {
        let path = Manifest::path(root);
        write_atomically(fs, &path, &self.to_bytes()).map_err(StoreError::io(&path, "write"))
    }
}

/// A layer's name becomes a directory's: nothing that could lead elsewhere.
pub(crate) fn is_layer_id(id: &str) -> bool {
    !id.is_empty()
        && id.len() <= 100
        && id
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
}

fn to_json(manifest: &Manifest) -> String {
    let mut text = serde_json::to_string_pretty(manifest).unwrap_or_default();
    text.push('\n');
    text
}
