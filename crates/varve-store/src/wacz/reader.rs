//! Reading a WACZ that anybody may have made, with any intent.
//!
//! Nothing is ever unpacked under a name from the file; members that lead elsewhere, lie about
//! their size or inflate without end are refused by name.

use super::slice::{FileSlice, Seeking};
use crate::collection::FoundFault;
use crate::fs::{Fs, ReadAt};
use crate::warc::Fault;
use crate::{Result, StoreError};
use serde::Deserialize;
use std::collections::HashMap;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use varve_model::{Digest, Digester};
use zip::{CompressionMethod, ZipArchive};

const ARCHIVES: [&str; 5] = [".warc", ".warc.gz", ".warc.zst", ".arc", ".arc.gz"];
const MAX_MEMBERS: usize = 1_000_000;
const MAX_JSON: u64 = 256 << 20;
const MAX_PAGE_LINE: u64 = 4 << 20;
/// Deflate cannot do better than 1,032 to 1.
const MAX_RATIO: u64 = 1_100;

/// An open WACZ.
pub struct WaczReader {
    path: PathBuf,
    file: Arc<dyn ReadAt>,
    zip: ZipArchive<Seeking>,
}

#[derive(Deserialize)]
struct Resources {
    #[serde(default)]
    resources: Vec<Listed>,
}

#[derive(Deserialize)]
struct Listed {
    #[serde(default)]
    path: String,
    #[serde(default)]
    hash: String,
}

impl WaczReader {
    /// Opens a WACZ and refuses it when a member's name leads out of it.
    pub fn open(path: &Path, file: Arc<dyn ReadAt>) -> Result<WaczReader> {
        let seeking = Seeking::new(file.clone()).map_err(StoreError::io(path, "read"))?;
        let zip = ZipArchive::new(seeking).map_err(|error| {
            StoreError::invalid(path, format!("is no readable ZIP file: {error}"))
        })?;
        let mut wacz = WaczReader {
            path: path.to_owned(),
            file,
            zip,
        };
        wacz.refuse_dangerous_members()?;
        Ok(wacz)
    }

    /// The archive files inside, by path.
    pub fn archives(&self) -> Vec<String> {
        let is_archive = |name: &&str| {
            name.starts_with("archive/") && ARCHIVES.iter().any(|ending| name.ends_with(ending))
        };
        let mut names: Vec<String> = self
            .zip
            .file_names()
            .filter(is_archive)
            .map(str::to_owned)
            .collect();
        names.sort();
        names
    }

    /// A member that is stored and not compressed, as a view of the WACZ.
    pub fn stored_member(&mut self, name: &str) -> Result<Option<Arc<dyn ReadAt>>> {
        let (path, file) = (self.path.clone(), self.file.clone());
        let member = self.member(name)?;
        if member.compression() != CompressionMethod::Stored {
            return Ok(None);
        }
        let (start, length) = (member.data_start(), member.size());
        let end = start.and_then(|start| start.checked_add(length));
        let file_length = file.len().map_err(StoreError::io(&path, "look at"))?;
        match (start, end) {
            (Some(start), Some(end)) if end <= file_length => {
                Ok(Some(Arc::new(FileSlice::new(file, start, length))))
            }
            _ => Err(bad_member(&path, name, "lies outside the file")),
        }
    }

    /// A member as a file of its own: a view of the WACZ when it is stored, else unpacked into
    /// `scratch`.
    pub fn open_member(&mut self, fs: &Fs, scratch: &Path, name: &str) -> Result<Arc<dyn ReadAt>> {
        if let Some(stored) = self.stored_member(name)? {
            return Ok(stored);
        }
        let path = self.path.clone();
        let member = self.member(name)?;
        let target = scratch.join("member");
        let mut copy = fs
            .create(&target)
            .map_err(StoreError::io(&target, "create"))?;
        drain(&path, name, member, |bytes| {
            copy.append(bytes).map_err(StoreError::io(&target, "write"))
        })?;
        drop(copy);
        fs.open(&target).map_err(StoreError::io(&target, "open"))
    }

    /// Reads every archive member against its CRC and against the digest that the datapackage
    /// has for it.
    pub fn check_hashes(&mut self, path: &Path) -> Result<Vec<FoundFault>> {
        let listed = self.listed_hashes()?;
        let label = path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let mut faults = Vec::new();
        for name in self.archives() {
            let declared = listed.get(&name).cloned();
            let expected = declared.as_deref().and_then(Digest::parse);
            let path = self.path.clone();
            let member = self.member(&name)?;
            let offset = member.data_start().unwrap_or(0);
            let mut digester = expected
                .as_ref()
                .map(|digest| Digester::new(digest.algorithm()));
            drain(&path, &name, member, |bytes| {
                digester
                    .iter_mut()
                    .for_each(|digester| digester.update(bytes));
                Ok(())
            })?;
            let computed = digester.map(Digester::finish);
            if let (Some(declared), true) = (declared, computed != expected) {
                let computed = computed.map_or_else(String::new, |digest| digest.to_string());
                let fault = Fault::WrongDigest {
                    field: "the hash in datapackage.json",
                    declared,
                    computed,
                };
                faults.push(FoundFault {
                    file: format!("{label}!{name}"),
                    offset,
                    fault,
                });
            }
        }
        Ok(faults)
    }

