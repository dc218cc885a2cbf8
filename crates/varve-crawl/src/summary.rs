//! What a crawl did, in numbers that can be checked.

use crate::account::Account;
use crate::visit::PageDone;
use serde::Serialize;
use std::time::Duration;
use varve_store::collection::LayerEntry;

/// What a crawl did.
#[derive(Clone, Debug, Serialize)]
pub struct Summary {
    /// The layer that holds it, if anything was written.
    pub layer: Option<String>,
    /// How long its files are.
    pub stored_bytes: u64,
    /// Pages visited.
    pub pages: Vec<PageDone>,
    /// What was asked for and what came, of all pages.
    pub account: Account,
    /// How long it took.
    pub seconds: f64,
}

impl Summary {
    pub(crate) fn new(pages: Vec<PageDone>, layer: Option<LayerEntry>, took: Duration) -> Summary {
        let mut account = Account::default();
        for page in &pages {
            account.add(&page.account);
        }
        Summary {
            stored_bytes: layer.as_ref().map_or(0, |layer| layer.bytes),
            layer: layer.map(|layer| layer.id),
            pages,
            account,
            seconds: took.as_secs_f64(),
        }
    }

    /// Pages that could not be saved.
    pub fn failed_pages(&self) -> impl Iterator<Item = &PageDone> {
        self.pages.iter().filter(|page| !page.is_saved())
    }

    /// Whether not a single response was recorded: an archive of nothing.
    pub fn is_empty(&self) -> bool {
        self.account.recorded.count + self.account.reused == 0
    }
}
