//! The index against the records: both as sorted lines, compared in one pass in bounded memory.

use super::Audit;
use crate::collection::layout::{ARCHIVE, INDEXES};
use crate::collection::lock;
use crate::collection::seal::{SORT_MEMORY, index_form, write_index};
use crate::collection::{Collection, DATAPACKAGE, Datapackage, Manifest, Resource};
use crate::fs::write_atomically;
use crate::index::{LayerCursor, LayerIndex, LineSorter};
use crate::warc::{Scanned, Scanner, Step, Verify};
use crate::{Result, StoreError};
use std::cmp::Ordering;
use std::path::{Path, PathBuf};
use varve_model::{Capture, Digest, DigestAlgorithm};

/// The index lines that the records of a layer give.
pub(super) struct RecordLines {
    sorter: LineSorter,
    scratch: PathBuf,
}

impl RecordLines {
    pub(super) fn new(collection: &Collection, layer: &str) -> RecordLines {
        // Audits run on media that cannot be written to: the scratch space is elsewhere.
        let name = format!("varve-audit-{}-{layer}", std::process::id());
        let scratch = std::env::temp_dir().join(name);
        let sorter = LineSorter::new(collection.fs.clone(), scratch.clone(), SORT_MEMORY);
        RecordLines { sorter, scratch }
    }

    pub(super) fn take(&mut self, name: &str, record: &Scanned) -> Result<()> {
        match record.index_line(name) {
            Some(line) => self.sorter.push(line.as_bytes()),
            None => Ok(()),
        }
    }
}

/// Reports lines that stand on one side only.
pub(super) fn compare_index(
    audit: &mut Audit<'_>,
    collection: &Collection,
    indexes: &Path,
    lines: RecordLines,
) -> Result<()> {
    let index = LayerIndex::open(&collection.fs, indexes);
    let Some(index) = audit.survive(index)? else {
        return Ok(());
    };
    let verified = index.verify(&mut |error| {
        let _ = audit.survive::<()>(Err(error));
    });
    audit.survive(verified)?;
    let mut expected = lines.sorter.finish()?;
    let mut cursor = index.start();
    let mut indexed = audit.survive(next_indexed(&mut cursor))?.flatten();
    let mut recorded = expected.next_line()?.map(<[u8]>::to_vec);
    loop {
        let order = match (&indexed, &recorded) {
            (None, None) => break,
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (Some(a), Some(b)) => a.cmp(b),
        };
        if order != Ordering::Greater {
            audit.tally.captures += 1;
        }
        match order {
            Ordering::Less => report(
                audit,
                indexes,
                &indexed,
                "stands in the index, but no record gives it",
            ),
            Ordering::Greater => report(
                audit,
                indexes,
                &recorded,
                "is what a record gives, but the index lacks it",
            ),
            Ordering::Equal => {}
        }
        if order != Ordering::Greater {
            indexed = audit.survive(next_indexed(&mut cursor))?.flatten();
        }
        if order != Ordering::Less {
            recorded = expected.next_line()?.map(<[u8]>::to_vec);
        }
    }
    let _ = collection.fs.remove_dir_all(&lines.scratch);
    Ok(())
}

fn next_indexed(cursor: &mut LayerCursor) -> Result<Option<Vec<u8>>> {
    Ok(cursor.next_line()?.map(<[u8]>::to_vec))
}

fn report(audit: &mut Audit<'_>, indexes: &Path, line: &Option<Vec<u8>>, what: &str) {
    let text = String::from_utf8_lossy(line.as_deref().unwrap_or_default()).into_owned();
    let (place, offset) = match Capture::parse(&text) {
        Ok(capture) => (
            format!("{} at {}", capture.url, capture.filename),
            Some(capture.offset),
        ),
        Err(_) => (text.chars().take(100).collect(), None),
    };
    audit.damage(
        indexes,
        offset,
        format!("the line of {place} {what}; `varve audit --rebuild-index` mends the index"),
    );
}

