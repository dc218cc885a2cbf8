//! Servers that send too much, too slowly, or for ever: all end in time, and what came is kept.

use crate::server::{Client, Server, answer, body, finish, read_head};
use std::future::Future;
use std::time::{Duration, Instant};
use tokio::io::AsyncWriteExt;
use tokio::net::{TcpSocket, TcpStream};
use tokio::time::timeout;
use url::Url;
use varve_fetch::{Exchange, Framing, Request, Truncation};

const HEAD: &[u8] = b"HTTP/1.1 200 OK\r\n\r\n";

/// A server that reads a request and then does something.
async fn then<F, Fut>(what: F) -> Server
where
    F: Fn(TcpStream) -> Fut + Clone + Send + 'static,
    Fut: Future<Output = ()> + Send + 'static,
{
    Server::start(move |mut stream, _| {
        let what = what.clone();
        async move {
            read_head(&mut stream).await;
            what(stream).await;
        }
    })
    .await
}

/// Sends a piece over and over.
async fn endless(mut stream: TcpStream, piece: Vec<u8>, pause: Duration) {
    while stream.write_all(&piece).await.is_ok() {
        if !pause.is_zero() {
            tokio::time::sleep(pause).await;
        }
    }
}

#[tokio::test]
async fn heads_have_limits() {
    let long = format!("HTTP/1.1 200 OK\r\nX: {}\r\n\r\n", "y".repeat(16 * 1024));
    let many = format!("HTTP/1.1 200 OK\r\n{}\r\n", "X: y\r\n".repeat(101));
    let early = "HTTP/1.1 100 Continue\r\n\r\n".repeat(33);
    let early_fields = format!("HTTP/1.1 103 Hints\r\n{}\r\n", "X: y\r\n".repeat(60));
    for sent in [long, many, early, early_fields.repeat(2)] {
        let error = answer(sent.clone()).await.unwrap_err();
        assert_eq!(error.reason(), "limit.header", "{}: {error}", &sent[..30]);
    }
    let just = format!("HTTP/1.1 200 OK\r\n{}\r\n", "X: y\r\n".repeat(100));
    assert!(answer(just).await.is_ok());
}

#[tokio::test]
async fn endless_heads_are_refused() {
    for piece in ["y", "X: y\r\n", "\r\n", "HTTP/1.1 102 Wait\r\n\r\n"] {
        let server = then(move |mut stream| async move {
            let start: &[u8] = if piece == "y" { b"HTTP/1.1 200 " } else { b"" };
            let start: &[u8] = if piece.starts_with('X') {
                b"HTTP/1.1 200 OK\r\n"
            } else {
                start
            };
            let _ = stream.write_all(start).await;
            endless(stream, piece.repeat(1_000).into(), Duration::ZERO).await;
        })
        .await;
        let error = Client::new().get(server.url("/")).await.unwrap_err();
        assert_eq!(error.reason(), "limit.header", "{piece:?}: {error}");
    }
}

#[tokio::test]
async fn silence_before_a_head_ends() {
    for start in ["", "HTTP/1.1 200 OK\r\nX: y\r\n"] {
        let server = then(move |mut stream| async move {
            stream.write_all(start.as_bytes()).await.unwrap();
            std::future::pending::<()>().await;
        })
        .await;
        let error = Client::impatient().get(server.url("/")).await.unwrap_err();
        assert_eq!(error.reason(), "timeout.header", "{start:?}: {error}");
    }
}

#[tokio::test]
async fn heads_that_drip_end() {
    let server = then(|mut stream| async move {
        stream.write_all(b"HTTP/1.1 200 OK\r\n").await.unwrap();
        endless(stream, b"X: y\r\n".into(), Duration::from_millis(50)).await;
    })
    .await;
    let error = Client::impatient().get(server.url("/")).await.unwrap_err();
    assert_eq!(error.reason(), "timeout.header", "{error}");
}

#[tokio::test]
async fn bodies_that_stall_are_kept() {
    let server = then(|mut stream| async move {
        stream.write_all(HEAD).await.unwrap();
        stream.write_all(b"some").await.unwrap();
        std::future::pending::<()>().await;
    })
    .await;
    let exchange = Client::impatient().get(server.url("/")).await.unwrap();
    assert_eq!(body(&exchange), b"some");
    assert_eq!(exchange.truncated, Some(Truncation::Time));
}

#[tokio::test]
async fn bodies_that_drip_end_with_the_total() {
    let server = then(|mut stream| async move {
        stream.write_all(HEAD).await.unwrap();
        endless(stream, b"x".into(), Duration::from_millis(20)).await;
    })
    .await;
    let client = Client::with(|options| options.limits.total = Duration::from_secs(1));
    let begun = Instant::now();
    let exchange = client.get(server.url("/")).await.unwrap();
    assert!(begun.elapsed() < Duration::from_secs(5));
    assert!(exchange.body.len() > 1);
    assert_eq!(exchange.truncated, Some(Truncation::Time));
}

