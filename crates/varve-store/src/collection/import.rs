//! Bringing other tools' files in: each is copied as it stands, checked and indexed on the way.
//!
//! A file is acknowledged when all of it is durable; until then its source is the only copy, and
//! an interrupted import is simply run again. Damaged parts are set aside, the rest is kept.

use super::copy::{Copied, copy_archive};
use super::datapackage::{Source, hash_file};
use super::journal::{Entry, LayerKind};
use super::layout::{Layout, TAILS};
use super::manifest::LayerEntry;
use super::open_layer::{OpenLayer, sync_dir};
use super::seal::{self, Adopted};
use crate::fs::{Fs, ReadAt};
use crate::wacz::WaczReader;
use crate::warc::Fault;
use crate::world::World;
use crate::{Result, StoreError};
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use varve_model::Digest;

/// Something wrong in an imported file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundFault {
    /// The file; for a WACZ with the path inside it.
    pub file: String,
    /// The offset in that file.
    pub offset: u64,
    /// What is wrong.
    pub fault: Fault,
}

/// What became of one file.
#[derive(Clone, Debug, Default)]
pub struct Imported {
    /// Records kept.
    pub records: u64,
    /// Index entries made.
    pub captures: u64,
    /// What is wrong in the file.
    pub faults: Vec<FoundFault>,
    /// Faults beyond those listed.
    pub more_faults: u64,
    /// The file was imported before: nothing was added.
    pub known: bool,
}

impl Imported {
    /// Whether anything was damaged, beyond oddities.
    pub fn is_damaged(&self) -> bool {
        self.more_faults > 0 || self.faults.iter().any(|found| found.fault.is_damage())
    }
}

/// Is told how an import goes on.
pub trait ImportObserver {
    /// So many more bytes of the current file were read.
    fn advanced(&mut self, bytes: u64);
}

impl ImportObserver for () {
    fn advanced(&mut self, _: u64) {}
}

/// Faults listed per file; a file with more is a lost cause that need not fill memory.
pub(crate) const MAX_FAULTS: usize = 1_000;

/// Imports files into one new layer.
pub struct Importer {
    fs: Fs,
    layout: Layout,
    world: Arc<dyn World>,
    layer: Option<OpenLayer>,
    /// Sources that are in the collection already, by length then digest.
    known: HashMap<u64, HashSet<String>>,
    /// Names of archive files that were ever used in the layer.
    names: HashSet<String>,
    sources: Vec<Source>,
    hashes: HashMap<String, (Digest, u64)>,
}

impl Importer {
    pub(crate) fn new(
        fs: &Fs,
        layout: &Layout,
        world: Arc<dyn World>,
        known: Vec<Source>,
    ) -> Importer {
        let mut importer = Importer {
            fs: fs.clone(),
            layout: layout.clone(),
            world,
            layer: None,
            known: HashMap::new(),
            names: HashSet::new(),
            sources: Vec::new(),
            hashes: HashMap::new(),
        };
        known.iter().for_each(|source| importer.remember(source));
        importer
    }

    /// Imports a WARC, ARC or WACZ file. When this returns, all of it that is readable is saved.
    pub fn import(&mut self, path: &Path, observer: &mut dyn ImportObserver) -> Result<Imported> {
        let file = self.fs.open(path).map_err(StoreError::io(path, "open"))?;
        let length = file.len().map_err(StoreError::io(path, "look at"))?;
        if length == 0 {
            return Err(StoreError::invalid(
                path,
                "is empty: there is nothing to import",
            ));
        }
        if self.is_known(path, &file, length)? {
            observer.advanced(length);
            return Ok(Imported {
                known: true,
                ..Imported::default()
            });
        }
        let mut first = [0; 4];
        let read = crate::fs::read_full_at(file.as_ref(), &mut first, 0);
        read.map_err(StoreError::io(path, "read"))?;
        let imported = match is_zip(&first) {
            true => self.import_wacz(path, file, length, observer),
            false => self.import_archive(path, file, length, observer),
        };
        if imported.is_err() {
            self.abandon();
        }
        imported
    }

