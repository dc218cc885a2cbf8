//! What stands above an archived page: what it is, what it was given, and the ways from it.

use super::compare;
use super::framed::View;
use super::shell::{BRAND, web_path};
use super::words::moment;
use crate::archive::Opened;
use crate::markup::Markup;
use crate::serving::Serving;
use varve_model::Timestamp;
use varve_store::index::{Query, Sort};

/// The page that is seen.
pub(super) struct Bar<'a> {
    pub(super) url: &'a str,
    pub(super) time: Timestamp,
    pub(super) view: View,
    pub(super) has_picture: bool,
}

/// The bar above a page. Those of its texts that depend on the page are put in by our script.
pub(super) fn bar(serving: &Serving, page: &Bar<'_>) -> Markup {
    let (url, time) = (page.url, page.time);
    let (before, after) = neighbours(serving, url, time);
    let mut bar = Markup::new("<header class=\"bar\">")
        .html(BRAND)
        .html("<nav aria-label=\"Captures\">");
    bar = step(bar, before, url, "prev", "Earlier");
    bar = bar
        .html("<a id=\"when\" title=\"All captures\" href=\"")
        .text(web_path("*", url))
        .html("\"><time>")
        .text(moment(time))
        .html("</time></a>");
    bar = step(bar, after, url, "next", "Later");
    bar.html("</nav><h1 id=\"where\">")
        .text(url)
        .html("</h1>")
        .html(GIVEN)
        .markup(&ways(page, before.or(after)))
        .html("</header>")
}

/// What the page was given. Without scripts nobody counts.
const GIVEN: &str = "<details id=\"given\" hidden><summary><span id=\"sum\">Parts</span></summary>\
    <div class=\"panel\"><h2>What this page was given</h2><dl id=\"rules\"></dl>\
    <p id=\"furthest\"></p><h2 id=\"missing-title\">Missing</h2><ul id=\"missing\"></ul></div></details>";

/// Other ways to look at the page.
fn ways(page: &Bar<'_>, other: Option<Timestamp>) -> Markup {
    let (url, digits) = (page.url, page.time.digits14());
    let mut out =
        Markup::new("<details id=\"more\"><summary>More</summary><div class=\"panel\"><ul>");
    let item = |out: Markup, id: &'static str, path: String, words: &'static str| {
        out.html("<li><a id=\"")
            .html(id)
            .html("\" href=\"")
            .text(path)
            .html("\">")
            .html(words)
            .html("</a></li>")
    };
    out = item(out, "share", web_path(&digits, url), "Link to this capture");
    out = match (page.view, page.has_picture) {
        (View::BesidePicture, _) => {
            item(out, "beside", web_path(&digits, url), "Without the picture")
        }
        (View::Page, true) => {
            let path = format!("/beside/{digits}/{url}");
            item(out, "beside", path, "Beside its picture at capture")
        }
        (View::Page, false) => out,
    };
    if let Some(other) = other {
        let (from, to) = (other.min(page.time), other.max(page.time));
        let path = compare::path(from, to, url);
        out = item(out, "compare", path, "Compare with another capture");
    }
    let path = format!("/record-view/{digits}/{url}");
    out = item(out, "record", path, "The record in the archive");
    let path = web_path(&format!("{digits}id_"), url);
    out = item(out, "raw", path, "Bytes as captured");
    out.html("</ul><p id=\"copied\" role=\"status\"></p></div></details>")
}

/// A step to another capture, or the word alone where there is none.
fn step(
    bar: Markup,
    time: Option<Timestamp>,
    url: &str,
    relation: &'static str,
    word: &'static str,
) -> Markup {
    match time {
        Some(time) => bar
            .html("<a class=\"step\" rel=\"")
            .html(relation)
            .html("\" href=\"")
            .text(web_path(&time.digits14(), url))
            .html("\">")
            .html(word)
            .html("</a>"),
        None => bar.html("<span class=\"step\">").html(word).html("</span>"),
    }
}

/// The captures before and after one.
fn neighbours(
    serving: &Serving,
    url: &str,
    time: Timestamp,
) -> (Option<Timestamp>, Option<Timestamp>) {
    let index = serving.archive.index();
    let near = |sort, from, to| {
        let query = Query {
            url: url.to_owned(),
            sort,
            from,
            to,
            limit: Some(1),
            ..Query::default()
        };
        let hits = Opened::hits(&index, &query).unwrap_or_default();
        hits.first().map(|hit| hit.capture.timestamp.to_seconds())
    };
    let second = |millis| Timestamp::from_unix_millis(time.unix_millis() + millis);
    (
        near(Sort::Reverse, None, second(-1)),
        near(Sort::Ascending, second(1000), None),
    )
}
