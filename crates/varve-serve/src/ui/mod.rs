//! The archive's own pages: what there is, and archived pages in a frame.
//!
//! They are on an origin that never holds archived content, and their policy lets nothing run but
//! the files here. Archived pages are in frames of other origins and cannot lead this window
//! elsewhere.

mod bar;
mod calendar;
mod captures;
mod charts;
mod collection;
mod compare;
mod crawl;
mod diff;
mod framed;
mod given;
mod index;
mod log_filter;
mod page_cards;
mod pictures;
mod record;
mod restored;
mod search;
pub(crate) mod shell;
mod urls;
pub(crate) mod words;

use crate::interfaces::{Bad, Parameters};
use crate::limits::REQUEST_TIME;
use crate::replay::with_body;
use crate::respond::{Notice, Reply};
use crate::serving::Serving;
use crate::{admin, cors, downloads, holdings, interfaces};
use axum::extract::Request;
use axum::http::header::{self, HeaderName, HeaderValue};
use axum::http::{HeaderMap, Method, StatusCode};
use axum::response::Response;
use bytes::Bytes;
use framed::View;
use pictures::Picture;
use std::sync::Arc;
use varve_model::{ReplayUrl, Wanted};

const STYLE: &str = include_str!("style.css");
const SCRIPT: &str = include_str!("view.js");

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
    } else if let Some(admin) = &serving.admin
        && admin::is_asked_for(&target)
    {
        admin::answer(&serving, admin, &host, request).await
    } else if request.method() == Method::OPTIONS && is_open(&target) {
        let mut reply = Reply::new(StatusCode::NO_CONTENT, Bytes::new());
        cors::preflight_for_all(&mut reply.headers);
        reply
    } else if !is_head && request.method() != Method::GET {
        let why = "Nothing can be changed here.";
        Notice::new(StatusCode::METHOD_NOT_ALLOWED, "Only for reading", why).page()
    } else if let Some(wanted) = downloads::wanted(&target) {
        downloads::answer(&serving, wanted, request.headers().clone()).await
    } else if holdings::is_wanted(&target) {
        holdings::answer(&serving, request.headers()).await
    } else {
        in_turn(&serving, target, request.headers().clone()).await
    };
    finish(&serving, reply, is_head)
}

/// Whether pages of other sites may ask for this.
fn is_open(target: &str) -> bool {
    interfaces::is_open(target)
        || downloads::wanted(target).is_some()
        || holdings::is_wanted(target)
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
    let replied = match path {
        "/" => Ok(index::index(serving)),
        "/go" => go(query),
        "/search" => Ok(search::search(serving, query)),
        "/compare" => compare::chosen(query),
        "/assets/style.css" => Ok(asset(STYLE, "text/css; charset=utf-8")),
        "/assets/view.js" => Ok(asset(SCRIPT, "text/javascript; charset=utf-8")),
        _ => below(serving, target),
    };
    replied.unwrap_or_else(|bad| shell::bad(&bad))
}

/// Pages that are told by more than a name: what follows it may be a URL, query and all.
fn below(serving: &Serving, target: &str) -> Result<Reply, Bad> {
    let split = target.strip_prefix('/').and_then(|it| it.split_once('/'));
    let (name, rest) = split.unwrap_or((target, ""));
    match name {
        "web" => Ok(web(serving, target, rest)),
        "beside" => {
            let asked = shell::asked(rest)?;
            Ok(framed::framed(serving, &asked, View::BesidePicture))
        }
        "given" => given::given(serving, rest),
        "thumbnail" => Picture::Thumbnail.reply(serving, rest),
        "picture" => Picture::Whole.reply(serving, rest),
        "record-view" => record::record(serving, rest),
        "compare" => compare::compare(serving, rest),
        "collections" => collections(serving, rest),
        _ => Ok(shell::nothing()),
    }
}

/// `/collections/NAME` and `/collections/NAME/crawls/LAYER`.
fn collections(serving: &Serving, rest: &str) -> Result<Reply, Bad> {
    let (path, query) = rest.split_once('?').unwrap_or((rest, ""));
    let (name, inside) = path.split_once('/').unwrap_or((path, ""));
    let Some((name, opened)) = serving.archive.named(name) else {
        return Ok(shell::nothing());
    };
    if inside.is_empty() {
        let asked = serving.whole_scripts.asked();
        return collection::collection(name, &opened, &asked, query);
    }
    let layers = opened.collection().layers();
    let id = inside.strip_prefix("crawls/");
    match id.and_then(|id| layers.iter().position(|layer| layer.id == id)) {
        Some(layer) => crawl::crawl(name, &opened, layer, query),
        None => Ok(shell::nothing()),
    }
}

/// `/web/...`: a list of captures, a page in a frame, or where the memento itself is.
fn web(serving: &Serving, target: &str, rest: &str) -> Reply {
    let Some(asked) = ReplayUrl::parse(rest) else {
        return shell::nothing();
    };
    match &asked.wanted {
        Wanted::Captures(span) => captures::captures(serving, &asked.url, span),
        Wanted::Urls(span) => urls::urls(serving, &asked.url, span),
        Wanted::Memento { modifier, .. } => match crate::layout::parse_path(target) {
            Some(asked) if modifier.is_some() => framed::memento(serving, &asked),
            Some(asked) => framed::framed(serving, &asked, View::Page),
            None => shell::nothing(),
        },
    }
}

/// What was typed into the form.
fn go(query: &str) -> Result<Reply, Bad> {
    let asked = Parameters::parse(query);
    let url = asked.url()?.trim();
    if search::is_words(url) {
        let path = format!("/search?q={}", shell::in_query(url));
        return Ok(Reply::redirect(StatusCode::SEE_OTHER, &path));
    }
    let shown: String = url.chars().take(200).collect();
    let asked = ReplayUrl::parse(&format!("*/{url}"));
    let asked = asked.ok_or_else(|| Bad::new("url", format!("{shown:?} is no URL")))?;
    // The path is ours whatever the rest says.
    let path = format!("/web/{asked}");
    Ok(Reply::redirect(
        StatusCode::SEE_OTHER,
        &shell::encoded(&path),
    ))
}

fn asset(text: &'static str, content_type: &str) -> Reply {
    Reply::new(StatusCode::OK, text)
        .with(header::CONTENT_TYPE, content_type)
        .with(header::CACHE_CONTROL, "no-cache")
}

fn finish(serving: &Serving, reply: Reply, is_head: bool) -> Response {
    let policy = format!(
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; \
         connect-src 'self'; \
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
    for (name, value) in [
        ("referrer-policy", "no-referrer"),
        ("cross-origin-resource-policy", "same-origin"),
    ] {
        let said = response.headers_mut().entry(name);
        said.or_insert(HeaderValue::from_static(value));
    }
    response
}
