//! Exchanges by URL and variant, in bounded space. What was not used for longest goes first: from
//! memory to the cellar, then altogether.
//!
//! A crawl of many pages meets many more URLs. Of those that are put away, only where they lie is
//! in memory; even their URLs are hashes.

use super::cellar::{Away, Cellar};
use super::rules::Variant;
use crate::body::Spooled;
use crate::exchange::Exchange;
use crate::request::Request;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::hash::{BuildHasher, RandomState};
use std::path::PathBuf;
use std::sync::Arc;

/// Exchanges in memory, at most so many bytes. A site's own scripts and styles are much less, and
/// they stay, since every page uses them; what one page alone shows need not be at hand.
const AT_HAND: u64 = 8 << 20;
/// Exchanges at most, wherever they are. What pages have in common is used again and again, and
/// stays; what one page alone has is not worth the memory for long.
const ENTRIES: usize = 4 << 10;
/// Large bodies, each in a file of its own that is held open.
const FILES: usize = 128;
/// Variants of one URL; more of them are hardly ever asked for again.
const VARIANTS: usize = 8;
/// Different variants, of whatever URLs, that are held once for all: clients hardly ever have more.
const SHARED_VARIANTS: usize = 32;
/// What an entry takes beside its bytes, about.
const OVERHEAD: usize = 1024;

/// The exchanges that are kept.
pub(super) struct Shelf {
    max_bytes: u64,
    bytes: u64,
    bytes_at_hand: u64,
    files: usize,
    uses: u64,
    by_url: HashMap<UrlHash, Vec<Kept>>,
    by_use: BTreeMap<u64, UrlHash>,
    /// The last uses of those that are in memory.
    at_hand: BTreeSet<u64>,
    variants: Vec<Arc<Variant>>,
    cellar: Cellar,
    chance: RandomState,
}

/// Stands for a URL. Nobody outside can know two URLs with the same.
type UrlHash = [u64; 2];

struct Kept {
    variant: Arc<Variant>,
    size: u64,
    used: u64,
    place: Place,
}

