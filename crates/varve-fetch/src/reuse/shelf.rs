//! Exchanges by URL and variant, in bounded space. What was not used for longest goes first: its
//! body from memory to the cellar, then all of it.

use super::cellar::Cellar;
use super::rules::Variant;
use crate::body::Spooled;
use crate::exchange::Exchange;
use crate::request::Request;
use bytes::Bytes;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::PathBuf;
use std::sync::Arc;

/// Bodies in memory, at most. A site's own scripts and styles are much less, and they stay, since
/// every page uses them; what one page alone shows need not be at hand.
const BODIES: u64 = 8 << 20;
/// Exchanges at most: their heads are in memory, wherever the body is.
const ENTRIES: usize = 32 << 10;
/// Large bodies, each in a file of its own that is held open.
const FILES: usize = 128;
/// Variants of one URL; more of them are hardly ever asked for again.
const VARIANTS: usize = 8;
/// What an entry takes beside its bytes, about.
const OVERHEAD: usize = 1024;

/// The exchanges that are kept.
pub(super) struct Shelf {
    max_bytes: u64,
    bytes: u64,
    bodies: u64,
    files: usize,
    uses: u64,
    by_url: HashMap<String, Vec<Kept>>,
    by_use: BTreeMap<u64, String>,
    /// The last uses of those whose bodies are in memory.
    at_hand: BTreeSet<u64>,
    cellar: Cellar,
}

struct Kept {
    variant: Variant,
    exchange: Arc<Exchange>,
    size: u64,
    used: u64,
    place: Place,
}

/// Where the body is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Memory,
    Cellar,
    OwnFile,
}

impl Shelf {
    /// An empty shelf for so many bytes, with its cellar in `dir`.
    pub(super) fn new(max_bytes: u64, dir: PathBuf) -> Shelf {
        Shelf::over(Cellar::new(dir, max_bytes), max_bytes)
    }

    fn over(cellar: Cellar, max_bytes: u64) -> Shelf {
        Shelf {
            max_bytes,
            bytes: 0,
            bodies: 0,
            files: 0,
            uses: 0,
            by_url: HashMap::new(),
            by_use: BTreeMap::new(),
            at_hand: BTreeSet::new(),
            cellar,
        }
    }

    /// Takes everything off.
    pub(super) fn clear(&mut self) {
        *self = Shelf::over(self.cellar.emptied(), self.max_bytes);
    }

    /// What answers a request.
    pub(super) fn find(&mut self, url: &str, request: &Request) -> Option<Arc<Exchange>> {
        let kept = self.by_url.get_mut(url)?;
        let kept = kept.iter_mut().find(|it| it.variant.answers(request))?;
        self.uses += 1;
        if let Some(name) = self.by_use.remove(&kept.used) {
            self.by_use.insert(self.uses, name);
        }
        if self.at_hand.remove(&kept.used) {
            self.at_hand.insert(self.uses);
        }
        kept.used = self.uses;
        Some(Arc::clone(&kept.exchange))
    }

    /// Keeps an exchange, in place of one that answers the same requests, if it has room at all.
    pub(super) fn keep(&mut self, url: &str, variant: Variant, exchange: Arc<Exchange>) {
        let size = size(url, &variant, &exchange);
        if size > self.max_bytes {
            return;
        }
        self.make_place(url, &variant);
        self.uses += 1;
        self.bytes += size;
        let place = match &exchange.body {
            Spooled::Memory(body) => {
                self.bodies += body.len() as u64;
                self.at_hand.insert(self.uses);
                Place::Memory
            }
            Spooled::File { .. } => {
                self.files += 1;
                Place::OwnFile
            }
        };
        self.by_use.insert(self.uses, url.into());
        self.by_url.entry(url.into()).or_default().push(Kept {
            variant,
            exchange,
            size,
            used: self.uses,
            place,
        });
        self.put_away();
        self.drop_oldest();
    }

    /// Brings bodies to the cellar until those in memory are few enough.
    fn put_away(&mut self) {
        while self.bodies > BODIES {
            let Some(used) = self.at_hand.pop_first() else {
                return;
            };
            let Some(url) = self.by_use.get(&used).cloned() else {
                continue;
            };
            if !self.put_one_away(&url, used) {
                self.by_use.remove(&used);
                self.remove(&url, used);
            }
        }
    }

    /// Brings one body to the cellar, if the disk takes it.
    fn put_one_away(&mut self, url: &str, used: u64) -> bool {
        let Some(kept) = self.by_url.get_mut(url) else {
            return false;
        };
        let Some(kept) = kept.iter_mut().find(|it| it.used == used) else {
            return false;
        };
        let Some(body) = in_memory(&kept.exchange) else {
            return false;
        };
        let Ok(there) = self.cellar.put(body) else {
            return false;
        };
        self.bodies -= body.len() as u64;
        kept.place = Place::Cellar;
        // Who uses the exchange now keeps the one in memory.
        kept.exchange = Arc::new(Exchange {
            body: there,
            ..Exchange::clone(&kept.exchange)
        });
        true
    }

    fn drop_oldest(&mut self) {
        while self.bytes > self.max_bytes || self.files > FILES || self.by_use.len() > ENTRIES {
            let Some((used, url)) = self.by_use.pop_first() else {
                return;
            };
            self.remove(&url, used);
        }
    }

    /// Takes away what the new one replaces: the same variant, or the oldest of too many.
    fn make_place(&mut self, url: &str, variant: &Variant) {
        let Some(kept) = self.by_url.get(url) else {
            return;
        };
        let same = kept.iter().find(|it| it.variant == *variant);
        let oldest = kept.iter().min_by_key(|it| it.used);
        let replaced = same.or(oldest.filter(|_| kept.len() >= VARIANTS));
        if let Some(used) = replaced.map(|it| it.used) {
            self.by_use.remove(&used);
            self.remove(url, used);
        }
    }

    fn remove(&mut self, url: &str, used: u64) {
        let Some(kept) = self.by_url.get_mut(url) else {
            return;
        };
        if let Some(at) = kept.iter().position(|it| it.used == used) {
            let gone = kept.swap_remove(at);
            self.bytes -= gone.size;
            match gone.place {
                Place::Memory => {
                    self.bodies -= gone.exchange.body.len();
                    self.at_hand.remove(&used);
                }
                Place::OwnFile => self.files -= 1,
                Place::Cellar => {}
            }
        }
        if kept.is_empty() {
            self.by_url.remove(url);
        }
    }
}

fn size(url: &str, variant: &Variant, exchange: &Exchange) -> u64 {
    let heads = exchange.request_head.len() + exchange.response_head.len();
    let rest = heads + url.len() * 2 + variant.size() + OVERHEAD;
    exchange.body.len() + exchange.request_body.len() + rest as u64
}

fn in_memory(exchange: &Exchange) -> Option<&Bytes> {
    match &exchange.body {
        Spooled::Memory(body) => Some(body),
        Spooled::File { .. } => None,
    }
}
