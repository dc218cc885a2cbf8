//! HTTP heads as servers and browsers write them.

use crate::dice::Dice;
use varve_model::Timestamp;

/// How a body goes over the wire.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Coding {
    pub(crate) gzip: bool,
    pub(crate) chunked: bool,
}

/// The head of a response.
pub(crate) fn response(
    dice: &mut Dice,
    mime: &str,
    length: usize,
    coding: Coding,
    date: Timestamp,
) -> Vec<u8> {
    let server = dice.pick(&[
        "nginx",
        "Apache",
        "cloudflare",
        "nginx/1.24.0 (Ubuntu)",
        "Microsoft-IIS/10.0",
    ]);
    let date = date.http_date();
    let mut head =
        format!("HTTP/1.1 200 OK\r\nDate: {date}\r\nServer: {server}\r\nContent-Type: {mime}\r\n");
    match coding.chunked {
        true => head.push_str("Transfer-Encoding: chunked\r\n"),
        false => head.push_str(&format!("Content-Length: {length}\r\n")),
    }
    if coding.gzip {
        head.push_str("Content-Encoding: gzip\r\nVary: Accept-Encoding\r\n");
    }
    head.push_str("Connection: keep-alive\r\nX-Content-Type-Options: nosniff\r\n");
    let age = dice.pick(&["0", "300", "3600", "86400", "31536000"]);
    head.push_str(&format!(
        "Cache-Control: public, max-age={age}\r\nETag: \"{:x}\"\r\n",
        dice.throw()
    ));
    if dice.percent(50) {
        head.push_str("Strict-Transport-Security: max-age=31536000; includeSubDomains\r\n");
    }
    if dice.percent(30) {
        head.push_str(&format!(
            "Set-Cookie: visit={:x}; Path=/; HttpOnly; SameSite=Lax\r\n",
            dice.throw()
        ));
    }
    head.push_str("\r\n");
    head.into_bytes()
}

/// The head of the request for it.
pub(crate) fn request(host: &str, path: &str) -> Vec<u8> {
    format!(
        "GET {path} HTTP/1.1\r\nHost: {host}\r\nUser-Agent: Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 \
         (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36\r\nAccept: text/html,application/xhtml+xml,*/*;q=0.8\r\n\
         Accept-Encoding: gzip, deflate, br\r\nAccept-Language: en-GB,en;q=0.9\r\nReferer: https://{host}/\r\n\
         Connection: keep-alive\r\n\r\n"
    )
    .into_bytes()
}

/// A body in chunks.
pub(crate) fn chunked(body: &[u8], dice: &mut Dice) -> Vec<u8> {
    let mut out = Vec::with_capacity(body.len() + body.len() / 500 + 16);
    let mut left = body;
    while !left.is_empty() {
        let length = left.len().min(dice.between(2_000, 16_384) as usize);
        let (chunk, rest) = left.split_at(length);
        out.extend_from_slice(format!("{length:x}\r\n").as_bytes());
        out.extend_from_slice(chunk);
        out.extend_from_slice(b"\r\n");
        left = rest;
    }
    out.extend_from_slice(b"0\r\n\r\n");
    out
}
