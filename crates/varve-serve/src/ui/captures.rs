//! The captures of a URL: by years, in a calendar, and one by one.

use super::calendar;
use super::shell::{shell, web_path};
use super::words::{self, day, moment, size};
use crate::archive::Opened;
use crate::markup::Markup;
use crate::respond::Reply;
use crate::serving::Serving;
use axum::http::StatusCode;
use varve_model::{Capture, Span, Timestamp};
use varve_store::index::Query;

/// Captures that are counted; of more the first.
const COUNTED: usize = 20_000;
/// Captures that are listed one by one.
const LISTED: usize = 500;
/// Lines of the index that are looked at.
const MAX_LINES: u64 = 1_000_000;

/// Shows the captures of a URL, those of a span of time in detail.
pub(super) fn captures(serving: &Serving, url: &str, span: &Span) -> Reply {
    let query = Query {
        url: url.to_owned(),
        limit: Some(COUNTED),
        scan_limit: Some(MAX_LINES),
        ..Query::default()
    };
    let hits = Opened::hits(&serving.archive.index(), &query).unwrap_or_default();
    let all: Vec<Capture> = hits.into_iter().map(|hit| hit.capture).collect();
    let times: Vec<Timestamp> = all.iter().map(|capture| capture.timestamp).collect();
    let (Some(first), Some(last)) = (times.first(), times.last()) else {
        return nothing(url);
    };
    let year = match span.earliest() {
        Some(time) => time.digits14()[..4].to_owned(),
        None => last.digits14()[..4].to_owned(),
    };
    let mut body = Markup::new("<h1>")
        .text(url)
        .html("</h1><p class=\"facts\">");
    body = body
        .text(count(all.len()))
        .html(" from ")
        .text(day(*first))
        .html(" to ")
        .text(day(*last))
        .html(".");
    if all.len() == COUNTED {
        body = body.html(" There may be more.");
    }
    body = links(body, url).html("</p>");
    body = body.markup(&calendar::years(&times, &year, url));
    body = body.markup(&calendar::months(&times, &year, url));
    body = list(body, url, &all, (span.earliest(), span.latest()));
    shell(&format!("Captures of {url}"), url, &body)
}

fn links(body: Markup, url: &str) -> Markup {
    body.html(" <a href=\"")
        .text(web_path("*", &format!("{url}*")))
        .html("\">URLs below it</a> <a href=\"/timemap/link/")
        .text(url)
        .html("\">TimeMap</a>")
}

fn list(
    mut body: Markup,
    url: &str,
    all: &[Capture],
    (from, to): (Option<Timestamp>, Option<Timestamp>),
) -> Markup {
    let after = |time| from.is_none_or(|from| time >= from);
    let before = |time| to.is_none_or(|to| time <= to);
    let inside = |capture: &&Capture| after(capture.timestamp) && before(capture.timestamp);
    let count = all.iter().filter(inside).count();
    body = body
        .html("<h2>One by one</h2><form action=\"/compare\"><input type=\"hidden\" name=\"url\" value=\"")
        .text(url)
        .html("\"><div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Captures\"><table class=\"list\"><thead><tr>");
    if count > 1 {
        body = body.html("<th scope=\"col\">Compare");
    }
    body = body
        .html("<th scope=\"col\">Time (UTC)")
        .html("<th scope=\"col\">Status<th scope=\"col\">Type<th class=\"number\" scope=\"col\">Stored")
        .html("<th scope=\"col\">URL<th scope=\"col\">Record</thead><tbody>");
    let newest_first = all.iter().rev().filter(inside);
    for (at, capture) in newest_first.take(LISTED).enumerate() {
        let choice = (count > 1).then_some(at);
        body = row(body, capture, choice);
    }
    body = body.html("</table></div>");
    if count > 1 {
        body = body.html("<p><button class=\"second\">Compare the two</button></p>");
    }
    body = body.html("</form>");
    match count {
        0..=LISTED => body,
        more => body
            .html("<p>")
            .text(more - LISTED)
            .html(" more are in the calendar.</p>"),
    }
}

fn row(body: Markup, capture: &Capture, choice: Option<usize>) -> Markup {
    let time = capture.timestamp.to_seconds();
    let mut body = body.html("<tr>");
    if let Some(at) = choice {
        // At first the last two.
        body = body.html("<td class=\"choice\">");
        body = choose(body, "from", "The first of two: ", time, at == 1);
        body = choose(body, "to", "The second of two: ", time, at == 0);
    }
    body.html("<td><a href=\"")
        .text(web_path(&time.digits14(), &capture.url))
        .html("\">")
        .text(moment(time))
        .html("</a><td>")
        .text(capture.status.as_deref().unwrap_or("-"))
        .html("<td>")
        .text(capture.mime.as_deref().unwrap_or("-"))
        .html("<td class=\"number\">")
        .text(size(capture.length))
        .html("<td class=\"url\">")
        .text(&capture.url)
        .html("<td><a href=\"/record-view/")
        .text(time.digits14())
        .html("/")
        .text(&capture.url)
        .html("\">record</a>")
}

fn choose(
    body: Markup,
    name: &'static str,
    label: &'static str,
    time: Timestamp,
    is_chosen: bool,
) -> Markup {
    body.html("<input type=\"radio\" name=\"")
        .html(name)
        .html("\" value=\"")
        .text(time.digits14())
        .html("\" aria-label=\"")
        .html(label)
        .text(moment(time))
        .html(if is_chosen { "\" checked>" } else { "\">" })
}

fn nothing(url: &str) -> Reply {
    let body = Markup::new("<h1>Not in the archive</h1><p>There are no captures of ")
        .text(url)
        .html(". <a href=\"")
        .text(web_path("*", &format!("{url}*")))
        .html("\">Look for URLs that begin like this.</a></p>");
    let mut reply = shell("Not in the archive", url, &body);
    reply.status = StatusCode::NOT_FOUND;
    reply
}

pub(super) fn count(captures: usize) -> String {
    words::count(captures as u64, "capture", "captures")
}
