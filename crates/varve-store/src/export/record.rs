//! One record by itself, as a gzip member: a WARC file of one record.

use super::warc::{CopyError, copy_record};
use crate::collection::Collection;
use crate::collection::layout::ARCHIVE;
use crate::fs::{FileSystem, OsFileSystem, ReadAt};
use crate::index::Hit;
use crate::wacz::FileSlice;
use crate::warc::{Compression, Compressor, Fault, Wanted, WarcReader, WarcWriter};
use crate::{Result, StoreError};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Longer records, as they are stored, are not read to their ends before they are given out:
/// their own checksum tells whether they are whole.
const CHECKED: u64 = 256 << 20;

/// A record as one gzip member.
pub enum Member {
    /// As it stands in its file.
    Stored(FileSlice),
    /// Its file is compressed in another way or not at all, or has it in a member with others: a
    /// member has to be made of it by [`write_member`].
    Otherwise,
}

/// The record of a capture, checked to its end.
pub fn member_of(collection: &Collection, hit: &Hit) -> Result<Member> {
    let path = path_of(collection, hit);
    let (file, mut reader) = open(collection, hit, &path)?;
    let damaged = |error: crate::warc::ReadError| error.at(&path);
    let head = reader.next_head().map_err(damaged)?;
    head.ok_or_else(|| no_record(&path, hit.capture.offset))?;
    if reader.compression() != Compression::Gzip {
        return Ok(Member::Otherwise);
    }
    if hit.capture.length > CHECKED {
        let slice = FileSlice::new(file, hit.capture.offset, hit.capture.length);
        return Ok(Member::Stored(slice));
    }
    let end = reader.finish().map_err(damaged)?;
    Ok(match end.shares_member {
        true => Member::Otherwise,
        false => Member::Stored(FileSlice::new(file, end.place.offset, end.place.length)),
    })
}

/// Writes the record of a capture as a gzip member into the new file `target`.
pub fn write_member(collection: &Collection, hit: &Hit, target: &Path) -> Result<Arc<dyn ReadAt>> {
    let path = path_of(collection, hit);
    let (_, mut reader) = open(collection, hit, &path)?;
    let file = OsFileSystem.create(target);
    let file = file.map_err(StoreError::io(target, "create"))?;
    let writer = WarcWriter::new(file, Compressor::new(Compression::Gzip));
    let mut writer = writer.map_err(StoreError::io(target, "write"))?;
    let copied = copy_record(&mut reader, &mut writer).map_err(|error| match error {
        CopyError::Read(error) => error.at(&path),
        CopyError::Write(error) => StoreError::io(target, "write")(error),
    })?;
    if !copied {
        return Err(no_record(&path, hit.capture.offset));
    }
    writer.sync().map_err(StoreError::io(target, "sync"))?;
    OsFileSystem
        .open(target)
        .map_err(StoreError::io(target, "open"))
}

fn path_of(collection: &Collection, hit: &Hit) -> PathBuf {
    let archive = collection.layer_dir(hit.layer).join(ARCHIVE);
    archive.join(&hit.capture.filename)
}

fn open(collection: &Collection, hit: &Hit, path: &Path) -> Result<(Arc<dyn ReadAt>, WarcReader)> {
    let file = collection.fs.open(path);
    let file = file.map_err(StoreError::io(path, "open"))?;
    let wanted = Wanted::Whole(hit.capture.length);
    let reader = WarcReader::one(file.clone(), hit.capture.offset, wanted);
    Ok((file, reader.map_err(|error| error.at(path))?))
}

fn no_record(path: &Path, offset: u64) -> StoreError {
    StoreError::Damaged {
        path: path.to_owned(),
        offset,
        fault: Fault::NotARecord {
            found: "the end of the file".into(),
        },
    }
}
