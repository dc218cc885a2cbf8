//! From an open layer to a sealed one: index, page list, datapackage, then two atomic steps, the
//! rename into `layers/` and the new manifest. Each can be done again after a crash.

use super::datapackage::{DATAPACKAGE, Datapackage, LayerFacts, Resource, Source};
use super::journal::{self, Entry, LayerKind};
use super::layout::{ARCHIVE, INDEXES, LOGS, Layout, PAGES, TAILS};
use super::lock;
use super::manifest::{LayerEntry, Manifest};
use super::open_layer::sync_dir;
use crate::fs::{AppendFile, EntryKind, FileSystem, Fs, write_atomically};
use crate::index::{IndexForm, IndexWriter, LineSorter};
use crate::world::World;
use crate::{Result, StoreError};
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use varve_model::{CdxjLine, Digest, DigestAlgorithm};

/// What sorting the index may use of memory.
pub(crate) const SORT_MEMORY: usize = 48 << 20;
/// Layers with this many captures get a ZipNum index: six times smaller, and a look-up takes a
/// millisecond instead of microseconds.
const ZIPNUM_FROM: u64 = 25_000_000;
const PAGES_HEADER: &str = r#"{"format": "json-pages-1.0", "id": "pages", "title": "Pages"}"#;

/// Which of the journal's entries belong to the layer.
pub(crate) struct Adopted {
    /// Archive files whose captures in the journal count.
    pub(crate) journaled: HashSet<String>,
    /// How many of the journal's entries count.
    pub(crate) entries: u64,
    /// CDXJ lines of archive files that the journal does not know.
    pub(crate) found: Vec<String>,
    /// What was imported.
    pub(crate) sources: Vec<Source>,
    /// Whether records are stored in another way than they came.
    pub(crate) is_altered: bool,
    /// Digests known already, by path in the layer.
    pub(crate) hashes: HashMap<String, (Digest, u64)>,
}

/// Seals the open layer `id`: all its archive files have their final names and are durable.
pub(crate) fn seal(
    fs: &Fs,
    layout: &Layout,
    world: &dyn World,
    id: &str,
    adopted: Adopted,
) -> Result<LayerEntry> {
    let dir = layout.open_layer(id);
    for leftover in [INDEXES, PAGES, LOGS] {
        let leftover = dir.join(leftover);
        fs.remove_dir_all(&leftover)
            .map_err(StoreError::io(&leftover, "remove"))?;
    }
    let captures = write_lists(fs, layout, id, &adopted)?;
    let facts = LayerFacts {
        layer: id.to_owned(),
        captures,
        sources: adopted.sources,
        altered: adopted.is_altered,
    };
    let resources = describe_files(fs.as_ref(), &dir, &adopted.hashes)?;
    let datapackage = Datapackage::new(world.now().to_seconds().w3c(), resources, Some(facts));
    let path = dir.join(DATAPACKAGE);
    for sub in [ARCHIVE, INDEXES, PAGES, LOGS, TAILS] {
        let sub = dir.join(sub);
        if fs
            .kind(&sub)
            .map_err(StoreError::io(&sub, "look at"))?
            .is_some()
        {
            sync_dir(fs.as_ref(), &sub)?;
        }
    }
    // The datapackage says that all of the layer is there: it must not reach the disk first.
    sync_dir(fs.as_ref(), &dir)?;
    write_atomically(fs.as_ref(), &path, &datapackage.to_bytes())
        .map_err(StoreError::io(&path, "write"))?;
    publish(fs, layout, id)
}

