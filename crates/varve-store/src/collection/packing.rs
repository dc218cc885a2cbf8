//! How the records of a layer that is made anew are packed.
//!
//! zstd does best with a dictionary of what its input has in common, and pages, scripts and style
//! sheets have little in common with each other. So records of a kind are in files of their own,
//! each with a dictionary in the manner of `.warc.zst` files. A request stays with its response.

mod dictionary;

use self::dictionary::{Samples, Whole};
use super::open_layer::OpenLayer;
use super::record::StoredRecord;
use super::recorder::warcinfo;
use crate::export::copy_block;
use crate::fs::{FileSystem, ReadAt};
use crate::http::DecodeLimits;
use crate::warc::{
    Compression, Compressor, RecordType, Scanned, Scanner, Step, Verify, Wanted, WarcReader,
    WarcWriter, mime,
};
use crate::world::World;
use crate::{Result, StoreError};
use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A file is closed when it is longer than this.
const ROTATE_AT: u64 = 1 << 30;
/// So much of a record is looked at for a dictionary.
const SAMPLE: usize = 96 << 10;
/// The same of a picture or the like: its head.
const HEAD: usize = 1 << 10;

/// How records are packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Packing {
    /// As they were.
    AsItIs,
    /// Each by itself with gzip, which all tools know.
    Gzip,
    /// With zstd and a dictionary for each kind of content.
    Zstd,
    /// The same, and pictures in a coding that only we know.
    Smallest,
}

impl Packing {
    /// Whether records are packed with zstd.
    pub(super) fn is_zstd(self) -> bool {
        matches!(self, Packing::Zstd | Packing::Smallest)
    }
}

/// Kinds of content, by what compresses alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    Page,
    Script,
    Style,
    Text,
    /// Compressed by itself, or anything else.
    Other,
    /// What is said about pages.
    About,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Kind::Page => "page",
            Kind::Script => "script",
            Kind::Style => "style",
            Kind::Text => "text",
            Kind::Other => "other",
            Kind::About => "about",
        }
    }

    /// Whether records stand in a dictionary as they are: those that are mostly alike. Scripts are
    /// not, and what is taken out of them should not be in what is always read.
    fn records_in_dictionary(self) -> Whole {
        match self {
            Kind::Page | Kind::Style | Kind::Text => Whole::Some,
            Kind::Script | Kind::Other | Kind::About => Whole::None,
        }
    }

    /// How much of a record its dictionary is made of.
    fn sampled(self) -> usize {
        match self {
            Kind::Other => HEAD,
            _ => SAMPLE,
        }
    }

    /// Pictures and films are large, and hardly get smaller whatever one does.
    fn is_worth_it(self) -> bool {
        self != Kind::Other
    }

    fn compressor(self, dictionary: Vec<u8>) -> Compressor {
        match self.is_worth_it() {
            true => Compressor::hard_with_dictionary(dictionary),
            false => Compressor::zstd_with_dictionary(dictionary),
        }
    }

    /// The kind of a record; none for one that belongs to the record before.
    pub(super) fn of(record: &Scanned) -> Option<Kind> {
        let kind = match record.head.record_type() {
            RecordType::Response | RecordType::Revisit => {
                let head = record.http.as_ref();
                let kind = head.and_then(|head| Some(head.get("Content-Type")?.into_owned()));
                String::from_utf8_lossy(&kind.unwrap_or_default()).into_owned()
            }
            RecordType::Resource => record.head.get("Content-Type")?.into_owned(),
            RecordType::Metadata => {
                let kind = record.head.get("Content-Type")?;
                return (kind != "application/warc-fields").then_some(Kind::About);
            }
            RecordType::Request => return None,
            _ => return Some(Kind::About),
        };
        let kind = mime(&kind).to_ascii_lowercase();
        Some(match kind.as_str() {
            "text/html" | "application/xhtml+xml" => Kind::Page,
            "text/css" => Kind::Style,
            kind if kind.contains("javascript") || kind.contains("ecmascript") => Kind::Script,
            kind if kind.starts_with("text/") => Kind::Text,
            kind if kind.contains("json") || kind.contains("xml") => Kind::Text,
            _ => Kind::Other,
        })
    }
}

/// The files of a layer that are being packed.
pub(super) struct Packs {
    packing: Packing,
    dictionaries: BTreeMap<Kind, Compressor>,
    open: BTreeMap<Kind, (WarcWriter, String)>,
    numbers: BTreeMap<Kind, u32>,
    /// Of the record before.
    kind: Kind,
}

impl Packs {
    /// Packs for records like those of these files.
    pub(super) fn new(packing: Packing, fs: &dyn FileSystem, files: &[PathBuf]) -> Result<Packs> {
        let dictionaries = match packing {
            Packing::Zstd | Packing::Smallest => trained(fs, files)?,
            Packing::AsItIs | Packing::Gzip => BTreeMap::new(),
        };
        Ok(Packs {
            packing,
            dictionaries,
            open: BTreeMap::new(),
            numbers: BTreeMap::new(),
            kind: Kind::About,
        })
    }

    /// The file that a record belongs into. Also the name of one that is full, if it is.
    pub(super) fn writer(
        &mut self,
        record: &Scanned,
        layer: &OpenLayer,
        world: &dyn World,
    ) -> Result<&mut WarcWriter> {
        if let Some(kind) = Kind::of(record) {
            self.kind = kind;
        }
        let kind = match self.packing.is_zstd() {
            true => self.kind,
            false => Kind::Other,
        };
        if !self.open.contains_key(&kind) {
            let opened = self.begin(kind, layer, world)?;
            self.open.insert(kind, opened);
        }
        match self.open.get_mut(&kind) {
            Some((writer, _)) => Ok(writer),
            None => unreachable!("just opened"),
        }
    }

