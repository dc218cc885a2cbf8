//! What the everything page asks for and no file can answer.

use super::files;
use crate::files as stored;
use crate::reply::{Answer, Body, End, Piece, Pieces, Reply};
use crate::request::Request;

/// Answers of `garden.example` below `/everything/`; nothing if it is a file's task.
pub(super) fn garden(path: &str, request: &Request) -> Option<Answer> {
    let reply = match path.strip_prefix("/everything/")? {
        "" => document(request),
        "socket" => return Some(Answer::WebSocket),
        "events" => events(),
        "post" | "put" | "upload" => received(request),
        "form" => form(),
        "redirect-302" => Reply::redirect(302, "/everything/redirect-307"),
        "redirect-307" => Reply::redirect(307, "redirect-end.json"),
        "frame-moved" => Reply::redirect(301, "/everything/frame-end.html"),
        "204" | "csp-report" | "beacon-load" | "beacon-pagehide" | "keepalive-pagehide"
        | "ping" => Reply::new(204),
        "chunked.txt" => chunked(),
        "hints.json" => hinted(),
        "late.json" => Reply::json(r#"{"late":true}"#).after(600),
        "odd.json" => odd(),
        "gzip.json" => compressed("gzip", stored::gzip),
        "br.json" if request.lists("accept-encoding", "br") => compressed("br", stored::brotli),
        "br.json" => compressed("gzip", stored::gzip),
        _ => return None,
    };
    Some(reply.into())
}

/// Answers of `api.garden.example` below `/everything/`.
pub(super) fn api(path: &str, request: &Request) -> Option<Reply> {
    match path.strip_prefix("/everything/")? {
        "preflight" => Some(received(request)),
        "cookie-set" => Some(
            Reply::json(r#"{"set":true}"#)
                .field("Set-Cookie", "bed=rose; Path=/everything/; SameSite=Lax")
                .field("Set-Cookie", "row=3; Path=/everything/; Max-Age=600"),
        ),
        "cookie-check" => {
            let bed = request.cookie("bed").is_some_and(|bed| bed == "rose");
            let row = request.cookie("row").is_some_and(|row| row == "3");
            Some(Reply::json(format!("{{\"cookies\":{}}}", bed && row)))
        }
        _ => None,
    }
}

/// The page itself: with hints ahead of it, and a policy that it breaks once and must report.
fn document(request: &Request) -> Reply {
    let mut reply = files(request).field(
        "Content-Security-Policy-Report-Only",
        "font-src 'self'; report-uri /everything/csp-report",
    );
    reply.hints = vec![(
        "Link",
        "</everything/style.css>; rel=preload; as=style".into(),
    )];
    reply
}

fn events() -> Reply {
    let pieces = [
        Piece::after(0, "retry: 60000\nid: 1\ndata: first\n\n"),
        Piece::after(
            100,
            "id: 2\nevent: bloom\ndata: second\ndata: of two lines\n\n",
        ),
        Piece::after(100, ": a comment\n\nid: 3\ndata: third\n\n"),
    ];
    Reply::in_pieces("text/event-stream", pieces.to_vec(), End::StaysOpen)
        .field("Cache-Control", "no-store")
}

/// Says how much came, and by which method.
fn received(request: &Request) -> Reply {
    let (method, length) = (&request.method, request.body.len());
    let method: String = method.chars().filter(char::is_ascii_alphanumeric).collect();
    Reply::json(format!("{{\"method\":\"{method}\",\"received\":{length}}}"))
}

/// What a form that was sent into a frame gets.
fn form() -> Reply {
    let page = "<!doctype html><html lang=\"en\"><title>Sent</title><p>The form has arrived.\n";
    Reply::html(200, page)
}

/// Chunks with extensions, one of a single byte, and trailers.
fn chunked() -> Reply {
    let mut first = Piece::after(0, "Chunks come one by one,\n");
    first.extension = ";part=1";
    let mut second = Piece::after(50, "c");
    second.extension = ";part=2;note=\"a single byte\"";
    let third = Piece::after(50, "losing with trailers.\n");
    let mut reply = Reply::new(200)
        .field("Content-Type", "text/plain; charset=utf-8")
        .field("Trailer", "X-Sum, X-Mood");
    reply.body = Body::Pieces(Pieces {
        pieces: vec![first, second, third],
        trailers: vec![("X-Sum", "47".into()), ("X-Mood", "fine".into())],
        end: End::Finished,
    });
    reply
}

fn hinted() -> Reply {
    let mut reply = Reply::json(r#"{"hinted":true}"#).after(30);
    reply.hints = vec![
        (
            "Link",
            "</everything/style.css>; rel=preload; as=style".into(),
        ),
        ("X-Hint", "patience".into()),
    ];
    reply
}

/// Fields that are allowed but seldom met: doubled, empty, spaced, in odd case, not ASCII.
fn odd() -> Reply {
    Reply::json(r#"{"odd":true}"#)
        .field("x-ODD", "one")
        .field("X-Empty", "")
        .field("X-odd", "two")
        .field("X-Spaced", "   in   between   ")
        .field("X-Words", "Orrin Hill, caf\u{e9}")
        .field("X_Underscore", "yes")
}

fn compressed(coding: &'static str, compress: fn(&[u8]) -> bytes::Bytes) -> Reply {
    let leaves = "\"leaf\",".repeat(200);
    let json = format!("{{\"leaves\":[{}]}}", leaves.trim_end_matches(','));
    Reply::json(compress(json.as_bytes())).field("Content-Encoding", coding)
}
