//! HTTP/2 where the server wants it.

use crate::server::{Client, Server, body};
use crate::tls::{Authority, client};
use bytes::Bytes;
use h2::server::{Connection, SendResponse};
use h2::{Reason, RecvStream};
use http::{HeaderMap, Response, StatusCode};
use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::Barrier;
use tokio_rustls::server::TlsStream;
use url::Url;
use varve_fetch::{Framing, Protocol, Request, Truncation};

type Stream = Connection<TlsStream<TcpStream>, Bytes>;
type Asked = http::Request<RecvStream>;

/// A server that speaks HTTP/2 as it is told to.
async fn speaking<F, Fut>(serve: F) -> (Server, Client)
where
    F: Fn(Stream, usize) -> Fut + Clone + Send + 'static,
    Fut: Future<Output = ()> + Send + 'static,
{
    let (server, authority) = serving(serve).await;
    let client = client(&authority, server.address, |_| {});
    (server, client)
}

async fn serving<F, Fut>(serve: F) -> (Server, Authority)
where
    F: Fn(Stream, usize) -> Fut + Clone + Send + 'static,
    Fut: Future<Output = ()> + Send + 'static,
{
    let authority = Authority::new();
    let acceptor = authority.good(&[b"h2"]);
    let server = Server::start(move |stream, number| {
        let (acceptor, serve) = (acceptor.clone(), serve.clone());
        async move {
            let stream = acceptor.accept(stream).await.unwrap();
            let connection = h2::server::handshake(stream).await.unwrap();
            serve(connection, number).await;
        }
    })
    .await;
    (server, authority)
}

/// A server that answers every request by a function, each in its own task.
async fn answering<F, Fut>(answer: F) -> (Server, Client)
where
    F: Fn(Asked, SendResponse<Bytes>) -> Fut + Clone + Send + 'static,
    Fut: Future<Output = ()> + Send + 'static,
{
    speaking(move |mut connection, _| {
        let answer = answer.clone();
        async move {
            while let Some(Ok((request, respond))) = connection.accept().await {
                tokio::spawn(answer(request, respond));
            }
        }
    })
    .await
}

fn url(path: &str) -> Url {
    Url::parse(&format!("https://good.test{path}")).unwrap()
}

fn ok() -> Response<()> {
    Response::new(())
}

#[tokio::test]
async fn heads_are_written_as_http1_would() {
    let (_server, client) = answering(|request, mut respond| async move {
        assert_eq!(request.uri(), "https://good.test/a?b=|%20");
        let names: Vec<_> = request.headers().keys().map(|name| name.as_str()).collect();
        assert_eq!(names, ["accept", "te", "x-raw"]);
        let response = Response::builder()
            .status(404)
            .header("content-type", "text/plain")
            .header("x-b", "1")
            .header("set-cookie", "a=1")
            .header("x-b", "2")
            .header("content-length", "4");
        let mut stream = respond
            .send_response(response.body(()).unwrap(), false)
            .unwrap();
        stream.send_data("gone".into(), true).unwrap();
    })
    .await;
    let field = |name: &str, value: &[u8]| (name.as_bytes().to_vec(), value.to_vec());
    let mut request = Request::get(url("/a?b=|%20#frag"));
    request.fields = vec![
        field("Accept", b"*/*"),
        field("Connection", b"keep-alive"),
        field("TE", b"trailers"),
        field("Upgrade", b"h2c"),
        field("X-Raw", b"\xff"),
    ];
    let incoming = client.fetcher.send(request).await.unwrap();
    assert_eq!(incoming.framing(), Framing::Length(4));
    let exchange = incoming.complete().await;
    assert_eq!(exchange.protocol, Protocol::Http2);
    assert!(exchange.encrypted);
    assert_eq!(
        exchange.request_head,
        b"GET /a?b=|%20 HTTP/1.1\r\nhost: good.test\r\naccept: */*\r\nte: trailers\r\nx-raw: \xff\r\n\r\n"
    );
    assert_eq!(
        String::from_utf8_lossy(&exchange.response_head),
        "HTTP/1.1 404 Not Found\r\ncontent-type: text/plain\r\nx-b: 1\r\nx-b: 2\r\n\
         set-cookie: a=1\r\ncontent-length: 4\r\n\r\n"
    );
    assert_eq!(body(&exchange), b"gone");
    assert_eq!(exchange.truncated, None);
}

