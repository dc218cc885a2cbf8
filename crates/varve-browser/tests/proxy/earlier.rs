//! What an earlier crawl holds is asked about, and sent to the browser if it is still good.

use crate::kept::{all, until};
use crate::server::Server;
use crate::stage::Stage;
use std::io;
use std::sync::{Arc, Mutex};
use url::Url;
use varve_browser::proxy::{Origin, UNREADABLE};
use varve_fetch::{Earlier, Held, Original, Protocol};
use varve_model::{Digest, DigestAlgorithm, HttpHead, Timestamp};

const HELD: &str = "HTTP/1.1 200 OK\r\nETag: \"x\"\r\nContent-Length: 4\r\n\r\n";
const UNCHANGED: &str = "HTTP/1.1 304 Not Modified\r\nETag: \"x\"\r\n\r\n";
const NEW: &str = "HTTP/1.1 200 OK\r\nETag: \"y\"\r\nContent-Length: 3\r\n\r\nnew";

/// Holds one response of every URL, which can be read or not.
struct Holds {
    readable: bool,
}

impl Earlier for Holds {
    fn newest(&self, url: &Url) -> Option<Held> {
        let readable = self.readable;
        Some(Held {
            head: HttpHead::parse(HELD.as_bytes())?.0,
            protocol: Protocol::Http1,
            asked: None,
            original: Original {
                url: url.to_string(),
                date: Timestamp::parse("20260102030405").ok()?,
                digest: Digest::of(DigestAlgorithm::Sha1, b"held"),
            },
            body: Box::new(move |spool| match readable {
                true => spool.push(b"held"),
                false => Err(io::Error::other("gone")),
            }),
        })
    }
}

/// A server that answers 304 to conditional requests, or does not know of them; and what it heard.
async fn server(knows: bool) -> (Server, Arc<Mutex<Vec<String>>>) {
    let heard = Arc::new(Mutex::new(Vec::new()));
    let hears = heard.clone();
    let server = Server::start(move |mut peer| {
        let hears = hears.clone();
        async move {
            loop {
                let head = String::from_utf8(peer.head().await).unwrap();
                if head.is_empty() {
                    return;
                }
                let conditional = head.to_ascii_lowercase().contains("if-none-match: \"x\"");
                hears.lock().unwrap().push(head);
                let unchanged = conditional && knows;
                peer.send(if unchanged { UNCHANGED } else { NEW }).await;
            }
        }
    })
    .await;
    (server, heard)
}

async fn stage(server: &Server, readable: bool) -> Stage {
    Stage::remembering(server.address, Some(Arc::new(Holds { readable }))).await
}

fn request(fields: &str) -> String {
    format!("GET http://a.test/x.js HTTP/1.1\r\nHost: a.test\r\n{fields}\r\n")
}

#[tokio::test]
async fn the_browser_gets_what_is_held_and_the_sink_both() {
    let (server, heard) = server(true).await;
    let stage = stage(&server, true).await;
    let mut browser = stage.browser().await;
    browser.send(request("")).await;
    browser.expect(format!("{HELD}held")).await;
    let kept = || stage.kept.unchanged.lock().unwrap().clone();
    until("a 304", || !kept().is_empty()).await;
    let (_, unchanged) = kept().remove(0);
    assert_eq!(unchanged.answer.response_head, UNCHANGED.as_bytes());
    assert_eq!(unchanged.held.response_head, HELD.as_bytes());
    assert_eq!(all(&unchanged.held.body), b"held");
    assert_eq!(unchanged.original.url, "http://a.test/x.js");
    assert!(stage.kept.exchanges.lock().unwrap().is_empty());
    // The next page load has it from there.
    let next = stage.another(8).await;
    let mut browser = next.browser().await;
    browser.send(request("")).await;
    browser.expect(format!("{HELD}held")).await;
    stage.kept.exchange(1).await;
    let origin = stage.kept.exchanges.lock().unwrap()[0].2;
    assert_eq!(origin, Origin::Reused);
    assert_eq!(heard.lock().unwrap().len(), 1);
}

#[tokio::test]
async fn what_has_changed_is_passed_on_as_ever() {
    let (server, heard) = server(false).await;
    let stage = stage(&server, true).await;
    let mut browser = stage.browser().await;
    browser.send(request("")).await;
    browser.expect(NEW).await;
    let exchange = stage.kept.exchange(1).await;
    assert_eq!(all(&exchange.body), b"new");
    assert!(heard.lock().unwrap()[0].contains("If-None-Match"));
}

#[tokio::test]
async fn what_cannot_be_read_is_asked_for_once_more() {
    let (server, heard) = server(true).await;
    let stage = stage(&server, false).await;
    let mut browser = stage.browser().await;
    browser.send(request("")).await;
    browser.expect(NEW).await;
    stage.kept.exchange(1).await;
    assert_eq!(stage.kept.failure().await.reason, UNREADABLE);
    assert!(!heard.lock().unwrap()[1].contains("If-None-Match"));
}

#[tokio::test]
async fn pages_with_conditions_of_their_own_get_their_answers() {
    for fields in ["If-None-Match: \"x\"\r\n", "Range: bytes=0-\r\n"] {
        let (server, heard) = server(true).await;
        let stage = stage(&server, true).await;
        let mut browser = stage.browser().await;
        browser.send(request(fields)).await;
        let exchange = stage.kept.exchange(1).await;
        assert_ne!(all(&exchange.body), b"held");
        let asked = heard.lock().unwrap()[0].matches("If-None-Match").count();
        assert_eq!(asked, fields.matches("If-None-Match").count());
    }
}
