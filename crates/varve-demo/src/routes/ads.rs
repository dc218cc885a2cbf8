//! `ads.example`: sells space in other people's pages.

use super::{cors, files};
use crate::pages::escape;
use crate::reply::Reply;
use crate::request::Request;
use crate::web::Shared;

const CREATIVES: [(&str, &str); 3] = [
    (
        "spade",
        "Spades that outlive you. Thornbury &amp; Daughters.",
    ),
    ("tea", "Nettle tea, now in bags. Hartwell Tea."),
    ("boots", "Dry feet since 1911. Marsh Boots."),
];

pub(super) fn answer(request: &Request, shared: &Shared) -> Reply {
    match request.path().as_str() {
        "/slot" => slot(request, shared),
        "/click" => Reply::redirect(302, "//shop.garden.example/?from=advertisement"),
        _ => cors(files(request), request),
    }
}

/// The page in an advertisement's frame: another creative each time.
fn slot(request: &Request, shared: &Shared) -> Reply {
    let impression = shared.random();
    let chosen = request.query("creative");
    let (name, text) = CREATIVES
        .iter()
        .find(|(name, _)| Some(*name) == chosen.as_deref())
        .unwrap_or(&CREATIVES[(impression % 3) as usize]);
    let buster = escape(&request.query("cb").unwrap_or_default());
    let page = format!(
        "<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\"><title>Advertisement</title>\n\
         <link rel=\"stylesheet\" href=\"/slot.css\">\n\
         <a href=\"/click?impression={impression:016x}\" target=\"_top\">\
         <img src=\"/creative/{name}.svg?cb={buster}\" alt=\"\" width=\"88\" height=\"88\"><span>{text}</span></a>\n\
         <small>Advertisement</small>\n"
    );
    Reply::html(200, page)
        .field("Cache-Control", "no-store")
        .field("Set-Cookie", format!("last={name}; Path=/"))
}
