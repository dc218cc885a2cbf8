//! TimeGates (RFC 7089): from a URL and a time to the memento nearest to it.

use super::mementos::{Mementos, memento_link, uri_m};
use super::parameters::Bad;
use crate::respond::Reply;
use crate::serving::Serving;
use axum::http::header::{self, HeaderName};
use axum::http::{HeaderMap, StatusCode};
use varve_model::{Timestamp, link_to};
use varve_store::index::Sort;

/// Leads to the memento of a URL that is nearest to `Accept-Datetime`, or to the last one.
pub(super) fn timegate(
    serving: &Serving,
    written: &str,
    headers: &HeaderMap,
) -> Result<Reply, Bad> {
    let mementos = Mementos::of(serving, written)?;
    let sort = match wanted(headers)? {
        Some(time) => Sort::Closest(time),
        None => Sort::Reverse,
    };
    let found = mementos.one(sort).and_then(|nearest| {
        let url = uri_m(serving, &nearest)?;
        Some((nearest, url))
    });
    let Some((nearest, url)) = found else {
        return Ok(varies(mementos.none(serving).page()));
    };
    let origin = serving.names.origin();
    let mut links = vec![
        link_to(&mementos.url, "rel=\"original\""),
        link_to(
            &format!("{origin}/timemap/link/{}", mementos.url),
            "rel=\"timemap\"; type=\"application/link-format\"",
        ),
    ];
    for (capture, relation) in [
        (mementos.one(Sort::Ascending), "first memento"),
        (mementos.one(Sort::Reverse), "last memento"),
        (Some(nearest), "memento"),
    ] {
        let found = capture.and_then(|it| Some((uri_m(serving, &it)?, it.timestamp)));
        links.extend(found.map(|(url, time)| memento_link(&url, relation, time)));
    }
    let reply = Reply::redirect(StatusCode::FOUND, &url).with(header::LINK, &links.join(", "));
    Ok(varies(reply))
}

/// The time that is wanted, if one is.
fn wanted(headers: &HeaderMap) -> Result<Option<Timestamp>, Bad> {
    let Some(text) = headers.get("accept-datetime") else {
        return Ok(None);
    };
    let time = text.to_str().ok().map(Timestamp::parse_http_date);
    match time {
        Some(Ok(time)) => Ok(Some(time)),
        _ => {
            let why = "it is no date such as Sun, 16 Feb 2014 05:02:21 GMT";
            Err(Bad::new("Accept-Datetime", why))
        }
    }
}

fn varies(reply: Reply) -> Reply {
    let name = HeaderName::from_static("vary");
    reply.with(name, "accept-datetime")
}
