#![allow(clippy::unwrap_used)]
use super::*;
use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream};

impl BrowserStream for DuplexStream {
    fn reset_on_close(&self) {}
}

/// What the proxy reads of these bytes, and what it answers while reading.
async fn asked(place: &Place, bytes: &[u8]) -> (Result<Asked, String>, Vec<u8>) {
    let (mut browser, proxy) = tokio::io::duplex(1 << 20);
    browser.write_all(bytes).await.unwrap();
    browser.shutdown().await.unwrap();
    let mut wire = Wire::new(proxy);
    let outcome = read(&mut wire, place).await.map_err(|e| e.to_string());
    drop(wire);
    let mut answer = Vec::new();
    browser.read_to_end(&mut answer).await.unwrap();
    (outcome, answer)
}

async fn wanted(place: &Place, bytes: &[u8]) -> Wanted {
    match asked(place, bytes).await.0 {
        Ok(Asked::Resource(wanted)) => wanted,
        other => panic!("no resource: {other:?}"),
    }
}

async fn fault(place: &Place, bytes: &[u8]) -> String {
    asked(place, bytes).await.0.unwrap_err()
}

fn tunnel_to(authority: &str) -> Place {
    Place::Tunnel {
        scheme: "https",
        authority: authority.into(),
    }
}

#[tokio::test]
async fn urls_are_whole_at_the_proxy_and_paths_in_a_tunnel() {
    let tunnel = tunnel_to("a.test:443");
    let odd = tunnel_to("[::1]:8443");
    for (place, target, url) in [
        (&Place::Proxy, "http://a.test/x?y=1", "http://a.test/x?y=1"),
        (&Place::Proxy, "http://a.test:8080", "http://a.test:8080/"),
        (&Place::Proxy, "http://a.test/x#part", "http://a.test/x"),
        (&tunnel, "/x%20y?q=a|b", "https://a.test/x%20y?q=a|b"),
        (&tunnel, "//x", "https://a.test//x"),
        (&tunnel, "*", "https://a.test/"),
        (&tunnel, "https://b.test/", "https://b.test/"),
        (&odd, "/", "https://[::1]:8443/"),
    ] {
        let request = format!("GET {target} HTTP/1.1\r\nHost: a.test\r\n\r\n");
        let wanted = wanted(place, request.as_bytes()).await;
        assert_eq!(wanted.request.url.as_str(), url);
    }
}

#[tokio::test]
async fn bodies_come_by_length_or_in_chunks() {
    let place = tunnel_to("a.test:443");
    for (fields, body, expected) in [
        ("Content-Length: 4", "wxyzGET", "wxyz"),
        ("Content-Length: 0", "GET", ""),
        ("X: y", "GET", ""),
        (
            "Transfer-Encoding: chunked",
            "2\r\nwx\r\n2;a=b\r\nyz\r\n0\r\nT: 1\r\n\r\n",
            "wxyz",
        ),
        ("Transfer-Encoding: chunked", "0\r\n\r\n", ""),
    ] {
        let request = format!("POST / HTTP/1.1\r\n{fields}\r\n\r\n{body}");
        let wanted = wanted(&place, request.as_bytes()).await;
        assert_eq!(wanted.request.body, expected, "{fields}");
        assert_eq!(wanted.request.method, "POST");
    }
}

#[tokio::test]
async fn whoever_expects_a_hundred_gets_it() {
    let request = b"POST / HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 1\r\n\r\nx";
    let (outcome, answer) = asked(&tunnel_to("a.test:443"), request).await;
    assert!(outcome.is_ok());
    assert_eq!(answer, b"HTTP/1.1 100 Continue\r\n\r\n");
}

#[tokio::test]
async fn connections_are_kept_as_the_browser_wishes() {
    for (start, field, keeps) in [
        ("HTTP/1.1", "X: y", true),
        ("HTTP/1.1", "Connection: close", false),
        ("HTTP/1.1", "Proxy-Connection: Close", false),
        ("HTTP/1.0", "X: y", false),
        ("HTTP/1.0", "Proxy-Connection: keep-alive", true),
    ] {
        let request = format!("GET http://a.test/ {start}\r\n{field}\r\n\r\n");
        let wanted = wanted(&Place::Proxy, request.as_bytes()).await;
        assert_eq!(wanted.keep_alive, keeps, "{start} {field}");
    }
}

#[tokio::test]
async fn tunnels_have_a_host_and_a_port() {
    let connect =
        |target: &str| format!("CONNECT {target} HTTP/1.1\r\nHost: x\r\n\r\n").into_bytes();
    for target in ["a.test:443", "127.0.0.1:80", "[::1]:8443"] {
        let (outcome, _) = asked(&Place::Proxy, &connect(target)).await;
        assert!(matches!(outcome, Ok(Asked::Tunnel(to)) if to == target));
    }
    for target in [
        "a.test",
        "a.test:",
        ":443",
        "a.test:99999",
        "a b:443",
        "http://a.test/",
    ] {
        let said = fault(&Place::Proxy, &connect(target)).await;
        assert_eq!(said, "CONNECT needs a host and a port", "{target}");
    }
    let nested = fault(&tunnel_to("a.test:443"), &connect("a.test:443")).await;
    assert_eq!(nested, "a tunnel within a tunnel");
}

#[tokio::test]
async fn broken_requests_are_named_by_their_fault() {
    let place = tunnel_to("a.test:443");
    let long = format!("GET / HTTP/1.1\r\nX: {}", "x".repeat(300_000));
    for (request, said) in [
        ("", "the connection ended"),
        ("GET / HTTP/1.1\r\nHost: a", "the connection ended"),
        (&long, "the request's head is too long"),
        ("\x16\x03\x01 x y\r\n\r\n", "this is no request"),
        (
            "GET ftp://a.test/ HTTP/1.1\r\n\r\n",
            "only http and https are spoken here",
        ),
        ("GET x HTTP/1.1\r\n\r\n", "this is no URL"),
        (
            "POST / HTTP/1.1\r\nContent-Length: x\r\n\r\n",
            "Content-Length is no number",
        ),
        (
            "POST / HTTP/1.1\r\nContent-Length: 9\r\n\r\nshort",
            "the connection ended",
        ),
        (
            "POST / HTTP/1.1\r\nContent-Length: 99999999999999999999999\r\n\r\n",
            "the body for https://a.test/ is too long",
        ),
        (
            "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n",
            "a chunk without a size",
        ),
        (
            "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nxyz\r\n",
            "a chunk longer than its size",
        ),
        (
            "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nfffffff\r\n",
            "the body for https://a.test/ is too long",
        ),
    ] {
        assert_eq!(fault(&place, request.as_bytes()).await, said);
    }
}
