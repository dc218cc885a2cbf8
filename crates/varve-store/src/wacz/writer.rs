//! Writing a WACZ: members stored, so that readers can take ranges of them; digests of all.

use crate::collection::{Datapackage, Resource};
use crate::{Result, StoreError};
use std::io::{Seek, Write};
use std::path::PathBuf;
use varve_model::{Digest, DigestAlgorithm, Digester};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

/// Writes the members of a WACZ one after the other.
pub struct WaczWriter<W: Write + Seek> {
    zip: ZipWriter<W>,
    path: PathBuf,
    resources: Vec<Resource>,
}

impl<W: Write + Seek> WaczWriter<W> {
    /// Starts a WACZ; `path` names it in errors.
    pub fn new(out: W, path: PathBuf) -> WaczWriter<W> {
        WaczWriter {
            zip: ZipWriter::new(out),
            path,
            resources: Vec::new(),
        }
    }

    /// Adds a member; `produce` writes its bytes.
    pub fn add(
        &mut self,
        name: &str,
        produce: impl FnOnce(&mut dyn FnMut(&[u8]) -> Result<()>) -> Result<()>,
    ) -> Result<()> {
        let (hash, bytes) = self.write(name, produce)?;
        self.resources
            .push(Resource::new(name.to_owned(), &hash, bytes));
        Ok(())
    }

    /// Writes the datapackage and its digest, and finishes the file.
    pub fn finish(mut self, created: String) -> Result<W> {
        let datapackage = Datapackage::new(created, std::mem::take(&mut self.resources), None);
        let bytes = datapackage.to_bytes();
        let hash = Digest::of(DigestAlgorithm::Sha256, &bytes);
        self.write("datapackage.json", |out| out(&bytes))?;
        let digest = serde_json::json!({"path": "datapackage.json", "hash": hash.to_string()});
        let digest = format!("{digest:#}\n");
        self.write("datapackage-digest.json", |out| out(digest.as_bytes()))?;
        let path = self.path.clone();
        self.zip.finish().map_err(|error| zip_error(&path, error))
    }

    fn write(
        &mut self,
        name: &str,
        produce: impl FnOnce(&mut dyn FnMut(&[u8]) -> Result<()>) -> Result<()>,
    ) -> Result<(Digest, u64)> {
        // Members carry no times: the datapackage alone says when.
        let options = SimpleFileOptions::default()
            .compression_method(CompressionMethod::Stored)
            .last_modified_time(zip::DateTime::default())
            .large_file(true);
        let path = self.path.clone();
        self.zip
            .start_file(name, options)
            .map_err(|error| zip_error(&path, error))?;
        let mut digester = Digester::new(DigestAlgorithm::Sha256);
        let mut length = 0;
        let zip = &mut self.zip;
        produce(&mut |bytes| {
            digester.update(bytes);
            length += bytes.len() as u64;
            zip.write_all(bytes).map_err(StoreError::io(&path, "write"))
        })?;
        Ok((digester.finish(), length))
    }
}

fn zip_error(path: &std::path::Path, error: zip::result::ZipError) -> StoreError {
    match error {
        zip::result::ZipError::Io(source) => StoreError::io(path, "write")(source),
        other => StoreError::invalid(path, format!("cannot be written: {other}")),
    }
}
