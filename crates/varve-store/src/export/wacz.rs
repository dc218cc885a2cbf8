//! A collection as one WACZ: its archive files as they are, one index over all.

use super::names::ArchiveNames;
use super::{Draft, ExportObserver, Whole};
use crate::collection::Collection;
use crate::collection::seal::{SORT_MEMORY, write_index};
use crate::fs::ReadAt;
use crate::index::{IndexForm, LineSorter};
use crate::wacz::WaczWriter;
use crate::warc::Body;
use crate::{Result, StoreError};
use std::fs::{self, File};
use std::io::BufWriter;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use varve_model::Capture;

pub(super) const PAGES_HEADER: &[u8] =
    b"{\"format\": \"json-pages-1.0\", \"id\": \"pages\", \"title\": \"All Pages\"}\n";

/// Writes the collection as the WACZ file `target`.
pub fn export_wacz(
    collection: &Collection,
    target: &Path,
    observer: &mut dyn ExportObserver,
) -> Result<()> {
    let whole = Whole::of(collection, target)?;
    let collection = whole.collection(collection);
    let draft = Draft::new(target)?;
    let out = File::create(draft.path()).map_err(StoreError::io(target, "create"))?;
    let mut wacz = WaczWriter::new(BufWriter::with_capacity(1 << 20, out), target.to_owned());
    let names = ArchiveNames::of(collection)?;
    for (name, path) in names.files() {
        let file = open(collection, path)?;
        copy(&mut wacz, &format!("archive/{name}"), path, file, observer)?;
    }
    let scratch = Scratch::new(target);
    write_merged_index(collection, &names, &scratch.0)?;
    for entry in collection
        .fs
        .list(&scratch.0)
        .map_err(StoreError::io(&scratch.0, "list"))?
    {
        let path = scratch.0.join(&entry.name);
        copy(
            &mut wacz,
            &format!("indexes/{}", entry.name),
            &path,
            open(collection, &path)?,
            observer,
        )?;
    }
    wacz.add("pages/pages.jsonl", |out| {
        out(PAGES_HEADER)?;
        collection.each_page(|line| {
            out(line)?;
            out(b"\n")
        })
    })?;
    let out = wacz.finish(collection.world.now().to_seconds().w3c())?;
    out.into_inner()
        .map_err(|error| StoreError::io(target, "write")(error.into_error()))?;
    draft.publish()
}

fn open(collection: &Collection, path: &Path) -> Result<Arc<dyn ReadAt>> {
    collection
        .fs
        .open(path)
        .map_err(StoreError::io(path, "open"))
}

fn copy(
    wacz: &mut WaczWriter<BufWriter<File>>,
    name: &str,
    path: &Path,
    file: Arc<dyn ReadAt>,
    observer: &mut dyn ExportObserver,
) -> Result<()> {
    let length = file.len().map_err(StoreError::io(path, "look at"))?;
    let body = Body::File {
        file,
        offset: 0,
        length,
    };
    wacz.add(name, |out| {
        body.each_piece(|piece| {
            observer.advanced(piece.len() as u64);
            out(piece).map_err(CopyError::Store)
        })
        .map_err(|error| match error {
            CopyError::Store(error) => error,
            CopyError::Io(source) => StoreError::io(path, "read")(source),
        })
    })
}

/// Reading and writing fail in different files.
enum CopyError {
    Io(std::io::Error),
    Store(StoreError),
}

impl From<std::io::Error> for CopyError {
    fn from(error: std::io::Error) -> CopyError {
        CopyError::Io(error)
    }
}

/// One index over all layers, with the archive files' exported names.
pub(super) fn write_merged_index(
    collection: &Collection,
    names: &ArchiveNames,
    dir: &Path,
) -> Result<()> {
    let index = collection.index()?;
    let mut sorter = LineSorter::new(collection.fs.clone(), dir.join("runs"), SORT_MEMORY);
    let mut cursor = index.start()?;
    while let Some((layer, line)) = cursor.next_line()? {
        let text = String::from_utf8_lossy(line);
        let Ok(mut capture) = Capture::parse(&text) else {
            continue;
        };
        if let Some(name) = names.get(layer, &capture.filename) {
            name.clone_into(&mut capture.filename);
        }
        sorter.push(capture.to_line().as_bytes())?;
    }
    write_index(&collection.fs, dir, sorter, IndexForm::ZipNum)?;
    let runs = dir.join("runs");
    collection
        .fs
        .remove_dir_all(&runs)
        .map_err(StoreError::io(&runs, "remove"))
}

/// A directory beside the output that is gone afterwards.
struct Scratch(PathBuf);

impl Scratch {
    fn new(target: &Path) -> Scratch {
        let mut name = target.as_os_str().to_owned();
        name.push(".index");
        let path = PathBuf::from(name);
        let _ = fs::remove_dir_all(&path);
        Scratch(path)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
