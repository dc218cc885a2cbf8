//! The aggregator over HTTP.

use crate::peers::{Peer, URL, not_found, options, response, send};
use serde_json::Value;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use varve_aggregate::{AggregateOptions, Aggregator, Server, ServerOptions};

async fn serve(options: AggregateOptions, monitor: bool) -> Server {
    let aggregator = Arc::new(Aggregator::new(options).unwrap());
    let at = ServerOptions {
        monitor,
        ..ServerOptions::new("127.0.0.1:0".parse().unwrap())
    };
    Server::start(aggregator, at).await.unwrap()
}

async fn with(peers: &[(&str, &Peer)]) -> Server {
    let archives = peers.iter().map(|(id, peer)| peer.archive(id)).collect();
    serve(options(archives), false).await
}

pub(crate) async fn ask(address: SocketAddr, request: &str, fields: &str) -> String {
    let mut stream = TcpStream::connect(address).await.unwrap();
    let request =
        format!("{request} HTTP/1.1\r\nHost: us.example:1208\r\n{fields}Connection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).await.unwrap();
    String::from_utf8_lossy(&answer).into_owned()
}

#[track_caller]
fn has(answer: &str, parts: &[&str]) {
    for part in parts {
        assert!(answer.contains(part), "{part} is not in\n{answer}");
    }
}

fn status(answer: &str) -> &str {
    answer.split(' ').nth(1).unwrap_or("")
}

#[tokio::test]
async fn timemaps_are_told_in_three_forms() {
    let (one, two) = (
        Peer::with("one", &[2010]).await,
        Peer::with("two", &[2012]).await,
    );
    let server = with(&[("one", &one), ("two", &two)]).await;
    let link = ask(server.address(), &format!("GET /timemap/link/{URL}"), "").await;
    has(
        &link,
        &[
            "HTTP/1.1 200 OK",
            "content-type: application/link-format\r\n",
            "x-memento-count: 2\r\n",
            "access-control-allow-origin: *\r\n",
            "access-control-expose-headers: Link, Location, X-Memento-Count, Server",
            "<http://us.example:1208/timegate/http://a.example/>; rel=\"timegate\"",
            "rel=\"first memento\"; datetime=\"Fri, 01 Jan 2010 00:00:00 GMT\"",
        ],
    );
    let json = ask(server.address(), "GET /timemap/json/a.example", "").await;
    has(
        &json,
        &["content-type: application/json\r\n", "\"archive\":\"two\""],
    );
    let cdxj = ask(server.address(), &format!("GET /timemap/cdxj/{URL}"), "").await;
    has(
        &cdxj,
        &[
            "content-type: application/cdxj+ors\r\n",
            "\n20120101000000 {",
        ],
    );
    let head = ask(server.address(), &format!("HEAD /timemap/link/{URL}"), "").await;
    has(&head, &["x-memento-count: 2\r\n"]);
    assert!(head.ends_with("\r\n\r\n"));
    assert!(!head.contains("content-length: 0"), "{head}");
    server.stop().await;
}

#[tokio::test]
async fn what_is_missing_is_said() {
    let (one, slow) = (Peer::with("one", &[2010]).await, Peer::hanging().await);
    let server = with(&[("one", &one), ("slow", &slow)]).await;
    let answer = ask(server.address(), &format!("GET /timemap/json/{URL}"), "").await;
    has(
        &answer,
        &[
            "HTTP/1.1 200",
            "x-archives-missing: slow=deadline\r\n",
            "cache-control: no-store\r\n",
            "x-archives-asked: 2\r\n",
        ],
    );
    let map = answer.split_once("{\n").unwrap().1;
    has(
        map,
        &["\"missing\": [{\"archive\":\"slow\",\"reason\":\"deadline\"}]"],
    );
}

#[tokio::test]
async fn nothing_and_nobody_are_told_apart() {
    let nothing = Peer::answering(not_found()).await;
    let server = with(&[("nothing", &nothing)]).await;
    let answer = ask(server.address(), &format!("GET /timemap/link/{URL}"), "").await;
    assert_eq!(status(&answer), "404");
    has(&answer, &["x-memento-count: 0\r\n"]);
    let ill = Peer::answering(response("500 Oh", "", "")).await;
    let server = with(&[("ill", &ill)]).await;
    for path in ["timemap/link", "timegate", "memento/2014"] {
        let answer = ask(server.address(), &format!("GET /{path}/{URL}"), "").await;
        assert_eq!(status(&answer), "504");
        has(&answer, &["x-archives-missing: ill=status.500\r\n"]);
    }
}

#[tokio::test]
async fn what_makes_no_sense_is_refused() {
    let one = Peer::with("one", &[2010]).await;
    let server = with(&[("one", &one)]).await;
    let check = |request: &'static str, fields: &'static str, expected: &'static str| {
        let address = server.address();
        async move {
            let answer = ask(address, request, fields).await;
            assert_eq!(status(&answer), expected, "{request}");
            has(&answer, &["access-control-allow-origin: *\r\n"]);
        }
    };
    check("GET /timemap/xml/http://a.example/", "", "400").await;
    check("GET /timemap/link/", "", "400").await;
    check("GET /memento/20/http://a.example/", "", "400").await;
    check("GET /api/2014/http://a.example/", "", "400").await;
    check(
        "GET /timegate/http://a.example/",
        "Accept-Datetime: yesterday\r\n",
        "400",
    )
    .await;
    check("GET /elsewhere", "", "404").await;
    check(
        "POST /timegate/http://a.example/",
        "Content-Length: 0\r\n",
        "405",
    )
    .await;
    check("OPTIONS /timegate/http://a.example/", "", "204").await;
    assert_eq!(one.asked(), 0);
}

