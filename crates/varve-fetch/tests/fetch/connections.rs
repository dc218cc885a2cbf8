//! Connections are used again, except where that would be wrong.

use crate::server::{Client, Server, body, finish, read_head};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::sync::Notify;
use varve_fetch::{Request, Upgrade};

/// A server that gives the same answer to every request, on connections that it counts.
async fn keeping(answer: &'static str) -> (Server, Arc<AtomicUsize>) {
    let connections = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&connections);
    let server = Server::start(move |mut stream, _| {
        counted.fetch_add(1, Ordering::Relaxed);
        async move {
            while !read_head(&mut stream).await.is_empty() {
                stream.write_all(answer.as_bytes()).await.unwrap();
            }
        }
    })
    .await;
    (server, connections)
}

async fn check(answer: &'static str, fields: &[(&str, &str)], expected: usize) {
    let (server, connections) = keeping(answer).await;
    let client = Client::new();
    for _ in 0..3 {
        let mut request = Request::get(server.url("/"));
        let own = |(name, value): &(&str, &str)| (name.as_bytes().into(), value.as_bytes().into());
        request.fields = fields.iter().map(own).collect();
        let exchange = client.send(request).await.unwrap();
        assert_eq!(exchange.truncated, None, "{answer}");
    }
    assert_eq!(connections.load(Ordering::Relaxed), expected, "{answer}");
}

#[tokio::test]
async fn connections_are_used_again_where_both_sides_agree() {
    let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n";
    for answer in [
        "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok",
        "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 204 No Content\r\n\r\n",
        "HTTP/1.1 304 Not Modified\r\nContent-Length: 99\r\n\r\n",
        "HTTP/1.0 200 OK\r\nConnection: Keep-Alive\r\nContent-Length: 2\r\n\r\nok",
        chunked,
    ] {
        check(answer, &[], 1).await;
    }
}

#[tokio::test]
async fn connections_are_not_used_again_where_the_next_answer_could_be_anywhere() {
    let both =
        "HTTP/1.1 200 OK\r\nContent-Length: 12\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n";
    for answer in [
        both,
        "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok",
        "HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nok",
        "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok and more",
        "HTTP/1.1 204 No Content\r\nContent-Length: 2\r\n\r\n",
        "ICY 200 OK\r\nContent-Length: 2\r\n\r\nok",
    ] {
        check(answer, &[], 3).await;
    }
    let fine = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
    check(fine, &[("Connection", "close")], 3).await;
}

#[tokio::test]
async fn a_body_nobody_finished_closes_its_connection() {
    let (server, connections) = keeping("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nbody").await;
    let client = Client::new();
    for _ in 0..2 {
        let request = Request::get(server.url("/"));
        drop(client.fetcher.send(request).await.unwrap());
    }
    assert_eq!(connections.load(Ordering::Relaxed), 2);
}

/// A server whose first connection answers once and then, when it is asked again, is closed.
async fn forgetful() -> Server {
    Server::start(|mut stream, number| async move {
        let answer = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
        read_head(&mut stream).await;
        stream.write_all(answer).await.unwrap();
        read_head(&mut stream).await;
        if number > 0 {
            stream.write_all(answer).await.unwrap();
        }
        finish(stream).await;
    })
    .await
}

#[tokio::test]
async fn a_connection_that_turns_out_closed_is_replaced() {
    let server = forgetful().await;
    let client = Client::new();
    for _ in 0..2 {
        let exchange = client.get(server.url("/")).await.unwrap();
        assert_eq!(body(&exchange), b"ok");
    }
}

#[tokio::test]
async fn requests_that_change_something_get_a_connection_of_their_own() {
    let server = forgetful().await;
    let client = Client::new();
    client.get(server.url("/")).await.unwrap();
    let mut request = Request::get(server.url("/"));
    request.method = "POST".into();
    assert_eq!(body(&client.send(request).await.unwrap()), b"ok");
}

#[tokio::test]
async fn a_fresh_connection_that_is_closed_is_not_tried_again() {
    let connections = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&connections);
    let server = Server::start(move |mut stream, _| {
        counted.fetch_add(1, Ordering::Relaxed);
        async move {
            read_head(&mut stream).await;
        }
    })
    .await;
    let error = Client::new().get(server.url("/")).await.unwrap_err();
    assert_eq!(error.reason(), "http.disconnected");
    assert_eq!(connections.load(Ordering::Relaxed), 1);
}

