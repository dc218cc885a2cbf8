//! A collection as one WARC: every record in order, one compressed member each.

use super::names::ArchiveNames;
use super::{Draft, ExportObserver, Whole};
use crate::collection::Collection;
use crate::fs::{FileSystem, OsFileSystem, ReadAt};
use crate::warc::{Compression, Compressor, ReadError, WarcReader, WarcWriter};
use crate::{Result, StoreError};
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;

/// What a dictionary is trained on, at most.
const TRAINING_BYTES: usize = 8 << 20;
const TRAINING_PIECE: u64 = 64 << 10;
const DICTIONARY_BYTES: usize = 110 << 10;

/// Writes all records of the collection into the WARC file `target`, compressed as its name says:
/// `.warc`, `.warc.gz`, or `.warc.zst` with a dictionary made of the records.
pub fn export_warc(
    collection: &Collection,
    target: &Path,
    observer: &mut dyn ExportObserver,
) -> Result<()> {
    let whole = Whole::of(collection, target)?;
    let collection = whole.collection(collection);
    let names = ArchiveNames::of(collection)?;
    let compressor = compressor(collection, &names, target)?;
    let draft = Draft::new(target)?;
    let file = OsFileSystem
        .create(draft.path())
        .map_err(StoreError::io(target, "create"))?;
    let mut writer = WarcWriter::new(file, compressor).map_err(StoreError::io(target, "write"))?;
    for (_, path) in names.files() {
        let file = open(collection, path)?;
        let mut reader = WarcReader::new(file).map_err(|error| error.at(path))?;
        let mut seen = 0;
        while copy_record(&mut reader, &mut writer).map_err(|error| locate(error, path, target))? {
            observer.advanced(reader.position().saturating_sub(seen));
            seen = reader.position();
        }
    }
    writer.sync().map_err(StoreError::io(target, "sync"))?;
    draft.publish()
}

fn compressor(collection: &Collection, names: &ArchiveNames, target: &Path) -> Result<Compressor> {
    let name = target.to_string_lossy();
    if name.ends_with(".warc.gz") {
        Ok(Compressor::new(Compression::Gzip))
    } else if name.ends_with(".warc.zst") {
        let samples = samples(collection, names)?;
        // Too few or too small samples give no dictionary, and need none.
        Ok(match zstd::dict::from_samples(&samples, DICTIONARY_BYTES) {
            Ok(dictionary) if !dictionary.is_empty() => {
                Compressor::zstd_with_dictionary(dictionary)
            }
            _ => Compressor::new(Compression::Zstd),
        })
    } else {
        Ok(Compressor::new(Compression::None))
    }
}

/// The beginnings of the first records.
fn samples(collection: &Collection, names: &ArchiveNames) -> Result<Vec<Vec<u8>>> {
    let (mut samples, mut total) = (Vec::new(), 0);
    for (_, path) in names.files() {
        let mut reader =
            WarcReader::new(open(collection, path)?).map_err(|error| error.at(path))?;
        while total < TRAINING_BYTES {
            let Ok(Some(head)) = reader.next_head() else {
                break;
            };
            let mut sample = head.as_bytes().to_vec();
            let limit = sample.len() as u64 + TRAINING_PIECE;
            while let Ok(bytes) = reader.fill_block() {
                let room = limit.saturating_sub(sample.len() as u64) as usize;
                let length = bytes.len().min(room);
                if length == 0 {
                    break;
                }
                sample.extend_from_slice(&bytes[..length]);
                reader.consume_block(length);
            }
            total += sample.len();
            samples.push(sample);
        }
    }
    Ok(samples)
}

fn open(collection: &Collection, path: &Path) -> Result<Arc<dyn ReadAt>> {
    collection
        .fs
        .open(path)
        .map_err(StoreError::io(path, "open"))
}

pub(super) enum CopyError {
    Read(ReadError),
    Write(io::Error),
}

fn locate(error: CopyError, source: &Path, target: &Path) -> StoreError {
    match error {
        CopyError::Read(error) => error.at(source),
        CopyError::Write(error) => StoreError::io(target, "write")(error),
    }
}

/// Copies the next record; false at the end of the file.
pub(super) fn copy_record(
    reader: &mut WarcReader,
    writer: &mut WarcWriter,
) -> Result<bool, CopyError> {
    let Some(head) = reader.next_head().map_err(CopyError::Read)? else {
        return Ok(false);
    };
    let mut unreadable = None;
    let written = writer.append_member(|out| {
        out.write_all(head.as_bytes())?;
        unreadable = copy_block(reader, out)?;
        Ok(())
    });
    written.map_err(CopyError::Write)?;
    unreadable.map_or(Ok(true), |error| Err(CopyError::Read(error)))
}

/// Copies the current block; the result is what could not be read.
pub(crate) fn copy_block(
    reader: &mut WarcReader,
    out: &mut dyn Write,
) -> io::Result<Option<ReadError>> {
    loop {
        match reader.fill_block() {
            Ok([]) => return Ok(None),
            Ok(bytes) => {
                out.write_all(bytes)?;
                let length = bytes.len();
                reader.consume_block(length);
            }
            Err(error) => return Ok(Some(error)),
        }
    }
}
