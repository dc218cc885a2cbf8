//! A collection whose bodies are all whole, for those who know nothing of parts.
//!
//! Bodies that servers had compressed come back without that; revisits then say so too, or others
//! would find no payload for them.

use super::altered::{Altered, Revisited, head_for};
use super::draft::Draft;
use super::packing::Packing;
use super::parted::{COLD_FIELD, PartsKey};
use super::recoding::without_ours;
use super::remake::{Content, Remaking};
use super::revisit::{RefersTo, original};
use super::uncoded::UNCODED_FIELD;
use super::{Collection, Datapackage};
use crate::http::DecodeLimits;
use crate::index::{Hit, MergedIndex};
use crate::warc::{RecordType, Scanned};
use crate::{Result, StoreError};
use std::collections::HashMap;
use std::io::Read;
use std::path::Path;
use varve_model::{Digest, DigestAlgorithm, Timestamp};

/// Payloads that are remembered. When there are more, all are forgotten, and looked up once more.
const REMEMBERED: usize = 100_000;

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
        if package.varve.as_ref().is_some_and(|facts| facts.altered) {
            return Ok(true);
        }
        let mut files = package.resources.iter();
        let is_parted = |path: &str| path.ends_with(".zst") || path.contains("-hot.");
        let is_ours = |path: &str| path.starts_with("archive/varve-") && is_parted(path);
        Ok(files.any(|file| is_ours(&file.path)))
    }

    fn is_imported(&self, layer: usize) -> Result<bool> {
        let package = Datapackage::load(self.fs.as_ref(), &self.layer_dir(layer))?;
        Ok(package.varve.is_some_and(|facts| !facts.sources.is_empty()))
    }

    /// The same collection in another directory, with all bodies whole; layers in which they are
    /// take no room there.
    pub(crate) fn made_whole(&self, dir: &Path) -> Result<Draft> {
        let mut draft = self.draft_at(dir)?;
        let mut joining = Joining {
            collection: self,
            index: self.index()?,
            payloads: HashMap::new(),
        };
        for layer in 0..self.layers().len() {
            if self.is_layer_our_own(layer)? {
                draft.remake(self, layer, &mut joining)?;
            } else if self.is_imported(layer)? {
                draft.borrow(self, layer)?;
            } else {
                // Revisits of any crawl may refer to a body of another.
                match draft.remake(self, layer, &mut joining) {
                    // What is damaged is exported as it is.
                    Err(StoreError::Damaged { .. } | StoreError::Invalid { .. }) => {
                        draft.borrow(self, layer)?;
                    }
                    made => drop(made?),
                }
            }
        }
        Ok(draft)
    }
}

struct Joining<'a> {
    collection: &'a Collection,
    index: MergedIndex,
    /// By what revisits say of it: a payload as others get it, if it is another than it was.
    payloads: HashMap<(String, String), Option<Payload>>,
}

/// A payload as others get it.
#[derive(Clone)]
struct Payload {
    revisited: Revisited,
    length: usize,
}

impl Joining<'_> {
    /// What becomes of a revisit: it refers to a payload that others get in another way.
    fn revisit(&mut self, record: &Scanned) -> Result<Option<Altered>> {
        let url = record.head.get("WARC-Refers-To-Target-URI");
        let url = url.map(|url| url.into_owned());
        let named = url
            .or_else(|| record.head.target_uri())
            .zip(record.digest());
        let Some((head, (url, digest))) = record.http.as_ref().zip(named) else {
            return Ok(None);
        };
        let name = (url.clone(), digest.clone());
        if self.payloads.len() >= REMEMBERED {
            self.payloads.clear();
        }
        let payload = match self.payloads.get(&name) {
            Some(payload) => payload.clone(),
            None => {
                let date = record.head.get("WARC-Refers-To-Date");
                let refers = RefersTo {
                    url: Some(url),
                    date: date.and_then(|date| Timestamp::parse_w3c(&date).ok()),
                };
                let hit = original(&self.index, &refers, &digest)?;
                let payload = hit.map(|hit| self.payload(&hit)).transpose()?.flatten();
                self.payloads.insert(name, payload.clone());
                payload
            }
        };
        // One that is as it was has no other revisits.
        let payload = payload.filter(|payload| payload.revisited.digest != digest);
        Ok(payload.map(|payload| Altered {
            stubs: None,
            uncoded: None,
            recoded: None,
            head: head_for(head, payload.length),
            body: Vec::new(),
            parts: None,
            revisited: Some(payload.revisited),
        }))
    }

    /// The payload of a response as others get it, if it is not as it was.
    fn payload(&self, hit: &Hit) -> Result<Option<Payload>> {
        let record = self.collection.read(hit)?;
        let says_original = record.head().get(UNCODED_FIELD).is_some();
        let key = record.parts_key();
        if key.is_none() && !says_original {
            return Ok(None);
        }
        let path = record.path().to_owned();
        let mut body = Vec::new();
        record
            .decoded(DecodeLimits::default())
            .read_to_end(&mut body)
            .map_err(StoreError::io(&path, "read"))?;
        if let Some(key) = key
            && let Some(parts) = self.collection.parts(&self.index, &key)?
        {
            let no_fit = || StoreError::invalid(&path, format!("the parts of {key} do not fit"));
            body = parts.join(&body).ok_or_else(no_fit)?;
        }
        Ok(Some(Payload {
            revisited: Revisited {
                digest: Digest::of(DigestAlgorithm::Sha1, &body).to_string(),
                says_original,
            },
            length: body.len(),
        }))
    }

    fn whole(&self, key: &PartsKey, content: &Content<'_>) -> Result<Option<Vec<u8>>> {
        let Some(parts) = self.collection.parts(&self.index, key)? else {
            return Ok(None);
        };
        let record = content.open()?;
        let path = record.path().to_owned();
        let mut stored = Vec::new();
        record
            .decoded(DecodeLimits::default())
            .read_to_end(&mut stored)
            .map_err(StoreError::io(&path, "read"))?;
        let no_fit = || StoreError::invalid(&path, format!("the parts of {key} do not fit"));
        parts.join(&stored).ok_or_else(no_fit).map(Some)
    }
}

impl Remaking for Joining<'_> {
    /// What is no longer there stays away: the record says so itself.
    fn instead_of(&mut self, record: &Scanned, content: Content<'_>) -> Result<Option<Altered>> {
        if record.head.record_type() == RecordType::Revisit {
            return self.revisit(record);
        }
        let field = record.head.get(COLD_FIELD);
        let key = field.and_then(|urn| PartsKey::of_urn(&urn));
        let Some((key, head)) = key.zip(record.http.as_ref()) else {
            return without_ours(record, content);
        };
        let Some(body) = self.whole(&key, &content)? else {
            return without_ours(record, content);
        };
        Ok(Some(Altered {
            stubs: None,
            uncoded: None,
            recoded: None,
            head: head_for(head, body.len()),
            body,
            parts: None,
            revisited: None,
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
