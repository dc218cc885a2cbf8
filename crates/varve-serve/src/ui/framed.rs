//! An archived page in a frame of the window that it was captured in.

use super::{encoded, framed_path, html};
use crate::layout::{Asked, When};
use crate::lookup::{self, Found, Wish, WishRole};
use crate::markup::Markup;
use crate::respond::Reply;
use crate::serving::Serving;
use axum::http::StatusCode;
use varve_model::Modifier;
use varve_page::{ColourScheme, Use};

/// What an archived page may do in its frame: everything but lead our window elsewhere.
const SANDBOX: &str = "allow-scripts allow-same-origin allow-forms allow-popups allow-modals \
                       allow-downloads allow-pointer-lock allow-presentation";

/// The frame's name, by which links of archived pages that mean the whole window are led to it.
const FRAME: &str = "varve_top";

/// The page in a frame, at the time of its capture.
pub(super) fn framed(serving: &Serving, asked: &Asked) -> Reply {
    let Some(found) = find(serving, asked) else {
        return missing(asked);
    };
    let time = found.hit.capture.timestamp.to_seconds();
    if asked.when != When::At(time) {
        let path = framed_path(When::At(time), asked.url.as_str());
        return Reply::redirect(StatusCode::FOUND, &encoded(&path));
    }
    let Some(source) = serving.layout.url(&asked.url, time, Use::Navigate) else {
        return missing(asked);
    };
    let client = found.opened.client_of(&found.hit);
    let viewport = client.as_ref().and_then(|client| client.viewport.clone());
    let viewport = viewport.unwrap_or_default();
    let body = Markup::new("<header><a href=\"/\">Varve</a> <a href=\"/web/*/")
        .text(&asked.url)
        .html("\">")
        .text(time.http_date())
        .html("</a> <span>")
        .text(&asked.url)
        .html("</span></header><div id=\"stage\"><iframe id=\"page\" name=\"")
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

/// Where the memento itself is: on a replay origin.
pub(super) fn memento(serving: &Serving, asked: &Asked) -> Reply {
    let Some(found) = find(serving, asked) else {
        return missing(asked);
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
        None => missing(asked),
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

fn missing(asked: &Asked) -> Reply {
    let mut body =
        Markup::new("<main><p><a href=\"/\">Varve</a></p><h1>Not in the archive</h1><p>");
    body = body.text(&asked.url).html("<br>");
    if let When::At(time) | When::Around(time) = asked.when {
        body = body.text(time.http_date());
    }
    let body = body.html("</p><p>No capture of this URL is in the archive.</p></main>");
    let mut reply = html("Not in the archive", &body);
    reply.status = StatusCode::NOT_FOUND;
    reply
}
