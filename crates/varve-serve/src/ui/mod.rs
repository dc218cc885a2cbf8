//! The archive's own pages: what there is, and archived pages in a frame.
//!
//! They are on an origin that never holds archived content, and their policy lets nothing run but
//! the files here. Archived pages are in frames of other origins and cannot lead this window
//! elsewhere.

mod calendar;
mod captures;
mod framed;
mod index;
mod urls;

use crate::layout::When;
use crate::limits::REQUEST_TIME;
use crate::markup::Markup;
use crate::replay::with_body;
use crate::respond::{Notice, Reply};
use crate::serving::Serving;
use crate::{cors, downloads, interfaces};
use axum::extract::Request;
use axum::http::header::{self, HeaderName, HeaderValue};
use axum::http::{HeaderMap, Method, StatusCode};
use axum::response::Response;
use bytes::Bytes;
use std::sync::Arc;
use varve_model::{ReplayUrl, Wanted};

const STYLE: &str = include_str!("style.css");
const SCRIPT: &str = include_str!("view.js");
/// What pages of ours begin with.
const LOADS_STYLE: &str = "<link rel=\"stylesheet\" href=\"/assets/style.css\">";

/// Answers a request to the archive's own origin.
pub(crate) async fn ui(serving: Arc<Serving>, host: String, request: Request) -> Response {
    let target = request
        .uri()
        .path_and_query()
        .map_or("/", |it| it.as_str())
        .to_owned();
    let is_head = request.method() == Method::HEAD;
    let reply = if !serving.names.answer_to(&host) {
        Notice::refused("This is not the server that you asked for.").page()
    } else if request.headers().contains_key("service-worker") {
        Notice::refused("There are no service workers here.").page()
    } else if request.method() == Method::OPTIONS && is_open(&target) {
        let mut reply = Reply::new(StatusCode::NO_CONTENT, Bytes::new());
        cors::preflight_for_all(&mut reply.headers);
        reply
    } else if !is_head && request.method() != Method::GET {
        let why = "Nothing can be changed here.";
        Notice::new(StatusCode::METHOD_NOT_ALLOWED, "Only for reading", why).page()
    } else if let Some(wanted) = downloads::wanted(&target) {
        downloads::answer(&serving, wanted, request.headers().clone()).await
    } else {
        in_turn(&serving, target, request.headers().clone()).await
    };
    finish(&serving, reply, is_head)
}

/// Whether pages of other sites may ask for this.
fn is_open(target: &str) -> bool {
    interfaces::is_open(target) || downloads::wanted(target).is_some()
}

async fn in_turn(serving: &Arc<Serving>, target: String, headers: HeaderMap) -> Reply {
    let Ok(turn) = serving.turns.turn().await else {
        return Notice::overloaded().page();
    };
    let serving = serving.clone();
    let working = tokio::task::spawn_blocking(move || {
        let reply = interfaces::answer(&serving, &target, &headers)
            .unwrap_or_else(|| answer(&serving, &target));
        drop(turn);
        reply
    });
    match tokio::time::timeout(REQUEST_TIME, working).await {
        Ok(Ok(reply)) => reply,
        _ => Notice::late().page(),
    }
}

fn answer(serving: &Serving, target: &str) -> Reply {
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    match path {
        "/" => index::index(serving, query),
        "/go" => go(query),
        "/assets/style.css" => asset(STYLE, "text/css; charset=utf-8"),
        "/assets/view.js" => asset(SCRIPT, "text/javascript; charset=utf-8"),
        _ => match target.strip_prefix("/web/").and_then(ReplayUrl::parse) {
            Some(asked) => web(serving, target, &asked),
            None => Notice::nothing().page(),
        },
    }
}

/// `/web/...`: a list of captures, a page in a frame, or where the memento itself is.
fn web(serving: &Serving, target: &str, asked: &ReplayUrl) -> Reply {
    match &asked.wanted {
        Wanted::Captures(span) => captures::captures(serving, &asked.url, span),
        Wanted::Urls(span) => urls::urls(serving, &asked.url, span),
        Wanted::Memento { modifier, .. } => match crate::layout::parse_path(target) {
            Some(asked) if modifier.is_some() => framed::memento(serving, &asked),
            Some(asked) => framed::framed(serving, &asked),
            None => Notice::nothing().page(),
        },
    }
}

