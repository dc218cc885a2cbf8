//! The log holds exactly what went over the wire.

use crate::client::{ask, exchange, get, logged, split, start};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use varve_demo::{Protocol, Scheme};

#[tokio::test]
async fn heads_and_bodies_are_logged_as_sent() {
    let web = start().await;
    for (host, target) in [
        ("garden.example", "/"),
        ("garden.example", "/everything/"),
        ("garden.example", "/everything/chunked.txt"),
        ("garden.example", "/everything/odd.json"),
        ("garden.example", "/everything/gzip.json"),
        ("garden.example", "/everything/hints.json"),
        ("garden.example", "/everything/204"),
        ("garden.example", "/nowhere"),
        ("old.garden.example", "/cgi-bin/counter"),
        ("static.garden.example", "/img/icon-192.png"),
        ("nobody.example", "/?a=b"),
    ] {
        let request = format!(
            "GET {target} HTTP/1.1\r\nhOST: {host}\r\nX-A:  1\r\nX-a: 2\r\nConnection: close\r\n\r\n"
        );
        let response = split(exchange(web.address(), request.as_bytes()).await);
        let logged = logged(&web, target);
        assert_eq!(
            (logged.scheme, logged.protocol),
            (Scheme::Http, Protocol::Http1)
        );
        assert_eq!(logged.url(), format!("http://{host}{target}"));
        assert_eq!(logged.request_head, request.as_bytes());
        assert_eq!(logged.informational, response.informational, "{target}");
        assert_eq!(logged.response_head, response.head, "{target}");
        assert_eq!(logged.response_body, response.body, "{target}");
        assert!(logged.complete, "{target}");
    }
}

#[tokio::test]
async fn chunks_have_extensions_and_trailers() {
    let web = start().await;
    let response = get(&web, "garden.example", "/everything/chunked.txt").await;
    assert_eq!(
        response.text(),
        "18;part=1\r\nChunks come one by one,\n\r\n1;part=2;note=\"a single byte\"\r\nc\r\n\
         16\r\nlosing with trailers.\n\r\n0\r\nX-Sum: 47\r\nX-Mood: fine\r\n\r\n"
    );
}

#[tokio::test]
async fn fields_keep_order_case_and_duplicates() {
    let web = start().await;
    let response = get(&web, "garden.example", "/everything/odd.json").await;
    let head = String::from_utf8(response.head).unwrap();
    let odd = "x-ODD: one\r\nX-Empty: \r\nX-odd: two\r\nX-Spaced:    in   between   \r\nX-Words: Orrin Hill, café\r\nX_Underscore: yes\r\n";
    assert!(head.contains(odd), "{head}");
}

#[tokio::test]
async fn informational_responses_come_first() {
    let web = start().await;
    let hinted = get(&web, "garden.example", "/everything/hints.json").await;
    assert_eq!(hinted.informational.len(), 1);
    assert!(
        hinted.informational[0]
            .starts_with(b"HTTP/1.1 103 Early Hints\r\nLink: </everything/style.css>")
    );
    let expect = "Expect: 100-continue\r\nContent-Length: 0\r\n";
    let continued = ask(&web, "POST", "garden.example", "/everything/post", expect).await;
    assert_eq!(continued.informational, [b"HTTP/1.1 100 Continue\r\n\r\n"]);
    assert_eq!(
        logged(&web, "/everything/post").informational,
        continued.informational
    );
}

#[tokio::test]
async fn request_bodies_are_logged_with_their_framing() {
    let web = start().await;
    let chunks = b"5;x=y\r\nhello\r\n6\r\n world\r\n0\r\nX-T: 1\r\n\r\n";
    let head = b"POST /everything/post HTTP/1.1\r\nHost: garden.example\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n";
    let response = split(exchange(web.address(), &[&head[..], chunks].concat()).await);
    assert_eq!(response.text(), r#"{"method":"POST","received":11}"#);
    assert_eq!(logged(&web, "/everything/post").request_body, chunks);
}

#[tokio::test]
async fn a_connection_serves_many_requests() {
    let web = start().await;
    let mut stream = TcpStream::connect(web.address()).await.unwrap();
    let one = |method, n: usize| {
        format!("{method} /robots.txt?{n} HTTP/1.1\r\nHost: garden.example\r\n\r\n")
    };
    // Two at once, the second a HEAD, then one more after the answers, then the end.
    let both = one("GET", 1) + &one("HEAD", 2);
    stream.write_all(both.as_bytes()).await.unwrap();
    let mut received = Vec::new();
    while received
        .windows(8)
        .filter(|text| text == b"HTTP/1.1")
        .count()
        < 2
        || !received.ends_with(b"\r\n\r\n")
    {
        stream.read_buf(&mut received).await.unwrap();
    }
    stream.write_all(one("GET", 3).as_bytes()).await.unwrap();
    stream.shutdown().await.unwrap();
    stream.read_to_end(&mut received).await.unwrap();
    let log = web.log();
    assert_eq!(log.len(), 3);
    let sent: Vec<u8> = log
        .iter()
        .flat_map(|logged| [logged.response_head.clone(), logged.response_body.clone()].concat())
        .collect();
    assert_eq!(received, sent);
    assert!(log[1].response_body.is_empty() && !log[0].response_body.is_empty());
}

#[tokio::test]
async fn old_clients_get_no_chunks() {
    let web = start().await;
    let request = b"GET /everything/chunked.txt HTTP/1.0\r\nHost: garden.example\r\n\r\n";
    let response = split(exchange(web.address(), request).await);
    assert_eq!(response.field("transfer-encoding"), None);
    assert_eq!(
        response.text(),
        "Chunks come one by one,\nclosing with trailers.\n"
    );
}

#[tokio::test]
async fn event_streams_stay_open() {
    let web = start().await;
    let mut stream = TcpStream::connect(web.address()).await.unwrap();
    let request = b"GET /everything/events HTTP/1.1\r\nHost: garden.example\r\n\r\n";
    stream.write_all(request).await.unwrap();
    let mut received = Vec::new();
    while !String::from_utf8_lossy(&received).contains("data: third\n\n\r\n") {
        assert_ne!(
            stream.read_buf(&mut received).await.unwrap(),
            0,
            "it hung up"
        );
    }
    let logged = logged(&web, "/everything/events");
    assert!(!logged.complete);
    assert_eq!(
        received,
        [logged.response_head, logged.response_body].concat()
    );
}

#[tokio::test]
async fn stopping_cuts_connections() {
    let web = start().await;
    let address = web.address();
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream
        .write_all(b"GET /live/events HTTP/1.1\r\nHost: garden.example\r\n\r\n")
        .await
        .unwrap();
    stream.read_u8().await.unwrap();
    web.stop().await;
    assert!(TcpStream::connect(address).await.is_err());
    let mut rest = Vec::new();
    // Cut, one way or the other, instead of waiting for ever.
    let _ = stream.read_to_end(&mut rest).await;
}
