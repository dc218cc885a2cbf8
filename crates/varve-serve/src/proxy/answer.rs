//! Requests to the proxy: from the wire to an answer.

use super::asked::{Asked, Place};
use super::{Proxy, own};
use crate::layout::{self, When};
use crate::metrics;
use crate::replay::{in_turn, read, with_body};
use crate::respond::{Ask, Notice, Purpose, Reply, unchanged};
use axum::body::Body;
use axum::extract::Request;
use axum::http::header::{self, HeaderMap, HeaderValue};
use axum::http::request::Parts;
use axum::http::{Method, StatusCode};
use axum::response::Response;
use bytes::Bytes;
use std::sync::Arc;
use url::Url;
use varve_model::Timestamp;

/// An answer, or the host and port that a tunnel shall lead to.
pub(super) enum Answered {
    With(Response),
    ByTunnel(String),
}

/// Answers a request that came in at this place.
pub(super) async fn answer(proxy: &Arc<Proxy>, place: &Place, request: Request) -> Answered {
    let (parts, body) = request.into_parts();
    let is_head = parts.method == Method::HEAD;
    let reply = match Asked::of(&parts, place, &proxy.names) {
        Asked::Tunnel(authority) => return Answered::ByTunnel(authority),
        Asked::Own(path) => own::own(proxy, &path),
        Asked::Archived(_) if proxy.traffic.is_held() && leads_on(&parts) => {
            Reply::new(StatusCode::NO_CONTENT, Bytes::new())
        }
        Asked::Archived(url) => {
            let _under_way = proxy.traffic.begin();
            archived(proxy, *url, parts, body).await
        }
        Asked::Nothing => {
            let why = "This is a proxy: it is asked for URLs of http and https.";
            Notice::new(StatusCode::BAD_REQUEST, "Nothing to be asked", why).page()
        }
    };
    let ((status, headers, _), body) = with_body(&proxy.serving, reply, is_head);
    proxy.serving.metrics.count(metrics::Asked::Proxy, status);
    let mut response = Response::new(body);
    *response.status_mut() = status;
    *response.headers_mut() = headers;
    Answered::With(response)
}

/// Whether a request opens a document, or is more than a question.
fn leads_on(request: &Parts) -> bool {
    let asks = matches!(request.method, Method::GET | Method::HEAD | Method::OPTIONS);
    let opens = matches!(purpose(&request.headers), Purpose::Page | Purpose::Frame);
    !asks || opens
}

/// The answer to a request for an archived URL.
async fn archived(proxy: &Arc<Proxy>, url: Url, request: Parts, body: Body) -> Reply {
    let (method, headers) = (request.method, request.headers);
    if headers.contains_key("service-worker") {
        // It would go on when the archive is gone.
        return Notice::refused("Archived service workers do not run here.").page();
    }
    if method == Method::OPTIONS && headers.contains_key(header::ACCESS_CONTROL_REQUEST_METHOD) {
        return preflight(&headers);
    }
    let Ok(when) = wanted(proxy, &headers) else {
        let why = "Accept-Datetime is no date such as Sun, 16 Feb 2014 05:02:21 GMT.";
        return Notice::new(StatusCode::BAD_REQUEST, "No such time", why).page();
    };
    let body = match read(body, &method).await {
        Ok(body) => body,
        Err(notice) => return notice.page(),
    };
    let purpose = purpose(&headers);
    let page_time = page_time(proxy, &headers, when, purpose);
    let ask = Ask {
        asked: layout::Asked {
            url,
            when: page_time.map_or(when, When::At),
            modifier: None,
        },
        method,
        headers,
        body,
        purpose,
        page: None,
    };
    let shared = proxy.clone();
    in_turn(&proxy.serving, move || {
        unchanged(&shared.serving, &ask, |found| {
            let (asked, url) = (when.moment(), &ask.asked.url);
            match (purpose, page_time) {
                (Purpose::Page | Purpose::Unknown, _) => {
                    let own = found.hit.capture.timestamp;
                    shared.pages.is_shown(asked, url, own);
                }
                (_, Some(time)) => shared.pages.belongs(asked, url, time),
                (_, None) => {}
            }
        })
    })
    .await
}

/// The time that a request names, or that the proxy is set to.
fn wanted(proxy: &Proxy, headers: &HeaderMap) -> Result<When, ()> {
    let Some(text) = headers.get("accept-datetime") else {
        return Ok(proxy.time);
    };
    let time = text.to_str().map_err(|_| ())?;
    let time = Timestamp::parse_http_date(time).map_err(|_| ())?;
    Ok(When::At(time))
}

/// What an answer is for. Browsers say it where they trust the connection; else it shows in what
/// they accept, at least of those who were led here by a page.
fn purpose(headers: &HeaderMap) -> Purpose {
    let said = Purpose::of(headers, None);
    let text = |name| {
        headers
            .get(name)
            .and_then(|it: &HeaderValue| it.to_str().ok())
    };
    let accepted = text(header::ACCEPT).unwrap_or("");
    match said {
        Purpose::Unknown if accepted.starts_with("text/html") => Purpose::Page,
        Purpose::Unknown if text(header::REFERER).is_none() => Purpose::Unknown,
        Purpose::Unknown if accepted.starts_with("image/") => Purpose::Image,
        Purpose::Unknown if accepted.starts_with("text/css") => Purpose::Style,
        Purpose::Unknown => Purpose::Data,
        said => said,
    }
}

/// The time of the page that asks, unless a page is asked for.
fn page_time(
    proxy: &Proxy,
    headers: &HeaderMap,
    when: When,
    purpose: Purpose,
) -> Option<Timestamp> {
    if matches!(purpose, Purpose::Page | Purpose::Unknown) {
        return None;
    }
    let referrer = headers.get(header::REFERER)?.to_str().ok()?;
    let time = proxy.pages.of(when.moment(), referrer)?;
    Some(time.to_seconds())
}

/// Whatever a page wants to ask, it may ask: the answer itself decides whether it may read it.
fn preflight(request: &HeaderMap) -> Reply {
    let mut reply = Reply::new(StatusCode::NO_CONTENT, Bytes::new());
    for (asked, allowed) in [
        (header::ORIGIN, header::ACCESS_CONTROL_ALLOW_ORIGIN),
        (
            header::ACCESS_CONTROL_REQUEST_METHOD,
            header::ACCESS_CONTROL_ALLOW_METHODS,
        ),
        (
            header::ACCESS_CONTROL_REQUEST_HEADERS,
            header::ACCESS_CONTROL_ALLOW_HEADERS,
        ),
    ] {
        if let Some(value) = request.get(asked) {
            reply.headers.insert(allowed, value.clone());
        }
    }
    reply.say(header::ACCESS_CONTROL_ALLOW_CREDENTIALS, "true");
    // Browsers must not go by it when the archive is gone.
    reply.say(header::ACCESS_CONTROL_MAX_AGE, "0");
    reply
}