/// Makes the index of a layer anew from its archive files; returns whether it changed.
pub fn rebuild_index(collection: &Collection, layer: usize) -> Result<bool> {
    let fs = &collection.fs;
    let dir = collection.layer_dir(layer);
    let id = collection.layers()[layer].id.clone();
    let scratch = collection.layout.scratch(&format!("rebuild-{id}"));
    fs.remove_dir_all(&scratch)
        .map_err(StoreError::io(&scratch, "remove"))?;
    let mut sorter = LineSorter::new(fs.clone(), scratch.join("runs"), SORT_MEMORY);
    let archive = dir.join(ARCHIVE);
    let mut captures = 0;
    for entry in fs
        .list(&archive)
        .map_err(StoreError::io(&archive, "list"))?
    {
        captures += push_captures(
            collection,
            &archive.join(&entry.name),
            &entry.name,
            &mut sorter,
        )?;
    }
    let rebuilt = scratch.join(INDEXES);
    let count = write_index(fs, &rebuilt, sorter, index_form(captures))?;
    let changed = replace_index(collection, layer, &rebuilt, count)?;
    fs.remove_dir_all(&scratch)
        .map_err(StoreError::io(&scratch, "remove"))?;
    Ok(changed)
}

fn push_captures(
    collection: &Collection,
    path: &Path,
    name: &str,
    sorter: &mut LineSorter,
) -> Result<u64> {
    let file = collection
        .fs
        .open(path)
        .map_err(StoreError::io(path, "open"))?;
    let mut scanner = Scanner::new(file, Verify::Nothing).map_err(|error| error.at(path))?;
    let mut count = 0;
    while let Some(step) = scanner.next_step().map_err(StoreError::io(path, "read"))? {
        if let Step::Record(record) = step
            && let Some(line) = record.index_line(name)
        {
            sorter.push(line.as_bytes())?;
            count += 1;
        }
    }
    Ok(count)
}

/// Puts rebuilt index files in place, then the datapackage that describes them, then the manifest.
/// A crash in between shows in the next audit, and rebuilding again mends it.
fn replace_index(
    collection: &Collection,
    layer: usize,
    rebuilt: &Path,
    captures: u64,
) -> Result<bool> {
    let fs = collection.fs.as_ref();
    let dir = collection.layer_dir(layer);
    let indexes = dir.join(INDEXES);
    let mut datapackage = Datapackage::load(fs, &dir)?;
    let mut resources = Vec::new();
    for entry in fs.list(rebuilt).map_err(StoreError::io(rebuilt, "list"))? {
        let described = Resource::of_file(fs, rebuilt, entry.name.clone())?;
        resources.push(Resource {
            path: format!("{INDEXES}/{}", entry.name),
            ..described
        });
    }
    let is_index = |file: &Resource| file.path.starts_with("indexes/");
    let sound = datapackage
        .resources
        .iter()
        .filter(|file| is_index(file))
        .eq(resources.iter());
    let on_disk = resources.iter().all(|file| {
        Resource::of_file(fs, &dir, file.path.clone()).is_ok_and(|found| found == *file)
    });
    if sound && on_disk {
        return Ok(false);
    }
    fs.create_dir_all(&indexes)
        .map_err(StoreError::io(&indexes, "create"))?;
    for entry in fs
        .list(&indexes)
        .map_err(StoreError::io(&indexes, "list"))?
    {
        let path = indexes.join(&entry.name);
        fs.remove_file(&path)
            .map_err(StoreError::io(&path, "remove"))?;
    }
    for entry in fs.list(rebuilt).map_err(StoreError::io(rebuilt, "list"))? {
        let (from, to) = (rebuilt.join(&entry.name), indexes.join(&entry.name));
        fs.rename(&from, &to)
            .map_err(StoreError::io(&from, "rename"))?;
    }
    fs.sync_dir(&indexes)
        .map_err(StoreError::io(&indexes, "sync"))?;
    datapackage.resources.retain(|file| !is_index(file));
    let at = datapackage
        .resources
        .partition_point(|file| file.path.starts_with("archive/"));
    datapackage.resources.splice(at..at, resources);
    if let Some(facts) = &mut datapackage.varve {
        facts.captures = captures;
    }
    let path = dir.join(DATAPACKAGE);
    let bytes = datapackage.to_bytes();
    write_atomically(fs, &path, &bytes).map_err(StoreError::io(&path, "write"))?;
    let _lock = lock::collection(fs, &collection.layout)?;
    let mut manifest = Manifest::load(fs, collection.root())?;
    let id = &collection.layers()[layer].id;
    for entry in manifest.layers.iter_mut().filter(|entry| entry.id == *id) {
        entry.captures = captures;
        entry.datapackage = Digest::of(DigestAlgorithm::Sha256, &bytes).to_string();
    }
    manifest.store(fs, collection.root())?;
    Ok(true)
}