/// Where the exchange is.
enum Place {
    Memory(Arc<Exchange>),
    Cellar(Away),
    /// In memory, but for its body.
    OwnFile(Arc<Exchange>),
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
            bytes_at_hand: 0,
            files: 0,
            uses: 0,
            by_url: HashMap::new(),
            by_use: BTreeMap::new(),
            at_hand: BTreeSet::new(),
            variants: Vec::new(),
            cellar,
            chance: RandomState::new(),
        }
    }

    /// Takes everything off.
    pub(super) fn clear(&mut self) {
        *self = Shelf::over(self.cellar.emptied(), self.max_bytes);
    }

    /// What answers a request.
    pub(super) fn find(&mut self, url: &str, request: &Request) -> Option<Arc<Exchange>> {
        let url = self.hash(url);
        let kept = self.by_url.get_mut(&url)?;
        let kept = kept.iter_mut().find(|it| it.variant.answers(request))?;
        let exchange = match &kept.place {
            Place::Memory(exchange) | Place::OwnFile(exchange) => Arc::clone(exchange),
            Place::Cellar(away) => Arc::new(away.bring()?),
        };
        self.uses += 1;
        self.by_use.remove(&kept.used);
        self.by_use.insert(self.uses, url);
        if self.at_hand.remove(&kept.used) {
            self.at_hand.insert(self.uses);
        }
        kept.used = self.uses;
        Some(exchange)
    }

    /// Keeps an exchange, in place of one that answers the same requests, if it has room at all.
    pub(super) fn keep(&mut self, url: &str, variant: Variant, exchange: Arc<Exchange>) {
        let size = size(&variant, &exchange);
        if size > self.max_bytes {
            return;
        }
        let url = self.hash(url);
        self.make_place(url, &variant);
        self.uses += 1;
        self.bytes += size;
        let place = match &exchange.body {
            Spooled::Memory(_) => {
                self.bytes_at_hand += size;
                self.at_hand.insert(self.uses);
                Place::Memory(exchange)
            }
            Spooled::File { .. } => {
                self.files += 1;
                Place::OwnFile(exchange)
            }
        };
        let kept = Kept {
            variant: self.shared(variant),
            size,
            used: self.uses,
            place,
        };
        self.by_use.insert(self.uses, url);
        // Nearly all URLs have one variant.
        let others = self.by_url.entry(url);
        others.or_insert_with(|| Vec::with_capacity(1)).push(kept);
        self.put_away();
        self.drop_oldest();
    }

    /// Brings exchanges to the cellar until those in memory are few enough.
    fn put_away(&mut self) {
        while self.bytes_at_hand > AT_HAND {
            let Some(used) = self.at_hand.first().copied() else {
                return;
            };
            let Some(url) = self.by_use.get(&used).copied() else {
                self.at_hand.remove(&used);
                continue;
            };
            match self.put_one_away(url, used) {
                true => drop(self.at_hand.remove(&used)),
                false => {
                    self.by_use.remove(&used);
                    self.remove(url, used);
                }
            }
        }
    }

    /// Brings one exchange to the cellar, if the disk takes it.
    fn put_one_away(&mut self, url: UrlHash, used: u64) -> bool {
        let kept = self.by_url.get_mut(&url);
        let kept = kept.and_then(|kept| kept.iter_mut().find(|it| it.used == used));
        let Some(kept) = kept else {
            return false;
        };
        let Place::Memory(exchange) = &kept.place else {
            return false;
        };
        let Spooled::Memory(body) = &exchange.body else {
            return false;
        };
        // Who uses the exchange now keeps the one in memory.
        let Ok(away) = self.cellar.put(exchange, body) else {
            return false;
        };
        self.bytes_at_hand -= kept.size;
        kept.place = Place::Cellar(away);
        true
    }

    fn drop_oldest(&mut self) {
        while self.bytes > self.max_bytes || self.files > FILES || self.by_use.len() > ENTRIES {
            let Some((used, url)) = self.by_use.pop_first() else {
                return;
            };
            self.remove(url, used);
        }
    }

    /// Takes away what the new one replaces: the same variant, or the oldest of too many.
    fn make_place(&mut self, url: UrlHash, variant: &Variant) {
        let Some(kept) = self.by_url.get(&url) else {
            return;
        };
        let same = kept.iter().find(|it| *it.variant == *variant);
        let oldest = kept.iter().min_by_key(|it| it.used);
        let replaced = same.or(oldest.filter(|_| kept.len() >= VARIANTS));
        if let Some(used) = replaced.map(|it| it.used) {
            self.by_use.remove(&used);
            self.remove(url, used);
        }
    }

    fn remove(&mut self, url: UrlHash, used: u64) {
        let Some(kept) = self.by_url.get_mut(&url) else {
            return;
        };
        if let Some(at) = kept.iter().position(|it| it.used == used) {
            let gone = kept.swap_remove(at);
            self.bytes -= gone.size;
            match gone.place {
                Place::Memory(_) => {
                    self.bytes_at_hand -= gone.size;
                    self.at_hand.remove(&used);
                }
                Place::OwnFile(_) => self.files -= 1,
                Place::Cellar(_) => {}
            }
        }
        if kept.is_empty() {
            self.by_url.remove(&url);
        }
    }

    /// The one copy of a variant.
    fn shared(&mut self, variant: Variant) -> Arc<Variant> {
        if let Some(known) = self.variants.iter().find(|known| ***known == variant) {
            return Arc::clone(known);
        }
        if self.variants.len() == SHARED_VARIANTS {
            self.variants.remove(0);
        }
        let variant = Arc::new(variant);
        self.variants.push(Arc::clone(&variant));
        variant
    }

    fn hash(&self, url: &str) -> UrlHash {
        [false, true].map(|half| self.chance.hash_one((half, url)))
    }
}

fn size(variant: &Variant, exchange: &Exchange) -> u64 {
    let heads = exchange.request_head.len() + exchange.response_head.len();
    let rest = heads + exchange.url.as_str().len() + variant.size() + OVERHEAD;
    exchange.body.len() + exchange.request_body.len() + rest as u64
}
