//! Answers as HTTP responses.

use super::asked::Bad;
use crate::answer::Answer;
use crate::render::Rendering;
use axum::body::Body;
use axum::http::StatusCode;
use axum::http::header::{self, HeaderName, HeaderValue};
use axum::response::Response;
use futures_util::stream;
use std::convert::Infallible;
use std::time::Duration;
use varve_model::{TimeMapForm, in_brackets};

const COUNT: HeaderName = HeaderName::from_static("x-memento-count");
const MISSING: HeaderName = HeaderName::from_static("x-archives-missing");
const ASKED: HeaderName = HeaderName::from_static("x-archives-asked");
const SKIPPED: HeaderName = HeaderName::from_static("x-archives-skipped");
/// What pages of other sites may read.
const EXPOSED: &str = "Link, Location, X-Memento-Count, Server, Memento-Datetime, \
    X-Archives-Asked, X-Archives-Skipped, X-Archives-Missing";
/// More names of missing archives than this do not fit.
const NAMED: usize = 100;

/// A response in the making.
pub(super) struct Reply(Response);

impl Reply {
    pub(super) fn new(status: StatusCode, kind: &'static str, body: impl Into<Body>) -> Reply {
        let mut response = Response::new(body.into());
        *response.status_mut() = status;
        let reply = Reply(response).with(header::CONTENT_TYPE, kind);
        reply.with(HeaderName::from_static("x-content-type-options"), "nosniff")
    }

    /// Words for people, who may be programmers.
    pub(super) fn words(status: StatusCode, words: &str) -> Reply {
        Reply::new(status, "text/plain; charset=utf-8", format!("{words}\n"))
    }

    pub(super) fn bad(bad: &Bad) -> Reply {
        Reply::words(StatusCode::BAD_REQUEST, &bad.0)
    }

    /// Leads to a memento.
    pub(super) fn redirect(uri: &str) -> Reply {
        let reply = Reply::words(StatusCode::FOUND, uri);
        reply.with(header::LOCATION, &in_brackets(uri))
    }

    /// A TimeMap. For a HEAD request nothing of its body is ever made.
    pub(super) fn timemap(rendering: Rendering, form: TimeMapForm) -> Reply {
        let count = rendering.len();
        let pieces = rendering.pieces().map(Ok::<_, Infallible>);
        let body = Body::from_stream(stream::iter(pieces));
        let reply = Reply::new(StatusCode::OK, form.content_type(), body);
        reply.with(COUNT, &count.to_string())
    }

    /// Nothing was found, or nobody was heard.
    pub(super) fn nothing(answer: &Answer) -> Reply {
        let reply = match answer.is_nobodys() {
            true => Reply::words(StatusCode::GATEWAY_TIMEOUT, "no archive could be asked"),
            false => Reply::words(StatusCode::NOT_FOUND, "no archive has it"),
        };
        reply.with(COUNT, "0")
    }

    /// Says who was asked, and who is missing; whole answers may be kept.
    pub(super) fn about(self, answer: &Answer, keep: Duration) -> Reply {
        let told = answer.missing.iter().take(NAMED);
        let told: Vec<String> = told
            .map(|one| format!("{}={}", one.archive, one.trouble.reason()))
            .collect();
        let reply = self
            .with(ASKED, &answer.asked.to_string())
            .with(SKIPPED, &answer.skipped_by_map.to_string());
        match told.is_empty() {
            true => reply.with(
                header::CACHE_CONTROL,
                &format!("max-age={}", keep.as_secs()),
            ),
            false => reply
                .with(MISSING, &told.join(", "))
                .with(header::CACHE_CONTROL, "no-store"),
        }
    }

    /// Adds a field, if its value can stand in one.
    pub(super) fn with(mut self, name: HeaderName, value: &str) -> Reply {
        if let Ok(value) = HeaderValue::from_str(value) {
            self.0.headers_mut().insert(name, value);
        }
        self
    }

    /// The response, which pages of all sites may read.
    pub(super) fn finish(self) -> Response {
        let version = concat!("Varve/", env!("CARGO_PKG_VERSION"));
        self.with(header::ACCESS_CONTROL_ALLOW_ORIGIN, "*")
            .with(header::ACCESS_CONTROL_EXPOSE_HEADERS, EXPOSED)
            .with(header::SERVER, version)
            .0
    }

    /// The answer to a preflight.
    pub(super) fn preflight() -> Reply {
        Reply::new(StatusCode::NO_CONTENT, "text/plain", Body::empty())
            .with(header::ACCESS_CONTROL_ALLOW_METHODS, "GET, HEAD")
            .with(header::ACCESS_CONTROL_ALLOW_HEADERS, "Accept-Datetime")
            .with(header::ACCESS_CONTROL_MAX_AGE, "600")
    }
}
