//! A server that answers as a test tells it to.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};

/// A server that treats every connection like this, until the test ends.
pub(crate) fn server(answer: impl Fn(&str, &mut TcpStream) + Send + Sync + 'static) -> u16 {
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
                let text = String::from_utf8_lossy(&request).into_owned();
                let path = text.split(' ').nth(1).unwrap_or("/").to_owned();
                answer(&path, &mut stream);
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
    let length = body.len();
    send(
        stream,
        &format!(
            "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}"
        ),
    );
}
