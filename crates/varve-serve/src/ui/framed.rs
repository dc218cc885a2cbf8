//! An archived page in a frame of the window that it was captured in.

use super::bar::{Bar, bar};
use super::pictures::Picture;
use super::shell::{encoded, framed_path, html, shell, web_path};
use crate::layout::{Asked, When};
use crate::lookup::{self, Found, Wish, WishRole};
use crate::markup::Markup;
use crate::respond::{Notice, Reply};
use crate::serving::Serving;
use axum::http::StatusCode;
use varve_model::{Access, Modifier};
use varve_page::{ColourScheme, Use};

/// What an archived page may do in its frame: everything but lead our window elsewhere.
const SANDBOX: &str = "allow-scripts allow-same-origin allow-forms allow-popups allow-modals \
                       allow-downloads allow-pointer-lock allow-presentation";

/// The frame's name, by which links of archived pages that mean the whole window are led to it.
const FRAME: &str = "varve_top";

/// What is seen of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum View {
    /// The page alone.
    Page,
    /// The page, and the picture that was taken of it at capture.
    BesidePicture,
}

impl View {
    /// Where a page is seen like this.
    fn path(self, when: When, url: &str) -> String {
        let path = framed_path(when, url);
        match (self, path.strip_prefix("/web")) {
            (View::BesidePicture, Some(rest)) => format!("/beside{rest}"),
            _ => path,
        }
    }
}

/// The page in a frame, at the time of its capture.
pub(super) fn framed(serving: &Serving, asked: &Asked, view: View) -> Reply {
    let Some(found) = find(serving, asked) else {
        return missing(serving, asked);
    };
    let time = found.hit.capture.timestamp.to_seconds();
    if asked.when != When::At(time) {
        let path = view.path(When::At(time), asked.url.as_str());
        return Reply::redirect(StatusCode::FOUND, &encoded(&path));
    }
    let Some(source) = serving.layout.url(&asked.url, time, Use::Navigate) else {
        return missing(serving, asked);
    };
    let client = found.opened.client_of(&found.hit);
    let viewport = client.as_ref().and_then(|client| client.viewport.clone());
    let viewport = viewport.unwrap_or_default();
    let url = asked.url.as_str();
    let has_picture = Picture::Whole.is_saved(serving, time, url);
    let facts = Bar {
        url,
        time,
        view,
        has_picture,
    };
    let mut body = match view {
        View::Page => Markup::new("<div class=\"view\">"),
        View::BesidePicture => Markup::new("<div class=\"view with-picture\">"),
    };
    body = body
        .markup(&bar(serving, &facts))
        .html("<noscript><p class=\"note\">The viewer needs scripts. <a href=\"")
        .text(&source)
        .html("\">Open the archived page by itself.</a></p></noscript>")
        .html("<main><div id=\"stage\"><iframe id=\"page\" name=\"")
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
        .html("\"></iframe></div>");
    if view == View::BesidePicture {
        body = body.markup(&picture(
            has_picture.then(|| Picture::Whole.path(time, url)),
        ));
    }
    body = body.html("</main></div><script src=\"/assets/view.js\"></script>");
    html(url, &body)
}

/// The picture of the page at capture.
fn picture(path: Option<String>) -> Markup {
    let out = Markup::new("<figure id=\"then\" tabindex=\"0\">");
    match path {
        Some(path) => out
            .html("<figcaption>At capture</figcaption><img alt=\"The page when it was captured\" src=\"")
            .text(path)
            .html("\"></figure>"),
        None => out.html("<figcaption>No picture was taken of this page.</figcaption></figure>"),
    }
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

pub(super) fn find(serving: &Serving, asked: &Asked) -> Option<Found> {
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

pub(super) fn missing(serving: &Serving, asked: &Asked) -> Reply {
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
