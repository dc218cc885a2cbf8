//! `garden.example`: files, and the few things that are more than a file.

use super::{everything, files, not_found, page};
use crate::files::{self as stored, Found};
use crate::hosts::GARDEN;
use crate::pages::escape;
use crate::reply::{Answer, End, Piece, Reply};
use crate::request::Request;

pub(super) fn answer(request: &Request) -> Answer {
    let path = request.path();
    if let Some(answer) = everything::garden(&path, request) {
        return answer;
    }
    match path.as_str() {
        "/live/socket" => return Answer::WebSocket,
        "/live/events" => return live_events().into(),
        "/search" => return search(request).into(),
        "/hello" => return hello(request).into(),
        _ => {}
    }
    if let Some(step) = path.strip_prefix("/redirects/") {
        if let Some(reply) = redirect(step) {
            return reply.into();
        }
    } else if path.starts_with("/lost/") {
        return soft_not_found(request).into();
    }
    files(request).into()
}

/// What the visitors' book would say: an event every 150 ms, then silence.
fn live_events() -> Reply {
    let news = [
        (1, "gate", "Gates open; mist over the lower lake."),
        (2, "bloom", "The first Himalayan poppy has opened."),
        (3, "visitor", "A kingfisher at the weir."),
        (4, "visitor", "School group in the fern valley."),
    ];
    let pieces = news.map(|(id, kind, text)| {
        Piece::after(150, format!("id: {id}\nevent: {kind}\ndata: {text}\n\n"))
    });
    Reply::in_pieces("text/event-stream", pieces.to_vec(), End::StaysOpen)
        .field("Cache-Control", "no-store")
}

/// The search form's results (GET).
fn search(request: &Request) -> Reply {
    let question = request.query("q").unwrap_or_default();
    let hits: String = PLANTS
        .iter()
        .filter(|(_, name, latin)| contains(name, &question) || contains(latin, &question))
        .map(|(slug, name, latin)| {
            format!("<li><a href=\"/plants/{slug}/\">{name}</a> <i>{latin}</i></li>\n")
        })
        .collect();
    let hits = if hits.is_empty() {
        "<p>Nothing in the beds matches.</p>".to_owned()
    } else {
        format!("<ul class=\"results\">\n{hits}</ul>")
    };
    let question = escape(&question);
    let body = format!(
        "<div class=\"wrap narrow\"><p class=\"eyebrow\">Search</p><h1>Plants for “{question}”</h1>\n\
         <form action=\"/search\" class=\"row\"><input name=\"q\" value=\"{question}\" aria-label=\"Search\">\
         <button class=\"button\">Search</button></form>\n{hits}</div>\n"
    );
    Reply::html(200, page("Search", &body))
}

fn contains(text: &str, part: &str) -> bool {
    text.to_lowercase().contains(&part.to_lowercase())
}

/// Slug, name and botanical name of each plant with a page.
const PLANTS: [(&str, &str, &str); 12] = [
    ("tree-fern", "Soft tree fern", "Dicksonia antarctica"),
    (
        "himalayan-poppy",
        "Himalayan blue poppy",
        "Meconopsis baileyi",
    ),
    ("ginkgo", "Maidenhair tree", "Ginkgo biloba"),
    ("giant-waterlily", "Giant waterlily", "Victoria cruziana"),
    (
        "golden-barrel",
        "Golden barrel cactus",
        "Echinocactus grusonii",
    ),
    ("siberian-iris", "Siberian iris", "Iris sibirica"),
    ("sunflower", "Common sunflower", "Helianthus annuus"),
    (
        "swiss-cheese-plant",
        "Swiss cheese plant",
        "Monstera deliciosa",
    ),
    ("century-plant", "Century plant", "Agave americana"),
    ("oriental-poppy", "Oriental poppy", "Papaver orientale"),
    ("foxglove", "Common foxglove", "Digitalis purpurea"),
    ("japanese-maple", "Japanese maple", "Acer palmatum"),
];

/// A page whose greeting is the visitor's own (POST), as contact forms give it.
fn hello(request: &Request) -> Reply {
    if request.method != "POST" {
        return Reply::redirect(303, "/forms/");
    }
    let name = escape(&request.form("name").unwrap_or_default());
    let plant = escape(&request.form("plant").unwrap_or_default());
    let body = format!(
        "<div class=\"wrap narrow\"><p class=\"eyebrow\">Thank you</p><h1>Hello, {name}</h1>\n\
         <p>We have noted that you would like to see more of this: <b>{plant}</b>.</p>\n\
         <p><a href=\"/forms/\">Back to the forms</a></p></div>\n"
    );
    Reply::html(200, page("Hello", &body))
}

/// `/redirects/301` and the like, a chain, and a loop.
fn redirect(step: &str) -> Option<Reply> {
    let here = format!("//{GARDEN}/redirects/");
    let reply = match step {
        "301" | "302" | "303" | "307" | "308" => {
            let status = step.parse().ok()?;
            Reply::redirect(status, &format!("{here}end/?from={step}"))
        }
        "chain/3" => Reply::redirect(301, "2"),
        "chain/2" => Reply::redirect(302, "/redirects/chain/1"),
        "chain/1" => Reply::redirect(307, &format!("{here}end/?from=chain")),
        "loop" => Reply::redirect(302, "/redirects/loop"),
        "refresh-field" => Reply::html(
            200,
            "<!doctype html><title>One moment</title><p>One moment.\n",
        )
        .field("Refresh", "0; url=/redirects/end/?from=refresh-field"),
        _ => return None,
    };
    Some(reply)
}

/// A page that is not there, but whose status does not say so.
fn soft_not_found(request: &Request) -> Reply {
    let mut reply = match stored::find(&request.host, "/lost/") {
        Found::File(file) => Reply::html(200, file.bytes.clone()),
        Found::Directory | Found::Nothing => not_found(request),
    };
    reply.status = 200;
    reply
}
