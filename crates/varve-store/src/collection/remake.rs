//! A layer made anew: the same captures, some of them stored in another way.

use super::Collection;
use super::altered::{Altered, append};
use super::attachment::{self, Attachment};
use super::datapackage::Datapackage;
use super::journal::{Entry, LayerKind};
use super::layout::{ARCHIVE, LOGS, OPEN, TAILS};
use super::manifest::LayerEntry;
use super::open_layer::{OpenLayer, sync_dir};
use super::packing::{self, Packing, Packs};
use super::pictures::recoded;
use super::recoding::in_brotli;
use super::record::StoredRecord;
use super::seal::{self, Adopted};
use super::uncoded::uncoded;
use crate::fs::ReadAt;
use crate::index::CdxjFile;
use crate::warc::{
    Body, Compression, Compressor, Scanned, Scanner, Step, Verify, Wanted, WarcWriter,
};
use crate::{Result, StoreError};
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Decides what becomes of each record.
pub trait Remaking {
    /// What is stored in place of a record, if not itself.
    fn instead_of(&mut self, record: &Scanned, content: Content<'_>) -> Result<Option<Altered>>;

    /// How records are packed.
    fn packing(&self) -> Packing {
        Packing::AsItIs
    }

    /// Records that the layer gets besides those that it has: parts of bodies that other layers
    /// have, and that turned out to be needed.
    fn in_addition(&mut self) -> Vec<Attachment> {
        Vec::new()
    }

    /// Whether the layer is for us alone, and others get it by export. Then what is stored in another
    /// way than it came may be so in the coding that packs it best.
    fn is_for_us_alone(&self) -> bool {
        false
    }

    /// Whether a record is left out.
    fn leaves_out(&mut self, _: &Scanned) -> bool {
        false
    }

    /// So many more bytes of the old layer were read.
    fn advanced(&mut self, bytes: u64);
}

/// The record that is being looked at, to be opened if need be.
#[derive(Clone, Copy)]
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

/// Makes a layer anew in another collection; none if nothing in it is altered.
pub(super) fn remake(
    from: &Collection,
    layer: usize,
    into: &Collection,
    remaking: &mut dyn Remaking,
) -> Result<Option<LayerEntry>> {
    let facts = Datapackage::load(from.fs.as_ref(), &from.layer_dir(layer))?.varve;
    let facts = facts.unwrap_or_default();
    let sources = facts.sources;
    let kind = match sources.is_empty() {
        true => LayerKind::Record,
        false => LayerKind::Import,
    };
    let world = into.world.as_ref();
    let open = OpenLayer::create_apart(&into.fs, &into.layout, world, kind, &from.layout)?;
    let mut remake = Remake {
        from,
        dir: from.layer_dir(layer),
        open,
        names: HashSet::new(),
        cold: None,
        hard: Compressor::hard(Compression::Zstd),
        altered: 0,
        is_altered: false,
        is_import: kind == LayerKind::Import,
    };
    let written = remake.write(layer, remaking);
    if !matches!(written, Ok(true)) {
        remake.drop()?;
        return written.map(|_| None);
    }
    let adopted = Adopted {
        journaled: std::mem::take(&mut remake.names),
        entries: u64::MAX,
        found: Vec::new(),
        sources,
        is_altered: remaking.is_for_us_alone() && (facts.altered || remake.is_altered),
        hashes: HashMap::new(),
    };
    let id = remake.open.id.clone();
    seal::seal(&into.fs, &into.layout, into.world.as_ref(), &id, adopted).map(Some)
}

/// What is stored of a response whose body packs better in another way.
fn smaller(
    record: &Scanned,
    content: Content<'_>,
    packs: &Packs,
    packing: Packing,
) -> Result<Option<Altered>> {
    let picture = match packing {
        Packing::Smallest => recoded(record, content)?,
        _ => None,
    };
    match picture {
        None if packing.is_zstd() => uncoded(record, content, packs),
        picture => Ok(picture),
    }
}

/// A walk over the records of a sound file.
struct Walk<'a> {
    path: &'a Path,
    scanner: Scanner,
    seen: u64,
}

