//! A client that sees every byte.

use std::net::SocketAddr;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use varve_demo::{DemoOptions, DemoWeb, Logged};

/// The example web with its log.
pub(crate) async fn start() -> DemoWeb {
    let options = DemoOptions {
        log: true,
        ..DemoOptions::default()
    };
    DemoWeb::start(options).await.unwrap()
}

/// A response as it came.
#[derive(Debug)]
pub(crate) struct Response {
    /// The 1xx heads before it.
    pub(crate) informational: Vec<Vec<u8>>,
    pub(crate) head: Vec<u8>,
    /// With its framing.
    pub(crate) body: Vec<u8>,
}

impl Response {
    pub(crate) fn status(&self) -> u16 {
        let text = String::from_utf8_lossy(&self.head);
        text.split(' ').nth(1).unwrap().parse().unwrap()
    }

    pub(crate) fn field(&self, name: &str) -> Option<String> {
        let text = String::from_utf8_lossy(&self.head).into_owned();
        let mut fields = text.lines().filter_map(|line| line.split_once(": "));
        let (_, value) = fields.find(|(field, _)| field.eq_ignore_ascii_case(name))?;
        Some(value.to_owned())
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }
}

/// Sends bytes and reads until the server hangs up.
pub(crate) async fn exchange(address: SocketAddr, request: &[u8]) -> Vec<u8> {
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.write_all(request).await.unwrap();
    let mut received = Vec::new();
    stream.read_to_end(&mut received).await.unwrap();
    received
}

/// One request on a connection of its own, with more fields if wanted.
pub(crate) async fn ask(
    web: &DemoWeb,
    method: &str,
    host: &str,
    target: &str,
    fields: &str,
) -> Response {
    let request =
        format!("{method} {target} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n{fields}\r\n");
    split(exchange(web.address(), request.as_bytes()).await)
}

pub(crate) async fn get(web: &DemoWeb, host: &str, target: &str) -> Response {
    ask(web, "GET", host, target, "").await
}

/// Sends a form.
pub(crate) async fn post(web: &DemoWeb, host: &str, target: &str, form: &str) -> Response {
    let request = format!(
        "POST {target} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\nContent-Length: {}\r\n\r\n{form}",
        form.len()
    );
    split(exchange(web.address(), request.as_bytes()).await)
}

/// Takes a response apart at its empty lines.
pub(crate) fn split(mut bytes: Vec<u8>) -> Response {
    let mut informational = Vec::new();
    loop {
        let end = bytes
            .windows(4)
            .position(|four| four == b"\r\n\r\n")
            .unwrap()
            + 4;
        let body = bytes.split_off(end);
        if bytes.starts_with(b"HTTP/1.1 1") {
            informational.push(std::mem::replace(&mut bytes, body));
            continue;
        }
        return Response {
            informational,
            head: bytes,
            body,
        };
    }
}

/// The only entry of the log for a target.
pub(crate) fn logged(web: &DemoWeb, target: &str) -> Logged {
    let mut found = web.log();
    found.retain(|logged| logged.target == target);
    assert_eq!(found.len(), 1, "{target}");
    found.remove(0)
}