/// What was typed into the form.
fn go(query: &str) -> Reply {
    let mut pairs = url::form_urlencoded::parse(query.as_bytes());
    let url = pairs.find(|(name, _)| name == "url");
    let url = url.map_or(String::new(), |(_, value)| value.trim().to_owned());
    match ReplayUrl::parse(&format!("*/{url}")) {
        // The path is ours whatever the rest says.
        Some(asked) => {
            let path = format!("/web/{asked}");
            Reply::redirect(StatusCode::SEE_OTHER, &encoded(&path))
        }
        None => Reply::redirect(StatusCode::SEE_OTHER, "/"),
    }
}

/// A URL that can stand in a header.
fn encoded(url: &str) -> String {
    let mut out = String::new();
    for byte in url.bytes() {
        match byte {
            b'!'..=b'~' => out.push(char::from(byte)),
            _ => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}

fn asset(text: &'static str, content_type: &str) -> Reply {
    Reply::new(StatusCode::OK, text)
        .with(header::CONTENT_TYPE, content_type)
        .with(header::CACHE_CONTROL, "no-cache")
}

fn html(title: &str, body: &Markup) -> Reply {
    Reply::new(
        StatusCode::OK,
        crate::markup::page(title, LOADS_STYLE, body),
    )
    .with(header::CONTENT_TYPE, "text/html; charset=utf-8")
    .with(header::CACHE_CONTROL, "no-store")
}

/// A page of ours with the way home and the search at its top; `asked` is what was searched for.
fn shell(title: &str, asked: &str, content: &Markup) -> Reply {
    let body = Markup::new("<a class=\"skip\" href=\"#content\">To the content</a>")
        .html("<header class=\"top\"><a class=\"brand\" href=\"/\">Varve</a>")
        .html(
            "<form action=\"/go\" role=\"search\"><label class=\"unseen\" for=\"url\">URL</label>",
        )
        .html("<input id=\"url\" name=\"url\" type=\"text\" inputmode=\"url\" required ")
        .html("placeholder=\"URL, or the beginning of one with * after it\" value=\"")
        .text(asked)
        .html("\"><button>Find</button></form></header><main id=\"content\">")
        .markup(content)
        .html("</main>");
    html(title, &body)
}

/// Where a URL is shown: at a time, or, with a star, as a list.
fn web_path(when: &str, url: &str) -> String {
    format!("/web/{when}/{url}")
}

/// The path under which a page is shown in a frame.
fn framed_path(when: When, url: &str) -> String {
    match when {
        When::At(time) | When::Around(time) => web_path(&time.digits14(), url),
        When::Latest => format!("/web/{url}"),
    }
}

fn finish(serving: &Serving, reply: Reply, is_head: bool) -> Response {
    let policy = format!(
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; \
         frame-src {}; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; \
         require-trusted-types-for 'script'; trusted-types 'none'",
        serving.layout.sources(None)
    );
    let ((status, headers, _), body) = with_body(serving, reply, is_head);
    let mut response = Response::new(body);
    *response.status_mut() = status;
    *response.headers_mut() = headers;
    for (name, value) in [
        ("content-security-policy", policy.as_str()),
        ("x-content-type-options", "nosniff"),
        ("x-frame-options", "DENY"),
        ("referrer-policy", "no-referrer"),
        ("cross-origin-opener-policy", "same-origin"),
        ("origin-agent-cluster", "?1"),
        ("x-dns-prefetch-control", "off"),
        (
            "permissions-policy",
            "camera=(), geolocation=(), microphone=()",
        ),
    ] {
        if let Ok(value) = HeaderValue::from_str(value) {
            response
                .headers_mut()
                .insert(HeaderName::from_static(name), value);
        }
    }
    response
        .headers_mut()
        .entry("cross-origin-resource-policy")
        .or_insert(HeaderValue::from_static("same-origin"));
    response
}