async fn fetch_limited(head: &'static [u8], piece: &'static [u8], limit: u64) -> Exchange {
    let server = then(move |mut stream| async move {
        stream.write_all(head).await.unwrap();
        endless(stream, piece.repeat(1_000), Duration::ZERO).await;
    })
    .await;
    let client = Client::with(|options| options.limits.body_bytes = limit);
    client.get(server.url("/")).await.unwrap()
}

#[tokio::test]
async fn endless_bodies_are_cut() {
    let exchange = fetch_limited(HEAD, b"0123456789", 3_000_005).await;
    assert_eq!(exchange.body.len(), 3_000_005);
    assert_eq!(exchange.body.read_at(3_000_000, 9).unwrap(), "01234");
    assert_eq!(exchange.truncated, Some(Truncation::Length));

    let chunked = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
    let exchange = fetch_limited(chunked, b"a\r\n0123456789\r\n", 100_001).await;
    assert_eq!(exchange.body.len(), 100_001);
    assert_eq!(exchange.truncated, Some(Truncation::Length));
}

#[tokio::test]
async fn bodies_as_long_as_the_limit_are_whole() {
    for head in [HEAD, b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n"] {
        let server = Server::answering([head, b"body"].concat()).await;
        let client = Client::with(|options| options.limits.body_bytes = 4);
        let exchange = client.get(server.url("/")).await.unwrap();
        assert_eq!(exchange.truncated, None);
        assert_eq!(body(&exchange), b"body");
    }
}

#[tokio::test]
async fn a_server_that_answers_before_it_read_all_is_heard() {
    let server = then(|mut stream| async move {
        let answer = b"HTTP/1.1 413 Too Large\r\nContent-Length: 2\r\n\r\nno";
        stream.write_all(answer).await.unwrap();
        // Takes nothing of the body until the client has gone.
        tokio::time::sleep(Duration::from_millis(300)).await;
        finish(stream).await;
    })
    .await;
    let mut request = Request::get(server.url("/"));
    request.method = "PUT".into();
    request.body = vec![0; 16 << 20].into();
    let exchange = Client::new().send(request).await.unwrap();
    assert_eq!(body(&exchange), b"no");
}

#[tokio::test]
async fn a_server_that_takes_no_request_is_given_up() {
    let server = then(|stream| async move {
        std::future::pending::<()>().await;
        drop(stream);
    })
    .await;
    let mut request = Request::get(server.url("/"));
    request.method = "PUT".into();
    request.body = vec![0; 16 << 20].into();
    let error = Client::impatient().send(request).await.unwrap_err();
    assert_eq!(error.reason(), "timeout.header", "{error}");
}

#[tokio::test]
async fn connecting_ends() {
    // A listener whose queue is full lets nobody in.
    let socket = TcpSocket::new_v4().unwrap();
    socket.bind("127.0.0.1:0".parse().unwrap()).unwrap();
    let listener = socket.listen(0).unwrap();
    let address = listener.local_addr().unwrap();
    let mut waiting = Vec::new();
    while let Ok(Ok(stream)) =
        timeout(Duration::from_millis(300), TcpStream::connect(address)).await
    {
        waiting.push(stream);
        assert!(waiting.len() < 100, "the queue has no end");
    }
    let url = Url::parse(&format!("http://{address}/")).unwrap();
    let error = Client::impatient().get(url).await.unwrap_err();
    assert_eq!(error.reason(), "timeout.connect", "{error}");
}

/// The most memory the process has had, in bytes.
fn peak_memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status
        .lines()
        .find(|line| line.starts_with("VmHWM:"))
        .unwrap();
    let kib: u64 = line.split_whitespace().nth(1).unwrap().parse().unwrap();
    kib * 1024
}

#[tokio::test]
async fn large_bodies_take_no_memory() {
    const SIZE: u64 = 200 << 20;
    let server = then(|mut stream| async move {
        let head = format!("HTTP/1.1 200 OK\r\nContent-Length: {SIZE}\r\n\r\n");
        stream.write_all(head.as_bytes()).await.unwrap();
        let piece = vec![b'x'; 1 << 20];
        for _ in 0..SIZE >> 20 {
            stream.write_all(&piece).await.unwrap();
        }
        finish(stream).await;
    })
    .await;
    let client = Client::new();
    let incoming = client
        .fetcher
        .send(Request::get(server.url("/")))
        .await
        .unwrap();
    assert_eq!(incoming.framing(), Framing::Length(SIZE));
    let exchange = incoming.complete().await;
    assert_eq!(exchange.body.len(), SIZE);
    assert_eq!(exchange.truncated, None);
    assert_eq!(exchange.body.read_at(SIZE - 2, 9).unwrap(), "xx");
    // Other tests of this process count, too; none of them comes near.
    assert!(peak_memory() < SIZE, "{} MB", peak_memory() >> 20);
}
