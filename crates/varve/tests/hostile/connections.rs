//! Servers that do not get as far as a response, or not to its end.

use crate::authority::Authority;
use crate::serving::{FOR_EVER, HEAD, answer, asked, drip, send};
use crate::table::Behaviour;
use crate::table::Serve::{Http, Https, Nobody};
use std::net::TcpStream;
use std::thread::sleep;
use std::time::Duration;

pub(crate) const TABLE: &[Behaviour] = &[
    Behaviour::new("refused", "nobody listens", Nobody)
        .both(&["connect.refused"])
        .always(),
    Behaviour::new(
        "silent",
        "takes the request and never answers",
        Http(silent),
    )
    .http(&["timeout.header"])
    .browser(&["timeout.header", "timeout.page"])
    .always(),
    Behaviour::new(
        "slow-head",
        "sends a head at two bytes a second",
        Http(slow_head),
    )
    .http(&["timeout.header"])
    .browser(&["timeout.header", "timeout.page"]),
    Behaviour::new(
        "slow-body",
        "sends a body at two bytes a second",
        Http(slow_body),
    )
    .http(&["truncated.time"])
    .browser(&["timeout.page", "truncated.time"])
    .keeps("slow body")
    .cut(&["time"])
    .always(),
    Behaviour::new(
        "reset",
        "resets the connection within the body",
        Http(reset),
    )
    .both(&["truncated.disconnect"])
    .keeps("reset body")
    .cut(&["disconnect"])
    .always(),
    Behaviour::new(
        "hangs-up",
        "closes before it has sent anything",
        Http(hangs_up),
    )
    .both(&["http.disconnected"])
    .always(),
    Behaviour::new(
        "hangs-up-in-head",
        "closes within the head",
        Http(hangs_up_in_head),
    )
    .both(&["http.disconnected"]),
    Behaviour::new(
        "tls-expired",
        "shows an expired certificate",
        Https(expired),
    )
    .both(&["tls.expired"])
    .always(),
    Behaviour::new(
        "tls-self-signed",
        "shows a certificate that nobody vouches for",
        Https(self_signed),
    )
    .both(&["tls.untrusted"]),
    Behaviour::new(
        "tls-wrong-host",
        "shows a certificate of another host",
        Https(wrong_host),
    )
    .both(&["tls.wrong-host"]),
    Behaviour::new("tls-stall", "accepts, and never shakes hands", Https(stall))
        .http(&["timeout.tls"])
        .browser(&["timeout.tls", "timeout.page"])
        .always(),
    Behaviour::new(
        "tls-plain",
        "speaks HTTP without TLS where TLS is expected",
        Https(plain),
    )
    .both(&["tls.handshake"]),
];

fn silent(mut stream: TcpStream) {
    asked(&mut stream);
    sleep(FOR_EVER);
}

fn slow_head(mut stream: TcpStream) {
    asked(&mut stream);
    for byte in format!("{HEAD}X: {}\r\n\r\n", "x".repeat(1_000)).bytes() {
        if !send(&mut stream, [byte]) {
            return;
        }
        sleep(Duration::from_millis(500));
    }
}

fn slow_body(mut stream: TcpStream) {
    asked(&mut stream);
    send(
        &mut stream,
        format!("{HEAD}Content-Length: 100000\r\n\r\n<p>slow body"),
    );
    drip(&mut stream, "x", Duration::from_millis(500));
}

/// A connection that is closed while there is something to read is reset.
fn reset(mut stream: TcpStream) {
    let _ = stream.peek(&mut [0]);
    send(
        &mut stream,
        format!("{HEAD}Content-Length: 100000\r\n\r\n<p>reset body"),
    );
    sleep(Duration::from_millis(500));
}

fn hangs_up(mut stream: TcpStream) {
    asked(&mut stream);
}

fn hangs_up_in_head(stream: TcpStream) {
    answer(stream, HEAD);
}

fn expired(stream: TcpStream, authority: &Authority) {
    authority.greet_expired(stream);
}

fn self_signed(stream: TcpStream, authority: &Authority) {
    authority.greet_self_signed(stream);
}

fn wrong_host(stream: TcpStream, authority: &Authority) {
    authority.greet_as_another(stream);
}

fn stall(_stream: TcpStream, _: &Authority) {
    sleep(FOR_EVER);
}

fn plain(mut stream: TcpStream, _: &Authority) {
    send(
        &mut stream,
        "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n",
    );
    sleep(Duration::from_millis(200));
}
