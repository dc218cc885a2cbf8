//! Requests to replay origins: from the wire to an answer, within limits and walls.

use crate::isolation::{Asker, Nature, is_nameless, seal};
use crate::layout::{Asked, Layout, OURS, RAW, When};
use crate::limits::{REQUEST_BODY, REQUEST_TIME};
use crate::lookup::Match;
use crate::open_pages::Answered;
use crate::respond::{
    Ask, Notice, OurAsk, Purpose, Reply, ReplyBody, answer, answer_at_once, asking_origin,
    asking_page, is_topmost, ours, send_pieces,
};
use crate::serving::Serving;
use crate::{cors, limits};
use axum::body::{Body, to_bytes};
use axum::extract::Request;
use axum::http::header;
use axum::http::{HeaderMap, Method, StatusCode};
use axum::response::Response;
use bytes::Bytes;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use url::{Origin, Url};
use varve_model::Timestamp;
use varve_page::Use;

/// Answers a request to a replay origin.
pub(crate) async fn replay(serving: Arc<Serving>, host: String, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    let target = parts
        .uri
        .path_and_query()
        .map_or("/", |it| it.as_str())
        .to_owned();
    let asked = asked_for(&serving.layout, &host, &target);
    // For the walls around the answer.
    let time = asked.as_ref().and_then(|asked| match asked.when {
        When::At(time) => Some(time),
        _ => None,
    });
    let (method, headers) = (parts.method, parts.headers);
    let nameless = is_nameless(&headers);
    let is_head = method == Method::HEAD;
    let reply = match read(body, &method).await {
        Ok(body) => {
            let request = Received {
                host,
                target,
                asked,
                method,
                headers,
                body,
            };
            answered(&serving, request).await
        }
        Err(notice) => notice.page(),
    };
    let ui = serving.names.sources();
    let asker = Asker {
        layout: &serving.layout,
        ui: &ui,
        time,
        nameless,
    };
    finish(&serving, reply, &asker, is_head)
}

/// A request with its body.
struct Received {
    host: String,
    target: String,
    asked: Option<Asked>,
    method: Method,
    headers: HeaderMap,
    body: Bytes,
}

pub(crate) async fn read(body: Body, method: &Method) -> Result<Bytes, Notice> {
    if *method == Method::GET || *method == Method::HEAD {
        return Ok(Bytes::new());
    }
    let too_long = || {
        let why = "The body of the request is too long.";
        Notice::new(StatusCode::PAYLOAD_TOO_LARGE, "Too long", why)
    };
    to_bytes(body, REQUEST_BODY).await.map_err(|_| too_long())
}

async fn answered(serving: &Arc<Serving>, request: Received) -> Reply {
    if request.headers.contains_key("service-worker") {
        return Notice::refused("Archived service workers do not run here.").page();
    }
    if is_ours(&request.target) {
        let serving = serving.clone();
        return in_turn(&serving.clone(), move || {
            let ask = OurAsk {
                host: &request.host,
                target: &request.target,
                method: &request.method,
                headers: &request.headers,
                body: &request.body,
            };
            ours(&serving, &ask)
        })
        .await;
    }
    let Some(asked) = request.asked else {
        return misled(&serving.layout, &request.target, &request.headers)
            .unwrap_or_else(|| Notice::nothing().page());
    };
    let is_preflight = request
        .headers
        .contains_key(header::ACCESS_CONTROL_REQUEST_METHOD);
    if request.method == Method::OPTIONS && is_preflight {
        let mut reply = Reply::new(StatusCode::NO_CONTENT, Bytes::new());
        let time = asked.when.moment();
        cors::preflight(&mut reply.headers, &request.headers, &serving.layout, time);
        return reply;
    }
    let purpose = Purpose::of(&request.headers, asked.modifier.as_ref());
    let ask = Ask {
        page: asking_page(serving, &asked, purpose, &request.headers),
        purpose,
        asked,
        method: request.method,
        headers: request.headers,
        body: request.body,
    };
    let script = (ask.page.clone())
        .filter(|_| purpose == Purpose::Script)
        .map(|page| (page, ask.asked.url.clone()));
    if let Some((page, url)) = &script {
        page.order.turn_of(url).await;
    }
    let part = Part::asked_for(serving, &ask);
    // Should that fail by a fault of ours, the long way says so.
    let at_once = AssertUnwindSafe(|| answer_at_once(serving, &ask));
    let reply = match catch_unwind(at_once).unwrap_or(None) {
        Some(reply) => reply,
        None => {
            let serving = serving.clone();
            in_turn(&serving.clone(), move || answer(&serving, &ask)).await
        }
    };
    if let Some((page, url)) = &script {
        page.order.is_sent(url);
    }
    if let Some(part) = part {
        part.note(serving, &reply);
    }
    reply
}

/// A part of a page that is asked for, to be told beside the page.
struct Part {
    url: Url,
    time: Timestamp,
    origin: Option<Origin>,
}

