//! Pages whose traffic never comes to rest.

use crate::authority::Authority;
use crate::serving::{asked, drip, head, page, send};
use crate::table::Behaviour;
use crate::table::Serve::{Http, Https};
use base64::Engine;
use sha1::{Digest, Sha1};
use std::net::TcpStream;
use std::time::Duration;

pub(crate) const TABLE: &[Behaviour] = &[
    Behaviour::new("polls", "asks for something new every 50 ms", Http(polls))
        .browser(RESTLESS)
        .keeps("polls its server")
        .always(),
    Behaviour::new("events", "listens to events that never end", Http(events))
        .browser(&["ok", "ok.partial", "timeout.page"])
        .keeps("listens to events")
        .always(),
    Behaviour::new(
        "web-socket",
        "talks over a WebSocket without end",
        Http(web_socket),
    )
    .browser(&["ok", "ok.partial", "timeout.page"])
    .keeps("talks without end"),
    Behaviour::new(
        "service-worker",
        "has a service worker that answers for ever",
        Https(service_worker),
    )
    .browser(RESTLESS)
    .keeps("served for ever"),
    Behaviour::new("beacons", "sends beacons without end", Http(beacons))
        .browser(RESTLESS)
        .keeps("sends beacons"),
    Behaviour::new("password", "asks for a password", Http(password))
        .keeps("members only")
        .always(),
    Behaviour::new(
        "picture-never-comes",
        "has a picture that never comes",
        Http(picture_never_comes),
    )
    .http(&["ok"])
    .browser(&["ok.partial", "timeout.page"])
    .keeps("waits for a picture"),
    Behaviour::new("downloads", "begins downloads without end", Http(downloads))
        .browser(&["ok", "ok.partial", "timeout.page"])
        .keeps("begins downloads"),
];

/// Which of these depends on how fast the machine is.
const RESTLESS: &[&str] = &["ok", "ok.partial", "timeout.page", "browser.hang"];

/// Serves a page with a script, and something else under all other paths.
fn with_script(mut stream: TcpStream, words: &str, script: &str, other: fn(TcpStream)) {
    match asked(&mut stream).as_deref() {
        None => {}
        Some("/") => {
            let body = format!(
                "<!doctype html><title>restless</title><p>{words}<script>{script}</script>"
            );
            page(&mut stream, "text/html", body);
        }
        Some(_) => other(stream),
    }
}

fn nothing(mut stream: TcpStream) {
    page(&mut stream, "text/plain", "");
}

fn polls(stream: TcpStream) {
    let script = "setInterval(() => fetch('/poll?' + Math.random()), 50)";
    with_script(stream, "polls its server", script, nothing);
}

fn beacons(stream: TcpStream) {
    let script =
        "setInterval(() => navigator.sendBeacon('/beacon?' + Math.random(), 'x'.repeat(1000)), 20)";
    with_script(stream, "sends beacons", script, nothing);
}

fn events(stream: TcpStream) {
    let script = "new EventSource('/events').onmessage = event => document.title = event.data";
    with_script(stream, "listens to events", script, |mut stream| {
        send(
            &mut stream,
            "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n",
        );
        drip(&mut stream, "data: event\n\n", Duration::from_millis(20));
    });
}

fn downloads(stream: TcpStream) {
    let script = "setInterval(() => { location = '/file?' + Math.random() }, 100)";
    with_script(stream, "begins downloads", script, |mut stream| {
        send(
            &mut stream,
            "HTTP/1.1 200 OK\r\nContent-Disposition: attachment\r\nContent-Length: 4\r\nConnection: close\r\n\r\nfile",
        );
    });
}

fn picture_never_comes(stream: TcpStream) {
    with_script(
        stream,
        "waits for a picture<img src=/never.png>",
        "",
        |_| {
            std::thread::sleep(crate::serving::FOR_EVER);
        },
    );
}

fn password(mut stream: TcpStream) {
    if asked(&mut stream).is_some() {
        send(
            &mut stream,
            "HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Basic realm=x\r\nContent-Type: text/html\r\nContent-Length: 15\r\nConnection: close\r\n\r\n<p>members only",
        );
    }
}

/// RFC 6455: the handshake, then short messages for ever.
fn web_socket(mut stream: TcpStream) {
    let Some(request) = head(&mut stream) else {
        return;
    };
    let key = request.lines().find_map(|line| {
        let (name, value) = line.split_once(':')?;
        name.eq_ignore_ascii_case("sec-websocket-key")
            .then_some(value.trim())
    });
    let Some(key) = key else {
        let script = "new WebSocket('ws://' + location.host + '/').onmessage = event => event.target.send(event.data)";
        let body = format!(
            "<!doctype html><title>socket</title><p>talks without end<script>{script}</script>"
        );
        return page(&mut stream, "text/html", body);
    };
    let digest = Sha1::digest(format!("{key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11"));
    let accept = base64::engine::general_purpose::STANDARD.encode(digest);
    send(
        &mut stream,
        format!(
            "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: {accept}\r\n\r\n"
        ),
    );
    drip(&mut stream, b"\x81\x05hello", Duration::from_millis(5));
}

fn service_worker(stream: TcpStream, authority: &Authority) {
    const WORKER: &str = "
        oninstall = () => skipWaiting();
        onactivate = event => event.waitUntil(clients.claim());
        onfetch = event => event.respondWith(new Response(new ReadableStream({
            async pull(to) { await new Promise(f => setTimeout(f, 20)); to.enqueue(new Uint8Array(100)) }
        })));";
    const PAGE: &str = "<!doctype html><title>worker</title><p>served for ever<script>
        navigator.serviceWorker.register('/worker.js');
        navigator.serviceWorker.oncontrollerchange = () => setInterval(() => fetch('/x' + Math.random()), 50)
        </script>";
    let Some(mut stream) = authority.greet(stream, b"http/1.1") else {
        return;
    };
    match asked(&mut stream).as_deref() {
        None => {}
        Some("/worker.js") => page(&mut stream, "text/javascript", WORKER),
        Some(_) => page(&mut stream, "text/html", PAGE),
    }
}
