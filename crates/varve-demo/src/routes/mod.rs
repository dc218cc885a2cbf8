//! What each host answers.

mod ads;
mod api;
mod everything;
mod garden;
mod generated;
mod media;
mod old;
mod shop;
mod tracker;

use crate::files::{self, Found};
use crate::hosts;
use crate::negotiate::{self, Portion};
use crate::pages::{Page, escape};
use crate::reply::{Answer, Reply};
use crate::request::Request;
use crate::web::Shared;

/// The answer to a request.
pub(crate) fn answer(request: &Request, shared: &Shared) -> Answer {
    match request.host.as_str() {
        hosts::GARDEN => garden::answer(request),
        hosts::STATIC | hosts::CDN => cors(files(request), request).into(),
        hosts::API => api::answer(request).into(),
        hosts::MEDIA => media::answer(request).into(),
        hosts::SHOP => shop::answer(request, shared).into(),
        hosts::HERBARIUM | hosts::MAZE => generated::answer(request, shared).into(),
        hosts::OLD => old::answer(request).into(),
        hosts::TRACKER => tracker::answer(request, shared).into(),
        hosts::ADS => ads::answer(request, shared).into(),
        _ => Reply::with(421, "text/plain", "This host is not in the example web.\n").into(),
    }
}

/// A host's file, as a whole or as asked for.
fn files(request: &Request) -> Reply {
    files_in_portions(request, Portion::Rest)
}

fn files_in_portions(request: &Request, portion: Portion) -> Reply {
    let path = request.path();
    match files::find(&request.host, &path) {
        Found::File(file) => negotiate::serve(file, request, portion),
        Found::Directory => Reply::redirect(301, &format!("{}/", encode(&path))),
        Found::Nothing => not_found(request),
    }
}

/// The path of a directory for a `Location`: ASCII only.
fn encode(path: &str) -> String {
    let mut encoded = String::new();
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'.' | b'_' => {
                encoded.push(char::from(byte));
            }
            _ => encoded.push_str(&format!("%{byte:02X}")),
        }
    }
    encoded
}

fn not_found(request: &Request) -> Reply {
    let body = format!(
        "<div class=\"wrap narrow\"><p class=\"eyebrow\">404</p><h1>Nothing grows here</h1>\n\
         <p>There is no page at <code>{}</code>. It may have been moved to another bed.</p>\n\
         <p><a class=\"button\" href=\"//garden.example/\">Back to the gate</a></p></div>\n",
        escape(&request.path())
    );
    Reply::html(404, page("Not found", &body))
}

/// A page made here rather than in a file.
fn page(title: &str, body: &str) -> String {
    let page = Page {
        title: &escape(title),
        description: "Orrin Hill Botanic Garden",
        section: "",
        head: "",
        body,
    };
    page.wrap()
}

/// Lets scripts of other origins read an answer.
fn cors(reply: Reply, request: &Request) -> Reply {
    let Some(origin) = request.field("origin") else {
        return reply.field("Access-Control-Allow-Origin", "*");
    };
    reply
        .field("Access-Control-Allow-Origin", origin)
        .field("Access-Control-Allow-Credentials", "true")
        .field("Access-Control-Expose-Headers", "ETag, Content-Range")
        .field("Vary", "Origin")
}

/// The answer to the question whether a script may ask.
fn preflight(request: &Request) -> Reply {
    let headers = request
        .field("access-control-request-headers")
        .unwrap_or("");
    let reply = Reply::new(204)
        .field(
            "Access-Control-Allow-Methods",
            "GET, POST, PUT, PATCH, DELETE",
        )
        .field("Access-Control-Allow-Headers", headers)
        .field("Access-Control-Max-Age", "5");
    cors(reply, request)
}
