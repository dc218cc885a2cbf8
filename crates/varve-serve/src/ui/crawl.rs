//! One crawl: what it holds, and its log, line by line.

use super::collection::{kinds, outcome, reasons, when};
use super::index::origin;
use super::log_filter::{LogFilter, Outcome, path_for_reason};
use super::shell::{shell, web_path};
use super::words::{grouped, size};
use crate::archive::{LogLine, Name, Opened, Origin, Part};
use crate::interfaces::{Bad, Parameters};
use crate::markup::Markup;
use crate::respond::Reply;
use std::sync::Arc;
use varve_store::collection::LayerEntry;

/// Lines that are shown at once.
const SHOWN: usize = 100;
/// Letters of a value that are shown.
const MAX_TEXT: usize = 600;

/// Shows a crawl.
pub(super) fn crawl(
    name: &Name,
    opened: &Arc<Opened>,
    layer: usize,
    query: &str,
) -> Result<Reply, Bad> {
    let asked = Parameters::parse(query);
    let filter = LogFilter::asked(&asked)?;
    let Some(entry) = opened.collection().layers().get(layer) else {
        return Ok(super::shell::nothing());
    };
    let path = super::collection::crawl_path(name, &entry.id);
    let mut body =
        Markup::new("<p class=\"trail\"><a href=\"/\">Collections</a> <a href=\"/collections/")
            .text(&name.path)
            .html("\">")
            .text(&name.shown)
            .html("</a></p><h1>")
            .text(title(opened, layer, entry))
            .html("</h1>")
            .markup(&facts(opened, layer, entry));
    if filter.is_beginning() {
        body = match opened.tally(layer) {
            Some(tally) => body
                .html("<section class=\"two\"><div><h2>What it holds</h2>")
                .markup(&kinds(tally))
                .html("</div><div><h2>What was not saved</h2>")
                .markup(&reasons(tally, Some(&path)))
                .html("</div></section>"),
            None => body.html("<p class=\"facts\">It is still being counted. Load this page again in a moment.</p>"),
        };
    }
    if opened.origin_of(layer) == Origin::Crawl {
        body = body.markup(&log(opened, layer, &path, &filter));
    }
    Ok(shell(&format!("Crawl of {}", name.shown), "", &body))
}

fn title(opened: &Opened, layer: usize, entry: &LayerEntry) -> String {
    let what = match opened.origin_of(layer) {
        Origin::Crawl => "Crawl",
        Origin::Import(_) => "Import",
        Origin::Unknown => "Recording",
    };
    let day = when(opened, layer);
    format!("{what} of {}", day.unwrap_or_else(|| entry.sealed.clone()))
}

fn facts(opened: &Arc<Opened>, layer: usize, entry: &LayerEntry) -> Markup {
    let outcome = opened
        .tally(layer)
        .map_or("being counted".to_owned(), outcome);
    let mut out = Markup::new("<dl class=\"figures wide\">");
    for (name, value) in [
        ("Pages", grouped(opened.pages_in(layer))),
        ("Captures", grouped(entry.captures)),
        ("Size", size(entry.bytes)),
        ("Outcome", outcome),
        ("From", origin(opened.origin_of(layer))),
    ] {
        out = out
            .html("<div><dt>")
            .html(name)
            .html("</dt><dd>")
            .text(value)
            .html("</dd></div>");
    }
    out.html("</dl><p class=\"facts\">Layer <code>")
        .text(&entry.id)
        .html("</code></p>")
}

fn log(opened: &Opened, layer: usize, path: &str, filter: &LogFilter) -> Markup {
    let Part { lines, next } = opened.log_from(
        layer,
        filter.at,
        &filter.texts(),
        |line| filter.wants(line),
        SHOWN,
    );
    let mut out = Markup::new("<section id=\"log\"><h2>Log</h2>").markup(&filter.form(path));
    if lines.is_empty() {
        out = out.html(match next {
            Some(_) => "<p>Nothing so far; there is more to look through.</p>",
            None => "<p>No line of the log is like this.</p>",
        });
    } else {
        out = out
            .html("<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Log\"><table class=\"list log\"><thead><tr><th scope=\"col\">Outcome")
            .html("<th scope=\"col\">Reason<th scope=\"col\">URL<th class=\"number\" scope=\"col\">Status")
            .html("<th class=\"number\" scope=\"col\">Bytes<th class=\"number\" scope=\"col\">Took")
            .html("<th scope=\"col\">Time (UTC)</thead><tbody>");
        for line in &lines {
            out = out.markup(&row(line));
        }
        out = out.html("</table></div>");
    }
    out = out.html("<nav class=\"onward\" aria-label=\"More of the log\">");
    if filter.at > 0 {
        out = out
            .html("<a href=\"")
            .text(filter.path(path, 0))
            .html("\">To the beginning</a>");
    }
    if let Some(next) = next {
        out = out
            .html("<a rel=\"next\" href=\"")
            .text(filter.path(path, next))
            .html("\">More lines</a>");
    }
    out.html("</nav></section>")
}

fn row(line: &LogLine) -> Markup {
    let outcome = Outcome::of(&line.reason);
    let out = Markup::new("<tr><td><span class=\"outcome ")
        .html(outcome.class())
        .html("\">")
        .html(outcome.name())
        .html("</span><td><a href=\"")
        .text(path_for_reason(&line.reason))
        .html("\">")
        .text(short(&line.reason))
        .html("</a><td class=\"url\">")
        .markup(&what(line));
    let number = |value: Option<u64>| value.map_or("-".to_owned(), |it| it.to_string());
    let took = line.ms.map(|ms| format!("{} ms", grouped(ms)));
    let time: String = line.ts.chars().take(19).collect();
    out.html("<td class=\"number\">")
        .text(number(line.status))
        .html("<td class=\"number\">")
        .text(line.bytes.map_or("-".to_owned(), size))
        .html("<td class=\"number\">")
        .text(took.unwrap_or_else(|| "-".to_owned()))
        .html("<td>")
        .text(time.replace('T', " "))
}

/// What a line is about, and what else it says.
fn what(line: &LogLine) -> Markup {
    let mut out = match line.is_page() {
        true => Markup::new("<strong class=\"tag\">page</strong> "),
        false => Markup::default(),
    };
    out = out
        .html("<a href=\"")
        .text(web_path("*", &line.url))
        .html("\">")
        .text(short(&line.url))
        .html("</a>");
    for (word, more) in [
        ("", &line.title),
        ("", &line.message),
        ("", &line.mime),
        ("for ", &line.page),
    ] {
        let says = |it: &&str| !it.is_empty() && *it != line.url;
        if let Some(more) = more.as_deref().filter(says) {
            out = out.html(" <small>").html(word);
            out = out.text(short(more)).html("</small>");
        }
    }
    out
}

fn short(text: &str) -> String {
    text.chars().take(MAX_TEXT).collect()
}
