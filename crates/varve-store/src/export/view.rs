//! A collection as one WACZ that is nowhere on disk: the archive files are read where they are,
//! when they are asked for. What it holds is what [`export_wacz`](super::export_wacz) writes.

use super::names::ArchiveNames;
use super::wacz::{PAGES_HEADER, write_merged_index};
use crate::collection::{Collection, Datapackage, Resource, hash_file};
use crate::fs::{Fs, ReadAt};
use crate::wacz::{ViewBuilder, WaczView};
use crate::warc::Body;
use crate::{Result, StoreError};
use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use varve_model::Digest;

/// An archive file of a collection.
#[derive(Debug)]
pub struct ArchiveFile {
    /// What it is called in a WACZ of the collection, without the directory.
    pub name: String,
    /// Its length.
    pub bytes: u64,
    /// The digest of its bytes, as it was sealed.
    pub hash: Digest,
    file: Arc<dyn ReadAt>,
    path: PathBuf,
}

impl ArchiveFile {
    /// Opens it.
    pub fn open(&self) -> Arc<dyn ReadAt> {
        self.file.clone()
    }
}

/// The archive files of a collection, in the order in which a WACZ has them.
pub fn archive_files(collection: &Collection) -> Result<Vec<ArchiveFile>> {
    describe(collection, ArchiveNames::of(collection)?)
}

/// What is written at once.
const BUFFER: usize = 256 << 10;

/// The CRC-32 of archive files, each read once: sealed layers do not change.
#[derive(Debug, Default)]
pub struct Checksums(Mutex<HashMap<PathBuf, u32>>);

impl Checksums {
    fn of(&self, path: &Path, file: &Arc<dyn ReadAt>) -> Result<u32> {
        let lock = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = lock().get(path) {
            return Ok(*known);
        }
        let checksum = checksum(path, file)?;
        lock().insert(path.to_owned(), checksum);
        Ok(checksum)
    }
}

/// Puts the collection together as a WACZ. The archive files are read once, for their checksums.
/// The merged index and the page list are written into the directory `scratch`, which need not
/// outlive this call.
pub fn view_wacz(
    collection: &Collection,
    scratch: &Path,
    checksums: &Checksums,
) -> Result<WaczView> {
    let mut builder = ViewBuilder::default();
    let names = ArchiveNames::of(collection)?;
    let indexes = scratch.join("indexes");
    write_merged_index(collection, &names, &indexes)?;
    for file in describe(collection, names)? {
        let checksum = checksums.of(&file.path, &file.file)?;
        let name = format!("archive/{}", file.name);
        builder.add(
            Resource::new(name, &file.hash, file.bytes),
            checksum,
            file.file,
        );
    }
    let listed = collection.fs.list(&indexes);
    for entry in listed.map_err(StoreError::io(&indexes, "list"))? {
        let name = format!("indexes/{}", entry.name);
        add_written(collection, &mut builder, name, &indexes.join(&entry.name))?;
    }
    let pages = scratch.join("pages.jsonl");
    write_pages(collection, &pages)?;
    add_written(
        collection,
        &mut builder,
        "pages/pages.jsonl".to_owned(),
        &pages,
    )?;
    Ok(builder.finish(sealed(collection)))
}

fn describe(collection: &Collection, names: ArchiveNames) -> Result<Vec<ArchiveFile>> {
    let known = digests(collection)?;
    let mut files = Vec::new();
    for (name, path) in names.into_files() {
        let hash = known.get(&path).cloned().ok_or_else(|| {
            let why = "is not in the datapackage of its layer; audit the collection";
            StoreError::invalid(&path, why)
        })?;
        let file: Arc<dyn ReadAt> = Arc::new(Reopened {
            fs: collection.fs.clone(),
            path: path.clone(),
        });
        let bytes = file.len().map_err(StoreError::io(&path, "look at"))?;
        files.push(ArchiveFile {
            name,
            bytes,
            hash,
            file,
            path,
        });
    }
    Ok(files)
}

/// When the collection became what it is.
fn sealed(collection: &Collection) -> String {
    let last = collection.layers().last();
    last.map_or_else(String::new, |layer| layer.sealed.clone())
}

/// The digests of all files of all layers, as they were sealed.
fn digests(collection: &Collection) -> Result<HashMap<PathBuf, Digest>> {
    let mut known = HashMap::new();
    for layer in 0..collection.layers().len() {
        let dir = collection.layer_dir(layer);
        let datapackage = Datapackage::load(collection.fs.as_ref(), &dir)?;
        let digests = datapackage.resources.iter().filter_map(|resource| {
            Some((dir.join(&resource.path), Digest::parse(&resource.hash)?))
        });
        known.extend(digests);
    }
    Ok(known)
}

fn checksum(path: &Path, file: &Arc<dyn ReadAt>) -> Result<u32> {
    let failed = |error| StoreError::io(path, "read")(error);
    let length = file.len().map_err(failed)?;
    let body = Body::File {
        file: file.clone(),
        offset: 0,
        length,
    };
    let mut checksum = crc32fast::Hasher::new();
    body.each_piece(|piece| {
        checksum.update(piece);
        Ok::<_, io::Error>(())
    })
    .map_err(failed)?;
    Ok(checksum.finalize())
}

/// Adds a file that was just written. It stays readable when its name is gone.
fn add_written(
    collection: &Collection,
    builder: &mut ViewBuilder,
    name: String,
    path: &Path,
) -> Result<()> {
    let file = collection
        .fs
        .open(path)
        .map_err(StoreError::io(path, "open"))?;
    let (hash, length) = hash_file(&file).map_err(StoreError::io(path, "read"))?;
    let checksum = checksum(path, &file)?;
    builder.add(Resource::new(name, &hash, length), checksum, file);
    Ok(())
}

fn write_pages(collection: &Collection, path: &Path) -> Result<()> {
    let failed = || StoreError::io(path, "write");
    let mut file = collection.fs.create(path).map_err(failed())?;
    let mut buffer = PAGES_HEADER.to_vec();
    collection.each_page(|line| {
        buffer.extend_from_slice(line);
        buffer.push(b'\n');
        if buffer.len() >= BUFFER {
            file.append(&buffer).map_err(failed())?;
            buffer.clear();
        }
        Ok(())
    })?;
    file.append(&buffer).map_err(failed())
}

/// A file that is opened for each look: a collection may have more of them than can be open.
#[derive(Debug)]
struct Reopened {
    fs: Fs,
    path: PathBuf,
}

impl ReadAt for Reopened {
    fn read_at(&self, buf: &mut [u8], offset: u64) -> io::Result<usize> {
        self.fs.open(&self.path)?.read_at(buf, offset)
    }

    fn len(&self) -> io::Result<u64> {
        self.fs.open(&self.path)?.len()
    }
}
