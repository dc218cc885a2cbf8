//! The mementos of a URL, for the interfaces that tell of them.

use super::parameters::Bad;
use crate::archive::Opened;
use crate::layout::When;
use crate::respond::Notice;
use crate::serving::Serving;
use url::Url;
use varve_model::{Capture, ReplayUrl, Timestamp, link_to};
use varve_page::Use;
use varve_store::index::{MergedIndex, Query, Sort};

/// Lines of the index that are looked at.
const MAX_LINES: u64 = 1_000_000;

/// The captures of a URL.
pub(super) struct Mementos {
    /// The URL that was asked for.
    pub(super) url: String,
    index: MergedIndex,
}

impl Mementos {
    /// Reads the URL at the end of a path.
    pub(super) fn of(serving: &Serving, written: &str) -> Result<Mementos, Bad> {
        let url = ReplayUrl::parse(written).map(|asked| asked.url);
        let url = url.filter(|url| Url::parse(url).is_ok_and(|url| url.has_host()));
        let Some(url) = url else {
            return Err(Bad::new("url", "it is missing, or is no URL of the web"));
        };
        let index = serving.archive.index();
        Ok(Mementos { url, index })
    }

    /// Why there are none.
    pub(super) fn none(&self, serving: &Serving) -> Notice {
        Notice::nothing_of(serving, &self.url, When::Latest.moment())
    }

    /// The first or the last.
    pub(super) fn one(&self, sort: Sort) -> Option<Capture> {
        self.some(sort, 0, 1).into_iter().next()
    }

    /// Some of them in this order.
    pub(super) fn some(&self, sort: Sort, skip: usize, limit: usize) -> Vec<Capture> {
        let query = Query {
            url: self.url.clone(),
            sort,
            offset: skip,
            limit: Some(limit),
            scan_limit: Some(MAX_LINES),
            ..Query::default()
        };
        let hits = Opened::hits(&self.index, &query).unwrap_or_default();
        hits.into_iter().map(|hit| hit.capture).collect()
    }
}

/// Where a memento itself is.
pub(super) fn uri_m(serving: &Serving, capture: &Capture) -> Option<String> {
    let time = capture.timestamp.to_seconds();
    let url = Url::parse(&capture.url).ok()?;
    serving.layout.url(&url, time, Use::Navigate)
}

/// A link to a memento.
pub(super) fn memento_link(url: &str, relation: &str, time: Timestamp) -> String {
    let attributes = format!("rel=\"{relation}\"; datetime=\"{}\"", time.http_date());
    link_to(url, &attributes)
}
