//! A collection whose bodies are all whole, for those who know nothing of parts.

use super::altered::{Altered, head_for};
use super::draft::Draft;
use super::packing::Packing;
use super::parted::{COLD_FIELD, PartsKey};
use super::remake::{Content, Remaking};
use super::{Collection, Datapackage};
use crate::index::MergedIndex;
use crate::warc::Scanned;
use crate::{Result, StoreError};
use std::io::Read;
use std::path::Path;

impl Collection {
    /// Whether others could not read all of it: bodies have parts elsewhere, or records are packed
    /// in a way that few know.
    pub fn is_our_own(&self) -> Result<bool> {
        for layer in 0..self.layers().len() {
            if self.is_layer_our_own(layer)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether bodies of a layer have parts in a file of their own.
    pub fn has_parts(&self, layer: usize) -> Result<bool> {
        let package = Datapackage::load(self.fs.as_ref(), &self.layer_dir(layer))?;
        let mut files = package.resources.iter();
        Ok(files.any(|file| file.path.contains("-cold.")))
    }

    fn is_layer_our_own(&self, layer: usize) -> Result<bool> {
        let package = Datapackage::load(self.fs.as_ref(), &self.layer_dir(layer))?;
        let mut files = package.resources.iter();
        let is_parted = |path: &str| path.ends_with(".zst") || path.contains("-hot.");
        let is_ours = |path: &str| path.starts_with("archive/varve-") && is_parted(path);
        Ok(files.any(|file| is_ours(&file.path)))
    }

    /// The same collection in another directory, with all bodies whole; layers in which they are
    /// take no room there.
    pub(crate) fn made_whole(&self, dir: &Path) -> Result<Draft> {
        let mut draft = self.draft_at(dir)?;
        let mut joining = Joining {
            collection: self,
            index: self.index()?,
        };
        for layer in 0..self.layers().len() {
            match self.is_layer_our_own(layer)? {
                true => drop(draft.remake(self, layer, &mut joining)?),
                false => draft.borrow(self, layer)?,
            }
        }
        Ok(draft)
    }
}

struct Joining<'a> {
    collection: &'a Collection,
    index: MergedIndex,
}

impl Joining<'_> {
    fn whole(&self, key: &PartsKey, content: &Content<'_>) -> Result<Option<Vec<u8>>> {
        let Some(parts) = self.collection.parts(&self.index, key)? else {
            return Ok(None);
        };
        let mut record = content.open()?;
        let path = record.path().to_owned();
        let mut stored = Vec::new();
        record
            .read_to_end(&mut stored)
            .map_err(StoreError::io(&path, "read"))?;
        let no_fit = || StoreError::invalid(&path, format!("the parts of {key} do not fit"));
        parts.join(&stored).ok_or_else(no_fit).map(Some)
    }
}

impl Remaking for Joining<'_> {
    /// What is no longer there stays away: the record says so itself.
    fn instead_of(&mut self, record: &Scanned, content: Content<'_>) -> Result<Option<Altered>> {
        let field = record.head.get(COLD_FIELD);
        let key = field.and_then(|urn| PartsKey::of_urn(&urn));
        let Some((key, head)) = key.zip(record.http.as_ref()) else {
            return Ok(None);
        };
        let whole = self.whole(&key, &content)?;
        Ok(whole.map(|body| Altered {
            stubs: None,
            uncoded: None,
            head: head_for(head, body.len()),
            body,
            parts: None,
        }))
    }

    fn packing(&self) -> Packing {
        Packing::Gzip
    }

    fn leaves_out(&mut self, record: &Scanned) -> bool {
        let uri = record.head.target_uri();
        uri.is_some_and(|uri| PartsKey::is_in_urn(&uri))
    }

    fn advanced(&mut self, _: u64) {}
}
