//! A memento itself, fetched from its archive: as it was archived, where the archive offers that.

use super::reply::Reply;
use crate::aggregator::Aggregator;
use crate::answer::Memento;
use crate::claims::stamp;
use axum::http::StatusCode;
use axum::http::header::{self, HeaderName};
use tokio::time::timeout;
use url::Url;

/// What is archived may be anything; it gets no rights here.
const WALLS: &str = "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:";

/// Fetches a memento and passes it on.
pub(super) async fn proxied(aggregator: &Aggregator, memento: &Memento) -> Reply {
    let sorry = |words: &str| Reply::words(StatusCode::BAD_GATEWAY, words);
    let Ok(url) = Url::parse(&raw(&memento.uri)) else {
        return sorry("the memento has no address that can be asked");
    };
    let client = aggregator.client();
    let fetching = async {
        let got = client.get(url, &[]).await?;
        let (status, head) = (got.status, got.head.clone());
        let (body, trouble) = client.read(got, |bytes| bytes.to_vec()).await?;
        match trouble {
            Some(trouble) => Err(trouble),
            None => Ok((status, head, body)),
        }
    };
    let (status, head, body) = match timeout(aggregator.deadline(), fetching).await {
        Ok(Ok(fetched)) => fetched,
        Ok(Err(trouble)) => return sorry(&format!("{}: {trouble}", memento.uri)),
        Err(_) => return sorry(&format!("{}: it did not answer in time", memento.uri)),
    };
    let kind = head.get("Content-Type");
    let kind = kind.map(|kind| String::from_utf8_lossy(&kind).into_owned());
    let status = StatusCode::from_u16(status)
        .ok()
        .filter(|status| status.as_u16() >= 200);
    Reply::new(
        status.unwrap_or(StatusCode::BAD_GATEWAY),
        "application/octet-stream",
        body,
    )
    .with(
        header::CONTENT_TYPE,
        kind.as_deref().unwrap_or("application/octet-stream"),
    )
    .with(
        HeaderName::from_static("memento-datetime"),
        &memento.time.http_date(),
    )
    .with(
        header::CONTENT_LOCATION,
        &varve_model::in_brackets(&memento.uri),
    )
    .with(header::CONTENT_SECURITY_POLICY, WALLS)
}

/// The address of the same memento as it was archived, without what is done for replay.
fn raw(uri: &str) -> String {
    let Some((digits, follows)) = stamp(uri) else {
        return uri.to_owned();
    };
    let known = uri.len() - follows.len();
    let before = uri[..known].rfind(digits).unwrap_or(known);
    format!("{}{digits}id_/{follows}", &uri[..before])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn raw_mementos_are_asked_for_where_there_are_any() {
        let check = |uri: &str, expected: &str| assert_eq!(raw(uri), expected);
        let raw = "http://m/web/20140216050221id_/http://a/20150101000000/";
        check("http://m/web/20140216050221/http://a/20150101000000/", raw);
        check(
            "http://m/web/20140216050221mp_/http://a/20150101000000/",
            raw,
        );
        check(raw, raw);
        check("http://perma.example/AB12", "http://perma.example/AB12");
    }
}