    /// Seals the layer; `None` when nothing was imported.
    pub fn finish(self) -> Result<Option<LayerEntry>> {
        let Some(mut layer) = self.layer else {
            return Ok(None);
        };
        layer.sync()?;
        let journaled = self
            .sources
            .iter()
            .flat_map(|source| source.files.iter().cloned())
            .collect();
        let adopted = Adopted {
            journaled,
            entries: u64::MAX,
            found: Vec::new(),
            sources: self.sources,
            is_altered: false,
            hashes: self.hashes,
        };
        if adopted.sources.is_empty() {
            let dir = layer.dir();
            self.fs
                .remove_dir_all(&dir)
                .map_err(StoreError::io(&dir, "remove"))?;
            seal::clean_up(self.fs.as_ref(), &self.layout, &layer.id)?;
            return Ok(None);
        }
        seal::seal(
            &self.fs,
            &self.layout,
            self.world.as_ref(),
            &layer.id,
            adopted,
        )
        .map(Some)
    }

    fn import_archive(
        &mut self,
        path: &Path,
        file: Arc<dyn ReadAt>,
        length: u64,
        observer: &mut dyn ImportObserver,
    ) -> Result<Imported> {
        let name = file_name(path);
        let part = Part {
            label: name.clone(),
            stored_as: name.clone(),
            file: file.clone(),
            detect_pages: true,
        };
        let copied = self.add_part(path, &part, observer)?;
        let hash = match copied.verbatim {
            true => copied.hash,
            false => hash_file(&file).map_err(StoreError::io(path, "read"))?.0,
        };
        let source = Source {
            name,
            bytes: length,
            hash: hash.to_string(),
            files: vec![copied.name.clone()],
        };
        self.acknowledge(source)?;
        Ok(copied.imported)
    }

    fn import_wacz(
        &mut self,
        path: &Path,
        file: Arc<dyn ReadAt>,
        length: u64,
        observer: &mut dyn ImportObserver,
    ) -> Result<Imported> {
        let mut wacz = WaczReader::open(path, file.clone())?;
        let name = file_name(path);
        let mut total = Imported::default();
        let mut files = Vec::new();
        for member in wacz.archives() {
            self.layer()?;
            let scratch = self.scratch()?;
            let opened = wacz.open_member(&self.fs, &scratch, &member)?;
            let stored_as = file_name(Path::new(&member));
            let label = format!("{name}!{member}");
            let part = Part {
                label,
                stored_as,
                file: opened,
                detect_pages: false,
            };
            let added = self.add_part(path, &part, observer);
            self.fs
                .remove_dir_all(&scratch)
                .map_err(StoreError::io(&scratch, "remove"))?;
            let copied = added?;
            files.push(copied.name);
            total.add(copied.imported);
        }
        if files.is_empty() {
            return Err(StoreError::invalid(
                path,
                "holds no archive/*.warc.gz: not a WACZ file",
            ));
        }
        for found in wacz.check_hashes(path)? {
            self.layer()?.push(&Entry::Log(log_line(&found)))?;
            total.faults.push(found);
        }
        let owner = files.first().cloned().unwrap_or_default();
        wacz.pages(|line| {
            let (file, line) = (owner.clone(), line.to_owned());
            self.layer()?.push(&Entry::Page { file, line })?;
            Ok(())
        })?;
        let (hash, _) = hash_file(&file).map_err(StoreError::io(path, "read"))?;
        self.acknowledge(Source {
            name,
            bytes: length,
            hash: hash.to_string(),
            files,
        })?;
        Ok(total)
    }

    /// Copies one archive file into the layer, durably.
    fn add_part(
        &mut self,
        path: &Path,
        part: &Part,
        observer: &mut dyn ImportObserver,
    ) -> Result<Copied> {
        let name = self.free_name(&archive_name(&part.stored_as));
        let layer = self.layer()?;
        let copied = copy_archive(layer, path, part, name, observer)?;
        let key = format!("archive/{}", copied.name);
        self.hashes.insert(key, (copied.hash, copied.length));
        Ok(copied)
    }

    /// A name that no file of this layer has or had: the journal may still speak of one that was
    /// given up.
    fn free_name(&mut self, name: &str) -> String {
        let mut free = name.to_owned();
        let mut number = 2;
        while !self.names.insert(free.clone()) {
            free = format!("{number}-{name}");
            number += 1;
        }
        free
    }

