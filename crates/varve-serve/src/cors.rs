//! Requests of one archived origin to another: allowed as they were at capture, among origins of
//! one time. And those of any site to what is meant for other tools, which hold no secrets of
//! their readers.

use crate::layout::Layout;
use crate::respond::Purpose;
use axum::http::header::{self, HeaderMap, HeaderName, HeaderValue};
use varve_model::{HttpHead, Timestamp};

/// How long the answer to a preflight holds, in seconds.
const MAX_AGE: &str = "600";
/// What other tools may say besides, and what of the answer they may see.
const ASKED: &str = "Range, If-Range, If-None-Match, If-Modified-Since, Accept-Datetime";
const SHOWN: &str = "Content-Range, Content-Length, Accept-Ranges, ETag, Link, Location";
/// Fields whose names may be asked to be readable.
const MAX_EXPOSED: usize = 50;

/// Allows the origin that asks to read an archived answer, if the captured one allowed it. What
/// only displays (fonts, images, modules) is allowed in any case: the crawler may have asked for
/// it in another way than the page.
pub(crate) fn allow(
    answer: &mut HeaderMap,
    request: &HeaderMap,
    layout: &Layout,
    time: Timestamp,
    captured: &HttpHead,
    purpose: Purpose,
) {
    let Some(origin) = asking(request, layout, time) else {
        return;
    };
    let allowed = captured.get("Access-Control-Allow-Origin").is_some();
    if allowed || !matches!(purpose, Purpose::Data | Purpose::Unknown) {
        answer.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin);
        answer.insert(
            header::ACCESS_CONTROL_ALLOW_CREDENTIALS,
            HeaderValue::from_static("true"),
        );
        if let Some(names) = exposed(captured) {
            answer.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, names);
        }
    }
    answer.insert(header::VARY, HeaderValue::from_static("Origin"));
}

/// The answer to a preflight: the request itself decides.
pub(crate) fn preflight(
    answer: &mut HeaderMap,
    request: &HeaderMap,
    layout: &Layout,
    time: Timestamp,
) {
    let Some(origin) = asking(request, layout, time) else {
        return;
    };
    answer.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin);
    answer.insert(
        header::ACCESS_CONTROL_ALLOW_CREDENTIALS,
        HeaderValue::from_static("true"),
    );
    answer.insert(
        header::ACCESS_CONTROL_MAX_AGE,
        HeaderValue::from_static(MAX_AGE),
    );
    let echoes = [
        (
            header::ACCESS_CONTROL_REQUEST_METHOD,
            header::ACCESS_CONTROL_ALLOW_METHODS,
        ),
        (
            header::ACCESS_CONTROL_REQUEST_HEADERS,
            header::ACCESS_CONTROL_ALLOW_HEADERS,
        ),
    ];
    for (asked, allowed) in echoes {
        if let Some(value) = request.get(asked) {
            answer.insert(allowed, value.clone());
        }
    }
}

/// Lets the pages of any site read an answer.
pub(crate) fn open_to_all(answer: &mut HeaderMap) {
    for (name, value) in [
        (header::ACCESS_CONTROL_ALLOW_ORIGIN, "*"),
        (header::ACCESS_CONTROL_EXPOSE_HEADERS, SHOWN),
        (
            HeaderName::from_static("cross-origin-resource-policy"),
            "cross-origin",
        ),
    ] {
        answer.insert(name, HeaderValue::from_static(value));
    }
}

/// The answer to a preflight for something that is open to all.
pub(crate) fn preflight_for_all(answer: &mut HeaderMap) {
    open_to_all(answer);
    for (name, value) in [
        (header::ACCESS_CONTROL_ALLOW_METHODS, "GET, HEAD"),
        (header::ACCESS_CONTROL_ALLOW_HEADERS, ASKED),
        (header::ACCESS_CONTROL_MAX_AGE, MAX_AGE),
    ] {
        answer.insert(name, HeaderValue::from_static(value));
    }
}

/// The origin that asks, if it is archived content of the same time.
fn asking(request: &HeaderMap, layout: &Layout, time: Timestamp) -> Option<HeaderValue> {
    let origin = request.get(header::ORIGIN)?;
    let known = layout.is_origin_of(origin.to_str().ok()?, time);
    known.then(|| origin.clone())
}

/// The fields that may be read, under the names that they have here.
fn exposed(captured: &HttpHead) -> Option<HeaderValue> {
    let value = captured.get("Access-Control-Expose-Headers")?;
    let text = String::from_utf8_lossy(&value).into_owned();
    let names = text.split(',').map(str::trim).take(MAX_EXPOSED);
    let names: Vec<String> = names
        .filter(|name| HeaderName::from_bytes(name.as_bytes()).is_ok())
        .map(|name| format!("{name}, X-Archive-Orig-{name}"))
        .collect();
    HeaderValue::from_str(&names.join(", ")).ok()
}
