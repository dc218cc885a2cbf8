//! What can be read on a page.

use crate::archive::Opened;
use crate::lookup::{Found, Match};
use crate::respond::Content;
use std::io::Read;
use std::sync::Arc;
use url::Url;
use varve_model::Timestamp;
use varve_page::{Document, Viewport, analyse};
use varve_store::http::DecodeLimits;
use varve_store::index::{Hit, MergedIndex, Query, Sort};

/// What crawls keep the text of a page under.
const TEXT: &str = "urn:text:";
/// Bytes of a text that are read.
const MAX_TEXT: u64 = 1 << 20;
/// Longer pages are not read for their text.
const MAX_PAGE: usize = 8 << 20;

/// The title and the text of a page: what the crawl saw of it, or what its HTML says.
pub(crate) fn text_of(
    opened: &Arc<Opened>,
    index: &MergedIndex,
    url: &str,
    time: Timestamp,
) -> Option<(Option<String>, String)> {
    if let Some(text) = recorded(opened, index, url, time) {
        return Some((None, text));
    }
    let hit = nearest(index, url, time)?;
    let content_type = hit.capture.mime.clone();
    let found = Found {
        opened: opened.clone(),
        hit,
        matched: Match::Exact,
    };
    let body = Content::open(&found).ok()?.whole(MAX_PAGE).ok()?;
    let url = Url::parse(url).ok()?;
    let document = Document {
        content_type: content_type.as_deref().filter(|it| it.contains('/')),
        ..Document::new(&url, &body)
    };
    let page = analyse(&document, &Viewport::default());
    Some((page.title, page.text))
}

/// What the crawl saw.
fn recorded(opened: &Opened, index: &MergedIndex, url: &str, time: Timestamp) -> Option<String> {
    let hit = nearest(index, &format!("{TEXT}{url}"), time)?;
    let record = opened.collection().read(&hit).ok()?;
    let mut bytes = Vec::new();
    let body = record.decoded(DecodeLimits::default());
    body.take(MAX_TEXT).read_to_end(&mut bytes).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

fn nearest(index: &MergedIndex, url: &str, time: Timestamp) -> Option<Hit> {
    let query = Query {
        url: url.to_owned(),
        sort: Sort::Closest(time),
        limit: Some(1),
        ..Query::default()
    };
    Opened::hits(index, &query).ok()?.into_iter().next()
}
