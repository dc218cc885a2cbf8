//! Where bodies end, and what is kept of those that end too early.

use crate::server::{Client, Server, answer, body, finish, read_head};
use std::time::Duration;
use tokio::io::AsyncWriteExt;
use varve_fetch::{Framing, Request, Truncation};

/// Fetches an answer, and says what was kept of its body and why not more.
async fn check(head: &str, sent: &[u8], kept: &[u8], truncated: Option<Truncation>) {
    let bytes = [head.as_bytes(), b"\r\n", sent].concat();
    let exchange = answer(bytes).await.unwrap();
    let shown = String::from_utf8_lossy(sent);
    assert_eq!(
        exchange.response_head,
        [head.as_bytes(), b"\r\n"].concat(),
        "{head}"
    );
    assert_eq!(body(&exchange), kept, "{head}{shown}");
    assert_eq!(exchange.truncated, truncated, "{head}{shown}");
}

const DISCONNECT: Option<Truncation> = Some(Truncation::Disconnect);

#[tokio::test]
async fn by_length() {
    check(
        "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n",
        b"body",
        b"body",
        None,
    )
    .await;
    check(
        "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n",
        b"body and more",
        b"body",
        None,
    )
    .await;
    check(
        "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n",
        b"more",
        b"",
        None,
    )
    .await;
    check(
        "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n",
        b"body",
        b"body",
        DISCONNECT,
    )
    .await;
    let twice = "HTTP/1.1 200 OK\r\nContent-Length: 4, 4\r\nContent-Length: 4\r\n";
    check(twice, b"body", b"body", None).await;
    let huge = "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999999\r\n";
    check(huge, b"body", b"body", DISCONNECT).await;
}

#[tokio::test]
async fn by_chunks() {
    let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n";
    let whole = b"4;x=y\r\nbody\r\n0\r\nX-Sum: 1\r\n\r\n";
    check(head, whole, whole, None).await;
    check(head, &[whole.as_slice(), b"more"].concat(), whole, None).await;
    check(head, b"4\r\nbody\r\n", b"4\r\nbody\r\n", DISCONNECT).await;
    check(head, b"4\r\nbo", b"4\r\nbo", DISCONNECT).await;
    // What cannot be right is kept, too: it is what the server sent.
    check(head, b"4\r\nbody!", b"4\r\nbody!", DISCONNECT).await;
    check(
        head,
        b"ffffffffffffffff\r\nbody",
        b"ffffffffffffffff\r\nbody",
        DISCONNECT,
    )
    .await;
    let both = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: gzip, Chunked\r\n";
    check(both, whole, whole, None).await;
    let lying = "HTTP/1.1 200 OK\r\nContent-Length: 2, 3\r\nTransfer-Encoding: chunked\r\n";
    check(lying, whole, whole, None).await;
    let split = "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n";
    check(split, whole, whole, None).await;
}

#[tokio::test]
async fn by_the_end_of_the_connection() {
    for head in [
        "HTTP/1.1 200 OK\r\n",
        "HTTP/1.0 200 OK\r\nConnection: keep-alive\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: many\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: -4\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\nContent-Length: 2\r\n",
    ] {
        check(head, b"body\r\n\r\n", b"body\r\n\r\n", None).await;
    }
}

#[tokio::test]
async fn by_the_status_and_the_method() {
    for head in [
        "HTTP/1.1 204 No Content\r\n",
        "HTTP/1.1 204 No Content\r\nContent-Length: 4\r\n",
        "HTTP/1.1 304 Not Modified\r\nContent-Length: 4\r\n",
        "HTTP/1.1 304 Not Modified\r\nTransfer-Encoding: chunked\r\n",
    ] {
        check(head, b"body", b"", None).await;
    }
    let server = Server::answering("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n").await;
    let mut request = Request::get(server.url("/"));
    request.method = "HEAD".into();
    let incoming = Client::new().fetcher.send(request).await.unwrap();
    assert_eq!(incoming.framing(), Framing::Empty);
    assert_eq!(incoming.complete().await.truncated, None);
}

