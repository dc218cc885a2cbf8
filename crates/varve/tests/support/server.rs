//! A server that answers as a test tells it to.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};

/// What a server was asked.
pub(crate) struct Asked {
    pub(crate) path: String,
    /// The whole head of the request.
    head: String,
}

impl Asked {
    /// A field of the request, or nothing.
    pub(crate) fn field(&self, wanted: &str) -> &str {
        let fields = self.head.lines().filter_map(|line| line.split_once(": "));
        let mut found = fields.filter(|(name, _)| name.eq_ignore_ascii_case(wanted));
        found.next().map_or("", |(_, value)| value)
    }
}

/// A server that treats every connection like this, until the test ends.
pub(crate) fn server(answer: impl Fn(&Asked, &mut TcpStream) + Send + Sync + 'static) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let answer = std::sync::Arc::new(answer);
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let (Ok(mut stream), answer) = (stream, answer.clone()) else {
                continue;
            };
            std::thread::spawn(move || {
                let mut request = Vec::new();
                let mut byte = [0; 1];
                while !request.ends_with(b"\r\n\r\n") {
                    match stream.read(&mut byte) {
                        Ok(1) => request.push(byte[0]),
                        _ => return,
                    }
                }
                let head = String::from_utf8_lossy(&request).into_owned();
                let path = head.split(' ').nth(1).unwrap_or("/").to_owned();
                answer(&Asked { path, head }, &mut stream);
            });
        }
    });
    port
}

/// Says something, if there is still somebody to hear it.
pub(crate) fn send(stream: &mut TcpStream, text: &str) -> bool {
    stream.write_all(text.as_bytes()).is_ok()
}

/// Answers with a page.
pub(crate) fn html(stream: &mut TcpStream, body: &str) {
    html_with(stream, "", body);
}

/// Answers with a page and these fields more.
pub(crate) fn html_with(stream: &mut TcpStream, fields: &str, body: &str) {
    let length = body.len();
    let kind = "Content-Type: text/html;charset=utf-8\r\nConnection: close\r\n";
    let head = format!("HTTP/1.1 200 OK\r\n{kind}{fields}Content-Length: {length}\r\n");
    send(stream, &format!("{head}\r\n{body}"));
}
