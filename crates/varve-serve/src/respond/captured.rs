//! The map of a page's URLs that also knows which of them the archive has.

use crate::archive::Opened;
use crate::layout::MapAt;
use crate::lookup::is_saved;
use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;
use url::Url;
use varve_page::{UrlMap, Use};

/// URLs of one document that are looked up; of more it is not asked.
const MAX_LOOKED_UP: usize = 5_000;

pub(super) struct Captured<'a> {
    map: &'a MapAt,
    archive: Vec<Arc<Opened>>,
    known: RefCell<HashMap<Url, bool>>,
}

impl<'a> Captured<'a> {
    pub(super) fn new(map: &'a MapAt, archive: Vec<Arc<Opened>>) -> Captured<'a> {
        let known = RefCell::default();
        Captured {
            map,
            archive,
            known,
        }
    }
}

impl UrlMap for Captured<'_> {
    fn map(&self, written: &str, resolved: &Url, used_for: Use) -> Option<String> {
        self.map.map(written, resolved, used_for)
    }

    fn concerns(&self, written: &str) -> bool {
        self.map.concerns(written)
    }

    fn is_captured(&self, url: &Url) -> bool {
        let mut known = self.known.borrow_mut();
        if let Some(known) = known.get(url) {
            return *known;
        }
        let mut url = url.clone();
        url.set_fragment(None);
        if known.len() >= MAX_LOOKED_UP {
            return known.get(&url).copied().unwrap_or(true);
        }
        // What cannot be looked up is not known to be absent.
        let look = |url: &Url| is_saved(&self.archive, url).unwrap_or(true);
        *known.entry(url).or_insert_with_key(look)
    }
}
