//! The first page: what can be looked for, and the collections.

use super::shell::{front, search};
use super::words::{count, grouped, size, span};
use crate::archive::{Name, Opened, Origin};
use crate::markup::Markup;
use crate::respond::Reply;
use crate::serving::Serving;
use std::sync::Arc;

/// The search, and a card for each collection.
pub(super) fn index(serving: &Serving) -> Reply {
    let mut body = Markup::new("<section class=\"hero\"><h1>Pages as they were</h1>")
        .html("<p>Type a URL to see its captures, the beginning of one with <kbd>*</kbd> after it, or words.</p>")
        .markup(&search(""))
        .html("</section><h2>Collections</h2><ul class=\"cards\">");
    for (name, opened) in serving.archive.collections() {
        body = body.markup(&card(name, &opened));
    }
    front(&body.html("</ul>"))
}

fn card(name: &Name, opened: &Arc<Opened>) -> Markup {
    let sums = Sums::of(opened);
    let mut out = Markup::new("<li class=\"card\"><h3><a href=\"/collections/")
        .text(&name.path)
        .html("\">")
        .text(&name.shown)
        .html("</a></h3><p class=\"facts\">")
        .text(
            sums.when
                .unwrap_or_else(|| "Nothing is in it yet".to_owned()),
        )
        .html("</p><dl class=\"figures\">");
    for (figure, number) in sums.figures {
        out = out
            .html("<div><dt>")
            .html(figure)
            .html("</dt><dd>")
            .text(number)
            .html("</dd></div>");
    }
    out.html("</dl></li>")
}

/// What a collection holds, in a few numbers.
pub(super) struct Sums {
    pub(super) when: Option<String>,
    pub(super) figures: [(&'static str, String); 4],
}

impl Sums {
    pub(super) fn of(opened: &Arc<Opened>) -> Sums {
        let layers = opened.collection().layers();
        let all = 0..opened.layer_count();
        let pages: u64 = all.clone().map(|layer| opened.pages_in(layer)).sum();
        let captures: u64 = layers.iter().map(|layer| layer.captures).sum();
        let bytes: u64 = layers.iter().map(|layer| layer.bytes).sum();
        // Layers without a list of pages are asked for their captures.
        let spans = all.clone().filter_map(|layer| {
            let known = opened.span_of(layer);
            known.or_else(|| opened.tally(layer)?.span)
        });
        let when = spans.reduce(|one, other| (one.0.min(other.0), one.1.max(other.1)));
        let crawls = all
            .clone()
            .filter(|layer| opened.origin_of(*layer) == Origin::Crawl);
        let (crawls, layers) = (crawls.count() as u64, layers.len() as u64);
        let parts = match crawls == layers {
            true => ("Crawls", crawls),
            false => ("Layers", layers),
        };
        Sums {
            when: when.map(span),
            figures: [
                ("Pages", grouped(pages)),
                ("Captures", grouped(captures)),
                (parts.0, grouped(parts.1)),
                ("Size", size(bytes)),
            ],
        }
    }
}

/// What a layer is, in two words.
pub(super) fn origin(origin: Origin) -> String {
    match origin {
        Origin::Crawl => "crawl".to_owned(),
        Origin::Import(files) => format!("import of {}", count(files as u64, "file", "files")),
        Origin::Unknown => "recording".to_owned(),
    }
}
