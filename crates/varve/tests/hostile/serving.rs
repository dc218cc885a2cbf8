//! Servers on loopback, made of functions that treat one connection each.

use crate::authority::Authority;
use crate::table::{Behaviour, Serve};
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::time::Duration;

/// The longest head of a request that anyone reads.
const MAX_HEAD: usize = 8 << 20;
/// Longer than any crawl waits.
pub(crate) const FOR_EVER: Duration = Duration::from_secs(120);

/// The usual beginning of a page.
pub(crate) const HEAD: &str = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n";

/// Serves a behaviour until the test ends; where.
pub(crate) fn start(behaviour: &Behaviour, authority: &Arc<Authority>) -> SocketAddr {
    match behaviour.serve {
        Serve::Http(serve) => listen("127.0.0.1:0", serve),
        Serve::Https(serve) => {
            let authority = authority.clone();
            listen("127.0.0.1:0", move |stream| serve(stream, &authority))
        }
        // Free a moment ago, and nobody takes a port that was not asked for so soon.
        Serve::Nobody | Serve::Name(_) => TcpListener::bind("127.0.0.1:0")
            .unwrap()
            .local_addr()
            .unwrap(),
    }
}

/// Runs a function for every connection, each in a thread of its own.
pub(crate) fn listen(
    address: &str,
    serve: impl Fn(TcpStream) + Send + Sync + 'static,
) -> SocketAddr {
    let listener = TcpListener::bind(address).unwrap();
    let address = listener.local_addr().unwrap();
    let serve = Arc::new(serve);
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let serve = serve.clone();
            std::thread::spawn(move || serve(stream));
        }
    });
    address
}

/// Reads a request; the path that it asks for. Who asks for `robots.txt` is told that there is
/// none: what misbehaves is the page.
pub(crate) fn asked(stream: &mut (impl Read + Write)) -> Option<String> {
    let request = head(stream)?;
    let path = request.split(' ').nth(1)?.to_owned();
    if path == "/robots.txt" {
        send(
            stream,
            "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
        );
        return None;
    }
    Some(path)
}

/// The head of a request.
pub(crate) fn head(stream: &mut impl Read) -> Option<String> {
    let mut head = Vec::new();
    let mut byte = [0];
    while !head.ends_with(b"\r\n\r\n") {
        if head.len() > MAX_HEAD || stream.read(&mut byte).ok()? == 0 {
            return None;
        }
        head.push(byte[0]);
    }
    Some(String::from_utf8_lossy(&head).into_owned())
}

/// Sends; whether anybody is still there.
pub(crate) fn send(stream: &mut impl Write, bytes: impl AsRef<[u8]>) -> bool {
    stream.write_all(bytes.as_ref()).is_ok() && stream.flush().is_ok()
}

/// Sends a whole page.
pub(crate) fn page(stream: &mut impl Write, content_type: &str, body: impl AsRef<[u8]>) {
    let body = body.as_ref();
    let head = format!(
        "HTTP/1.1 200 OK\r\nContent-Type: {content_type}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
        body.len()
    );
    let _ = send(stream, head) && send(stream, body);
}

/// Answers every request with what is sent here, as it stands.
pub(crate) fn answer(mut stream: TcpStream, bytes: impl AsRef<[u8]>) {
    if asked(&mut stream).is_some() {
        send(&mut stream, bytes);
    }
}

/// Sends something again and again, as long as anybody listens.
pub(crate) fn drip(stream: &mut impl Write, bytes: impl AsRef<[u8]>, pause: Duration) {
    while send(stream, bytes.as_ref()) {
        std::thread::sleep(pause);
    }
}

/// A page without fault, with a style sheet.
pub(crate) fn innocent(mut stream: TcpStream) {
    match asked(&mut stream).as_deref() {
        None => {}
        Some("/style.css") => page(&mut stream, "text/css", "p { color: green }"),
        Some(_) => page(
            &mut stream,
            "text/html",
            "<title>innocent</title><link rel=stylesheet href=/style.css><p>innocent page",
        ),
    }
}