    /// Bytes that the body of a record takes when it is packed.
    pub(super) fn packed_length(&self, record: &Scanned, body: &[u8]) -> u64 {
        let compressor = self.compressor(Kind::of(record).unwrap_or(self.kind));
        // Nothing fails in memory.
        compressor.packed_length(body).unwrap_or(u64::MAX)
    }

    /// With the dictionary of scripts, if there is one: what is taken out of bodies is of them.
    pub(super) fn for_scripts(&self) -> Option<Compressor> {
        self.dictionaries.get(&Kind::Script).cloned()
    }

    fn compressor(&self, kind: Kind) -> Compressor {
        match (self.packing.is_zstd(), self.dictionaries.get(&kind)) {
            (true, Some(trained)) => trained.clone(),
            (true, None) if kind.is_worth_it() => Compressor::hard(Compression::Zstd),
            (true, None) => Compressor::new(Compression::Zstd),
            (false, _) => Compressor::new(Compression::Gzip),
        }
    }

    fn begin(
        &mut self,
        kind: Kind,
        layer: &OpenLayer,
        world: &dyn World,
    ) -> Result<(WarcWriter, String)> {
        let compressor = self.compressor(kind);
        let number = self.numbers.entry(kind).or_default();
        let name = match self.packing.is_zstd() {
            true => format!("{}-{number:05}", kind.name()),
            false => format!("{number:05}"),
        };
        *number += 1;
        let name = format!("varve-{}-{name}.{}", layer.id, compressor.extension());
        let path = layer.archive_dir().join(&name);
        let mut writer = WarcWriter::new(layer.create_archive(&name)?, compressor)
            .map_err(StoreError::io(&path, "write"))?;
        let began = writer.append(&warcinfo(&name, world));
        began.map_err(StoreError::io(&path, "write"))?;
        Ok((writer, name))
    }

    /// Ends files: those that are full, or all. Their names.
    pub(super) fn end(&mut self, all: bool, layer: &OpenLayer) -> Result<Vec<String>> {
        let is_done = |writer: &WarcWriter| all || writer.len() >= ROTATE_AT;
        let kinds = self.open.iter().filter(|(_, (writer, _))| is_done(writer));
        let kinds: Vec<Kind> = kinds.map(|(kind, _)| *kind).collect();
        let mut names = Vec::new();
        for kind in kinds {
            if let Some((mut writer, name)) = self.open.remove(&kind) {
                let path = layer.archive_dir().join(&name);
                writer.sync().map_err(StoreError::io(&path, "sync"))?;
                names.push(name);
            }
        }
        Ok(names)
    }
}

/// Copies a record, packed anew.
pub(super) fn copy(
    file: &Arc<dyn ReadAt>,
    path: &Path,
    record: &Scanned,
    writer: &mut WarcWriter,
) -> Result<()> {
    let wanted = Wanted::Whole(record.place.length);
    let reader = WarcReader::one(file.clone(), record.place.offset, wanted);
    let mut reader = reader.map_err(|error| error.at(path))?;
    let head = reader.next_head().map_err(|error| error.at(path))?;
    let Some(head) = head else {
        return Ok(());
    };
    let mut unreadable = None;
    let written = writer.append_member(|out: &mut dyn Write| {
        out.write_all(head.as_bytes())?;
        unreadable = copy_block(&mut reader, out)?;
        Ok(())
    });
    written.map_err(StoreError::io(path, "copy a record of"))?;
    match unreadable {
        None => Ok(()),
        Some(error) => Err(error.at(path)),
    }
}

/// Compressors with a dictionary for each kind that files have enough of.
fn trained(fs: &dyn FileSystem, files: &[PathBuf]) -> Result<BTreeMap<Kind, Compressor>> {
    let mut samples: BTreeMap<Kind, Samples> = BTreeMap::new();
    for path in files {
        let file = fs.open(path).map_err(StoreError::io(path, "open"))?;
        let Ok(mut scanner) = Scanner::new(file, Verify::Nothing) else {
            continue;
        };
        let mut last = Kind::About;
        while let Some(step) = (scanner.next_step()).map_err(StoreError::io(path, "read"))? {
            let Step::Record(record) = step else {
                continue;
            };
            last = Kind::of(&record).unwrap_or(last);
            let known = samples.entry(last).or_default();
            if known.is_full() {
                continue;
            }
            if let Some(sample) = sample(fs, path, &record, last) {
                known.add(&site(&record), sample);
            }
        }
    }
    let trained = samples.into_iter().filter_map(|(kind, samples)| {
        let dictionary = samples.dictionary(kind.records_in_dictionary())?;
        Some((kind, kind.compressor(dictionary)))
    });
    Ok(trained.collect())
}

/// The host that a record is of.
fn site(record: &Scanned) -> String {
    let url = record.head.target_uri().unwrap_or_default();
    let after = url.split_once("://").map_or("", |(_, after)| after);
    after.split('/').next().unwrap_or_default().to_owned()
}

/// The beginning of a record, as it will be packed.
fn sample(fs: &dyn FileSystem, path: &Path, record: &Scanned, kind: Kind) -> Option<Vec<u8>> {
    let wanted = Wanted::Whole(record.place.length);
    let stored = StoredRecord::open(fs, path, record.place.offset, wanted).ok()?;
    let mut sample = stored.head().as_bytes().to_vec();
    sample.extend(stored.http().into_iter().flat_map(|head| head.as_bytes()));
    let body = stored.decoded(DecodeLimits::default());
    let room = kind.sampled().saturating_sub(sample.len()) as u64;
    body.take(room).read_to_end(&mut sample).ok()?;
    Some(sample)
}