#[tokio::test]
async fn compressed_bodies_are_left_alone() {
    let gzip = b"\x1f\x8b\x08\0\0\0\0\0\0\x03\x4b\x04\0\x43\xbe\xb7\xe8\x01\0\0\0";
    check(
        "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n",
        gzip,
        gzip,
        None,
    )
    .await;
}

#[tokio::test]
async fn early_responses_are_kept_as_they_came() {
    let answer = b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103\nlink: </a>\n\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
    let exchange = crate::server::answer(answer.as_slice()).await.unwrap();
    let early: [&[u8]; 2] = [
        b"HTTP/1.1 100 Continue\r\n\r\n",
        b"HTTP/1.1 103\nlink: </a>\n\n",
    ];
    assert_eq!(exchange.informational, early);
    assert_eq!(body(&exchange), b"ok");
}

#[tokio::test]
async fn what_is_no_http_is_refused() {
    for answer in [
        b"<html>HTTP/0.9</html>".as_slice(),
        b"SSH-2.0-OpenSSH_9.9\r\n",
        b"HTTP/1.1 abc\r\n\r\n",
        b"HTTP/1.1\r\n\r\n",
        b"HTTP/1.1 20 OK\r\n\r\n",
        b"HTTP/1.1 001 OK\r\n\r\n",
        b"HTTP/1.1 101 Switching Protocols\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\nContent-Length: 5\r\n\r\nbody!",
    ] {
        let error = crate::server::answer(answer).await.unwrap_err();
        let shown = String::from_utf8_lossy(answer);
        assert_eq!(error.reason(), "http.malformed", "{shown}: {error}");
    }
}

#[tokio::test]
async fn connections_that_end_before_a_head_are_errors() {
    for answer in [
        "",
        "\r\n",
        "HTT",
        "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n",
    ] {
        let error = crate::server::answer(answer).await.unwrap_err();
        assert_eq!(error.reason(), "http.disconnected", "{answer:?}: {error}");
    }
}

#[tokio::test]
async fn resets_keep_what_came() {
    let server = Server::start(|mut stream, _| async move {
        read_head(&mut stream).await;
        stream.set_zero_linger().unwrap();
        let answer = b"HTTP/1.1 200 OK\r\n\r\nhalf a body";
        stream.write_all(answer).await.unwrap();
        tokio::time::sleep(Duration::from_millis(100)).await;
    })
    .await;
    let exchange = Client::new().get(server.url("/")).await.unwrap();
    assert_eq!(body(&exchange), b"half a body");
    assert_eq!(exchange.truncated, DISCONNECT);
}

#[tokio::test]
async fn an_exchange_can_be_had_before_the_end() {
    let server = Server::start(|mut stream, _| async move {
        read_head(&mut stream).await;
        let answer = b"HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\nhalf";
        stream.write_all(answer).await.unwrap();
        finish(stream).await;
    })
    .await;
    let mut incoming = Client::new()
        .fetcher
        .send(Request::get(server.url("/")))
        .await
        .unwrap();
    assert_eq!(incoming.next().await.unwrap(), "half");
    assert_eq!(incoming.truncated(), None);
    let exchange = incoming.finish();
    assert_eq!(body(&exchange), b"half");
    assert_eq!(exchange.truncated, Some(Truncation::Time));
}

#[tokio::test]
async fn the_last_byte_is_the_end_even_if_nobody_looks_for_more() {
    let server = Server::answering("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nbody").await;
    let mut incoming = Client::new()
        .fetcher
        .send(Request::get(server.url("/")))
        .await
        .unwrap();
    assert_eq!(incoming.next().await.unwrap(), "body");
    assert_eq!(incoming.finish().truncated, None);
}
