//! Layers that take the place of others, whatever comes between.
//!
//! What is to be done is written down first. The new manifest decides: until it is there, the new
//! layers are leftovers; from then on, the old ones are.

use super::draft::DRAFT;
use super::layout::Layout;
use super::lock;
use super::manifest::Manifest;
use super::open_layer::sync_dir;
use crate::fs::{Fs, read_small, write_atomically};
use crate::{Result, StoreError};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// Where it is written down.
const NOTE: &str = "replacing.json";
const MAX_NOTE: u64 = 16 << 20;
/// Where layers go that others took the place of, if they are kept.
const ORIGINALS: &str = "originals";

/// Which layers take the place of which.
#[derive(Serialize, Deserialize)]
pub(super) struct Exchange {
    pub(super) pairs: Vec<(String, String)>,
    pub(super) keep_originals: bool,
}

impl Exchange {
    /// Writes down what is to be done.
    pub(super) fn begin(&self, fs: &Fs, layout: &Layout) -> Result<()> {
        let path = note(layout);
        let bytes = serde_json::to_vec(self).unwrap_or_default();
        write_atomically(fs.as_ref(), &path, &bytes).map_err(StoreError::io(&path, "write"))
    }

    /// Removes what the manifest does not name. Safe to repeat.
    pub(super) fn finish(&self, fs: &Fs, layout: &Layout) -> Result<()> {
        let manifest = Manifest::load(fs.as_ref(), layout.root())?;
        let is_named = |id: &str| manifest.layers.iter().any(|layer| layer.id == id);
        for (old, new) in &self.pairs {
            match is_named(new) {
                true => self.put_away(fs, layout, old)?,
                false => remove(fs, layout.layer(new))?,
            }
        }
        remove(fs, layout.state().join(DRAFT))?;
        sync_dir(fs.as_ref(), &layout.layers())?;
        let path = note(layout);
        fs.remove_file(&path)
            .map_err(StoreError::io(&path, "remove"))?;
        sync_dir(fs.as_ref(), &layout.state())
    }

    fn put_away(&self, fs: &Fs, layout: &Layout, layer: &str) -> Result<()> {
        let dir = layout.layer(layer);
        let kind = fs.kind(&dir).map_err(StoreError::io(&dir, "look at"))?;
        if !self.keep_originals || kind.is_none() {
            return remove(fs, dir);
        }
        let originals = layout.root().join(ORIGINALS);
        fs.create_dir_all(&originals)
            .map_err(StoreError::io(&originals, "create"))?;
        sync_dir(fs.as_ref(), layout.root())?;
        fs.rename(&dir, &originals.join(layer))
            .map_err(StoreError::io(&dir, "rename"))?;
        sync_dir(fs.as_ref(), &originals)
    }
}

/// Brings to an end what a dead process began.
pub(super) fn recover(fs: &Fs, layout: &Layout) -> Result<()> {
    if !is_noted(fs, layout)? {
        return Ok(());
    }
    let _lock = lock::collection(fs.as_ref(), layout)?;
    // Who was at it may have ended meanwhile.
    if !is_noted(fs, layout)? {
        return Ok(());
    }
    let path = note(layout);
    let bytes = read_small(fs.as_ref(), &path, MAX_NOTE).map_err(StoreError::io(&path, "read"))?;
    let exchange: Exchange = serde_json::from_slice(&bytes)
        .map_err(|error| StoreError::invalid(&path, format!("cannot be read: {error}")))?;
    exchange.finish(fs, layout)
}

fn is_noted(fs: &Fs, layout: &Layout) -> Result<bool> {
    let path = note(layout);
    let kind = fs.kind(&path).map_err(StoreError::io(&path, "look at"))?;
    Ok(kind.is_some())
}

fn note(layout: &Layout) -> PathBuf {
    layout.state().join(NOTE)
}

fn remove(fs: &Fs, dir: PathBuf) -> Result<()> {
    fs.remove_dir_all(&dir)
        .map_err(StoreError::io(&dir, "remove"))
}