#[tokio::test]
async fn many_requests_share_one_connection() {
    let connections = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&connections);
    // No request is answered before all are there.
    let all = Arc::new(Barrier::new(20));
    let (_server, client) = speaking(move |mut connection, _| {
        counted.fetch_add(1, Ordering::Relaxed);
        let all = Arc::clone(&all);
        async move {
            while let Some(Ok((request, mut respond))) = connection.accept().await {
                let all = Arc::clone(&all);
                tokio::spawn(async move {
                    all.wait().await;
                    let mut stream = respond.send_response(ok(), false).unwrap();
                    let path = request.uri().path().to_owned();
                    stream.send_data(path.into(), true).unwrap();
                });
            }
        }
    })
    .await;
    let mut waiting = Vec::new();
    for number in 0..20 {
        let fetcher = client.fetcher.clone();
        waiting.push(tokio::spawn(async move {
            let request = Request::get(url(&format!("/{number}")));
            fetcher.send(request).await.unwrap().complete().await
        }));
    }
    for (number, exchange) in waiting.into_iter().enumerate() {
        let exchange = exchange.await.unwrap();
        assert_eq!(body(&exchange), format!("/{number}").as_bytes());
    }
    assert_eq!(connections.load(Ordering::Relaxed), 1);
}

#[tokio::test]
async fn trailers_and_early_responses_are_kept() {
    let (_server, client) = answering(|_, mut respond| async move {
        let early = Response::builder().status(103).header("link", "</a.css>");
        respond.send_informational(early.body(()).unwrap()).unwrap();
        let mut stream = respond.send_response(ok(), false).unwrap();
        stream.send_data("body".into(), false).unwrap();
        let mut trailers = HeaderMap::new();
        trailers.append("x-sum", "1".parse().unwrap());
        trailers.append("x-sum", "2".parse().unwrap());
        stream.send_trailers(trailers).unwrap();
    })
    .await;
    let exchange = client.get(url("/")).await.unwrap();
    let early: &[u8] = b"HTTP/1.1 103 Early Hints\r\nlink: </a.css>\r\n\r\n";
    assert_eq!(exchange.informational, [early]);
    assert_eq!(body(&exchange), b"body");
    let trailer = |value: &[u8]| (b"x-sum".to_vec(), value.to_vec());
    assert_eq!(exchange.trailers, [trailer(b"1"), trailer(b"2")]);
    assert_eq!(exchange.truncated, None);
}

#[tokio::test]
async fn bodies_larger_than_the_windows_pass() {
    let (_server, client) = answering(|request, mut respond| async move {
        // Sends back what it is sent, as fast as it is taken.
        let mut stream = respond.send_response(ok(), false).unwrap();
        let mut body = request.into_body();
        while let Some(Ok(piece)) = body.data().await {
            body.flow_control().release_capacity(piece.len()).unwrap();
            stream.send_data(piece, false).unwrap();
        }
        stream.send_data(Bytes::new(), true).unwrap();
    })
    .await;
    let sent: Vec<u8> = (0..12_000_000u32)
        .map(|number| (number / 7) as u8)
        .collect();
    let mut request = Request::get(url("/"));
    request.method = "POST".into();
    request.body = sent.clone().into();
    let exchange = client.send(request).await.unwrap();
    assert!(body(&exchange) == sent);
    assert_eq!(exchange.truncated, None);
    assert_eq!(exchange.request_body.len(), 12_000_000);
}

#[tokio::test]
async fn what_came_before_a_reset_is_kept() {
    let (_server, client) = answering(|_, mut respond| async move {
        let mut stream = respond.send_response(ok(), false).unwrap();
        stream.send_data("half".into(), false).unwrap();
        tokio::time::sleep(Duration::from_millis(50)).await;
        stream.send_reset(Reason::INTERNAL_ERROR);
    })
    .await;
    let exchange = client.get(url("/")).await.unwrap();
    assert_eq!(body(&exchange), b"half");
    assert_eq!(exchange.truncated, Some(Truncation::Disconnect));
}