impl<'a> Walk<'a> {
    fn over(file: &Arc<dyn ReadAt>, path: &'a Path) -> Result<Walk<'a>> {
        let scanner = Scanner::new(file.clone(), Verify::Digests);
        Ok(Walk {
            path,
            scanner: scanner.map_err(|error| error.at(path))?,
            seen: 0,
        })
    }

    fn next(&mut self, remaking: &mut dyn Remaking) -> Result<Option<Box<Scanned>>> {
        let step = self.scanner.next_step();
        let step = step.map_err(StoreError::io(self.path, "read"))?;
        let position = self.scanner.position();
        remaking.advanced(position.saturating_sub(self.seen));
        self.seen = self.seen.max(position);
        match step {
            None => Ok(None),
            Some(Step::Record(record)) => Ok(Some(record)),
            Some(Step::Damage { .. }) => Err(StoreError::invalid(
                self.path,
                "is damaged: audit says where",
            )),
        }
    }
}

/// A layer while it is made anew.
struct Remake<'a> {
    from: &'a Collection,
    dir: PathBuf,
    open: OpenLayer,
    names: HashSet<String>,
    /// The file of what is taken out, and its name.
    cold: Option<(WarcWriter, String)>,
    /// How that is packed.
    hard: Compressor,
    altered: u64,
    /// Whether any record is stored in another way than it came.
    is_altered: bool,
    is_import: bool,
}

impl Remake<'_> {
    /// Writes all of the layer; tells whether anything in it is altered.
    fn write(&mut self, layer: usize, remaking: &mut dyn Remaking) -> Result<bool> {
        self.archives(remaking)?;
        self.more(&remaking.in_addition())?;
        if self.altered == 0 {
            return Ok(false);
        }
        self.finish_cold()?;
        self.lists(layer)?;
        self.tails()?;
        self.open.sync()?;
        Ok(true)
    }

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
            Packing::Zstd | Packing::Smallest => !self.is_import && !name.contains("-cold."),
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
        let mut packs = Packs::new(remaking.packing(), self.from.fs.as_ref(), paths)?;
        if let Some(compressor) = packs.for_scripts() {
            self.hard = compressor;
        }
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
        let mut walk = Walk::over(file, path)?;
        while let Some(record) = walk.next(remaking)? {
            self.altered += 1;
            if remaking.leaves_out(&record) {
                continue;
            }
            let content = Content {
                collection: self.from,
                path,
                scanned: &record,
            };
            let mut altered = remaking.instead_of(&record, content)?;
            if altered.is_none() {
                altered = smaller(&record, content, packs, remaking.packing())?;
            }
            if remaking.is_for_us_alone() {
                let packed = |body: &[u8]| packs.packed_length(&record, body);
                altered = altered.map(|altered| in_brotli(altered, &record, packed));
            }
            self.is_altered |= altered.is_some();
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
        let mut walk = Walk::over(&file, path)?;
        let compressor = Compressor::hard(walk.scanner.compression());
        let target = self.open.archive_dir().join(format!("{name}{OPEN}"));
        let wrong = || StoreError::io(&target, "write");
        let mut writer =
            WarcWriter::new(self.open.create_archive(name)?, compressor.clone()).map_err(wrong())?;
        // Nothing fails in memory.
        let packed = |body: &[u8]| compressor.packed_length(body).unwrap_or(u64::MAX);
        let mut copied = 0;
        while let Some(record) = walk.next(remaking)? {
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
            let altered = match remaking.is_for_us_alone() {
                true => in_brotli(altered, &record, packed),
                false => altered,
            };
            self.is_altered = true;
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
            let compressor = self.hard.clone();
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

    fn more(&mut self, records: &[Attachment]) -> Result<()> {
        if records.is_empty() {
            return Ok(());
        }
        let compressor = Compressor::new(Compression::Gzip);
        let name = format!("varve-{}-hot.{}", self.open.id, compressor.extension());
        let path = self.open.archive_dir().join(&name);
        let wrong = || StoreError::io(&path, "write");
        let mut writer =
            WarcWriter::new(self.open.create_archive(&name)?, compressor).map_err(wrong())?;
        for record in records {
            let record = attachment::record(record, self.from.world.as_ref());
            writer.append(&record).map(drop).map_err(wrong())?;
        }
        writer.sync().map_err(wrong())?;
        drop(writer);
        self.altered += records.len() as u64;
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
