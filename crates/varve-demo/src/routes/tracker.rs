//! `tracker.example`: counts visitors. Its identifiers are random, as they are.

use super::{cors, files, preflight};
use crate::log::Scheme;
use crate::reply::Reply;
use crate::request::Request;
use crate::web::Shared;

/// A transparent pixel.
const PIXEL: &[u8] =
    b"GIF89a\x01\x00\x01\x00\x80\x00\x00\0\0\0\0\0\0!\xf9\x04\x01\0\0\0\0,\0\0\0\0\x01\0\x01\0\0\x02\x02D\x01\0;";

pub(super) fn answer(request: &Request, shared: &Shared) -> Reply {
    if request.method == "OPTIONS" {
        return preflight(request);
    }
    let reply = match request.path().as_str() {
        "/collect" => remember(Reply::new(204), request, shared),
        "/pixel.gif" => {
            let reply = Reply::with(200, "image/gif", PIXEL).field("Cache-Control", "no-store");
            remember(reply, request, shared)
        }
        "/id.json" => Reply::json(format!("{{\"id\":\"{:016x}\"}}", shared.random())),
        _ => files(request),
    };
    cors(reply, request)
}

/// Gives a visitor an identifier, unless it has one.
fn remember(reply: Reply, request: &Request, shared: &Shared) -> Reply {
    if request.cookie("uid").is_some() {
        return reply;
    }
    let cookie = format!("uid={:016x}; Max-Age=31536000; Path=/", shared.random());
    match request.scheme {
        Scheme::Http => reply.field("Set-Cookie", cookie),
        Scheme::Https => reply.field("Set-Cookie", format!("{cookie}; SameSite=None; Secure")),
    }
}
