//! How captures were asked for: an index does not say, the request beside the response does.

use crate::archive::Opened;
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use varve_store::index::Hit;

/// Captures whose methods are remembered.
const REMEMBERED: usize = 20_000;

/// What is known so far: whether the capture at a layer, file and offset was asked for by GET.
#[derive(Default)]
pub(crate) struct Methods(Mutex<HashMap<(usize, String, u64), bool>>);

impl Methods {
    /// Whether a capture was asked for by GET, or does not say how.
    pub(crate) fn is_get(&self, opened: &Opened, hit: &Hit) -> bool {
        if let Some(method) = hit.capture.extra.iter().find(|(name, _)| name == "method") {
            return method.1 == "GET";
        }
        let key = (hit.layer, hit.capture.filename.clone(), hit.capture.offset);
        let lock = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = lock().get(&key) {
            return *known;
        }
        let request = opened.collection().request_of(hit);
        let is_get = request.is_none_or(|request| {
            let head = request.http();
            head.and_then(|head| head.method())
                .is_none_or(|method| method == b"GET")
        });
        let mut known = lock();
        if known.len() >= REMEMBERED {
            known.clear();
        }
        known.insert(key, is_get);
        is_get
    }
}
