//! An archived page in a frame of the window that it was captured in.

use super::{encoded, framed_path, html, shell, web_path};
use crate::archive::Opened;
use crate::layout::{Asked, When};
use crate::lookup::{self, Found, Wish, WishRole};
use crate::markup::Markup;
use crate::respond::{Notice, Reply};
use crate::serving::Serving;
use axum::http::StatusCode;
use varve_model::{Access, Modifier, Timestamp};
use varve_page::{ColourScheme, Use};
use varve_store::index::{Query, Sort};

/// What an archived page may do in its frame: everything but lead our window elsewhere.
const SANDBOX: &str = "allow-scripts allow-same-origin allow-forms allow-popups allow-modals \
                       allow-downloads allow-pointer-lock allow-presentation";

/// The frame's name, by which links of archived pages that mean the whole window are led to it.
const FRAME: &str = "varve_top";

/// The page in a frame, at the time of its capture.
pub(super) fn framed(serving: &Serving, asked: &Asked) -> Reply {
    let Some(found) = find(serving, asked) else {
        return missing(serving, asked);
    };
    let time = found.hit.capture.timestamp.to_seconds();
    if asked.when != When::At(time) {
        let path = framed_path(When::At(time), asked.url.as_str());
        return Reply::redirect(StatusCode::FOUND, &encoded(&path));
    }
    let Some(source) = serving.layout.url(&asked.url, time, Use::Navigate) else {
        return missing(serving, asked);
    };
    let client = found.opened.client_of(&found.hit);
    let viewport = client.as_ref().and_then(|client| client.viewport.clone());
    let viewport = viewport.unwrap_or_default();
    let body = bar(serving, asked, time)
        .html("<div id=\"stage\"><iframe id=\"page\" name=\"")
        .html(FRAME)
        .html("\" referrerpolicy=\"origin\" title=\"The archived page\" sandbox=\"")
        .html(SANDBOX)
        .html("\" data-width=\"")
        .text(viewport.width)
        .html("\" data-height=\"")
        .text(viewport.height)
        .html("\" data-ratio=\"")
        .text(viewport.pixel_ratio)
        .html("\" data-scheme=\"")
        .html(match viewport.colour_scheme {
            ColourScheme::Light => "light",
            ColourScheme::Dark => "dark",
        })
        // The frame gets it when it has the size: a page must not see another.
        .html("\" data-src=\"")
        .text(&source)
        .html("\"></iframe></div><script src=\"/assets/view.js\"></script>");
    html(asked.url.as_str(), &body)
}

/// What stands above an archived page: what it is, and the ways from it.
fn bar(serving: &Serving, asked: &Asked, time: Timestamp) -> Markup {
    let url = asked.url.as_str();
    let (before, after) = neighbours(serving, url, time);
    let mut bar = Markup::new("<header class=\"bar\"><a class=\"brand\" href=\"/\">Varve</a>")
        .html("<nav aria-label=\"Captures\">");
    bar = step(bar, before, url, "prev", "Earlier");
    bar = bar
        .html("<a id=\"when\" title=\"All captures\" href=\"")
        .text(web_path("*", url))
        .html("\"><time>")
        .text(time.w3c().replace('T', " ").trim_end_matches('Z'))
        .html("</time></a>");
    bar = step(bar, after, url, "next", "Later");
    bar.html("</nav><span id=\"where\">")
        .text(url)
        .html("</span><a id=\"raw\" href=\"")
        .text(web_path(&format!("{}id_", time.digits14()), url))
        .html("\">As captured</a></header>")
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

/// Where the memento itself is: on a replay origin.
pub(super) fn memento(serving: &Serving, asked: &Asked) -> Reply {
    let Some(found) = find(serving, asked) else {
        return missing(serving, asked);
    };
    let time = match asked.when {
        When::At(time) => time,
        _ => found.hit.capture.timestamp.to_seconds(),
    };
    let url = match &asked.modifier {
        Some(Modifier::Identity) => serving.layout.raw_url(&asked.url, time),
        modifier => serving
            .layout
            .url(&asked.url, time, used_for(modifier.as_ref())),
    };
    match url {
        Some(url) => Reply::redirect(StatusCode::FOUND, &url),
        None => missing(serving, asked),
    }
}

fn used_for(modifier: Option<&Modifier>) -> Use {
    match modifier {
        Some(Modifier::IFrame | Modifier::Frame) => Use::Frame,
        Some(Modifier::Script) => Use::Script,
        Some(Modifier::Style) => Use::Style,
        Some(Modifier::Image) => Use::Image,
        Some(Modifier::Object) => Use::Object,
        Some(Modifier::Worker) => Use::Worker,
        _ => Use::Navigate,
    }
}

fn find(serving: &Serving, asked: &Asked) -> Option<Found> {
    let wish = Wish {
        url: asked.url.clone(),
        time: asked.when.moment(),
        role: WishRole::Page,
        first_byte: None,
        posted: None,
        page: None,
    };
    lookup::find(&serving.archive.now(), &wish).ok().flatten()
}

fn missing(serving: &Serving, asked: &Asked) -> Reply {
    let (url, time) = (asked.url.as_str(), asked.when.moment());
    if serving.archive.rules().access(url, time) == Access::Block {
        return Notice::withheld().page();
    }
    let mut body = Markup::new("<h1>Not in the archive</h1><p>")
        .text(&asked.url)
        .html("<br>");
    if let When::At(time) | When::Around(time) = asked.when {
        body = body.text(time.http_date());
    }
    let body = body
        .html("</p><p>No capture of this URL is in the archive. <a href=\"")
        .text(web_path("*", &format!("{}*", asked.url)))
        .html("\">Look for URLs that begin like this.</a></p>");
    let mut reply = shell("Not in the archive", asked.url.as_str(), &body);
    reply.status = StatusCode::NOT_FOUND;
    reply
}