#[tokio::test]
async fn timegates_lead_to_the_nearest_memento() {
    let (one, two) = (
        Peer::with("one", &[2010, 2014]).await,
        Peer::with("two", &[2012]).await,
    );
    let server = with(&[("one", &one), ("two", &two)]).await;
    let date = "Accept-Datetime: Mon, 02 Jul 2012 00:00:00 GMT\r\n";
    let answer = ask(server.address(), &format!("GET /timegate/{URL}"), date).await;
    has(
        &answer,
        &[
            "HTTP/1.1 302 Found",
            "location: http://two/web/20120101000000/http://a.example/\r\n",
            "vary: accept-datetime\r\n",
            "rel=\"first prev memento\"",
            "<http://two/web/20120101000000/http://a.example/>; rel=\"memento\"; datetime=\"Sun, 01 Jan 2012 00:00:00 GMT\"",
            "<http://us.example:1208/timemap/link/http://a.example/>; rel=\"timemap\"",
        ],
    );
    let latest = ask(server.address(), &format!("GET /timegate/{URL}"), "").await;
    has(&latest, &["location: http://one/web/20140101000000/"]);
    let at = ask(server.address(), &format!("GET /memento/2010/{URL}"), "").await;
    has(
        &at,
        &["HTTP/1.1 302", "location: http://one/web/20100101000000/"],
    );
    let json = ask(server.address(), &format!("GET /api/json/201206/{URL}"), "").await;
    has(
        &json,
        &[
            "\"closest\": {\"archive\":\"two\"",
            "\"prev\": {\"archive\":\"one\"",
        ],
    );
    has(
        &json,
        &["\"self\": \"http://us.example:1208/memento/json/20120601000000/http://a.example/\""],
    );
}

