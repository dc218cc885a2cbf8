//! Heads that are too long or make no sense, and bodies that are not as long as they say.

use crate::serving::{FOR_EVER, HEAD, answer, asked, send};
use crate::table::Behaviour;
use crate::table::Serve::Http;
use std::net::TcpStream;
use std::thread::sleep;

pub(crate) const TABLE: &[Behaviour] = &[
    Behaviour::new(
        "long-length",
        "closes before the length that it announced",
        Http(long_length),
    )
    .both(&["truncated.disconnect"])
    .keeps("long length")
    .cut(&["disconnect"])
    .always(),
    Behaviour::new(
        "short-length",
        "sends more than the length that it announced",
        Http(short_length),
    )
    .keeps("short leng"),
    Behaviour::new("two-lengths", "announces two lengths", Http(two_lengths))
        .both(&["http.malformed"]),
    Behaviour::new(
        "length-and-chunks",
        "announces a length and sends chunks",
        Http(length_and_chunks),
    )
    .keeps("length and chunks"),
    Behaviour::new(
        "huge-length",
        "announces more bytes than can be counted",
        Http(huge_length),
    )
    .both(&["truncated.disconnect"])
    .keeps("huge length")
    .cut(&["disconnect"]),
    Behaviour::new(
        "huge-chunk",
        "announces a chunk of 2^64-1 bytes",
        Http(huge_chunk),
    )
    .both(&["truncated.disconnect"])
    .keeps("huge chunk")
    .cut(&["disconnect"])
    .always(),
    Behaviour::new(
        "no-last-chunk",
        "closes before the last chunk",
        Http(no_last_chunk),
    )
    .both(&["truncated.disconnect"])
    .keeps("no last chunk")
    .cut(&["disconnect"]),
    Behaviour::new("bad-chunks", "sends what are no chunks", Http(bad_chunks))
        .both(&["truncated.disconnect"])
        .keeps("no chunk at all")
        .cut(&["disconnect"]),
    Behaviour::new(
        "long-field",
        "sends a header field of 400 kB",
        Http(long_field),
    )
    .both(&["limit.header"])
    .always(),
    Behaviour::new(
        "many-fields",
        "sends 100,000 header fields",
        Http(many_fields),
    )
    .both(&["limit.header"]),
    Behaviour::new(
        "endless-field",
        "sends a header field without end",
        Http(endless_field),
    )
    .both(&["limit.header"]),
    Behaviour::new(
        "odd-bytes",
        "sends NUL, bare CR and folded lines in its head",
        Http(odd_bytes),
    )
    .browser(&["navigation.invalid-http-response"])
    .keeps("odd bytes"),
    Behaviour::new(
        "no-head",
        "answers as in 1991, without a head",
        Http(no_head),
    )
    .both(&["http.malformed"])
    .always(),
    Behaviour::new("icy", "answers as radio stations do: ICY 200", Http(icy))
        .browser(&["ok", "browser.download"])
        .keeps("icy body"),
    Behaviour::new(
        "informational",
        "sends 1xx responses without end",
        Http(informational),
    )
    .both(&["limit.header"]),
    Behaviour::new(
        "body-on-204",
        "sends a body where there can be none",
        Http(body_on_204),
    )
    .browser(&["navigation.aborted"]),
    Behaviour::new(
        "body-on-304",
        "answers 304 to who has nothing, with a body",
        Http(body_on_304),
    )
    .browser(&[
        "ok",
        "navigation.aborted",
        "navigation.invalid-http-response",
    ]),
    Behaviour::new("early", "answers before it was asked", Http(early)).keeps("early body"),
];

fn long_length(stream: TcpStream) {
    answer(
        stream,
        format!("{HEAD}Content-Length: 100000\r\n\r\n<p>long length"),
    );
}

fn short_length(stream: TcpStream) {
    answer(
        stream,
        format!("{HEAD}Content-Length: 13\r\n\r\n<p>short length"),
    );
}

fn two_lengths(stream: TcpStream) {
    answer(
        stream,
        format!("{HEAD}Content-Length: 5\r\nContent-Length: 20\r\n\r\n<p>two lengths, again"),
    );
}

fn length_and_chunks(stream: TcpStream) {
    let head = format!("{HEAD}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n");
    answer(
        stream,
        format!("{head}14\r\n<p>length and chunks\r\n0\r\n\r\n"),
    );
}

fn huge_length(stream: TcpStream) {
    answer(
        stream,
        format!("{HEAD}Content-Length: 99999999999999999999\r\n\r\n<p>huge length"),
    );
}

fn huge_chunk(stream: TcpStream) {
    answer(
        stream,
        format!("{HEAD}Transfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n<p>huge chunk"),
    );
}

fn no_last_chunk(stream: TcpStream) {
    answer(
        stream,
        format!("{HEAD}Transfer-Encoding: chunked\r\n\r\n10\r\n<p>no last chunk\r\n"),
    );
}

fn bad_chunks(stream: TcpStream) {
    answer(
        stream,
        format!("{HEAD}Transfer-Encoding: chunked\r\n\r\n<p>no chunk at all"),
    );
}

fn long_field(stream: TcpStream) {
    answer(stream, format!("{HEAD}X: {}\r\n\r\n", "x".repeat(400_000)));
}

fn many_fields(stream: TcpStream) {
    answer(stream, format!("{HEAD}{}\r\n", "X: y\r\n".repeat(100_000)));
}

fn endless_field(mut stream: TcpStream) {
    asked(&mut stream);
    send(&mut stream, format!("{HEAD}X: "));
    while send(&mut stream, "x".repeat(1 << 16)) {}
}

fn odd_bytes(stream: TcpStream) {
    let fields = "X-Null: a\0b\r\nX-Return: a\rb\r\nX-Folded: a\r\n b\r\n\tc\r\nno field\r\n";
    answer(
        stream,
        format!("{HEAD}{fields}Content-Length: 12\r\n\r\n<p>odd bytes"),
    );
}

fn no_head(stream: TcpStream) {
    answer(stream, "<html>as in 1991</html>");
}

fn icy(stream: TcpStream) {
    answer(
        stream,
        "ICY 200 OK\r\nicy-name: radio\r\nContent-Type: text/html\r\n\r\n<p>icy body",
    );
}

fn informational(mut stream: TcpStream) {
    asked(&mut stream);
    while send(&mut stream, "HTTP/1.1 102 Processing\r\n\r\n") {}
}

fn body_on_204(stream: TcpStream) {
    answer(
        stream,
        "HTTP/1.1 204 No Content\r\nContent-Length: 6\r\n\r\n<p>204",
    );
}

fn body_on_304(stream: TcpStream) {
    answer(
        stream,
        "HTTP/1.1 304 Not Modified\r\nContent-Length: 6\r\n\r\n<p>304",
    );
}

fn early(mut stream: TcpStream) {
    let body = "<p>early body";
    send(
        &mut stream,
        format!("{HEAD}Content-Length: {}\r\n\r\n{body}", body.len()),
    );
    sleep(FOR_EVER);
}
