//! A layer made anew: the same captures, some of them stored in another way.
//!
//! The new layers are made in a collection of their own, a [`Draft`], which can be read like any
//! other. Only when somebody has found it good do its layers take the place of those that they
//! were made from, in one step; until then the collection is as it was.

use super::attachment::{self, Attachment};
use super::datapackage::Datapackage;
use super::journal::{Entry, LayerKind};
use super::layout::{ARCHIVE, LOGS, OPEN, TAILS};
use super::manifest::{LayerEntry, Manifest};
use super::open_layer::{OpenLayer, sync_dir};
use super::packing::{self, Packing, Packs};
use super::parted::{COLD_FIELD, ORIGINAL_FIELD, PartsKey};
use super::record::StoredRecord;
use super::seal::{self, Adopted};
use super::{Collection, lock, replacing};
use crate::fs::{EntryKind, LockGuard, ReadAt};
use crate::index::CdxjFile;
use crate::warc::{
    Body, Compressor, RecordHead, Scanned, Scanner, Step, Verify, Wanted, WarcWriter,
};
use crate::{Result, StoreError};
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use varve_model::{Digest, DigestAlgorithm, HttpHead};

/// Where drafts are made, below `state/`.
pub(super) const DRAFT: &str = "draft";
/// Fields that an altered record says anew.
const SAID_ANEW: [&str; 5] = [
    "content-length",
    "warc-block-digest",
    "warc-payload-digest",
    "varve-cold",
    "varve-original-payload-digest",
];

/// Decides what becomes of each record.
pub trait Remaking {
    /// What is stored in place of a record, if not itself.
    fn instead_of(&mut self, record: &Scanned, content: Content<'_>) -> Result<Option<Altered>>;

    /// How records are packed.
    fn packing(&self) -> Packing {
        Packing::AsItIs
    }

    /// Whether a record is left out.
    fn leaves_out(&mut self, _: &Scanned) -> bool {
        false
    }

    /// So many more bytes of the old layer were read.
    fn advanced(&mut self, bytes: u64);
}

/// The record that is being looked at, to be opened if need be.
pub struct Content<'a> {
    collection: &'a Collection,
    path: &'a Path,
    scanned: &'a Scanned,
}

impl Content<'_> {
    /// Opens it.
    pub fn open(&self) -> Result<StoredRecord> {
        let place = &self.scanned.place;
        let wanted = Wanted::Whole(place.length);
        StoredRecord::open(self.collection.fs.as_ref(), self.path, place.offset, wanted)
    }
}

/// A response that is stored in another way.
#[derive(Clone, Debug)]
pub struct Altered {
    /// Where parts of its body are; none if it is whole.
    pub key: Option<PartsKey>,
    /// The head of the message: as it was, but for what is no longer true ([`head_for`]).
    pub head: Vec<u8>,
    /// The body, with stubs for what is elsewhere.
    pub body: Vec<u8>,
    /// The parts, unless they are stored already.
    pub parts: Option<Attachment>,
}

/// A collection in the making, of the layers of another one.
pub struct Draft {
    collection: Collection,
    /// Which layer takes the place of which.
    replaced: Vec<(String, LayerEntry)>,
    _lock: Option<Box<dyn LockGuard>>,
}

impl Collection {
    /// Begins a draft. What an earlier one left behind goes. There is one at a time.
    pub fn draft(&self) -> Result<Draft> {
        let path = self.layout.state().join(format!("{DRAFT}.lock"));
        let lock = self.fs.try_lock(&path);
        let lock = lock.map_err(StoreError::io(&path, "lock"))?;
        if lock.is_none() {
            let why = "is locked: another process is making layers of this collection anew";
            return Err(StoreError::invalid(&path, why));
        }
        let draft = self.draft_at(&self.layout.state().join(DRAFT))?;
        Ok(Draft {
            _lock: lock,
            ..draft
        })
    }

    /// Removes what a draft that nobody adopts has left behind.
    pub fn discard_draft(&self) -> Result<()> {
        let root = self.layout.state().join(DRAFT);
        let removed = self.fs.remove_dir_all(&root);
        removed.map_err(StoreError::io(&root, "remove"))
    }

    /// Begins a draft in another directory.
    pub(crate) fn draft_at(&self, root: &Path) -> Result<Draft> {
        self.fs
            .remove_dir_all(root)
            .map_err(StoreError::io(root, "remove"))?;
        let collection = Collection::open_or_create(self.fs.clone(), root, self.world.clone())?;
        Ok(Draft {
            collection,
            replaced: Vec::new(),
            _lock: None,
        })
    }