#[tokio::test]
async fn a_body_that_stalls_ends_and_the_connection_lives_on() {
    let connections = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&connections);
    let (server, authority) = serving(move |mut connection, _| {
        counted.fetch_add(1, Ordering::Relaxed);
        async move {
            let mut stalled = Vec::new();
            while let Some(Ok((request, mut respond))) = connection.accept().await {
                let mut stream = respond.send_response(ok(), false).unwrap();
                let last = request.uri().path() == "/whole";
                stream.send_data("part".into(), last).unwrap();
                stalled.push(stream);
            }
        }
    })
    .await;
    let client = client(&authority, server.address, |limits| {
        limits.stall = Duration::from_secs(2);
    });
    let exchange = client.get(url("/stalls")).await.unwrap();
    assert_eq!(exchange.truncated, Some(Truncation::Time));
    assert_eq!(body(&exchange), b"part");
    let exchange = client.get(url("/whole")).await.unwrap();
    assert_eq!(exchange.truncated, None);
    assert_eq!(connections.load(Ordering::Relaxed), 1);
}

/// A server whose first connection does something odd, and whose second is fine.
async fn odd_first<F, Fut>(odd: F) -> (Server, Client)
where
    F: Fn(Stream) -> Fut + Clone + Send + 'static,
    Fut: Future<Output = ()> + Send + 'static,
{
    speaking(move |mut connection, number| {
        let odd = odd.clone();
        async move {
            if number == 0 {
                return odd(connection).await;
            }
            while let Some(Ok((_, mut respond))) = connection.accept().await {
                respond.send_response(ok(), true).unwrap();
            }
        }
    })
    .await
}

#[tokio::test]
async fn refused_requests_are_sent_again() {
    let (_server, client) = odd_first(|mut connection| async move {
        while let Some(Ok((_, mut respond))) = connection.accept().await {
            respond.send_reset(Reason::REFUSED_STREAM);
        }
    })
    .await;
    let mut request = Request::get(url("/"));
    request.method = "POST".into();
    request.body = "once".into();
    let exchange = client.send(request).await.unwrap();
    assert!(exchange.response_head.starts_with(b"HTTP/1.1 200 OK"));
}

#[tokio::test]
async fn requests_that_meet_a_leaving_server_are_sent_again() {
    let (_server, client) = odd_first(|mut connection| async move {
        connection.abrupt_shutdown(Reason::NO_ERROR);
        while connection.accept().await.is_some() {}
    })
    .await;
    let exchange = client.get(url("/")).await.unwrap();
    assert!(exchange.response_head.starts_with(b"HTTP/1.1 200 OK"));
}

#[tokio::test]
async fn heads_over_the_limits_are_refused() {
    let (_server, client) = answering(|request, mut respond| async move {
        let (count, length) = match request.uri().path() {
            "/fields" => (101, 1),
            _ => (20, 1_000),
        };
        let mut response = Response::builder().status(StatusCode::OK);
        for number in 0..count {
            response = response.header(format!("x-{number}"), "v".repeat(length));
        }
        let _ = respond.send_response(response.body(()).unwrap(), true);
    })
    .await;
    for path in ["/fields", "/bytes"] {
        let error = client.get(url(path)).await.unwrap_err();
        assert_eq!(error.reason(), "limit.header", "{error}");
    }
}

#[tokio::test]
async fn floods_of_early_responses_are_refused() {
    let (_server, client) = answering(|_, mut respond| async move {
        for _ in 0..1_000 {
            let early = Response::builder().status(102).body(()).unwrap();
            if respond.send_informational(early).is_err() {
                return;
            }
        }
        std::future::pending::<()>().await;
    })
    .await;
    let error = client.get(url("/")).await.unwrap_err();
    assert_eq!(error.reason(), "limit.header", "{error}");
}

