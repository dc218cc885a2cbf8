//! Knowing a payload again: by its digest, whatever URL it came from.

use super::exchange::Original;
use std::collections::{HashMap, VecDeque};
use varve_model::Digest;

/// Remembers payloads up to a number; the oldest are forgotten first, which costs space in the
/// archive and never correctness.
pub(crate) struct Payloads {
    known: HashMap<Digest, Original>,
    order: VecDeque<Digest>,
    capacity: usize,
}

impl Payloads {
    pub(crate) fn new(capacity: usize) -> Payloads {
        Payloads {
            known: HashMap::new(),
            order: VecDeque::new(),
            capacity,
        }
    }

    pub(crate) fn find(&self, digest: &Digest) -> Option<&Original> {
        self.known.get(digest)
    }

    pub(crate) fn remember(&mut self, digest: Digest, original: Original) {
        if self.known.contains_key(&digest) {
            return;
        }
        if self.order.len() >= self.capacity
            && let Some(oldest) = self.order.pop_front()
        {
            self.known.remove(&oldest);
        }
        self.order.push_back(digest);
        self.known.insert(digest, original);
    }

    pub(crate) fn forget(&mut self, digest: &Digest) {
        self.known.remove(digest);
        self.order.retain(|known| known != digest);
    }
}
