//! Exchanges by URL and variant, in bounded space. What was not used for longest goes first.

use super::rules::Variant;
use crate::body::Spooled;
use crate::exchange::Exchange;
use crate::request::Request;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// Bodies in files that are held open at most.
const FILES: usize = 128;
/// Variants of one URL; more of them are hardly ever asked for again.
const VARIANTS: usize = 8;
/// What an entry takes beside its bytes, about.
const OVERHEAD: usize = 1024;

/// The exchanges that are kept.
pub(super) struct Shelf {
    max_bytes: u64,
    bytes: u64,
    files: usize,
    uses: u64,
    by_url: HashMap<String, Vec<Kept>>,
    by_use: BTreeMap<u64, String>,
}

struct Kept {
    variant: Variant,
    exchange: Arc<Exchange>,
    size: u64,
    used: u64,
}

impl Shelf {
    /// An empty shelf.
    pub(super) fn new(max_bytes: u64) -> Shelf {
        Shelf {
            max_bytes,
            bytes: 0,
            files: 0,
            uses: 0,
            by_url: HashMap::new(),
            by_use: BTreeMap::new(),
        }
    }

    /// Takes everything off.
    pub(super) fn clear(&mut self) {
        *self = Shelf::new(self.max_bytes);
    }

    /// What answers a request.
    pub(super) fn find(&mut self, url: &str, request: &Request) -> Option<Arc<Exchange>> {
        let kept = self.by_url.get_mut(url)?;
        let kept = kept.iter_mut().find(|it| it.variant.answers(request))?;
        self.uses += 1;
        if let Some(name) = self.by_use.remove(&kept.used) {
            self.by_use.insert(self.uses, name);
        }
        kept.used = self.uses;
        Some(Arc::clone(&kept.exchange))
    }

    /// Keeps an exchange, in place of one that answers the same requests, if it has room at all.
    pub(super) fn keep(&mut self, url: &str, variant: Variant, exchange: Arc<Exchange>) {
        let heads = exchange.request_head.len() + exchange.response_head.len();
        let rest = heads + url.len() * 2 + variant.size() + OVERHEAD;
        let size = exchange.body.len() + exchange.request_body.len() + rest as u64;
        if size > self.max_bytes {
            return;
        }
        self.make_place(url, &variant);
        self.uses += 1;
        self.bytes += size;
        self.files += usize::from(is_file(&exchange));
        self.by_use.insert(self.uses, url.into());
        self.by_url.entry(url.into()).or_default().push(Kept {
            variant,
            exchange,
            size,
            used: self.uses,
        });
        while self.bytes > self.max_bytes || self.files > FILES {
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
            self.files -= usize::from(is_file(&gone.exchange));
        }
        if kept.is_empty() {
            self.by_url.remove(url);
        }
    }
}

fn is_file(exchange: &Exchange) -> bool {
    matches!(exchange.body, Spooled::File { .. })
}