#[tokio::test]
async fn mementos_themselves_are_passed_on_without_rights() {
    let archive = Peer::start(|stream, head, _| async move {
        let port = head
            .split("Host: 127.0.0.1:")
            .nth(1)
            .unwrap()
            .split('\r')
            .next()
            .unwrap();
        let answer = match head.starts_with("GET /web/20100101000000id_/") {
            true => response(
                "200 OK",
                "Content-Type: text/html\r\nSet-Cookie: a=b\r\n",
                "<script>alert(1)</script>",
            ),
            false => {
                let uri = format!("http://127.0.0.1:{port}/web/20100101000000/{URL}");
                let date = "Fri, 01 Jan 2010 00:00:00 GMT";
                response(
                    "200 OK",
                    "",
                    &format!("<{uri}>; rel=\"memento\"; datetime=\"{date}\""),
                )
            }
        };
        send(stream, answer).await;
    })
    .await;
    let server = with(&[("one", &archive)]).await;
    let answer = ask(
        server.address(),
        &format!("GET /memento/proxy/2010/{URL}"),
        "",
    )
    .await;
    has(
        &answer,
        &[
            "HTTP/1.1 200 OK",
            "content-type: text/html\r\n",
            "memento-datetime: Fri, 01 Jan 2010 00:00:00 GMT\r\n",
            "content-security-policy: sandbox;",
            "\r\n\r\n<script>alert(1)</script>",
        ],
    );
    assert!(!answer.to_lowercase().contains("set-cookie"), "{answer}");
}

#[tokio::test]
async fn peers_are_described_to_people_and_to_prometheus() {
    let (one, ill) = (
        Peer::with("one", &[2010]).await,
        Peer::answering(response("500 Oh", "", "")).await,
    );
    let server = with(&[("one", &one), ("ill", &ill)]).await;
    ask(server.address(), &format!("GET /timemap/link/{URL}"), "").await;
    let metrics = ask(server.address(), "GET /metrics", "").await;
    has(
        &metrics,
        &[
            "# TYPE varve_aggregate_asked_total counter\n",
            "varve_aggregate_asked_total{archive=\"one\"} 1\n",
            "varve_aggregate_hits_total{archive=\"one\"} 1\n",
            "varve_aggregate_errors_total{archive=\"ill\",reason=\"status.500\"} 1\n",
            "varve_aggregate_answer_seconds_bucket{archive=\"one\",le=\"+Inf\"} 1\n",
            "varve_aggregate_skipped_by_map_total{archive=\"one\"} 0\n",
        ],
    );
    for path in ["/", "/about"] {
        let page = ask(server.address(), &format!("GET {path}"), "").await;
        has(
            &page,
            &[
                "text/html",
                "Archive one",
                "http://us.example:1208/timemap/",
            ],
        );
    }
    assert!(
        ask(server.address(), "GET /healthz", "")
            .await
            .ends_with("ok\n")
    );
}

#[tokio::test]
async fn what_happens_can_be_watched_if_it_is_allowed() {
    let one = Peer::with("one", &[2010]).await;
    let closed = with(&[("one", &one)]).await;
    assert_eq!(
        status(&ask(closed.address(), "GET /monitor", "").await),
        "501"
    );
    let server = serve(options(vec![one.archive("one")]), true).await;
    let mut stream = TcpStream::connect(server.address()).await.unwrap();
    stream
        .write_all(b"GET /monitor HTTP/1.1\r\nHost: us\r\n\r\n")
        .await
        .unwrap();
    let mut seen = String::new();
    let mut piece = [0; 4096];
    let mut looked = false;
    while !seen.contains("\n\n") {
        let read = tokio::time::timeout(Duration::from_secs(20), stream.read(&mut piece)).await;
        seen += &String::from_utf8_lossy(&piece[..read.unwrap().unwrap()]);
        if !std::mem::replace(&mut looked, true) {
            ask(server.address(), &format!("GET /timemap/link/{URL}"), "").await;
        }
    }
    has(&seen, &["content-type: text/event-stream", "data: {"]);
    let event = seen
        .split("data: ")
        .nth(1)
        .unwrap()
        .split('\n')
        .next()
        .unwrap();
    let event: Value = serde_json::from_str(event).unwrap();
    assert_eq!(
        (&event["archive"], &event["outcome"]),
        (&"one".into(), &"hit".into())
    );
    // A watcher does not hold up the end.
    tokio::time::timeout(Duration::from_secs(10), server.stop())
        .await
        .unwrap();
}
