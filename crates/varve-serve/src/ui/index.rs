//! The first page: what is in the archive.

use super::{framed_path, shell};
use crate::archive::{Opened, PageLine};
use crate::layout::When;
use crate::markup::Markup;
use crate::respond::Reply;
use crate::serving::Serving;

/// Pages of a collection that are listed at once.
const LISTED: usize = 200;

/// Lists the collections and their pages.
pub(super) fn index(serving: &Serving, query: &str) -> Reply {
    let mut body = Markup::new("<h1>What is in the archive</h1>");
    let from = from(query);
    for (root, opened) in serving.archive.roots().zip(serving.archive.now()) {
        let name = root.file_name().unwrap_or(root.as_os_str());
        body = body.html("<h2>").text(name.to_string_lossy()).html("</h2>");
        body = pages(body, &opened, from);
    }
    shell("Varve", "", &body)
}

fn from(query: &str) -> usize {
    let mut pairs = url::form_urlencoded::parse(query.as_bytes());
    let from = pairs.find(|(name, _)| name == "from");
    from.and_then(|(_, value)| value.parse().ok())
        .unwrap_or(0)
        .min(100_000_000)
}

fn pages(mut body: Markup, opened: &Opened, from: usize) -> Markup {
    let (pages, more) = opened.pages(from, LISTED);
    if pages.is_empty() {
        return body.html("<p>No pages are listed here. Search for a URL above.</p>");
    }
    body = body
        .html("<table class=\"list\"><thead><tr><th scope=\"col\">Time (UTC)")
        .html("<th scope=\"col\">Page</thead><tbody>");
    for page in &pages {
        body = row(body, page);
    }
    body = body.html("</table>");
    match more {
        true => body
            .html("<p><a href=\"/?from=")
            .text(from + LISTED)
            .html("\">more</a></p>"),
        false => body,
    }
}

fn row(body: Markup, page: &PageLine) -> Markup {
    let time = page.time().map(|time| time.to_seconds());
    let path = framed_path(time.map_or(When::Latest, When::At), &page.url);
    let title = page.title.as_deref().filter(|title| !title.is_empty());
    body.html("<tr><td>")
        .text(
            page.ts
                .replace('T', " ")
                .chars()
                .take(19)
                .collect::<String>(),
        )
        .html("<td><a href=\"")
        .text(&path)
        .html("\">")
        .text(title.unwrap_or(&page.url))
        .html("</a><br><small>")
        .text(&page.url)
        .html("</small>")
}
