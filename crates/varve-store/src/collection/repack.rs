//! Archive files in which several records share a compressed member: nothing in them can be read
//! alone. Each record gets a member of its own.

use super::copy::{Copied, Copy, Outcome};
use super::import::{ImportObserver, Part};
use super::layout::OPEN;
use super::open_layer::OpenLayer;
use crate::export::copy_block;
use crate::warc::{Compression, Compressor, ReadError, WarcReader, WarcWriter};
use crate::{Result, StoreError};
use std::path::Path;

/// Gives every record a compressed member of its own, then copies the result like any other file:
/// its places are the ones that the index needs, and a record that damage cut short is set aside.
pub(crate) fn repack(
    layer: &mut OpenLayer,
    path: &Path,
    part: &Part,
    name: String,
    observer: &mut dyn ImportObserver,
) -> Result<Copied> {
    let target = layer.archive_dir().join(format!("{name}{OPEN}"));
    let mut damage = Vec::new();
    let mut writer = WarcWriter::new(
        layer.create_archive(&name)?,
        Compressor::new(Compression::Gzip),
    )
    .map_err(StoreError::io(&target, "write"))?;
    let mut reader = WarcReader::new(part.file.clone()).map_err(|error| error.at(path))?;
    loop {
        match repack_one(&mut reader, &mut writer) {
            Ok(true) => {}
            Ok(false) => break,
            Err(ReadError::Io(error)) => return Err(StoreError::io(&target, "write")(error)),
            Err(ReadError::Damaged { offset, fault }) => {
                let next = reader.resync(offset).map_err(|error| error.at(path))?;
                damage.push((offset, next, fault));
                if next.is_none() {
                    break;
                }
            }
        }
    }
    writer.sync().map_err(StoreError::io(&target, "sync"))?;
    let repacked = layer
        .fs
        .open(&target)
        .map_err(StoreError::io(&target, "open"))?;
    let again = Part {
        file: repacked,
        ..part.clone()
    };
    let mut copy = Copy::new(layer, path, &again, format!("repacked-{name}"))?;
    copy.keep_damage(&part.file, damage)?;
    let copied = copy.run(observer)?;
    layer.drop_archive(&name)?;
    match copied {
        Outcome::Copied(copied) => Ok(Copied {
            verbatim: false,
            ..copied
        }),
        Outcome::NeedsRepacking => Err(StoreError::invalid(path, "cannot be repacked")),
    }
}

fn repack_one(reader: &mut WarcReader, writer: &mut WarcWriter) -> Result<bool, ReadError> {
    let Some(head) = reader.next_head()? else {
        return Ok(false);
    };
    let mut unreadable = None;
    writer.append_member(|out| {
        out.write_all(head.as_bytes())?;
        unreadable = copy_block(reader, out)?;
        Ok(())
    })?;
    unreadable.map_or(Ok(true), Err)
}