    /// Puts the layers of a draft in the place of those that they were made from. These are kept
    /// aside if somebody wants that, and removed if not.
    pub fn adopt(&self, draft: Draft, keep_originals: bool) -> Result<()> {
        let Draft {
            collection: made,
            replaced,
            _lock: _held,
        } = draft;
        let _lock = lock::collection(self.fs.as_ref(), &self.layout)?;
        let mut manifest = Manifest::load(self.fs.as_ref(), self.layout.root())?;
        for (old, new) in &replaced {
            let place = manifest.layers.iter_mut().find(|layer| layer.id == *old);
            let place = place.ok_or_else(|| {
                StoreError::invalid(&self.layout.layer(old), "is no longer in the collection")
            })?;
            *place = new.clone();
        }
        let pairs = replaced.into_iter().map(|(old, new)| (old, new.id));
        let exchange = replacing::Exchange {
            pairs: pairs.collect(),
            keep_originals,
        };
        exchange.begin(&self.fs, &self.layout)?;
        for (_, new) in &exchange.pairs {
            let (from, to) = (made.layout.layer(new), self.layout.layer(new));
            self.fs
                .rename(&from, &to)
                .map_err(StoreError::io(&from, "rename"))?;
        }
        sync_dir(self.fs.as_ref(), &self.layout.layers())?;
        sync_dir(self.fs.as_ref(), &made.layout.layers())?;
        manifest.store(self.fs.as_ref(), self.layout.root())?;
        drop(made);
        exchange.finish(&self.fs, &self.layout)
    }
}

impl Draft {
    /// The collection as it is so far.
    pub fn collection(&self) -> &Collection {
        &self.collection
    }

    /// Makes a layer of `from` anew, and tells what it has become. One in which nothing is altered
    /// is taken as it is.
    pub fn remake(
        &mut self,
        from: &Collection,
        layer: usize,
        remaking: &mut dyn Remaking,
    ) -> Result<Option<LayerEntry>> {
        let facts = Datapackage::load(from.fs.as_ref(), &from.layer_dir(layer))?.varve;
        let sources = facts.unwrap_or_default().sources;
        let kind = match sources.is_empty() {
            true => LayerKind::Record,
            false => LayerKind::Import,
        };
        let into = &self.collection;
        let world = into.world.as_ref();
        let open = OpenLayer::create_apart(&into.fs, &into.layout, world, kind, &from.layout)?;
        let mut remake = Remake {
            from,
            dir: from.layer_dir(layer),
            open,
            names: HashSet::new(),
            cold: None,
            altered: 0,
            is_import: kind == LayerKind::Import,
        };
        remake.archives(remaking)?;
        if remake.altered == 0 {
            remake.drop()?;
            return self.borrow(from, layer).map(|()| None);
        }
        remake.finish_cold()?;
        remake.lists(layer)?;
        remake.tails()?;
        remake.open.sync()?;
        let adopted = Adopted {
            journaled: std::mem::take(&mut remake.names),
            entries: u64::MAX,
            found: Vec::new(),
            sources,
            hashes: HashMap::new(),
        };
        let id = remake.open.id.clone();
        let entry = seal::seal(&into.fs, &into.layout, into.world.as_ref(), &id, adopted)?;
        let old = from.layers()[layer].id.clone();
        self.replaced.push((old, entry.clone()));
        self.reopen()?;
        Ok(Some(entry))
    }

    /// Bytes of what was taken out of bodies, as a layer of the draft has it on disk.
    pub fn cold_bytes(&self, layer: &LayerEntry) -> Result<u64> {
        let made = &self.collection;
        let package = Datapackage::load(made.fs.as_ref(), &made.layout.layer(&layer.id))?;
        let is_cold = |path: &str| path.contains("-cold.");
        let files = package.resources.iter();
        Ok(files
            .filter(|file| is_cold(&file.path))
            .map(|file| file.bytes)
            .sum())
    }

    /// Takes a layer of `from` as it is, so that the draft can be read with it.
    pub fn borrow(&mut self, from: &Collection, layer: usize) -> Result<()> {
        let entry = from.layers()[layer].clone();
        let (old, new) = (
            from.layer_dir(layer),
            self.collection.layout.layer(&entry.id),
        );
        share(from, &old, &new)?;
        let root = self.collection.layout.root().to_owned();
        let mut manifest = Manifest::load(self.collection.fs.as_ref(), &root)?;
        manifest.layers.push(entry);
        manifest.store(self.collection.fs.as_ref(), &root)?;
        self.reopen()
    }

    fn reopen(&mut self) -> Result<()> {
        let made = &self.collection;
        let root = made.layout.root().to_owned();
        self.collection = Collection::open(made.fs.clone(), &root, made.world.clone())?;
        Ok(())
    }
}

