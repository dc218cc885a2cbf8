//! What goes wrong on the server's side shows on the browser's side, and is told once.

use crate::kept::all;
use crate::server::Server;
use crate::stage::Stage;
use std::io::ErrorKind;
use varve_fetch::Truncation;

const GET: &str = "GET http://a.test/x HTTP/1.1\r\nHost: a.test\r\n\r\n";

#[tokio::test]
async fn a_server_that_is_not_there_is_a_failure_and_no_response() {
    let server = Server::answering("").await;
    let address = server.address;
    drop(server);
    tokio::task::yield_now().await;
    let stage = Stage::with(address).await;
    let mut plain = stage.browser().await;
    let mut secure = stage.secure("b.test:443").await;
    for round in 1..=2 {
        plain.send(GET).await;
        let answer = plain.response().await;
        assert!(
            answer.starts_with("HTTP/1.1 502 Bad Gateway\r\nX-Varve-Error: connect."),
            "{answer}"
        );
        assert!(answer.contains("http://a.test/x"), "{answer}");
        let failures = stage.kept.failures.lock().unwrap().clone();
        assert_eq!(failures.len(), round, "the connection stays good");
    }
    secure
        .send("POST /y HTTP/1.1\r\nHost: b.test\r\nContent-Length: 0\r\n\r\n")
        .await;
    let answer = secure.response().await;
    assert!(answer.starts_with("HTTP/1.1 502 "), "{answer}");
    let failures = stage.kept.failures.lock().unwrap().clone();
    assert_eq!(failures[2].1.url.as_str(), "https://b.test/y");
    assert_eq!(failures[2].1.method, "POST");
    assert!(failures[2].1.reason.starts_with("connect."));
    assert!(stage.kept.exchanges.lock().unwrap().is_empty());
}

#[tokio::test]
async fn servers_that_do_not_speak_http_are_failures() {
    for (answer, reason) in [
        ("", "http.disconnected"),
        ("220 smtp ready\r\n\r\n", "http.malformed"),
    ] {
        let server = Server::start(move |mut peer| async move {
            peer.head().await;
            peer.send(answer).await;
            peer.close().await;
        })
        .await;
        let stage = Stage::with(server.address).await;
        let mut browser = stage.browser().await;
        browser.send(GET).await;
        let said = browser.response().await;
        assert!(
            said.contains(&format!("X-Varve-Error: {reason}\r\n")),
            "{said}"
        );
        assert_eq!(stage.kept.failure().await.reason, reason);
    }
}

/// A body that breaks off: what the browser gets, what it sees of the end, what is kept.
async fn check_broken(head: &str, body: &str, end: Result<(), ErrorKind>) {
    let sent = [head, body].concat();
    let reset = end.is_err();
    let server = Server::start(move |mut peer| {
        let sent = sent.clone();
        async move {
            peer.head().await;
            peer.send(sent).await;
            if reset {
                // Something unread makes closing a reset; the pause lets the bytes arrive first.
                tokio::time::sleep(std::time::Duration::from_millis(200)).await;
                return;
            }
            peer.close().await;
        }
    })
    .await;
    let stage = Stage::with(server.address).await;
    let mut browser = stage.browser().await;
    // The body that nobody reads: with it the server's close is a reset.
    let extra = if reset {
        "Content-Length: 4\r\n\r\nwxyz"
    } else {
        "\r\n"
    };
    browser
        .send(format!(
            "POST http://a.test/ HTTP/1.1\r\nHost: a.test\r\n{extra}"
        ))
        .await;
    browser.expect([head, body].concat()).await;
    assert_eq!(
        browser.rest().await.map(|rest| assert!(rest.is_empty())),
        end,
        "{head}"
    );
    let exchange = stage.kept.exchange(1).await;
    assert_eq!(exchange.truncated, Some(Truncation::Disconnect), "{head}");
    assert_eq!(all(&exchange.body), body.as_bytes(), "{head}");
}

#[tokio::test]
async fn bodies_that_break_off_break_off_for_the_browser_too() {
    check_broken(
        "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n",
        "four",
        Ok(()),
    )
    .await;
    check_broken(
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
        "4\r\nfour\r\n",
        Ok(()),
    )
    .await;
    check_broken(
        "HTTP/1.1 200 OK\r\n\r\n",
        "four",
        Err(ErrorKind::ConnectionReset),
    )
    .await;
}
