//! `herbarium.garden.example` and `maze.garden.example`: pages that are made up.

use crate::generated::{Generated, herbarium, maze};
use crate::hosts::MAZE;
use crate::reply::Reply;
use crate::request::Request;
use crate::web::Shared;

pub(super) fn answer(request: &Request, shared: &Shared) -> Reply {
    let Generated {
        status,
        kind,
        location,
        body,
    } = match request.host.as_str() {
        MAZE => maze(request.scheme, &request.target),
        _ => herbarium(request.scheme, &request.target, shared.pages),
    };
    let reply = Reply::with(status, kind, body);
    match location {
        Some(location) => reply.field("Location", location),
        None => reply,
    }
}
