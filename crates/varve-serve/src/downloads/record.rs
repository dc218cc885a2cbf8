//! The record of a capture, as a WARC file of its own.

use super::Read;
use super::download::Download;
use crate::archive::Opened;
use crate::layout::{Asked, parse_path};
use crate::respond::Notice;
use crate::serving::Serving;
use axum::http::HeaderMap;
use std::sync::Arc;
use url::Url;
use varve_model::{Digest, DigestAlgorithm};
use varve_store::export::{Member, member_of, write_member};
use varve_store::fs::ReadAt;
use varve_store::index::{Hit, Query, Sort};
use varve_store::{Result, StoreError};

/// Captures of one key that are looked at, from near to far.
const MAX_CAPTURES: usize = 64;

/// The record of the capture nearest to a time, both as they are written in the path.
pub(super) fn record(serving: &Serving, written: &str, headers: &HeaderMap) -> Read {
    let asked = parse_path(&format!("/web/{written}"));
    let Some(asked) = asked.filter(|asked| asked.modifier.is_none()) else {
        return Ok(Notice::nothing().page());
    };
    match nearest(serving, &asked)? {
        Some((opened, hit)) => Ok(download(&opened, &hit)?.reply(headers)),
        None => {
            let (url, time) = (asked.url.as_str(), asked.when.moment());
            Ok(Notice::nothing_of(serving, url, time).page())
        }
    }
}

/// The capture nearest to a time: of the very URL, if there is any, else of one that sorts alike.
fn nearest(serving: &Serving, asked: &Asked) -> Result<Option<(Arc<Opened>, Hit)>> {
    let time = asked.when.moment();
    let query = Query {
        url: asked.url.as_str().to_owned(),
        sort: Sort::Closest(time),
        limit: Some(MAX_CAPTURES),
        ..Query::default()
    };
    let mut found = Vec::new();
    for opened in serving.archive.now() {
        let hits = Opened::hits(opened.index(), &query)?;
        found.extend(hits.into_iter().map(|hit| (opened.clone(), hit)));
    }
    let rank = |hit: &Hit| {
        let at = hit.capture.timestamp.unix_millis();
        let other = !Url::parse(&hit.capture.url).is_ok_and(|url| url == asked.url);
        (other, at.abs_diff(time.unix_millis()))
    };
    Ok(found.into_iter().min_by_key(|(_, hit)| rank(hit)))
}

fn download(opened: &Opened, hit: &Hit) -> Result<Download> {
    let collection = opened.collection();
    let file: Arc<dyn ReadAt> = match member_of(collection, hit)? {
        Member::Stored(slice) => Arc::new(slice),
        Member::Otherwise => {
            let scratch = tempfile::tempdir();
            let scratch = scratch.map_err(StoreError::io(&std::env::temp_dir(), "write"))?;
            // The file is read without a name.
            write_member(collection, hit, &scratch.path().join("record.warc.gz"))?
        }
    };
    let capture = &hit.capture;
    let failed = StoreError::io(std::path::Path::new(&capture.filename), "look at");
    let length = file.len().map_err(failed)?;
    let layer = &collection.layers()[hit.layer];
    let place = format!(
        "{} {} {}",
        layer.datapackage, capture.filename, capture.offset
    );
    let host = Url::parse(&capture.url).ok();
    let host = host.as_ref().and_then(Url::host_str).unwrap_or("record");
    Ok(Download {
        file,
        length,
        content_type: "application/warc",
        name: Some(format!("{}-{host}.warc.gz", capture.timestamp.digits14())),
        tag: Digest::of(DigestAlgorithm::Sha256, place.as_bytes()).to_string(),
        modified: None,
    })
}
