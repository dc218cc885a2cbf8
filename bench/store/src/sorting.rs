//! Large indexes: sorted, compressed, dealt out to layers and merged again.

use crate::captures;
use anyhow::Result;
use serde_json::{Value, json};
use std::path::Path;
use std::sync::Arc;
use varve_store::StoreError;
use varve_store::fs::{Fs, OsFileSystem};
use varve_store::index::{IndexForm, IndexWriter, LayerIndex, LineSorter, MergedIndex};

/// What `varve` gives a sort.
pub(crate) const SORT_MEMORY: usize = 48 << 20;

pub(crate) fn file_system() -> Fs {
    Arc::new(OsFileSystem)
}

/// Sorts the lines of an archive of `count` captures.
pub(crate) fn sort(count: u64, dir: &Path) -> Result<Value> {
    let mut sorter = LineSorter::new(file_system(), dir.join("runs"), SORT_MEMORY);
    captures::each(count, |line| sorter.push(line))?;
    Ok(json!({"lines": write_sorted(sorter, dir, IndexForm::Plain)?}))
}

/// Writes what a sorter has got as an index.
pub(crate) fn write_sorted(
    sorter: LineSorter,
    dir: &Path,
    form: IndexForm,
) -> Result<u64, StoreError> {
    let mut lines = sorter.finish()?;
    let mut writer = IndexWriter::create(&file_system(), dir, form)?;
    while let Some(line) = lines.next_line()? {
        writer.push(line)?;
    }
    writer.finish()
}

/// Writes an index again in compressed blocks.
pub(crate) fn zipnum(dir: &Path, out: &Path) -> Result<Value> {
    let mut lines = LayerIndex::open(&file_system(), dir)?.start();
    let mut writer = IndexWriter::create(&file_system(), out, IndexForm::ZipNum)?;
    while let Some(line) = lines.next_line()? {
        writer.push(line)?;
    }
    Ok(json!({"lines": writer.finish()?}))
}

/// Deals the lines of an index out to the layers `out/0`, `out/1` and so on.
pub(crate) fn split(dir: &Path, out: &Path, layers: usize) -> Result<Value> {
    let mut writers = Vec::new();
    for layer in 0..layers {
        let dir = out.join(layer.to_string());
        std::fs::create_dir_all(&dir)?;
        writers.push(IndexWriter::create(&file_system(), &dir, IndexForm::Plain)?);
    }
    let mut lines = LayerIndex::open(&file_system(), dir)?.start();
    let mut dice = crate::dice::Dice::new(8);
    while let Some(line) = lines.next_line()? {
        writers[dice.below(layers as u64) as usize].push(line)?;
    }
    let lengths = writers
        .into_iter()
        .map(IndexWriter::finish)
        .collect::<Result<Vec<_>, _>>()?;
    Ok(json!({"lines": lengths}))
}

/// Reads many indexes as one.
pub(crate) fn merge(dirs: &[&str]) -> Result<Value> {
    let open = |dir: &&str| LayerIndex::open(&file_system(), Path::new(dir));
    let layers = dirs.iter().map(open).collect::<Result<Vec<_>, _>>()?;
    let merged = MergedIndex::new(layers.into_iter().enumerate().collect());
    let mut cursor = merged.start()?;
    let (mut lines, mut bytes) = (0_u64, 0);
    while let Some((_, line)) = cursor.next_line()? {
        lines += 1;
        bytes += line.len() as u64 + 1;
    }
    Ok(json!({"lines": lines, "bytes": bytes}))
}
