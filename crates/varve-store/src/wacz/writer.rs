//! Writing a WACZ: members stored, so that readers can take ranges of them; digests of all.

use super::frame::{Directory, Member};
use crate::collection::{Datapackage, Resource};
use crate::{Result, StoreError};
use std::io::{Seek, SeekFrom, Write};
use std::path::PathBuf;
use varve_model::{Digest, DigestAlgorithm, Digester};

/// Writes the members of a WACZ one after the other.
pub struct WaczWriter<W: Write + Seek> {
    out: W,
    path: PathBuf,
    written: u64,
    directory: Directory,
    resources: Vec<Resource>,
}

impl<W: Write + Seek> WaczWriter<W> {
    /// Starts a WACZ at the beginning of a file; `path` names it in errors.
    pub fn new(out: W, path: PathBuf) -> WaczWriter<W> {
        WaczWriter {
            out,
            path,
            written: 0,
            directory: Directory::default(),
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
        for (name, bytes) in closing(created, std::mem::take(&mut self.resources)) {
            self.write(name, |out| out(&bytes))?;
        }
        let end = self.directory.finish(self.written);
        let written = self.out.write_all(&end).and_then(|()| self.out.flush());
        written.map_err(StoreError::io(&self.path, "write"))?;
        Ok(self.out)
    }

    fn write(
        &mut self,
        name: &str,
        produce: impl FnOnce(&mut dyn FnMut(&[u8]) -> Result<()>) -> Result<()>,
    ) -> Result<(Digest, u64)> {
        let start = self.written;
        let (mut length, mut checksum) = (0, crc32fast::Hasher::new());
        let mut digester = Digester::new(DigestAlgorithm::Sha256);
        let failed = || StoreError::io(&self.path, "write");
        let member = |length, checksum| Member {
            name,
            length,
            checksum,
        };
        let out = &mut self.out;
        // It is written again when the checksum is known.
        let header = member(0, 0).header();
        out.write_all(&header).map_err(failed())?;
        produce(&mut |bytes| {
            digester.update(bytes);
            checksum.update(bytes);
            length += bytes.len() as u64;
            out.write_all(bytes).map_err(failed())
        })?;
        let member = member(length, checksum.finalize());
        let end = start + header.len() as u64 + length;
        out.seek(SeekFrom::Start(start))
            .and_then(|_| out.write_all(&member.header()))
            .and_then(|()| out.seek(SeekFrom::Start(end)))
            .map_err(failed())?;
        self.directory.add(&member, start);
        self.written = end;
        Ok((digester.finish(), length))
    }
}

/// The two members that close a WACZ: what it holds, and the digest of that.
pub(super) fn closing(created: String, resources: Vec<Resource>) -> [(&'static str, Vec<u8>); 2] {
    let datapackage = Datapackage::new(created, resources, None).to_bytes();
    let hash = Digest::of(DigestAlgorithm::Sha256, &datapackage);
    let digest = serde_json::json!({"path": "datapackage.json", "hash": hash.to_string()});
    let digest = format!("{digest:#}\n").into_bytes();
    [
        ("datapackage.json", datapackage),
        ("datapackage-digest.json", digest),
    ]
}
