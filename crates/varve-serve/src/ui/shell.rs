//! What all pages of ours have in common.

use crate::interfaces::Bad;
use crate::layout::{Asked, When, parse_path};
use crate::markup::Markup;
use crate::respond::Reply;
use axum::http::{StatusCode, header};

/// What pages of ours begin with.
const LOADS_STYLE: &str = "<link rel=\"stylesheet\" href=\"/assets/style.css\">";

/// A page of ours with the way home and the search at its top; `asked` is what was searched for.
pub(crate) fn shell(title: &str, asked: &str, content: &Markup) -> Reply {
    let top = Markup::new("<header class=\"top\">")
        .html(BRAND)
        .markup(&search(asked))
        .html("</header>");
    let title = format!("{title} – Varve");
    html(&title, &around(top, content))
}

/// The first page, where the search is in the middle.
pub(super) fn front(content: &Markup) -> Reply {
    let top = Markup::new("<header class=\"top\">")
        .html(BRAND)
        .html("</header>");
    html("Varve", &around(top, content))
}

pub(super) const BRAND: &str = "<a class=\"brand\" href=\"/\">Varve</a>";

fn around(top: Markup, content: &Markup) -> Markup {
    Markup::new("<a class=\"skip\" href=\"#content\">To the content</a>")
        .markup(&top)
        .html("<main id=\"content\">")
        .markup(content)
        .html("</main><footer class=\"foot\">Varve ")
        .html(env!("CARGO_PKG_VERSION"))
        .html(" <a href=\"/openapi.json\">Interfaces for programs</a></footer>")
}

/// The form for a URL, or the beginning of one.
pub(super) fn search(asked: &str) -> Markup {
    Markup::new(
        "<form action=\"/go\" role=\"search\"><label class=\"unseen\" for=\"url\">URL</label>",
    )
    .html("<input id=\"url\" name=\"url\" type=\"text\" inputmode=\"url\" required ")
    .html("autocapitalize=\"none\" autocomplete=\"off\" spellcheck=\"false\" ")
    .html("placeholder=\"A URL, the beginning of one with * after it, or words\" value=\"")
    .text(asked)
    .html("\"><button>Find</button></form>")
}

pub(super) fn html(title: &str, body: &Markup) -> Reply {
    let html = crate::markup::page(title, LOADS_STYLE, body);
    Reply::new(StatusCode::OK, html)
        .with(header::CONTENT_TYPE, "text/html; charset=utf-8")
        .with(header::CACHE_CONTROL, "no-store")
}

/// A page that says why there is nothing to be seen.
pub(super) fn sorry(status: StatusCode, title: &'static str, why: &Markup) -> Reply {
    let body = Markup::new("<h1>")
        .html(title)
        .html("</h1><p>")
        .markup(why)
        .html("</p><p><a href=\"/\">To the first page</a></p>");
    let mut reply = shell(title, "", &body);
    reply.status = status;
    reply
}

/// There is no such page.
pub(super) fn nothing() -> Reply {
    let why = Markup::new("There is no page of this name here.");
    sorry(StatusCode::NOT_FOUND, "There is no such page", &why)
}

/// A parameter makes no sense.
pub(super) fn bad(bad: &Bad) -> Reply {
    let why = Markup::new("<code>")
        .text(bad.parameter)
        .html("</code>: ")
        .text(&bad.why);
    sorry(StatusCode::BAD_REQUEST, "This cannot be understood", &why)
}

/// Where a URL is shown: at a time, or, with a star, as a list.
pub(super) fn web_path(when: &str, url: &str) -> String {
    format!("/web/{when}/{url}")
}

/// The path under which a page is shown in a frame.
pub(super) fn framed_path(when: When, url: &str) -> String {
    match when {
        When::At(time) | When::Around(time) => web_path(&time.digits14(), url),
        When::Latest => format!("/web/{url}"),
    }
}

/// The time and the URL at the end of a path.
pub(super) fn asked(rest: &str) -> Result<Asked, Bad> {
    parse_path(&format!("/web/{rest}")).ok_or_else(|| {
        let shown: String = rest.chars().take(200).collect();
        let why = format!("{shown:?} is not a time (4 to 14 digits), a slash and a URL");
        Bad::new("path", why)
    })
}

/// A URL that can stand in a header.
pub(super) fn encoded(url: &str) -> String {
    let mut out = String::new();
    for byte in url.bytes() {
        match byte {
            b'!'..=b'~' => out.push(char::from(byte)),
            _ => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}

/// A value in the query of a URL.
pub(super) fn in_query(value: &str) -> String {
    url::form_urlencoded::byte_serialize(value.as_bytes()).collect()
}