#[tokio::test]
async fn a_connection_on_which_something_came_unasked_is_not_used() {
    let said = Arc::new(Notify::new());
    let says = Arc::clone(&said);
    let server = Server::start(move |mut stream, _| {
        let says = Arc::clone(&says);
        async move {
            read_head(&mut stream).await;
            let answer = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
            stream.write_all(answer).await.unwrap();
            tokio::time::sleep(Duration::from_millis(100)).await;
            stream.write_all(b"one more thing").await.unwrap();
            says.notify_one();
            finish(stream).await;
        }
    })
    .await;
    let client = Client::new();
    for _ in 0..2 {
        assert_eq!(body(&client.get(server.url("/")).await.unwrap()), b"ok");
        said.notified().await;
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

#[tokio::test]
async fn protocols_can_be_switched() {
    let server = Server::start(|mut stream, _| async move {
        read_head(&mut stream).await;
        let answer = b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: echo\r\n\r\nearly ";
        stream.write_all(answer).await.unwrap();
        let (mut from, mut to) = stream.split();
        tokio::io::copy(&mut from, &mut to).await.unwrap();
    })
    .await;
    let mut url = server.url("/socket");
    url.set_scheme("ws").unwrap();
    let mut request = Request::get(url);
    request.fields = vec![(b"Upgrade".into(), b"echo".into())];
    let upgrade = Client::new().fetcher.upgrade(request).await.unwrap();
    let Upgrade::Switched {
        exchange,
        mut stream,
    } = upgrade
    else {
        panic!("it was not switched");
    };
    assert!(exchange.response_head.ends_with(b"Upgrade: echo\r\n\r\n"));
    assert!(
        exchange
            .request_head
            .starts_with(b"GET /socket HTTP/1.1\r\nHost: 127.0.0.1:")
    );
    stream.write_all(b"hello").await.unwrap();
    let mut heard = [0; 11];
    stream.read_exact(&mut heard).await.unwrap();
    assert_eq!(&heard, b"early hello");
}

#[tokio::test]
async fn switching_can_be_refused() {
    let server = Server::answering("HTTP/1.1 403 No\r\nContent-Length: 2\r\n\r\nno").await;
    let client = Client::new();
    let upgrade = client.fetcher.upgrade(Request::get(server.url("/")));
    let Upgrade::Refused(incoming) = upgrade.await.unwrap() else {
        panic!("it was switched");
    };
    assert_eq!(incoming.head().status(), Some(403));
    assert_eq!(body(&incoming.complete().await), b"no");
}

#[tokio::test]
async fn requests_cannot_hold_other_requests() {
    let server = Server::answering("HTTP/1.1 200 OK\r\n\r\n").await;
    let bad: [(&str, &[u8], &[u8]); 5] = [
        ("GET / HTTP/1.1\r\nX:", b"A", b"b"),
        ("", b"A", b"b"),
        ("GET", b"A\r\nB", b"b"),
        ("GET", b"A", b"b\r\nHost: other"),
        ("GET", b"", b"\0"),
    ];
    for (method, name, value) in bad {
        let mut request = Request::get(server.url("/"));
        request.method = method.into();
        request.fields = vec![(name.into(), value.into())];
        let error = Client::new().send(request).await.unwrap_err();
        assert_eq!(error.reason(), "request.invalid", "{error}");
    }
}

#[tokio::test]
async fn who_could_not_be_reached_is_not_tried_again_at_once() {
    let tried = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&tried);
    // It accepts and closes: no handshake comes of it.
    let server = Server::start(move |_, _| {
        counted.fetch_add(1, Ordering::Relaxed);
        async {}
    })
    .await;
    let client = Client::new();
    for _ in 0..3 {
        let url = format!("https://{}/", server.address);
        let error = client.get(url.parse().unwrap()).await.unwrap_err();
        assert_eq!(error.reason(), "tls.handshake", "{error}");
    }
    assert_eq!(tried.load(Ordering::Relaxed), 1);
}
