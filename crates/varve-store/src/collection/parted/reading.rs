//! Parts, found in a collection.

use super::written::Written;
use super::{Part, Parts, PartsKey, Shelf};
use crate::collection::Collection;
use crate::http::DecodeLimits;
use crate::index::{Hit, MergedIndex, Query};
use crate::{Result, StoreError};
use std::collections::BTreeMap;
use std::io::Read;

/// No body has more in parts.
const MAX_PARTS: u64 = 64 << 20;
/// Nor is it longer when it is stored.
const LIMITS: DecodeLimits = DecodeLimits {
    bytes: MAX_PARTS,
    ratio: 1_000,
    ratio_free: 16 << 20,
};

/// A body in parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parted {
    /// As it is stored, with stubs.
    pub stored: Vec<u8>,
    /// What stands elsewhere.
    pub parts: Parts,
}

impl Collection {
    /// The parts that were taken out of a body, if they are still there.
    pub fn parts(&self, index: &MergedIndex, key: &PartsKey) -> Result<Option<Parts>> {
        let Some(mut written) = self.written(index, &key.urn())?.pop() else {
            return Ok(None);
        };
        for other in written.needs() {
            if let Some(other_parts) = self.written(index, &other.urn())?.pop() {
                written.take_from(&other, &other_parts);
            }
        }
        Ok(written.complete())
    }

    /// Whether the parts of a body are here.
    pub fn has_parts_of(&self, index: &MergedIndex, key: &PartsKey) -> Result<bool> {
        let query = Query {
            url: key.urn(),
            limit: Some(1),
            ..Query::default()
        };
        Ok(index.query(&query)?.next().transpose()?.is_some())
    }

    /// A body with its parts, if both are still there.
    pub fn parted(&self, index: &MergedIndex, key: &PartsKey) -> Result<Option<Parted>> {
        let Some(parts) = self.parts(index, key)? else {
            return Ok(None);
        };
        let query = Query {
            url: parts.url.clone(),
            ..Query::default()
        };
        for hit in index.query(&query)? {
            let hit = hit?;
            if hit.capture.timestamp != parts.date.to_seconds() {
                continue;
            }
            if let Some(stored) = self.stored_with(&hit, key)? {
                return Ok(Some(Parted { stored, parts }));
            }
        }
        Ok(None)
    }

    /// The body of a capture as it is stored, if its parts are those.
    fn stored_with(&self, hit: &Hit, key: &PartsKey) -> Result<Option<Vec<u8>>> {
        let record = self.read(hit)?;
        if record.parts_key().as_ref() != Some(key) {
            return Ok(None);
        }
        let path = record.path().to_owned();
        let mut stored = Vec::new();
        let read = record.decoded(LIMITS).read_to_end(&mut stored);
        read.map_err(StoreError::io(&path, "read"))?;
        Ok(Some(stored))
    }

    /// Those parts of a body that later turned out to be needed: records of layers that came after
    /// have them once more. None if there are none.
    pub fn hot_parts(&self, index: &MergedIndex, key: &PartsKey) -> Result<Option<Parts>> {
        let mut all: Option<Parts> = None;
        let mut places: BTreeMap<usize, Part> = BTreeMap::new();
        for written in self.written(index, &key.hot_urn())? {
            let Some(parts) = written.complete() else {
                continue;
            };
            for part in &parts.parts {
                places.insert(part.stub.start, part.clone());
            }
            all = Some(parts);
        }
        Ok(all.map(|parts| Parts {
            parts: places.into_values().collect(),
            ..parts
        }))
    }

    /// What is stored of the parts of bodies.
    pub fn shelf(&self, index: &MergedIndex) -> Result<Shelf> {
        let mut shelf = Shelf::default();
        let query = Query {
            keys: Some(PartsKey::urns()),
            ..Query::default()
        };
        for hit in index.query(&query)? {
            let hit = hit?;
            if let Some(key) = PartsKey::of_urn(&hit.capture.url) {
                shelf.learn(&key, &self.written_at(&hit)?);
            }
        }
        Ok(shelf)
    }

    /// The records of that name.
    fn written(&self, index: &MergedIndex, urn: &str) -> Result<Vec<Written>> {
        let query = Query {
            url: urn.to_owned(),
            ..Query::default()
        };
        let hits = index.query(&query)?;
        hits.map(|hit| self.written_at(&hit?)).collect()
    }

    fn written_at(&self, hit: &Hit) -> Result<Written> {
        let mut record = self.read(hit)?;
        let mut bytes = Vec::new();
        let path = record.path().to_owned();
        let read = Read::take(&mut record, MAX_PARTS).read_to_end(&mut bytes);
        read.map_err(StoreError::io(&path, "read"))?;
        record.finish()?;
        let no_parts = || StoreError::invalid(&path, format!("no parts in {}", hit.capture.url));
        Written::parse(&bytes).ok_or_else(no_parts)
    }
}
