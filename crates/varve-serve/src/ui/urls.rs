//! The URLs of the archive that begin alike.

use super::captures::count;
use super::shell::{shell, web_path};
use super::words::day;
use crate::archive::Opened;
use crate::markup::Markup;
use crate::respond::Reply;
use crate::serving::Serving;
use axum::http::StatusCode;
use varve_model::{Span, Timestamp, UrlMatch};
use varve_store::index::Query;

/// URLs that are listed.
const LISTED: usize = 1000;
/// Captures that are looked at for that.
const MAX_CAPTURES: usize = 50_000;

/// A URL with its captures.
struct Known {
    key: String,
    url: String,
    captures: usize,
    first: Timestamp,
    last: Timestamp,
}

/// Lists the URLs that begin with this one.
pub(super) fn urls(serving: &Serving, prefix: &str, span: &Span) -> Reply {
    let query = Query {
        url: prefix.to_owned(),
        matching: UrlMatch::Prefix,
        from: span.earliest(),
        to: span.latest(),
        limit: Some(MAX_CAPTURES),
        scan_limit: Some(MAX_CAPTURES as u64 * 4),
        ..Query::default()
    };
    let hits = Opened::hits(&serving.archive.index(), &query).unwrap_or_default();
    let all_seen = hits.len() < MAX_CAPTURES;
    let mut known: Vec<Known> = Vec::new();
    for capture in hits.into_iter().map(|hit| hit.capture) {
        let time = capture.timestamp;
        match known.last_mut() {
            Some(last) if last.key == capture.key.as_str() => {
                last.captures += 1;
                last.last = time;
            }
            _ => known.push(Known {
                key: capture.key.as_str().to_owned(),
                url: capture.url,
                captures: 1,
                first: time,
                last: time,
            }),
        }
    }
    page(prefix, &known, all_seen)
}

fn page(prefix: &str, known: &[Known], all_seen: bool) -> Reply {
    let mut body = Markup::new("<h1>URLs that begin with ")
        .text(prefix)
        .html("</h1><p class=\"facts\">");
    body = match (known.len(), all_seen) {
        (0, _) => body.html("There are none."),
        (some, true) if some <= LISTED => body.text(some).html(" URLs."),
        _ => body.html("These are the first; type more of the URL for others."),
    };
    body = body.html("</p>");
    if !known.is_empty() {
        body = body
            .html(
                "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"URLs\"><table class=\"list\"><thead><tr><th scope=\"col\">URL<th scope=\"col\">Captures",
            )
            .html("<th scope=\"col\">First<th scope=\"col\">Last</thead><tbody>");
        for one in known.iter().take(LISTED) {
            body = row(body, one);
        }
        body = body.html("</table></div>");
    }
    let mut reply = shell("URLs", prefix, &body);
    if known.is_empty() {
        reply.status = StatusCode::NOT_FOUND;
    }
    reply
}

fn row(body: Markup, one: &Known) -> Markup {
    body.html("<tr><td class=\"url\"><a href=\"")
        .text(web_path("*", &one.url))
        .html("\">")
        .text(&one.url)
        .html("</a><td>")
        .text(count(one.captures))
        .html("<td>")
        .text(day(one.first))
        .html("<td>")
        .text(day(one.last))
}
