//! What other tools ask an archive, on the origin of the archive's own pages.
//!
//! | path | what |
//! |---|---|
//! | `/cdx` | the index in pywb's dialect |
//! | `/cdx/search/cdx` | the index in the Internet Archive's |
//! | `/timemap/{link,json,cdxj}/URL` | all mementos of a URL (RFC 7089) |
//! | `/timegate/URL` | the memento nearest to `Accept-Datetime` (RFC 7089) |
//! | `/wayback/available` | the nearest capture, as the Internet Archive tells it |
//! | `/healthz` | whether the archive answers |
//! | `/metrics` | what it did so far, for Prometheus |
//! | `/openapi.json` | all of these, and the downloads, for programs to read |
//!
//! Those of Memento are found below `/web/`, too, where clients of other archives look for them.
//! Their answers say where the map of all that is held is ([`crate::holdings`]).

mod available;
mod cdx;
mod mementos;
mod parameters;
mod timegate;
mod timemap;

use crate::cors;
use crate::holdings;
use crate::respond::{Notice, Reply};
use crate::serving::Serving;
use axum::http::{HeaderMap, StatusCode, header};
pub(crate) use parameters::{Bad, Parameters};
use varve_model::TimeMapForm;

/// What can be asked, and how, for programs to read.
const OPENAPI: &str = include_str!("openapi.json");

/// Whether pages of other sites may ask for this.
pub(crate) fn is_open(target: &str) -> bool {
    let path = target.split('?').next().unwrap_or("");
    let memento = target.strip_prefix("/web").unwrap_or(target);
    matches!(
        path,
        "/cdx" | "/web/cdx" | "/cdx/search/cdx" | "/wayback/available" | "/openapi.json"
    ) || memento.starts_with("/timegate/")
        || memento.starts_with("/timemap/")
}

/// The answer of an interface, if the request is for one.
pub(crate) fn answer(serving: &Serving, target: &str, headers: &HeaderMap) -> Option<Reply> {
    let mut reply = answer_of(serving, target, headers)?;
    if is_open(target) {
        cors::open_to_all(&mut reply.headers);
    }
    Some(reply)
}

fn answer_of(serving: &Serving, target: &str, headers: &HeaderMap) -> Option<Reply> {
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    let asked = || Parameters::parse(query);
    let replied = match path {
        "/cdx" | "/web/cdx" => cdx::pywb(serving, &asked()),
        "/cdx/search/cdx" => cdx::wayback(serving, &asked()),
        "/wayback/available" => available::available(serving, &asked()),
        "/healthz" => Ok(health(serving)),
        "/metrics" => Ok(text(serving.metrics.text(serving))),
        "/openapi.json" => Ok(Reply::new(StatusCode::OK, OPENAPI)
            .with(header::CONTENT_TYPE, "application/json")
            .with(header::CACHE_CONTROL, "no-cache")),
        _ => memento(serving, target, headers)?,
    };
    Some(replied.unwrap_or_else(|bad: Bad| bad.reply()))
}

/// Whether everything is as it should be.
fn health(serving: &Serving) -> Reply {
    match serving.archive.rules().trouble() {
        None => text("ok\n".to_owned()),
        Some(trouble) => {
            let told = format!("{trouble}; the access list before it is still in force\n");
            let mut reply = text(told);
            reply.status = StatusCode::SERVICE_UNAVAILABLE;
            reply
        }
    }
}

fn text(text: String) -> Reply {
    Reply::new(StatusCode::OK, text)
        .with(header::CONTENT_TYPE, "text/plain; charset=utf-8")
        .with(header::CACHE_CONTROL, "no-store")
}

/// The interfaces of Memento have the URL, query and all, in the path.
fn memento(serving: &Serving, target: &str, headers: &HeaderMap) -> Option<Result<Reply, Bad>> {
    let target = target.strip_prefix("/web").unwrap_or(target);
    let replied = match target.strip_prefix("/timegate/") {
        Some(url) => timegate::timegate(serving, url, headers),
        None => {
            let (form, rest) = target.strip_prefix("/timemap/")?.split_once('/')?;
            match TimeMapForm::named(form) {
                Some(form) => timemap::timemap(serving, form, rest),
                None => Ok(Notice::nothing().page()),
            }
        }
    };
    Some(replied.map(|reply| with_map(reply, &serving.names.origin())))
}

/// The same, which also says where the archive tells of all that it holds.
fn with_map(mut reply: Reply, origin: &str) -> Reply {
    let map = holdings::link(origin);
    let links = reply.headers.get(header::LINK);
    let links = match links.and_then(|links| links.to_str().ok()) {
        Some(links) => format!("{links}, {map}"),
        None => map,
    };
    reply.say(header::LINK, &links);
    reply
}
