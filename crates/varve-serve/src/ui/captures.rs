//! The captures of a URL, or of the URLs below it.

use super::{framed_path, html};
use crate::archive::Opened;
use crate::layout::When;
use crate::markup::Markup;
use crate::respond::Reply;
use crate::serving::Serving;
use varve_model::{ReplayUrl, Span, UrlMatch, Wanted};
use varve_store::index::Query;

/// Captures that are listed.
const LISTED: usize = 1000;
/// Lines of an index that are looked at.
const MAX_LINES: u64 = 100_000;

/// Lists them.
pub(super) fn captures(serving: &Serving, asked: &ReplayUrl) -> Reply {
    let all = Span::default();
    let (span, matching) = match &asked.wanted {
        Wanted::Captures(span) => (span, UrlMatch::Exact),
        Wanted::Urls(span) => (span, UrlMatch::Prefix),
        Wanted::Memento { .. } => (&all, UrlMatch::Exact),
    };
    let query = Query {
        url: asked.url.clone(),
        matching,
        from: span.earliest(),
        to: span.latest(),
        limit: Some(LISTED),
        scan_limit: Some(MAX_LINES),
        ..Query::default()
    };
    let mut hits = Vec::new();
    for opened in serving.archive.now() {
        hits.extend(Opened::hits(opened.index(), &query).unwrap_or_default());
    }
    hits.sort_by_key(|hit| hit.capture.timestamp);
    let mut body = Markup::new("<main><p><a href=\"/\">Varve</a></p><h1>Captures of ")
        .text(&asked.url)
        .html("</h1>");
    if hits.is_empty() {
        body = body.html("<p>There are none.</p>");
    }
    body = body.html("<table>");
    for hit in hits {
        let capture = hit.capture;
        let path = framed_path(When::At(capture.timestamp.to_seconds()), &capture.url);
        body = body
            .html("<tr><td><a href=\"")
            .text(&path)
            .html("\">")
            .text(capture.timestamp.http_date())
            .html("</a><td>")
            .text(capture.status.as_deref().unwrap_or(""))
            .html("<td>")
            .text(capture.mime.as_deref().unwrap_or(""))
            .html("<td>")
            .text(&capture.url);
    }
    html("Captures", &body.html("</table></main>"))
}
