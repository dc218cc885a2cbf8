//! The scripts of a layer, record by record.

use crate::cut::{Called, Cut, Whole, cut};
use crate::learned::Learned;
use crate::run::Cold;
use crate::tally::Tally;
use std::collections::HashSet;
use std::io::Read;
use varve_model::{HttpHead, Timestamp};
use varve_store::Result;
use varve_store::collection::{
    Altered, Attachment, AttachmentKind, Content, PARTS_TYPE, Packing, Parts, PartsKey, Remaking,
    StoredRecord, head_for,
};
use varve_store::http::DecodeLimits;
use varve_store::warc::{RecordType, Scanned};

/// Longer scripts are left whole.
const LIMITS: DecodeLimits = DecodeLimits {
    bytes: 24 << 20,
    ratio: 1_000,
    ratio_free: 16 << 20,
};
/// What is left in scripts although no visit saw it run.
#[derive(Default)]
pub(crate) struct Spared {
    /// URLs whose scripts stay whole.
    pub(crate) urls: HashSet<String>,
    /// Functions that were called in replay.
    pub(crate) called: Called,
}

/// Cuts the scripts of layers.
pub(crate) struct Pruner<'a> {
    learned: &'a Learned,
    spared: &'a Spared,
    cold: Cold,
    pub(crate) packing: Packing,
    /// Scripts whose parts are stored.
    stored: HashSet<PartsKey>,
    pub(crate) tally: Tally,
    advanced: &'a mut dyn FnMut(u64),
}

impl<'a> Pruner<'a> {
    pub(crate) fn new(
        learned: &'a Learned,
        spared: &'a Spared,
        cold: Cold,
        advanced: &'a mut dyn FnMut(u64),
    ) -> Pruner<'a> {
        Pruner {
            learned,
            spared,
            cold,
            packing: Packing::AsItIs,
            stored: HashSet::new(),
            tally: Tally::default(),
            advanced,
        }
    }

    fn cut(&self, url: &str, body: &[u8]) -> std::result::Result<Cut, Whole> {
        if self.spared.urls.contains(url) {
            return Err(Whole::Differed);
        }
        cut(body, &self.spared.called, |text| {
            self.learned.of_text(text).cloned()
        })
    }

    /// The parts as they are stored, if they are to be and are not yet.
    fn parts(&mut self, url: &str, date: Timestamp, cut: Cut) -> Option<Attachment> {
        let key = cut.key.clone();
        let is_wanted = self.cold == Cold::Keep && self.stored.insert(key.clone());
        is_wanted.then(|| {
            let parts = Parts {
                url: url.to_owned(),
                date,
                parts: cut.cold,
            };
            Attachment {
                kind: AttachmentKind::Resource,
                uri: key.urn(),
                date,
                content_type: PARTS_TYPE.to_owned(),
                body: parts.to_bytes().into(),
            }
        })
    }
}

impl Remaking for Pruner<'_> {
    fn instead_of(&mut self, record: &Scanned, content: Content<'_>) -> Result<Option<Altered>> {
        let Some(head) = record.http.as_ref().filter(|head| is_script(record, head)) else {
            return Ok(None);
        };
        let (Some(url), Some(date)) = (record.head.target_uri(), record.head.date()) else {
            return Ok(None);
        };
        let Some(body) = body(content.open()?) else {
            return Ok(None);
        };
        match self.cut(&url, &body) {
            Err(why) => {
                self.tally.whole(body.len(), why);
                Ok(None)
            }
            Ok(cut) => {
                self.tally.cut(body.len(), &cut);
                let (key, hot) = (Some(cut.key.clone()), cut.hot.clone());
                Ok(Some(Altered {
                    key,
                    head: head_for(head, hot.len()),
                    body: hot,
                    parts: self.parts(&url, date, cut),
                }))
            }
        }
    }

    fn packing(&self) -> Packing {
        self.packing
    }

    fn advanced(&mut self, bytes: u64) {
        (self.advanced)(bytes);
    }
}

/// Whether a record is a script that was received whole, and stored whole until now.
fn is_script(record: &Scanned, head: &HttpHead) -> bool {
    let kind = head.get("Content-Type").unwrap_or_default();
    let kind = String::from_utf8_lossy(&kind).to_ascii_lowercase();
    record.head.record_type() == RecordType::Response
        && head.status() == Some(200)
        && (kind.contains("javascript") || kind.contains("ecmascript"))
        && record.head.get("WARC-Truncated").is_none()
        && record.head.get("Varve-Cold").is_none()
}

/// The body as it was meant; none if it cannot be read.
fn body(record: StoredRecord) -> Option<Vec<u8>> {
    let mut body = Vec::new();
    record.decoded(LIMITS).read_to_end(&mut body).ok()?;
    Some(body)
}