    /// The journal line after which a source counts as imported.
    fn acknowledge(&mut self, source: Source) -> Result<()> {
        let json = serde_json::to_string(&source).unwrap_or_default();
        let layer = self.layer()?;
        layer.push(&Entry::Source(json))?;
        layer.sync()?;
        self.remember(&source);
        self.sources.push(source);
        Ok(())
    }

    fn layer(&mut self) -> Result<&mut OpenLayer> {
        if self.layer.is_none() {
            let world = self.world.as_ref();
            let layer = OpenLayer::create(&self.fs, &self.layout, world, LayerKind::Import)?;
            self.layer = Some(layer);
        }
        self.layer
            .as_mut()
            .ok_or_else(|| unreachable!("just opened"))
    }

    /// An import that cannot go on with a file leaves no half of it behind.
    fn abandon(&mut self) {
        // What the journal may name must stay.
        if let Some(layer) = self.layer.as_ref().filter(|layer| !layer.is_doubtful()) {
            // What cannot be removed now (a dying disk) is dropped by recovery.
            let _ = super::copy::remove_unfinished(layer, &self.sources);
        }
    }

    fn scratch(&self) -> Result<PathBuf> {
        let id = self.layer.as_ref().map_or("import", |layer| &layer.id);
        let scratch = self.layout.scratch(id);
        self.fs
            .remove_dir_all(&scratch)
            .map_err(StoreError::io(&scratch, "remove"))?;
        self.fs
            .create_dir_all(&scratch)
            .map_err(StoreError::io(&scratch, "create"))?;
        Ok(scratch)
    }

    fn remember(&mut self, source: &Source) {
        self.known
            .entry(source.bytes)
            .or_default()
            .insert(source.hash.clone());
    }

    /// Only a file as long as a known one needs to be read to know whether it is the same.
    fn is_known(&self, path: &Path, file: &Arc<dyn ReadAt>, length: u64) -> Result<bool> {
        let Some(hashes) = self.known.get(&length) else {
            return Ok(false);
        };
        let (hash, _) = hash_file(file).map_err(StoreError::io(path, "read"))?;
        Ok(hashes.contains(&hash.to_string()))
    }
}

impl Imported {
    fn add(&mut self, other: Imported) {
        self.records += other.records;
        self.captures += other.captures;
        self.faults.extend(other.faults);
        self.more_faults += other.more_faults;
    }
}

/// An archive file to import: a file of its own or a member of a WACZ.
#[derive(Clone)]
pub(crate) struct Part {
    /// How it is called in messages.
    pub(crate) label: String,
    /// Its name.
    pub(crate) stored_as: String,
    pub(crate) file: Arc<dyn ReadAt>,
    /// Whether to list its HTML responses as pages (a WACZ brings its own list).
    pub(crate) detect_pages: bool,
}

/// A fault as a line of the layer's log.
pub(crate) fn log_line(found: &FoundFault) -> String {
    let what = found.fault.to_string();
    serde_json::json!({"file": found.file, "offset": found.offset, "fault": what}).to_string()
}

/// Whether a file that starts like this is a ZIP file.
pub(crate) fn is_zip(first: &[u8; 4]) -> bool {
    first == b"PK\x03\x04" || first == b"PK\x05\x06"
}

fn file_name(path: &Path) -> String {
    path.file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned()
}

/// A name that is safe in paths, JSON and CDXJ, with an ending that says what the file is.
fn archive_name(name: &str) -> String {
    let safe = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_');
    let name: String = name
        .chars()
        .map(|c| if safe(c) { c } else { '_' })
        .collect();
    let name = name.trim_start_matches('.');
    let start = name.len().saturating_sub(180);
    if name.is_empty() {
        "archive".to_owned()
    } else {
        name[start..].to_owned()
    }
}

/// The directory for what could not be read, made when needed.
pub(crate) fn tails_dir(layer: &OpenLayer) -> Result<PathBuf> {
    let tails = layer.dir().join(TAILS);
    layer
        .fs
        .create_dir_all(&tails)
        .map_err(StoreError::io(&tails, "create"))?;
    sync_dir(layer.fs.as_ref(), &layer.dir())?;
    Ok(tails)
}