/// A directory once more, its files not copied where that can be helped.
fn share(from: &Collection, old: &Path, new: &Path) -> Result<()> {
    let fs = from.fs.as_ref();
    fs.create_dir_all(new)
        .map_err(StoreError::io(new, "create"))?;
    for entry in fs.list(old).map_err(StoreError::io(old, "list"))? {
        let (old, new) = (old.join(&entry.name), new.join(&entry.name));
        match entry.kind {
            EntryKind::Directory => share(from, &old, &new)?,
            _ => fs.share(&old, &new).map_err(StoreError::io(&new, "make"))?,
        }
    }
    Ok(())
}

/// A layer while it is made anew.
struct Remake<'a> {
    from: &'a Collection,
    dir: PathBuf,
    open: OpenLayer,
    names: HashSet<String>,
    /// The file of what is taken out, and its name.
    cold: Option<(WarcWriter, String)>,
    altered: u64,
    is_import: bool,
}

impl Remake<'_> {
    /// Leaves nothing behind.
    fn drop(self) -> Result<()> {
        let OpenLayer { fs, layout, id, .. } = &self.open;
        let dir = layout.open_layer(id);
        fs.remove_dir_all(&dir)
            .map_err(StoreError::io(&dir, "remove"))?;
        seal::clean_up(fs.as_ref(), layout, id)
    }

    fn archives(&mut self, remaking: &mut dyn Remaking) -> Result<()> {
        let archive = self.dir.join(ARCHIVE);
        let entries = self.from.fs.list(&archive);
        let mut entries = entries.map_err(StoreError::io(&archive, "list"))?;
        entries.sort_by(|a, b| a.name.cmp(&b.name));
        let (packed, as_they_are): (Vec<_>, Vec<_>) = entries
            .into_iter()
            .partition(|entry| self.is_packed(&entry.name, remaking.packing()));
        for entry in as_they_are {
            self.archive(&archive.join(&entry.name), &entry.name, remaking)?;
        }
        let paths: Vec<PathBuf> = packed.iter().map(|it| archive.join(&it.name)).collect();
        self.pack(&paths, remaking)
    }

    /// Whether the records of a file are packed anew. What was imported stays in its files, and
    /// what was taken out of bodies is packed hard already.
    fn is_packed(&self, name: &str, packing: Packing) -> bool {
        match packing {
            Packing::AsItIs => false,
            Packing::Gzip => !name.ends_with(".warc.gz") && !name.contains("-cold."),
            Packing::Zstd => !self.is_import && !name.contains("-cold."),
        }
    }

    fn pack(&mut self, paths: &[PathBuf], remaking: &mut dyn Remaking) -> Result<()> {
        if paths.is_empty() {
            return Ok(());
        }
        let mut files = Vec::with_capacity(paths.len());
        for path in paths {
            let file = self.from.fs.open(path);
            files.push(file.map_err(StoreError::io(path, "open"))?);
        }
        let packs = Packs::new(remaking.packing(), &files);
        let mut packs = packs.map_err(StoreError::io(&self.dir, "read"))?;
        for (path, file) in paths.iter().zip(&files) {
            self.pack_one(path, file, &mut packs, remaking)?;
        }
        for name in packs.end(true, &self.open)? {
            self.finish(&name)?;
        }
        Ok(())
    }

    fn pack_one(
        &mut self,
        path: &Path,
        file: &Arc<dyn ReadAt>,
        packs: &mut Packs,
        remaking: &mut dyn Remaking,
    ) -> Result<()> {
        let mut scanner =
            Scanner::new(file.clone(), Verify::Digests).map_err(|error| error.at(path))?;
        let mut seen = 0;
        while let Some(step) = (scanner.next_step()).map_err(StoreError::io(path, "read"))? {
            remaking.advanced(scanner.position().saturating_sub(seen));
            seen = seen.max(scanner.position());
            let Step::Record(record) = step else {
                return Err(StoreError::invalid(path, "is damaged: audit says where"));
            };
            self.altered += 1;
            if remaking.leaves_out(&record) {
                continue;
            }
            let content = Content {
                collection: self.from,
                path,
                scanned: &record,
            };
            let altered = remaking.instead_of(&record, content)?;
            for full in packs.end(false, &self.open)? {
                self.finish(&full)?;
            }
            let writer = packs.writer(&record, &self.open, self.from.world.as_ref())?;
            match &altered {
                Some(altered) => append(writer, &record, altered)
                    .map_err(StoreError::io(path, "copy a record of"))?,
                None => packing::copy(file, path, &record, writer)?,
            }
            if let Some(parts) = altered.and_then(|altered| altered.parts) {
                self.add_cold(&parts)?;
            }
        }
        Ok(())
    }

    fn archive(&mut self, path: &Path, name: &str, remaking: &mut dyn Remaking) -> Result<()> {
        let file = self.from.fs.open(path);
        let file = file.map_err(StoreError::io(path, "open"))?;
        let mut scanner =
            Scanner::new(file.clone(), Verify::Digests).map_err(|error| error.at(path))?;
        let compressor = Compressor::new(scanner.compression());
        let target = self.open.archive_dir().join(format!("{name}{OPEN}"));
        let wrong = || StoreError::io(&target, "write");
        let mut writer =
            WarcWriter::new(self.open.create_archive(name)?, compressor).map_err(wrong())?;
        let mut copied = 0;
        let mut seen = 0;
        while let Some(step) = (scanner.next_step()).map_err(StoreError::io(path, "read"))? {
            remaking.advanced(scanner.position().saturating_sub(seen));
            seen = seen.max(scanner.position());
            let Step::Record(record) = step else {
                return Err(StoreError::invalid(path, "is damaged: audit says where"));
            };
            let content = Content {
                collection: self.from,
                path,
                scanned: &record,
            };
            let left_out = remaking.leaves_out(&record);
            let altered = match left_out {
                true => None,
                false => remaking.instead_of(&record, content)?,
            };
            if !left_out && altered.is_none() {
                continue;
            }
            let before = copied..record.place.offset;
            writer.append_as_it_is(&file, before).map_err(wrong())?;
            copied = record.next;
            self.altered += 1;
            let Some(altered) = altered else {
                continue;
            };
            append(&mut writer, &record, &altered).map_err(wrong())?;
            if let Some(parts) = &altered.parts {
                self.add_cold(parts)?;
            }
        }
        let length = file.len().map_err(StoreError::io(path, "look at"))?;
        writer
            .append_as_it_is(&file, copied..length)
            .map_err(wrong())?;
        writer.sync().map_err(wrong())?;
        let is_empty = writer.is_empty();
        drop(writer);
        match is_empty {
            true => self.open.drop_archive(name),
            false => self.finish(name),
        }
    }

    /// An archive file is written: its records, as they stand in it, are the index.
    fn finish(&mut self, name: &str) -> Result<()> {
        self.open.finish_archive(name)?;
        let path = self.open.archive_dir().join(name);
        let file = self.open.fs.open(&path);
        let file = file.map_err(StoreError::io(&path, "open"))?;
        let length = file.len().map_err(StoreError::io(&path, "look at"))?;
        let mut scanner = Scanner::new(file, Verify::Digests).map_err(|error| error.at(&path))?;
        while let Some(step) = (scanner.next_step()).map_err(StoreError::io(&path, "read"))? {
            let Step::Record(record) = step else {
                return Err(StoreError::invalid(
                    &path,
                    "was not written as it should be",
                ));
            };
            if let Some(line) = record.index_line(name) {
                self.open.push(&Entry::Capture(line))?;
            }
        }
        self.names.insert(name.to_owned());
        let file = name.to_owned();
        self.open.push(&Entry::Commit { file, length })?;
        Ok(())
    }

    fn add_cold(&mut self, parts: &Attachment) -> Result<()> {
        if self.cold.is_none() {
            let compressor = Compressor::hard();
            let name = format!("varve-{}-cold.{}", self.open.id, compressor.extension());
            let path = self.open.archive_dir().join(&name);
            let writer = WarcWriter::new(self.open.create_archive(&name)?, compressor);
            self.cold = Some((writer.map_err(StoreError::io(&path, "write"))?, name));
        }
        let Some((writer, name)) = &mut self.cold else {
            return Ok(());
        };
        let record = attachment::record(parts, self.from.world.as_ref());
        let path = self.open.archive_dir().join(name);
        let written = writer.append(&record);
        written.map(drop).map_err(StoreError::io(&path, "write"))
    }

    fn finish_cold(&mut self) -> Result<()> {
        let Some((mut writer, name)) = self.cold.take() else {
            return Ok(());
        };
        let path = self.open.archive_dir().join(&name);
        writer.sync().map_err(StoreError::io(&path, "sync"))?;
        drop(writer);
        self.finish(&name)
    }

    /// Pages and logs are as they were.
    fn lists(&mut self, layer: usize) -> Result<()> {
        for line in self.from.pages_of(layer)? {
            let line = String::from_utf8_lossy(&line?).into_owned();
            let file = String::new();
            self.open.push(&Entry::Page { file, line })?;
        }
        let logs = self.dir.join(LOGS);
        if !self.has(&logs)? {
            return Ok(());
        }
        for entry in (self.from.fs.list(&logs)).map_err(StoreError::io(&logs, "list"))? {
            let mut lines = CdxjFile::open(&self.from.fs, &logs.join(&entry.name))?.start();
            while let Some(line) = lines.next_line()? {
                let line = String::from_utf8_lossy(line).into_owned();
                self.open.push(&Entry::Log(line))?;
            }
        }
        Ok(())
    }

    /// What was set aside of damaged files stays beside them.
    fn tails(&mut self) -> Result<()> {
        let tails = self.dir.join(TAILS);
        if !self.has(&tails)? {
            return Ok(());
        }
        let target = self.open.dir().join(TAILS);
        let fs = self.open.fs.clone();
        fs.create_dir_all(&target)
            .map_err(StoreError::io(&target, "create"))?;
        for entry in fs.list(&tails).map_err(StoreError::io(&tails, "list"))? {
            let (from, to) = (tails.join(&entry.name), target.join(&entry.name));
            let file = fs.open(&from).map_err(StoreError::io(&from, "open"))?;
            let length = file.len().map_err(StoreError::io(&from, "look at"))?;
            let body = Body::File {
                file,
                offset: 0,
                length,
            };
            let mut copy = fs.create(&to).map_err(StoreError::io(&to, "create"))?;
            body.each_piece(|piece| copy.append(piece))
                .map_err(StoreError::io(&to, "write"))?;
            copy.sync().map_err(StoreError::io(&to, "sync"))?;
        }
        sync_dir(fs.as_ref(), &target)
    }

    fn has(&self, path: &Path) -> Result<bool> {
        let kind = self.from.fs.kind(path);
        Ok(kind.map_err(StoreError::io(path, "look at"))?.is_some())
    }
}

