//! Who visited pages when they were captured: what replay tells their scripts again.
//!
//! The recorder writes a log of each visit in the browser (`urn:varve:visit:URL`) with the visitor
//! as the page saw it. A page that has none is shown what others of its layer were shown; if there
//! are no others, what the crawl says of itself (`urn:varve:client`).

use super::opened::Opened;
use super::seen::{RecordedClient, Seen};
use crate::open_pages::name_of;
use serde::Deserialize;
use std::collections::HashMap;
use std::io::Read;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use varve_store::collection::Collection;
use varve_store::http::DecodeLimits;
use varve_store::index::{Hit, Query, Sort};

/// What the names of visit logs begin with.
const VISIT: &str = "urn:varve:visit:";
/// The name of what a crawl says about itself.
const CLIENT: &str = "urn:varve:client";
/// Longer visit logs are not read.
const MAX_LOG: u64 = 32 << 20;
/// Scripts of a page whose order is remembered.
const MAX_SCRIPTS: usize = 200;
/// Pages whose clients are remembered.
const REMEMBERED: usize = 4096;

/// The part of a visit log that is wanted.
#[derive(Deserialize)]
struct VisitLog {
    client: Seen,
    #[serde(default)]
    requests: Vec<Requested>,
}

#[derive(Deserialize)]
#[serde(default)]
#[derive(Default)]
struct Requested {
    url: String,
    resource_type: String,
    started: f64,
    took: Option<f64>,
}

/// The clients of pages and layers, each read once.
#[derive(Default)]
pub(super) struct Clients(Mutex<Known>);

type Known = HashMap<(usize, Option<String>), Option<Arc<RecordedClient>>>;

impl Clients {
    /// The client of a page; if its visit was not logged, that of its layer.
    pub(super) fn of_page(&self, opened: &Opened, page: &Hit) -> Option<Arc<RecordedClient>> {
        let url = page.capture.url.clone();
        let own = Query {
            url: format!("{VISIT}{url}"),
            sort: Sort::Closest(page.capture.timestamp),
            limit: Some(1),
            ..Query::default()
        };
        self.known((page.layer, Some(url)), opened, &own)
            .or_else(|| self.of_layer(opened, page.layer))
    }

    /// The client of a layer: that of some page, of a secure one if there is any, for they see
    /// more. Windows are of one page only; what was asked for without one was for this window.
    pub(super) fn of_layer(&self, opened: &Opened, layer: usize) -> Option<Arc<RecordedClient>> {
        let key = (layer, None);
        if let Some(known) = self.lock().get(&key) {
            return known.clone();
        }
        let claimed = read(opened, layer, &first_of(CLIENT));
        let secure = format!("{VISIT}https:");
        let seen = [secure.as_str(), VISIT]
            .into_iter()
            .find_map(|names| read(opened, layer, &first_of(names)));
        let client = match (seen, claimed) {
            (Some(seen), Some(claimed)) => Some(seen.in_window_of(&claimed)),
            (seen, claimed) => seen.or(claimed),
        };
        // The scripts are those of another page.
        let client = client.map(|client| RecordedClient {
            scripts: Vec::new(),
            ..client
        });
        self.remember(key, client.map(Arc::new))
    }

    /// The client of a layer, if it was read.
    pub(super) fn known_of_layer(&self, layer: usize) -> Option<Option<Arc<RecordedClient>>> {
        self.lock().get(&(layer, None)).cloned()
    }

    fn known(
        &self,
        key: (usize, Option<String>),
        opened: &Opened,
        query: &Query,
    ) -> Option<Arc<RecordedClient>> {
        if let Some(known) = self.lock().get(&key) {
            return known.clone();
        }
        let client = read(opened, key.0, query).map(Arc::new);
        self.remember(key, client)
    }

    fn remember(
        &self,
        key: (usize, Option<String>),
        client: Option<Arc<RecordedClient>>,
    ) -> Option<Arc<RecordedClient>> {
        let mut known = self.lock();
        if known.len() >= REMEMBERED {
            known.clear();
        }
        known.insert(key, client.clone());
        client
    }

    fn lock(&self) -> MutexGuard<'_, Known> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// One of the records whose names begin like this.
fn first_of(names: &str) -> Query {
    Query {
        keys: Some(varve_model::KeyRange {
            start: names.to_owned(),
            end: Some(format!("{names}\u{7f}")),
        }),
        limit: Some(1),
        ..Query::default()
    }
}

/// The client in the first log that a query finds.
fn read(opened: &Opened, layer: usize, query: &Query) -> Option<RecordedClient> {
    let logs = Opened::hits(opened.layer(layer)?, query).ok()?;
    client_in(opened.collection(), logs.first()?)
}

fn client_in(collection: &Collection, log: &Hit) -> Option<RecordedClient> {
    let record = collection.read(log).ok()?;
    let mut bytes = Vec::new();
    let body = record.decoded(DecodeLimits::default());
    body.take(MAX_LOG).read_to_end(&mut bytes).ok()?;
    let log: VisitLog = serde_json::from_slice(&bytes).ok()?;
    let scripts = scripts(log.requests);
    let client = log.client.recorded()?;
    Some(RecordedClient { scripts, ..client })
}

/// The scripts of a visit, as they came.
fn scripts(requests: Vec<Requested>) -> Vec<u64> {
    let mut came: Vec<(f64, u64)> = requests
        .iter()
        .filter(|request| request.resource_type == "Script")
        .filter_map(|request| Some((request.started + request.took?, name_of(&request.url))))
        .take(MAX_SCRIPTS)
        .collect();
    came.sort_by(|a, b| a.0.total_cmp(&b.0));
    came.into_iter().map(|(_, name)| name).collect()
}
