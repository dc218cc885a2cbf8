//! From a revisit to the capture that holds its payload.

use crate::Result;
use crate::index::{Hit, MergedIndex, Query};
use varve_model::{Capture, Digest, Timestamp};

/// Hops before a chain of revisits is taken for a loop.
const MAX_HOPS: usize = 8;
/// Captures of one URL that are looked at.
const MAX_CAPTURES: usize = 100_000;

/// What a revisit says about its original.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RefersTo {
    /// `WARC-Refers-To-Target-URI`.
    pub url: Option<String>,
    /// `WARC-Refers-To-Date`.
    pub date: Option<Timestamp>,
}

/// A capture of `url` that holds the payload with this digest.
pub(crate) fn find_payload(
    index: &MergedIndex,
    url: &str,
    digest: &str,
) -> Result<Option<Capture>> {
    Ok(holders(index, url, digest)?
        .into_iter()
        .next()
        .map(|hit| hit.capture))
}

/// The capture that holds the payload of a revisit: the one it refers to, else one of the same
/// URL with the same digest. `refers_to` reads what a revisit's record says; it is asked again
/// when the capture found is itself a revisit.
pub(crate) fn resolve(
    index: &MergedIndex,
    revisit: &Hit,
    mut refers_to: impl FnMut(&Hit) -> Result<RefersTo>,
) -> Result<Option<Hit>> {
    let Some(digest) = revisit.capture.digest.clone() else {
        return Ok(None);
    };
    let mut at = revisit.clone();
    for _ in 0..MAX_HOPS {
        let refers = refers_to(&at)?;
        let url = refers.url.unwrap_or_else(|| at.capture.url.clone());
        let holders = holders(index, &url, &digest)?;
        if let Some(hit) = nearest(holders, refers.date.unwrap_or(at.capture.timestamp)) {
            return Ok(Some(hit));
        }
        let Some(next) = revisit_at(index, &url, refers.date)? else {
            break;
        };
        if next.capture == at.capture {
            break;
        }
        at = next;
    }
    Ok(nearest(
        holders(index, &revisit.capture.url, &digest)?,
        revisit.capture.timestamp,
    ))
}

/// The capture that a record refers to, which holds a payload of this digest.
pub(super) fn original(
    index: &MergedIndex,
    refers: &RefersTo,
    digest: &str,
) -> Result<Option<Hit>> {
    let Some(url) = &refers.url else {
        return Ok(None);
    };
    let hits = holders(index, url, digest)?;
    Ok(match refers.date {
        Some(date) => nearest(hits, date),
        None => hits.into_iter().next(),
    })
}

fn nearest(hits: Vec<Hit>, to: Timestamp) -> Option<Hit> {
    let distance = |hit: &Hit| {
        hit.capture
            .timestamp
            .unix_millis()
            .abs_diff(to.unix_millis())
    };
    hits.into_iter().min_by_key(distance)
}

/// Captures of a URL that hold a payload of this digest themselves.
fn holders(index: &MergedIndex, url: &str, digest: &str) -> Result<Vec<Hit>> {
    let wanted = Digest::parse(digest);
    let same = |other: Option<&String>| match (other, &wanted) {
        (Some(other), Some(wanted)) => Digest::parse(other).as_ref() == Some(wanted),
        (Some(other), None) => other == digest,
        (None, _) => false,
    };
    let hits = captures_of(index, url)?;
    Ok(hits
        .into_iter()
        .filter(|hit| !is_revisit(&hit.capture) && same(hit.capture.digest.as_ref()))
        .collect())
}

fn revisit_at(index: &MergedIndex, url: &str, date: Option<Timestamp>) -> Result<Option<Hit>> {
    let Some(date) = date else { return Ok(None) };
    let hits = captures_of(index, url)?;
    Ok(hits
        .into_iter()
        .find(|hit| is_revisit(&hit.capture) && hit.capture.timestamp == date.to_seconds()))
}

/// The captures of a URL that may matter; of a key with very many, those that come first.
fn captures_of(index: &MergedIndex, url: &str) -> Result<Vec<Hit>> {
    let query = Query {
        url: url.to_owned(),
        limit: Some(MAX_CAPTURES),
        ..Query::default()
    };
    Ok(index.query(&query)?.filter_map(Result::ok).collect())
}

/// Whether a capture's payload is elsewhere.
pub fn is_revisit(capture: &Capture) -> bool {
    capture.mime.as_deref() == Some("warc/revisit")
}
