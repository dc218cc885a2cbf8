//! The scripts of a layer, record by record.

use crate::cut::{Called, Cut, Holder, Whole, cut, set_aside};
use crate::learned::Learned;
use crate::run::Cold;
use crate::tally::Tally;
use std::collections::HashSet;
use std::io::Read;
use varve_model::{HttpHead, Timestamp};
use varve_store::Result;
use varve_store::collection::{
    Altered, Attachment, Coded, Content, Packing, Parts, Remaking, Shelf, StoredRecord, Stubs,
    head_for, packs_below, without_codings,
};
use varve_store::http::DecodeLimits;
use varve_store::warc::{RecordType, Scanned};

/// Longer scripts are not looked at.
const LIMITS: DecodeLimits = DecodeLimits {
    bytes: 24 << 20,
    ratio: 1_000,
    ratio_free: 16 << 20,
};
/// Scripts that stay whole are packed anew only if that takes away such a part of them.
const WORTH: u64 = 20;
/// What the heads of a record take on disk, roughly.
const HEADS: u64 = 400;

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
    /// What is stored apart.
    shelf: Shelf,
    /// Parts of other layers' bodies that turned out to be needed.
    needed: Vec<Attachment>,
    pub(crate) tally: Tally,
    advanced: &'a mut dyn FnMut(u64),
}

impl<'a> Pruner<'a> {
    pub(crate) fn new(
        learned: &'a Learned,
        spared: &'a Spared,
        cold: Cold,
        shelf: Shelf,
        advanced: &'a mut dyn FnMut(u64),
    ) -> Pruner<'a> {
        Pruner {
            learned,
            spared,
            cold,
            packing: Packing::AsItIs,
            shelf,
            needed: Vec::new(),
            tally: Tally::default(),
            advanced,
        }
    }

    /// With parts of other layers' bodies, for the next layer that is made.
    pub(crate) fn needing(mut self, needed: Vec<Attachment>) -> Self {
        self.needed = needed;
        self
    }

    fn cut(&self, found: Found, url: &str, body: &[u8]) -> std::result::Result<Cut, Whole> {
        if self.spared.urls.contains(url) {
            return Err(Whole::Differed);
        }
        let cut = cut(found.holder(), body, &self.spared.called, |text| {
            self.learned.of_text(text).cloned()
        });
        match cut {
            // It may run on pages that nobody visited, so it is never dropped.
            Err(Whole::NeverSeen) if found == Found::Script && self.cold == Cold::Keep => {
                set_aside(body)
            }
            cut => cut,
        }
    }

    /// The parts as they are stored, if they are to be and are not yet.
    fn parts(&mut self, url: &str, date: Timestamp, cut: Cut) -> Option<Attachment> {
        if self.cold == Cold::Drop || self.shelf.has(&cut.whole, &cut.key) {
            return None;
        }
        let parts = Parts {
            whole: cut.whole,
            url: url.to_owned(),
            date,
            parts: cut.cold,
        };
        Some(self.shelf.record(&cut.key, &parts))
    }
}

impl Remaking for Pruner<'_> {
    fn instead_of(&mut self, record: &Scanned, content: Content<'_>) -> Result<Option<Altered>> {
        let Some(head) = record.http.as_ref().filter(|_| is_whole(record)) else {
            return Ok(None);
        };
        let Some(found) = Found::by(head) else {
            return Ok(None);
        };
        let (Some(url), Some(date)) = (record.head.target_uri(), record.head.date()) else {
            return Ok(None);
        };
        let Some(body) = body(content.open()?) else {
            if found == Found::Script {
                self.tally.whole(&url, 0, Whole::Unreadable);
            }
            return Ok(None);
        };
        let cut = self.cut(found, &url, &body);
        match cut.and_then(|cut| if_smaller(cut, record.place.length)) {
            Err(why) => {
                // Of other things nobody expects that they are cut.
                if found != Found::Script {
                    return Ok(None);
                }
                self.tally.whole(&url, body.len(), why);
                match self.packing {
                    Packing::AsItIs => without_codings(record, content, is_worth_it),
                    // All is packed anew then.
                    _ => Ok(None),
                }
            }
            Ok(cut) => {
                self.tally.cut(found.holder(), body.len(), &cut);
                let stubs = Stubs {
                    key: cut.key.clone(),
                    mark: mark(&cut),
                };
                let hot = cut.hot.clone();
                Ok(Some(Altered {
                    stubs: Some(stubs),
                    uncoded: None,
                    recoded: None,
                    head: head_for(head, hot.len()),
                    body: hot,
                    parts: self.parts(&url, date, cut),
                    revisited: None,
                }))
            }
        }
    }

    fn in_addition(&mut self) -> Vec<Attachment> {
        std::mem::take(&mut self.needed)
    }

    fn packing(&self) -> Packing {
        self.packing
    }

    fn is_for_us_alone(&self) -> bool {
        true
    }

    fn advanced(&mut self, bytes: u64) {
        (self.advanced)(bytes);
    }
}

/// What a response may be.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Found {
    Script,
    /// It does not say what it is. If it ran, it is a script.
    Unnamed,
    Page,
}

impl Found {
    fn by(head: &HttpHead) -> Option<Found> {
        let kind = head.get("Content-Type").unwrap_or_default();
        let kind = String::from_utf8_lossy(&kind).to_ascii_lowercase();
        let kind = kind.split(';').next().unwrap_or_default().trim();
        let is_script = kind.contains("javascript") || kind.contains("ecmascript");
        match kind {
            _ if head.status() != Some(200) => None,
            _ if is_script => Some(Found::Script),
            "text/html" => Some(Found::Page),
            "" | "text/plain" | "application/octet-stream" => Some(Found::Unnamed),
            _ => None,
        }
    }

    fn holder(self) -> Holder {
        match self {
            Found::Script | Found::Unnamed => Holder::Script,
            Found::Page => Holder::Page,
        }
    }
}

/// Whether a record is a response that was received whole, and stored whole until now.
fn is_whole(record: &Scanned) -> bool {
    record.head.record_type() == RecordType::Response
        && record.head.get("WARC-Truncated").is_none()
        && record.head.get("Varve-Cold").is_none()
}

/// A cut, if what is stored of the body takes less than what is stored now.
fn if_smaller(cut: Cut, stored: u64) -> std::result::Result<Cut, Whole> {
    match packs_below(&cut.hot, stored.saturating_sub(HEADS)) {
        true => Ok(cut),
        false => Err(Whole::NotSmaller),
    }
}

/// What is to be looked for where bodies were taken out; nothing if all of it was.
fn mark(cut: &Cut) -> String {
    match cut.is_all() {
        true => String::new(),
        false => cut.mark.as_str().to_owned(),
    }
}

/// Whether a script is that much smaller without the codings that its server put on it.
fn is_worth_it(body: &[u8], coded: Coded) -> bool {
    packs_below(body, coded.bytes - coded.bytes / WORTH)
}

/// The body as it was meant; none if it cannot be read.
fn body(record: StoredRecord) -> Option<Vec<u8>> {
    let mut body = Vec::new();
    record.decoded(LIMITS).read_to_end(&mut body).ok()?;
    Some(body)
}
