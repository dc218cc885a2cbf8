//! Pages by the words on them.

use super::shell::{framed_path, shell};
use crate::archive::Opened;
use crate::layout::When;
use crate::markup::Markup;
use crate::respond::Reply;
use crate::search::text_of;
use crate::serving::Serving;
use std::sync::Arc;
use varve_model::Timestamp;
use varve_search::{PageHit, excerpt};

/// Pages that are shown at once.
const SHOWN: usize = 20;
/// What is typed beyond this is not looked for.
const MAX_TYPED: usize = 400;

/// `/search?q=WORDS`: the pages with all these words.
pub(super) fn search(serving: &Serving, query: &str) -> Reply {
    let parameter = |name: &str| {
        let mut pairs = url::form_urlencoded::parse(query.as_bytes());
        let found = pairs.find(|(key, _)| key == name);
        found.map_or(String::new(), |(_, value)| value.into_owned())
    };
    let words: String = parameter("q").trim().chars().take(MAX_TYPED).collect();
    let from = parameter("from").parse().unwrap_or(0).min(1_000_000);
    let answer = serving.search.find(&serving.archive, &words);
    let mut body = Markup::new("<h1>Pages with these words</h1>");
    for note in &answer.notes {
        body = body.html("<p class=\"note\" role=\"status\">").text(note);
        body = body.html("</p>");
    }
    body = count(body, answer.hits.len(), answer.is_cut);
    body = body
        .html("<ol class=\"found\" start=\"")
        .text(from + 1)
        .html("\">");
    let archive = serving.archive.now();
    for hit in answer.hits.iter().skip(from).take(SHOWN) {
        body = found(body, &archive, hit, &words);
    }
    body = body.html("</ol>");
    if answer.hits.len() > from + SHOWN {
        let query = url::form_urlencoded::Serializer::new(String::new())
            .append_pair("q", &words)
            .append_pair("from", &(from + SHOWN).to_string())
            .finish();
        body = body
            .html("<p><a rel=\"next\" href=\"/search?")
            .text(query)
            .html("\">More pages</a></p>");
    }
    shell("Pages with these words", &words, &body)
}

fn count(body: Markup, count: usize, is_cut: bool) -> Markup {
    let body = body.html("<p>");
    let body = match (count, is_cut) {
        (0, _) => body.html("No page has all of them."),
        (1, _) => body.html("One page."),
        (count, true) => body.html("The best ").text(count).html(" pages."),
        (count, false) => body.text(count).html(" pages."),
    };
    body.html("</p>")
}

fn found(body: Markup, archive: &[Arc<Opened>], hit: &PageHit, words: &str) -> Markup {
    let time = Timestamp::parse(&hit.time).ok();
    let title = if hit.title.is_empty() {
        &hit.url
    } else {
        &hit.title
    };
    let body = body
        .html("<li><a href=\"")
        .text(framed_path(time.map_or(When::Latest, When::At), &hit.url))
        .html("\">")
        .text(title)
        .html("</a><small>")
        .text(&hit.url)
        .html(" <time>")
        .text(time.map_or(String::new(), |time| time.w3c()[..10].to_owned()))
        .html("</time></small>");
    let Some(time) = time else {
        return body;
    };
    let text = archive
        .iter()
        .find_map(|opened| text_of(opened, opened.index(), &hit.url, time));
    let text = text.map_or(String::new(), |(_, text)| text);
    let mut body = body.html("<p>");
    for piece in excerpt(&text, words) {
        body = match piece.is_wanted {
            true => body.html("<mark>").text(piece.text).html("</mark>"),
            false => body.text(piece.text),
        };
    }
    body.html("</p>")
}

/// Whether what was typed is meant as words, and not as a URL.
pub(super) fn is_words(typed: &str) -> bool {
    let typed = typed.trim();
    let is_url = typed.contains("://")
        || (typed.contains(['.', ':', '*']) && !typed.contains(char::is_whitespace));
    !typed.is_empty() && !is_url
}

#[cfg(test)]
mod tests {
    use super::is_words;

    #[test]
    fn words_and_urls_are_told_apart() {
        let check = |typed, expected| assert_eq!(is_words(typed), expected, "{typed}");
        check("ferns", true);
        check("ferns in the shade.", true);
        check("example.com", false);
        check("example.com/*", false);
        check("https://example.com/a b", false);
        check("localhost:8080", false);
        check(" ", false);
    }
}
