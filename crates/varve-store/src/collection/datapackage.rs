//! `datapackage.json`: the files of a layer with their digests, as WACZ 1.1.1 has it.

use crate::fs::{FileSystem, ReadAt, read_small};
use crate::{Result, StoreError};
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::sync::Arc;
use varve_model::{Digest, DigestAlgorithm, Digester};

/// The file's name.
pub const DATAPACKAGE: &str = "datapackage.json";
const MAX_DATAPACKAGE: u64 = 256 << 20;

/// The content of `datapackage.json`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Datapackage {
    /// Always `data-package`.
    pub profile: String,
    /// The WACZ version.
    pub wacz_version: String,
    /// What wrote it.
    #[serde(default)]
    pub software: String,
    /// When.
    #[serde(default)]
    pub created: String,
    /// The files.
    pub resources: Vec<Resource>,
    /// What only Varve knows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub varve: Option<LayerFacts>,
}

/// One file of a layer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Resource {
    /// A name without a path.
    pub name: String,
    /// The path inside the layer.
    pub path: String,
    /// The digest of its bytes.
    pub hash: String,
    /// Its length.
    pub bytes: u64,
}

/// What Varve keeps of a layer besides.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LayerFacts {
    /// The layer's name.
    pub layer: String,
    /// How many index entries it has.
    pub captures: u64,
    /// The files that were imported into it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sources: Vec<Source>,
    /// Whether some of its records are stored in another way than they came: others get them by export.
    #[serde(default, skip_serializing_if = "is_false")]
    pub altered: bool,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for it")]
fn is_false(value: &bool) -> bool {
    !value
}

/// A file that was imported.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Source {
    /// Its name without the directory.
    pub name: String,
    /// Its length.
    pub bytes: u64,
    /// Its digest, by which it is known when it comes again.
    pub hash: String,
    /// The archive files that came of it.
    pub files: Vec<String>,
}

impl Datapackage {
    /// A datapackage of these files.
    pub fn new(
        created: String,
        resources: Vec<Resource>,
        varve: Option<LayerFacts>,
    ) -> Datapackage {
        Datapackage {
            profile: "data-package".into(),
            wacz_version: "1.1.1".into(),
            software: concat!("varve ", env!("CARGO_PKG_VERSION")).into(),
            created,
            resources,
            varve,
        }
    }

    /// Reads the datapackage of the layer at `dir`.
    pub fn load(fs: &dyn FileSystem, dir: &Path) -> Result<Datapackage> {
        let path = dir.join(DATAPACKAGE);
        let bytes =
            read_small(fs, &path, MAX_DATAPACKAGE).map_err(StoreError::io(&path, "read"))?;
        serde_json::from_slice(&bytes)
            .map_err(|error| StoreError::invalid(&path, format!("is no datapackage: {error}")))
    }

    /// The bytes of the file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut text = serde_json::to_string_pretty(self).unwrap_or_default();
        text.push('\n');
        text.into_bytes()
    }
}

impl Resource {
    /// A resource with the name that validators expect for a path.
    pub fn new(path: String, hash: &Digest, bytes: u64) -> Resource {
        let name = path.rsplit('/').next().unwrap_or(&path).to_lowercase();
        let name = name
            .chars()
            .map(|c| {
                if c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_') {
                    c
                } else {
                    '-'
                }
            })
            .collect();
        Resource {
            name,
            path,
            hash: hash.to_string(),
            bytes,
        }
    }

    /// Reads a file and describes it.
    pub fn of_file(fs: &dyn FileSystem, dir: &Path, path: String) -> Result<Resource> {
        let full = dir.join(&path);
        let file = fs.open(&full).map_err(StoreError::io(&full, "open"))?;
        let (hash, bytes) = hash_file(&file).map_err(StoreError::io(&full, "read"))?;
        Ok(Resource::new(path, &hash, bytes))
    }
}

/// The SHA-256 and the length of a file.
pub fn hash_file(file: &Arc<dyn ReadAt>) -> std::io::Result<(Digest, u64)> {
    let mut digester = Digester::new(DigestAlgorithm::Sha256);
    let mut buffer = vec![0; 256 * 1024];
    let mut length = 0;
    loop {
        let read = file.read_at(&mut buffer, length)?;
        if read == 0 {
            return Ok((digester.finish(), length));
        }
        digester.update(&buffer[..read]);
        length += read as u64;
    }
}