    /// Gives the lines of the page lists that describe pages.
    pub fn pages(&mut self, mut take: impl FnMut(&str) -> Result<()>) -> Result<()> {
        for name in ["pages/pages.jsonl", "pages/extraPages.jsonl"] {
            if self.zip.index_for_name(name).is_none() {
                continue;
            }
            let path = self.path.clone();
            let mut lines = BufReader::new(self.member(name)?.take(MAX_JSON));
            let mut line = Vec::new();
            loop {
                line.clear();
                let read = (&mut lines)
                    .take(MAX_PAGE_LINE)
                    .read_until(b'\n', &mut line);
                if read.map_err(|error| bad_member(&path, name, &error.to_string()))? == 0 {
                    break;
                }
                let parsed = serde_json::from_slice::<serde_json::Value>(&line);
                if let Ok(page) = parsed
                    && page.get("url").is_some_and(serde_json::Value::is_string)
                {
                    take(&page.to_string())?;
                }
            }
        }
        Ok(())
    }

    fn listed_hashes(&mut self) -> Result<HashMap<String, String>> {
        const NAME: &str = "datapackage.json";
        if self.zip.index_for_name(NAME).is_none() {
            return Err(bad_member(&self.path, NAME, "is missing: not a WACZ file"));
        }
        let path = self.path.clone();
        let member = self.member(NAME)?;
        let parsed: Resources = serde_json::from_reader(BufReader::new(member.take(MAX_JSON)))
            .map_err(|error| bad_member(&path, NAME, &error.to_string()))?;
        Ok(parsed
            .resources
            .into_iter()
            .map(|listed| (listed.path, listed.hash))
            .collect())
    }

    fn member(&mut self, name: &str) -> Result<zip::read::ZipFile<'_, Seeking>> {
        let path = self.path.clone();
        self.zip
            .by_name(name)
            .map_err(|error| bad_member(&path, name, &error.to_string()))
    }

    fn refuse_dangerous_members(&mut self) -> Result<()> {
        if self.zip.len() > MAX_MEMBERS {
            return Err(StoreError::invalid(
                &self.path,
                "has more members than any WACZ",
            ));
        }
        for index in 0..self.zip.len() {
            let path = self.path.clone();
            let member = self
                .zip
                .by_index_raw(index)
                .map_err(|error| StoreError::invalid(&path, format!("member {index}: {error}")))?;
            let reason = if !is_inside(member.name()) {
                "has a path that leads out of the file: refused"
            } else if member.is_symlink() {
                "is a symbolic link: refused"
            } else if member.encrypted() {
                "is encrypted: cannot be read"
            } else if member.size() / MAX_RATIO > member.compressed_size() {
                "declares an impossible size: refused"
            } else if member.compression() == CompressionMethod::Stored
                && member.size() != member.compressed_size()
            {
                "lies about its size: refused"
            } else {
                continue;
            };
            return Err(bad_member(&path, member.name(), reason));
        }
        Ok(())
    }
}

/// Reads a member to its end, which checks its CRC; more bytes than declared are an error.
fn drain<R: Read>(
    path: &Path,
    name: &str,
    mut member: zip::read::ZipFile<'_, R>,
    mut take: impl FnMut(&[u8]) -> Result<()>,
) -> Result<()> {
    let mut left = member.size();
    let mut buffer = vec![0; 256 * 1024];
    loop {
        let read = match member.read(&mut buffer) {
            Ok(read) => read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(bad_member(path, name, &error.to_string())),
        };
        if read == 0 && left > 0 {
            return Err(bad_member(path, name, "is shorter than it says"));
        }
        if read == 0 {
            return Ok(());
        }
        left = left
            .checked_sub(read as u64)
            .ok_or_else(|| bad_member(path, name, "is longer than it says"))?;
        take(&buffer[..read])?;
    }
}

/// Whether a member's path stays where it belongs, on any system.
fn is_inside(name: &str) -> bool {
    let drive = name.as_bytes().get(1) == Some(&b':');
    let absolute = name.starts_with(['/', '\\']);
    let climbs = name.split(['/', '\\']).any(|part| part == "..");
    !(name.is_empty() || drive || absolute || climbs || name.contains(['\0', '\\']))
}

fn bad_member(path: &Path, name: &str, reason: &str) -> StoreError {
    let name: String = name
        .chars()
        .take(200)
        .flat_map(char::escape_default)
        .collect();
    StoreError::invalid(path, format!("member \"{name}\" {reason}"))
}
