//! `old.garden.example`: the site of 1998, as far as it was not moved.

use super::files;
use crate::reply::{Body, Field, Reply};
use crate::request::Request;

pub(super) fn answer(request: &Request) -> Reply {
    let mut reply = match request.path().as_str() {
        "/" => Reply::redirect(301, "//garden.example/"),
        "/visit.html" => Reply::redirect(302, "/visit2.html"),
        "/visit2.html" => Reply::redirect(301, "//garden.example/visit/"),
        "/cgi-bin/counter" => counter(),
        _ => files(request),
    };
    reply.fields = of_its_time(reply.fields);
    reply
}

/// A page whose end is told by hanging up, as it was done then.
fn counter() -> Reply {
    let mut reply = Reply::new(200).field("Content-type", "text/plain");
    reply.body = Body::UntilClose("You are visitor number 0048213\r\n".into());
    reply
}

/// Fields in the order and spelling of an old server, one of them twice.
fn of_its_time(fields: Vec<Field>) -> Vec<Field> {
    let mut old: Vec<Field> = vec![("SERVER", "GardenHTTPd/1.2 (Unix)".into())];
    for (name, value) in fields {
        old.push(match name {
            "Server" => continue,
            "Content-Type" => ("Content-type", value),
            "Last-Modified" => ("last-modified", value),
            _ => (name, value),
        });
    }
    old.push(("X-Powered-By", "Perl".into()));
    old.push(("X-Powered-By", "tea".into()));
    old
}