fn append(writer: &mut WarcWriter, record: &Scanned, altered: &Altered) -> std::io::Result<()> {
    let header = header(&record.head, record.digest(), altered);
    let place = writer.append_member(|out| {
        out.write_all(&header)?;
        out.write_all(&altered.head)?;
        out.write_all(&altered.body)
    });
    place.map(drop)
}

/// Fields that are not true of a body without its codings, or with stubs.
const UNTRUE: [&str; 4] = [
    "content-encoding",
    "content-length",
    "transfer-encoding",
    "trailer",
];

/// The head of a message whose body is stored plain, and so long.
pub fn head_for(head: &HttpHead, length: usize) -> Vec<u8> {
    let mut out = head.start_line().to_vec();
    out.extend_from_slice(b"\r\n");
    let mut field = |name: &[u8], value: &[u8]| {
        out.extend_from_slice(name);
        out.extend_from_slice(b": ");
        out.extend_from_slice(value.trim_ascii());
        out.extend_from_slice(b"\r\n");
    };
    for (name, value) in head.fields() {
        let lower = name.to_ascii_lowercase();
        if !UNTRUE.iter().any(|untrue| untrue.as_bytes() == lower) {
            field(name, &value);
        }
    }
    field(b"Content-Length", length.to_string().as_bytes());
    out.extend_from_slice(b"\r\n");
    out
}

