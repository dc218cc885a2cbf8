//! Frames of HTTP/2 (RFC 9113) that no good server sends.

use crate::authority::{Authority, Secure};
use crate::serving::{FOR_EVER, send};
use crate::table::Behaviour;
use crate::table::Serve::Https;
use std::io::Read;
use std::net::TcpStream;
use std::thread::sleep;

pub(crate) const TABLE: &[Behaviour] = &[
    Behaviour::new(
        "h2-goaway",
        "takes the request and says that it is leaving, every time",
        Https(goaway),
    )
    .both(&["http.disconnected"])
    .always(),
    Behaviour::new(
        "h2-continuation",
        "continues the head without end",
        Https(continuation),
    )
    .both(&["limit.header"])
    .always(),
    Behaviour::new(
        "h2-silent",
        "agrees on HTTP/2 and says nothing more",
        Https(silent),
    )
    .http(&["timeout.header"])
    .browser(&["timeout.header", "timeout.page"]),
    Behaviour::new(
        "h2-nonsense",
        "agrees on HTTP/2 and speaks HTTP/1.1",
        Https(nonsense),
    )
    .both(&["http.malformed"]),
    Behaviour::new("h2-cut", "resets the stream within the body", Https(cut))
        .both(&["truncated.disconnect"])
        .keeps("h2 body")
        .cut(&["disconnect"]),
    Behaviour::new(
        "h2-pings",
        "sends pings without end and no answer",
        Https(pings),
    )
    .http(&["timeout.header"])
    .browser(&["timeout.header", "timeout.page"]),
];

const DATA: u8 = 0;
const HEADERS: u8 = 1;
const RST_STREAM: u8 = 3;
const SETTINGS: u8 = 4;
const PING: u8 = 6;
const GOAWAY: u8 = 7;
const CONTINUATION: u8 = 9;
const END_HEADERS: u8 = 4;
/// `:status: 200` and `content-type: text/html`, as HPACK writes them.
const OK: &[u8] = b"\x88\x0f\x10\x09text/html";

/// A frame on the first stream, or on none.
fn frame(kind: u8, flags: u8, stream: u8, content: &[u8]) -> Vec<u8> {
    let length = (content.len() as u32).to_be_bytes();
    let head = [
        length[1], length[2], length[3], kind, flags, 0, 0, 0, stream,
    ];
    [&head, content].concat()
}

/// Shakes hands, sends settings, and reads the beginning of what the client says.
fn begin(stream: TcpStream, authority: &Authority) -> Option<Secure> {
    let mut stream = authority.greet(stream, b"h2")?;
    send(&mut stream, frame(SETTINGS, 0, 0, b""));
    wait_for_headers(&mut stream).then_some(stream)
}

/// Reads frames up to the first request.
fn wait_for_headers(stream: &mut Secure) -> bool {
    let mut preface = [0; 24];
    let mut head = [0; 9];
    if stream.read_exact(&mut preface).is_err() {
        return false;
    }
    while stream.read_exact(&mut head).is_ok() {
        let length = u32::from_be_bytes([0, head[0], head[1], head[2]]);
        let mut content = vec![0; length as usize];
        if stream.read_exact(&mut content).is_err() {
            return false;
        }
        if head[3] == HEADERS {
            return true;
        }
    }
    false
}

fn goaway(stream: TcpStream, authority: &Authority) {
    if let Some(mut stream) = begin(stream, authority) {
        send(&mut stream, frame(GOAWAY, 0, 0, &[0; 8]));
    }
}

fn continuation(stream: TcpStream, authority: &Authority) {
    let Some(mut stream) = begin(stream, authority) else {
        return;
    };
    send(&mut stream, frame(HEADERS, 0, 1, OK));
    let more = frame(CONTINUATION, 0, 1, &b"\x00\x01a\x01b".repeat(2_000));
    while send(&mut stream, &more) {}
}

fn silent(stream: TcpStream, authority: &Authority) {
    let _stream = begin(stream, authority);
    sleep(FOR_EVER);
}

fn nonsense(stream: TcpStream, authority: &Authority) {
    if let Some(mut stream) = authority.greet(stream, b"h2") {
        send(
            &mut stream,
            "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nnone",
        );
        let _ = stream.read(&mut [0; 1024]);
    }
}

fn cut(stream: TcpStream, authority: &Authority) {
    let Some(mut stream) = begin(stream, authority) else {
        return;
    };
    send(&mut stream, frame(HEADERS, END_HEADERS, 1, OK));
    send(&mut stream, frame(DATA, 0, 1, b"<p>h2 body"));
    sleep(std::time::Duration::from_millis(300));
    // INTERNAL_ERROR.
    send(&mut stream, frame(RST_STREAM, 0, 1, &[0, 0, 0, 2]));
    sleep(std::time::Duration::from_secs(1));
}

fn pings(stream: TcpStream, authority: &Authority) {
    if let Some(mut stream) = begin(stream, authority) {
        while send(&mut stream, frame(PING, 0, 0, &[7; 8])) {}
    }
}