/// Moves a complete layer to its place and names it in the manifest. Safe to repeat.
pub(crate) fn publish(fs: &Fs, layout: &Layout, id: &str) -> Result<LayerEntry> {
    let _lock = lock::collection(fs.as_ref(), layout)?;
    let (from, to) = (layout.open_layer(id), layout.layer(id));
    if fs
        .kind(&from)
        .map_err(StoreError::io(&from, "look at"))?
        .is_some()
    {
        fs.rename(&from, &to)
            .map_err(StoreError::io(&from, "rename"))?;
    }
    sync_dir(fs.as_ref(), &layout.layers())?;
    sync_dir(fs.as_ref(), &layout.state())?;
    let entry = layer_entry(fs.as_ref(), &to)?;
    let mut manifest = Manifest::load(fs.as_ref(), layout.root())?;
    if !manifest.layers.iter().any(|layer| layer.id == id) {
        manifest.layers.push(entry.clone());
        manifest.store(fs.as_ref(), layout.root())?;
    }
    clean_up(fs.as_ref(), layout, id)?;
    Ok(entry)
}

/// Removes what an open layer leaves behind in `state/`.
pub(crate) fn clean_up(fs: &dyn FileSystem, layout: &Layout, id: &str) -> Result<()> {
    let scratch = layout.scratch(id);
    fs.remove_dir_all(&scratch)
        .map_err(StoreError::io(&scratch, "remove"))?;
    for path in [layout.journal(id), layout.layer_lock(id)] {
        if fs
            .kind(&path)
            .map_err(StoreError::io(&path, "look at"))?
            .is_some()
        {
            fs.remove_file(&path)
                .map_err(StoreError::io(&path, "remove"))?;
        }
    }
    Ok(())
}

fn layer_entry(fs: &dyn FileSystem, dir: &Path) -> Result<LayerEntry> {
    let datapackage = Datapackage::load(fs, dir)?;
    let hash = Digest::of(DigestAlgorithm::Sha256, &datapackage.to_bytes());
    let archived = datapackage
        .resources
        .iter()
        .filter(|file| file.path.starts_with("archive/"));
    Ok(LayerEntry {
        id: dir
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned(),
        sealed: datapackage.created.clone(),
        captures: datapackage.varve.as_ref().map_or(0, |facts| facts.captures),
        bytes: archived.map(|file| file.bytes).sum(),
        datapackage: hash.to_string(),
    })
}

/// Writes the index, the page list and the log; returns the number of captures.
fn write_lists(fs: &Fs, layout: &Layout, id: &str, adopted: &Adopted) -> Result<u64> {
    let dir = layout.open_layer(id);
    let scratch = layout.scratch(id);
    fs.remove_dir_all(&scratch)
        .map_err(StoreError::io(&scratch, "remove"))?;
    let mut sorter = LineSorter::new(fs.clone(), scratch, SORT_MEMORY);
    let mut pages = ListFile::new(fs, dir.join(PAGES), "pages.jsonl", Some(PAGES_HEADER));
    let mut log = ListFile::new(fs, dir.join(LOGS), "import.jsonl", None);
    let mut count = 0;
    let mut captures = 0;
    journal::read(fs.as_ref(), &layout.journal(id), |entry| {
        count += 1;
        if count > adopted.entries {
            return Ok(());
        }
        match entry {
            // The first line, before anything of the log.
            Entry::Layer(LayerKind::Record) => {
                log.name = "crawl.jsonl";
                Ok(())
            }
            Entry::Capture(line) if adopted.journaled.contains(filename(&line)) => {
                captures += 1;
                sorter.push(line.as_bytes())
            }
            Entry::Page { file, line } if file.is_empty() || adopted.journaled.contains(&file) => {
                pages.push(&line)
            }
            Entry::Log(line) => log.push(&line),
            _ => Ok(()),
        }
    })?;
    for line in &adopted.found {
        captures += 1;
        sorter.push(line.as_bytes())?;
    }
    pages.finish()?;
    log.finish()?;
    write_index(fs, &dir.join(INDEXES), sorter, index_form(captures))
}

/// The form of index that suits a layer with so many captures.
pub(crate) fn index_form(captures: u64) -> IndexForm {
    if captures >= ZIPNUM_FROM {
        IndexForm::ZipNum
    } else {
        IndexForm::Plain
    }
}

