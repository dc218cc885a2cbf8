//! The pages of a collection, with the pictures that a crawl took of them.

use super::pictures::Picture;
use super::shell::{framed_path, in_query};
use super::words::moment;
use crate::archive::{Name, Opened, PageLine, PagePlace, Part, Text};
use crate::interfaces::{Bad, Parameters};
use crate::layout::When;
use crate::markup::Markup;
use std::sync::Arc;
use varve_model::Timestamp;

/// Pages that are shown at once.
const SHOWN: usize = 48;
/// Letters of a title or URL that are shown.
const MAX_TEXT: usize = 300;

/// What of a collection's pages is wanted.
pub(super) struct Shelf<'a> {
    name: &'a Name,
    opened: &'a Arc<Opened>,
    text: String,
    from: Option<PagePlace>,
}

impl<'a> Shelf<'a> {
    pub(super) fn asked(
        name: &'a Name,
        opened: &'a Arc<Opened>,
        asked: &Parameters,
    ) -> Result<Shelf<'a>, Bad> {
        let from = asked.get("from").map(place).transpose()?;
        let text = asked.get("q").unwrap_or("").trim().to_owned();
        Ok(Shelf {
            name,
            opened,
            text,
            from,
        })
    }

    /// Whether nothing in particular is asked for.
    pub(super) fn is_beginning(&self) -> bool {
        self.from.is_none() && self.text.is_empty()
    }

    fn path(&self, from: Option<PagePlace>) -> String {
        let mut path = format!("/collections/{}?q={}", self.name.path, in_query(&self.text));
        if let Some(PagePlace { layer, at }) = from {
            path += &format!("&from={layer}.{at}");
        }
        path + "#pages"
    }
}

/// `LAYER.OFFSET`, as our own links have it.
fn place(text: &str) -> Result<PagePlace, Bad> {
    let (layer, at) = text.split_once('.').unwrap_or((text, ""));
    match (layer.parse(), at.parse()) {
        (Ok(layer), Ok(at)) => Ok(PagePlace { layer, at }),
        _ => Err(Bad::new(
            "from",
            format!("{text:?} is no place in a list of pages"),
        )),
    }
}

/// The pages that are wanted, and the ways to others.
pub(super) fn page_cards(shelf: &Shelf<'_>) -> Markup {
    let text = Text::new(&shelf.text);
    let Part { lines, next } = shelf.opened.pages_from(shelf.from, &text, SHOWN);
    let mut out = Markup::new("<section id=\"pages\"><h2>Pages</h2>").markup(&filter(shelf));
    if lines.is_empty() {
        let nothing = match (next, shelf.text.is_empty()) {
            (Some(_), _) => "Nothing so far; there is more to look through.",
            (None, true) => "No pages are listed here. Search for a URL above.",
            (None, false) => "No page has this in its title or URL.",
        };
        out = out.html("<p>").html(nothing).html("</p>");
    }
    out = out.html("<ul class=\"pages\">");
    for (_, page) in &lines {
        out = out.markup(&card(shelf.opened, page));
    }
    out = out.html("</ul><nav class=\"onward\" aria-label=\"More pages\">");
    if shelf.from.is_some() {
        out = out
            .html("<a href=\"")
            .text(shelf.path(None))
            .html("\">To the beginning</a>");
    }
    if next.is_some() {
        out = out
            .html("<a rel=\"next\" href=\"")
            .text(shelf.path(next))
            .html("\">More pages</a>");
    }
    out.html("</nav></section>")
}

fn filter(shelf: &Shelf<'_>) -> Markup {
    Markup::new("<form class=\"filter\" action=\"/collections/")
        .text(&shelf.name.path)
        .html("#pages\"><span class=\"field\"><label for=\"q\">Title or URL holds</label><input id=\"q\" name=\"q\" type=\"search\" value=\"")
        .text(&shelf.text)
        .html("\"></span><button class=\"second\">Filter</button></form>")
}

fn card(opened: &Opened, page: &PageLine) -> Markup {
    let time = page.time().map(Timestamp::to_seconds);
    let title = page.title.as_deref().filter(|title| !title.is_empty());
    let mut out = Markup::new("<li class=\"page\"><a href=\"")
        .text(framed_path(time.map_or(When::Latest, When::At), &page.url))
        .html("\">");
    out = match time.filter(|time| Picture::Thumbnail.is_in(opened, *time, &page.url)) {
        Some(time) => out
            .html("<img class=\"thumbnail\" loading=\"lazy\" alt=\"\" width=\"320\" height=\"200\" src=\"")
            .text(Picture::Thumbnail.path(time, &page.url))
            .html("\">"),
        None => out.html("<span class=\"thumbnail none\" aria-hidden=\"true\"></span>"),
    };
    out.html("<span class=\"title\">")
        .text(short(title.unwrap_or(&page.url)))
        .html("</span></a><small class=\"address\">")
        .text(short(&page.url))
        .html("</small><small>")
        .text(time.map_or("no time known".to_owned(), moment))
        .html("</small></li>")
}

fn short(text: &str) -> String {
    text.chars().take(MAX_TEXT).collect()
}