/// The header of a record, true for what is altered in it.
fn header(head: &RecordHead, original: Option<String>, altered: &Altered) -> Vec<u8> {
    let mut out = b"WARC/1.1\r\n".to_vec();
    for (name, value) in head.fields() {
        let lower = name.to_ascii_lowercase();
        if SAID_ANEW.iter().any(|anew| anew.as_bytes() == lower) {
            continue;
        }
        out.extend_from_slice(name);
        out.extend_from_slice(b": ");
        out.extend_from_slice(value.trim_ascii());
        out.extend_from_slice(b"\r\n");
    }
    let payload = Digest::of(DigestAlgorithm::Sha1, &altered.body);
    let block = [altered.head.as_slice(), &altered.body].concat();
    let mut push = |name: &str, value: &str| {
        out.extend_from_slice(format!("{name}: {value}\r\n").as_bytes());
    };
    if let Some(key) = &altered.key {
        push(COLD_FIELD, &key.urn());
    }
    if let Some(original) = original.filter(|_| altered.key.is_some()) {
        push(ORIGINAL_FIELD, &original);
    }
    push("WARC-Payload-Digest", &payload.to_string());
    let digest = Digest::of(DigestAlgorithm::Sha1, &block);
    push("WARC-Block-Digest", &digest.to_string());
    push("Content-Length", &block.len().to_string());
    out.extend_from_slice(b"\r\n");
    out
}
