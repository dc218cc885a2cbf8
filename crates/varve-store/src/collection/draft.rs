//! Layers in the making, to take the place of others.
//!
//! They are made in a collection of their own, a [`Draft`], which can be read like any other. Only
//! when somebody has found it good do its layers take the place of those that they were made from,
//! in one step; until then the collection is as it was.

use super::datapackage::Datapackage;
use super::manifest::{LayerEntry, Manifest};
use super::open_layer::sync_dir;
use super::remake::{Remaking, remake};
use super::{Collection, lock, replacing};
use crate::fs::{EntryKind, LockGuard};
use crate::{Result, StoreError};
use std::path::Path;

/// Where drafts are made, below `state/`.
pub(super) const DRAFT: &str = "draft";
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
        let Some(entry) = remake(from, layer, &self.collection, remaking)? else {
            return self.borrow(from, layer).map(|()| None);
        };
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