/// A server that agrees on HTTP/2 and then sends these bytes, and the last of them for ever.
async fn raw(start: Vec<u8>, piece: Vec<u8>) -> (Server, Client) {
    let authority = Authority::new();
    let acceptor = authority.good(&[b"h2"]);
    let server = Server::start(move |stream, _| {
        let (acceptor, start, piece) = (acceptor.clone(), start.clone(), piece.clone());
        async move {
            let stream = acceptor.accept(stream).await.unwrap();
            let (mut from, mut to) = tokio::io::split(stream);
            tokio::spawn(async move { tokio::io::copy(&mut from, &mut tokio::io::sink()).await });
            let _ = to.write_all(&start).await;
            while !piece.is_empty() && to.write_all(&piece).await.is_ok() {}
            std::future::pending::<()>().await;
        }
    })
    .await;
    let client = client(&authority, server.address, |limits| {
        limits.first_byte = Duration::from_secs(3);
    });
    (server, client)
}

/// A frame (RFC 9113, section 4.1) on the first stream, or on none.
fn frame(kind: u8, flags: u8, stream: u8, content: &[u8]) -> Vec<u8> {
    let length = (content.len() as u32).to_be_bytes();
    let head = [
        length[1], length[2], length[3], kind, flags, 0, 0, 0, stream,
    ];
    [&head, content].concat()
}

#[tokio::test]
async fn endless_heads_are_refused() {
    let settings = frame(4, 0, 0, b"");
    // `:status: 200`, then fields without end.
    let start = [settings, frame(1, 0, 1, b"\x88")].concat();
    let fields = b"\x00\x01a\x01b".repeat(2_000);
    for content in [fields.as_slice(), b""] {
        let (_server, client) = raw(start.clone(), frame(9, 0, 1, content)).await;
        let error = client.get(url("/")).await.unwrap_err();
        let refused = ["limit.header", "http.malformed"].contains(&error.reason());
        assert!(refused, "{error}");
    }
}

#[tokio::test]
async fn what_is_no_http2_is_refused() {
    let (_server, client) = raw(b"HTTP/1.1 200 OK\r\n\r\nhello".to_vec(), Vec::new()).await;
    let error = client.get(url("/")).await.unwrap_err();
    assert_eq!(error.reason(), "http.malformed", "{error}");
}

#[tokio::test]
async fn a_connection_on_which_nobody_answers_is_replaced() {
    let (server, authority) = serving(|mut connection, number| async move {
        let mut unanswered = Vec::new();
        while let Some(Ok((_, mut respond))) = connection.accept().await {
            match number {
                0 => unanswered.push(respond),
                _ => drop(respond.send_response(ok(), true).unwrap()),
            }
        }
    })
    .await;
    let client = client(&authority, server.address, |limits| {
        limits.first_byte = Duration::from_secs(2);
    });
    let error = client.get(url("/")).await.unwrap_err();
    assert_eq!(error.reason(), "timeout.header", "{error}");
    assert!(client.get(url("/")).await.is_ok());
}

#[tokio::test]
async fn servers_that_want_http1_get_it() {
    let authority = Authority::new();
    let acceptors = [
        authority.good(&[b"h2", b"http/1.1"]),
        authority.good(&[b"http/1.1"]),
    ];
    let server = Server::start(move |stream, number| {
        let acceptor = acceptors[number.min(1)].clone();
        async move {
            let mut stream = acceptor.accept(stream).await.unwrap();
            if stream.get_ref().1.alpn_protocol() == Some(b"h2") {
                let mut connection = h2::server::handshake(stream).await.unwrap();
                while let Some(Ok((_, mut respond))) = connection.accept().await {
                    respond.send_reset(Reason::HTTP_1_1_REQUIRED);
                }
                return;
            }
            let mut head = Vec::new();
            while !head.ends_with(b"\r\n\r\n") && stream.read_buf(&mut head).await.unwrap() > 0 {}
            stream
                .write_all(b"HTTP/1.1 200 OK\r\n\r\nold")
                .await
                .unwrap();
            stream.shutdown().await.unwrap();
        }
    })
    .await;
    let client = client(&authority, server.address, |_| {});
    let exchange = client.get(url("/")).await.unwrap();
    assert_eq!(exchange.protocol, Protocol::Http1);
    assert_eq!(body(&exchange), b"old");
}