/// Writes the sorted lines as a layer's index; returns their number.
pub(crate) fn write_index(
    fs: &Fs,
    indexes: &Path,
    sorter: LineSorter,
    form: IndexForm,
) -> Result<u64> {
    fs.create_dir_all(indexes)
        .map_err(StoreError::io(indexes, "create"))?;
    let mut writer = IndexWriter::create(fs, indexes, form)?;
    let mut lines = sorter.finish()?;
    let mut count = 0;
    while let Some(line) = lines.next_line()? {
        writer.push(line)?;
        count += 1;
    }
    writer.finish()?;
    Ok(count)
}

/// The archive file that a CDXJ line of our own writing names: its last field of that name.
fn filename(line: &str) -> &str {
    const FIELD: &str = r#""filename": ""#;
    let Some(split) = CdxjLine::split(line) else {
        return "";
    };
    let Some(at) = split.json.rfind(FIELD) else {
        return "";
    };
    let value = &split.json[at + FIELD.len()..];
    value.split('"').next().unwrap_or_default()
}

/// Every file of the layer with its digest, in a fixed order.
fn describe_files(
    fs: &dyn FileSystem,
    dir: &Path,
    known: &HashMap<String, (Digest, u64)>,
) -> Result<Vec<Resource>> {
    let mut resources = Vec::new();
    for sub in [ARCHIVE, INDEXES, PAGES, LOGS, TAILS] {
        let full = dir.join(sub);
        if fs.kind(&full).map_err(StoreError::io(&full, "look at"))? != Some(EntryKind::Directory) {
            continue;
        }
        for entry in fs.list(&full).map_err(StoreError::io(&full, "list"))? {
            let path = format!("{sub}/{}", entry.name);
            resources.push(match known.get(&path) {
                Some((hash, bytes)) => Resource::new(path, hash, *bytes),
                None => Resource::of_file(fs, dir, path)?,
            });
        }
    }
    Ok(resources)
}

/// A file of lines that is only made when there is a line (or a header) to write.
struct ListFile {
    fs: Fs,
    dir: PathBuf,
    name: &'static str,
    buffer: Vec<u8>,
    file: Option<Box<dyn AppendFile>>,
}

impl ListFile {
    fn new(fs: &Fs, dir: PathBuf, name: &'static str, header: Option<&str>) -> ListFile {
        let mut buffer = Vec::new();
        if let Some(header) = header {
            buffer.extend_from_slice(header.as_bytes());
            buffer.push(b'\n');
        }
        ListFile {
            fs: fs.clone(),
            dir,
            name,
            buffer,
            file: None,
        }
    }

    fn push(&mut self, line: &str) -> Result<()> {
        self.buffer.extend_from_slice(line.as_bytes());
        self.buffer.push(b'\n');
        if self.buffer.len() > 256 * 1024 {
            self.flush()
        } else {
            Ok(())
        }
    }

    fn flush(&mut self) -> Result<()> {
        let path = self.dir.join(self.name);
        if self.file.is_none() {
            self.fs
                .create_dir_all(&self.dir)
                .map_err(StoreError::io(&self.dir, "create"))?;
            self.file = Some(
                self.fs
                    .create(&path)
                    .map_err(StoreError::io(&path, "create"))?,
            );
        }
        if let Some(file) = &mut self.file {
            file.append(&self.buffer)
                .map_err(StoreError::io(&path, "write"))?;
        }
        self.buffer.clear();
        Ok(())
    }

    fn finish(mut self) -> Result<()> {
        if !self.buffer.is_empty() {
            self.flush()?;
        }
        let path = self.dir.join(self.name);
        match &mut self.file {
            Some(file) => file.sync().map_err(StoreError::io(&path, "sync")),
            None => Ok(()),
        }
    }
}