impl Part {
    fn asked_for(serving: &Serving, ask: &Ask) -> Option<Part> {
        let When::At(time) = ask.asked.when else {
            return None;
        };
        let is_page = ask.purpose.may_be_document() && is_topmost(serving, ask);
        (!is_page).then(|| Part {
            url: ask.asked.url.clone(),
            time,
            origin: asking_origin(serving, &ask.headers),
        })
    }

    fn note(&self, serving: &Serving, reply: &Reply) {
        let said = |name: &str| reply.headers.get(name)?.to_str().ok();
        let rule = said("x-varve-match").and_then(Match::named);
        let drift = said("x-varve-drift").and_then(|drift| drift.parse().ok());
        let is_missing = matches!(reply.status.as_u16(), 404 | 451 | 502);
        let answered = match (rule, said("x-varve-notice")) {
            (Some(rule), _) => Answered::Found {
                rule: rule.name(),
                drift: drift.unwrap_or(0),
            },
            (None, Some(_)) if is_missing => Answered::Missing,
            _ => return,
        };
        let page = serving.open_pages.of_time(self.origin.as_ref(), self.time);
        if let Some(page) = page {
            page.given.note(&self.url, answered);
        }
    }
}

/// Does work that takes a processor, when it is its turn and while there is time.
pub(crate) async fn in_turn(
    serving: &Serving,
    work: impl FnOnce() -> Reply + Send + 'static,
) -> Reply {
    let Ok(turn) = serving.turns.turn().await else {
        return Notice::overloaded().page();
    };
    let working = tokio::task::spawn_blocking(move || {
        let reply = work();
        drop(turn);
        reply
    });
    match tokio::time::timeout(REQUEST_TIME, working).await {
        Ok(Ok(reply)) => reply,
        Ok(Err(_)) => {
            let why = "Something went wrong while this was prepared.";
            Notice::new(StatusCode::INTERNAL_SERVER_ERROR, "An error of ours", why).page()
        }
        Err(_) => Notice::late().page(),
    }
}

/// A path that lost its way: in the path layout a URL from the root of an archived host, asked for
/// by a page that says where it is.
fn misled(layout: &Layout, target: &str, headers: &HeaderMap) -> Option<Reply> {
    let Layout::Path(place) = layout else {
        return None;
    };
    let referrer = headers.get(header::REFERER)?.to_str().ok()?;
    let from = referrer.strip_prefix(place.origin())?;
    let page = layout.parse("", from)?;
    let When::At(time) = page.when else {
        return None;
    };
    // Two slashes would name another host, of the live web.
    let path = target.strip_prefix('/')?.trim_start_matches(['/', '\\']);
    let url = page.url.join(&format!("/{path}")).ok()?;
    let purpose = Purpose::of(headers, None);
    let used_for = match purpose {
        Purpose::Style => Use::Style,
        Purpose::Script => Use::Script,
        Purpose::Image => Use::Image,
        Purpose::Frame => Use::Frame,
        Purpose::Worker => Use::Worker,
        _ => Use::Other,
    };
    let to = layout.url(&url, time, used_for)?;
    Some(Reply::redirect(StatusCode::TEMPORARY_REDIRECT, &to))
}

/// Whether a path is of something of ours, and not of archived bytes.
fn is_ours(target: &str) -> bool {
    target.starts_with(OURS) && !target.starts_with(RAW)
}

/// What is asked for; for something of ours, the front page of the place where it is asked for.
fn asked_for(layout: &Layout, host: &str, target: &str) -> Option<Asked> {
    let path = match is_ours(target) {
        true => "/",
        false => target,
    };
    layout.parse(host, path)
}

/// Puts an answer on the wire.
fn finish(serving: &Serving, reply: Reply, asker: &Asker<'_>, is_head: bool) -> Response {
    let (reply, body) = with_body(serving, reply, is_head);
    let mut response = Response::new(body);
    *response.status_mut() = reply.0;
    *response.headers_mut() = reply.1;
    seal(response.headers_mut(), asker, reply.2);
    response
}

pub(crate) fn with_body(
    serving: &Serving,
    reply: Reply,
    is_head: bool,
) -> ((StatusCode, HeaderMap, Nature), Body) {
    let Reply {
        status,
        mut headers,
        body,
        nature,
        has_shim: _,
    } = reply;
    match body {
        ReplyBody::Whole(bytes) => {
            let bodyless = status == StatusCode::NOT_MODIFIED || status == StatusCode::NO_CONTENT;
            if !bodyless {
                headers.insert(header::CONTENT_LENGTH, bytes.len().into());
            }
            let body = if is_head { Body::empty() } else { bytes.into() };
            ((status, headers, nature), body)
        }
        _ if is_head => ((status, headers, nature), Body::empty()),
        ReplyBody::Pieces(pieces) => match serving.turns.stream() {
            Ok(place) => ((status, headers, nature), send_pieces(pieces, place)),
            Err(limits::Overloaded) => with_body(serving, Notice::overloaded().page(), is_head),
        },
        ReplyBody::Long(long) => match serving.turns.stream() {
            Ok(place) => ((status, headers, nature), long.send(place)),
            Err(limits::Overloaded) => with_body(serving, Notice::overloaded().page(), is_head),
        },
    }
}
