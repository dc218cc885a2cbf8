//! `/wayback/available`: whether a URL was captured, and when nearest to a time.

use super::mementos::Mementos;
use super::parameters::{Bad, Parameters};
use crate::respond::Reply;
use crate::serving::Serving;
use axum::http::StatusCode;
use axum::http::header;
use serde_json::json;
use varve_model::Timestamp;
use varve_store::index::Sort;

/// Captures among which one that shows something is looked for.
const LOOKED_AT: usize = 100;

/// Answers as the Internet Archive does.
pub(super) fn available(serving: &Serving, asked: &Parameters) -> Result<Reply, Bad> {
    let url = asked.url()?;
    let time = asked.moment("timestamp", Timestamp::earliest_of)?;
    let mementos = Mementos::of(serving, url)?;
    let sort = time.map_or(Sort::Reverse, Sort::Closest);
    let near = mementos.some(sort, 0, LOOKED_AT);
    let shows = |status: &Option<String>| status.as_deref() == Some("200");
    let closest = near.into_iter().find(|capture| shows(&capture.status));
    let snapshots = closest.map_or(json!({}), |capture| {
        let time = capture.timestamp.digits14();
        let url = format!("{}/web/{time}/{}", serving.names.origin(), capture.url);
        json!({"closest": {"status": "200", "available": true, "url": url, "timestamp": time}})
    });
    let mut told = json!({"url": url, "archived_snapshots": snapshots});
    if let Some(written) = asked.get("timestamp") {
        told["timestamp"] = written.into();
    }
    Ok(Reply::new(StatusCode::OK, told.to_string())
        .with(header::CONTENT_TYPE, "application/json")
        .with(header::CACHE_CONTROL, "no-cache"))
}
