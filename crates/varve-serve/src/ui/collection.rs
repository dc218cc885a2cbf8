//! A collection: its crawls, what it holds by type, what went wrong, and its pages.

use super::charts::{Bar, Tone, bars};
use super::index::{Sums, origin};
use super::page_cards::{Shelf, page_cards};
use super::restored::restored;
use super::shell::shell;
use super::words::{count, grouped, moment, size, span};
use crate::archive::{Name, Opened, Tally};
use crate::interfaces::{Bad, Parameters};
use crate::markup::Markup;
use crate::respond::{Reply, Restored};
use std::sync::Arc;
use varve_model::Timestamp;

/// Crawls that are listed at once.
const CRAWLS: usize = 20;
/// Reasons that are drawn.
const REASONS: usize = 12;

/// Shows a collection.
pub(super) fn collection(
    name: &Name,
    opened: &Arc<Opened>,
    called: &[Restored],
    query: &str,
) -> Result<Reply, Bad> {
    let asked = Parameters::parse(query);
    let newer = asked.number::<usize>("newer")?.unwrap_or(0);
    let shelf = Shelf::asked(name, opened, &asked)?;
    let sums = Sums::of(opened);
    let mut body = Markup::new("<p class=\"trail\"><a href=\"/\">Collections</a></p><h1>")
        .text(&name.shown)
        .html("</h1><p class=\"facts\">")
        .text(
            sums.when
                .unwrap_or_else(|| "Nothing is in it yet".to_owned()),
        )
        .html("</p><dl class=\"figures wide\">");
    for (figure, number) in sums.figures {
        body = body
            .html("<div><dt>")
            .html(figure)
            .html("</dt><dd>")
            .text(number)
            .html("</dd></div>");
    }
    body = body.html("</dl>");
    if opened.may_be_taken_whole() {
        body = body
            .html("<p><a href=\"/collections/")
            .text(format!("{0}/{0}.wacz", name.path))
            .html("\">Download as WACZ</a></p>");
    }
    // Who looks through pages has seen the rest.
    if shelf.is_beginning() {
        body = body
            .markup(&crawls(name, opened, newer))
            .markup(&counted(opened))
            .markup(&restored(opened, called));
    }
    body = body.markup(&page_cards(&shelf));
    Ok(shell(&name.shown, "", &body))
}

/// The layers, newest first.
fn crawls(name: &Name, opened: &Arc<Opened>, newer: usize) -> Markup {
    let layers = opened.collection().layers();
    let mut out = Markup::new("<section><h2>Crawls</h2><div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Crawls\"><table class=\"list\"><thead><tr>")
        .html("<th scope=\"col\">Saved (UTC)<th scope=\"col\">From<th class=\"number\" scope=\"col\">Pages")
        .html("<th class=\"number\" scope=\"col\">Captures<th class=\"number\" scope=\"col\">Size<th scope=\"col\">Outcome</thead><tbody>");
    let listed = layers.iter().enumerate().rev().skip(newer);
    for (at, layer) in listed.take(CRAWLS) {
        let when = Timestamp::parse_w3c(&layer.sealed).map_or(layer.sealed.clone(), moment);
        out = out
            .html("<tr><td><a href=\"")
            .text(crawl_path(name, &layer.id))
            .html("\">")
            .text(when)
            .html("</a><td>")
            .text(origin(opened.origin_of(at)))
            .html("<td class=\"number\">")
            .text(grouped(opened.pages_in(at)))
            .html("<td class=\"number\">")
            .text(grouped(layer.captures))
            .html("<td class=\"number\">")
            .text(size(layer.bytes))
            .html("<td>")
            .text(opened.tally(at).map_or("being counted".to_owned(), outcome));
    }
    out = out.html("</table></div>");
    if layers.len() > newer + CRAWLS {
        out = out
            .html("<p><a href=\"/collections/")
            .text(&name.path)
            .html("?newer=")
            .text(newer + CRAWLS)
            .html("\">Older crawls</a></p>");
    }
    out.html("</section>")
}

/// Where a crawl has its page.
pub(super) fn crawl_path(name: &Name, layer: &str) -> String {
    format!("/collections/{}/crawls/{layer}", name.path)
}

