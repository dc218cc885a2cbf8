//! Redirects that lead nowhere.

use crate::serving::{answer, asked, page, send};
use crate::table::Behaviour;
use crate::table::Serve::Http;
use std::net::TcpStream;

pub(crate) const TABLE: &[Behaviour] = &[
    Behaviour::new("redirect-to-itself", "redirects to itself", Http(to_itself))
        .http(&["redirect.loop"])
        .browser(&["navigation.too-many-redirects"])
        .always(),
    Behaviour::new(
        "redirect-on-and-on",
        "redirects to ever new URLs",
        Http(on_and_on),
    )
    .http(&["redirect.loop"])
    .browser(&["navigation.too-many-redirects"]),
    Behaviour::new(
        "redirect-to-a-file",
        "redirects to a file of the crawler's machine",
        Http(to_a_file),
    )
    .http(&["redirect.blocked"])
    .browser(&["navigation.unsafe-redirect"])
    .always(),
    Behaviour::new(
        "redirect-to-a-script",
        "redirects to a `javascript:` URL",
        Http(to_a_script),
    )
    .http(&["redirect.blocked"])
    .browser(&["navigation.aborted"]),
    Behaviour::new(
        "redirect-far",
        "redirects to a URL of 64 kB, which then redirects to a longer one",
        Http(far),
    )
    .both(&["limit.header"]),
    Behaviour::new(
        "redirect-to-nothing",
        "redirects without saying where",
        Http(to_nothing),
    )
    .browser(&["ok", "navigation.invalid-redirect"])
    .keeps("to nothing"),
    Behaviour::new(
        "refresh",
        "reloads itself at once, by `meta refresh`",
        Http(refresh),
    )
    .browser(&["redirect.loop"])
    .always(),
];

fn redirect(stream: TcpStream, location: &str) {
    answer(
        stream,
        format!(
            "HTTP/1.1 302 Found\r\nLocation: {location}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
        ),
    );
}

fn to_itself(stream: TcpStream) {
    redirect(stream, "/");
}

fn on_and_on(mut stream: TcpStream) {
    let Some(path) = asked(&mut stream) else {
        return;
    };
    send(
        &mut stream,
        format!(
            "HTTP/1.1 301 Moved\r\nLocation: {path}x/\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
        ),
    );
}

fn to_a_file(stream: TcpStream) {
    redirect(stream, "file:///etc/passwd");
}

fn to_a_script(stream: TcpStream) {
    redirect(stream, "javascript:alert(1)");
}

fn far(mut stream: TcpStream) {
    let Some(path) = asked(&mut stream) else {
        return;
    };
    let longer = "x".repeat(path.len() + 60_000);
    send(
        &mut stream,
        format!(
            "HTTP/1.1 302 Found\r\nLocation: /{longer}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
        ),
    );
}

fn to_nothing(stream: TcpStream) {
    answer(
        stream,
        "HTTP/1.1 302 Found\r\nContent-Type: text/html\r\nContent-Length: 13\r\nConnection: close\r\n\r\n<p>to nothing",
    );
}

fn refresh(mut stream: TcpStream) {
    if asked(&mut stream).is_some() {
        page(
            &mut stream,
            "text/html",
            "<meta http-equiv=refresh content=0><p>again",
        );
    }
}