/// What became of the pages of a crawl.
pub(super) fn outcome(tally: &Tally) -> String {
    let is_saved = |reason: &str| reason == "ok" || reason.starts_with("ok.");
    let sum = |saved: bool| -> u64 {
        let reasons = tally.pages.iter();
        let counted = reasons.filter(|(reason, _)| is_saved(reason) == saved);
        counted.map(|(_, count)| count).sum()
    };
    match (sum(true), sum(false)) {
        (0, 0) => "no log".to_owned(),
        (saved, 0) => count(saved, "page saved", "pages saved"),
        (saved, other) => {
            let saved = count(saved, "page saved", "pages saved");
            format!("{saved}, {} not", grouped(other))
        }
    }
}

/// Sizes by type and failures by reason, as far as they were counted.
fn counted(opened: &Arc<Opened>) -> Markup {
    let mut sum = Tally::default();
    let mut missing = 0;
    for layer in 0..opened.layer_count() {
        match opened.tally(layer) {
            Some(tally) => sum.add(tally),
            None => missing += 1,
        }
    }
    let mut out = Markup::new("<section class=\"two\"><div><h2>What it holds</h2>")
        .markup(&kinds(&sum))
        .html("</div><div><h2>What was not saved</h2>")
        .markup(&reasons(&sum, None))
        .html("</div></section>");
    if missing > 0 {
        out = out
            .html("<p class=\"facts\">Still being counted: ")
            .text(count(missing, "layer", "layers"))
            .html(". Load this page again in a moment.</p>");
    }
    out
}

/// A chart of sizes by type.
pub(super) fn kinds(tally: &Tally) -> Markup {
    let mut kinds: Vec<_> = tally.kinds.iter().collect();
    kinds.sort_by_key(|(_, amount)| std::cmp::Reverse(amount.bytes));
    let drawn: Vec<Bar> = kinds
        .into_iter()
        .map(|(kind, amount)| Bar {
            name: kind.name().to_owned(),
            leads: None,
            amount: amount.bytes,
            said: vec![
                size(amount.bytes),
                count(amount.captures, "capture", "captures"),
            ],
            tone: Tone::Plain,
        })
        .collect();
    match drawn.is_empty() {
        true => Markup::new("<p class=\"facts\">Nothing was counted yet.</p>"),
        false => bars("Stored bytes by type", &["Size", "Captures"], &drawn),
    }
}

/// A chart of what went wrong, by reason; where there is a log to be looked through, reasons lead
/// there.
pub(super) fn reasons(tally: &Tally, log: Option<&str>) -> Markup {
    let is_bad = |reason: &&String| *reason != "ok" && !reason.starts_with("ok.");
    let mut sums: Vec<(&String, u64, u64)> = Vec::new();
    let all = tally.pages.keys().chain(tally.requests.keys());
    for reason in all.filter(is_bad) {
        if sums.iter().all(|(known, ..)| *known != reason) {
            let of = |counts: &std::collections::BTreeMap<String, u64>| {
                counts.get(reason).copied().unwrap_or(0)
            };
            sums.push((reason, of(&tally.pages), of(&tally.requests)));
        }
    }
    sums.sort_by_key(|(_, pages, requests)| std::cmp::Reverse(pages + requests));
    let drawn: Vec<Bar> = sums
        .into_iter()
        .take(REASONS)
        .map(|(reason, pages, requests)| Bar {
            name: reason.clone(),
            leads: log.map(|path| format!("{path}?reason={}#log", super::shell::in_query(reason))),
            amount: pages + requests,
            said: vec![
                count(pages, "page", "pages"),
                count(requests, "request", "requests"),
            ],
            tone: Tone::Bad,
        })
        .collect();
    match drawn.is_empty() {
        true => Markup::new("<p class=\"facts\">No log tells of anything.</p>"),
        false => bars("By reason", &["Pages", "Requests"], &drawn),
    }
}

/// When a layer was made, for its own page.
pub(super) fn when(opened: &Opened, layer: usize) -> Option<String> {
    opened.span_of(layer).map(span)
}
