//! TLS by the example web's own authority, and HTTP/2 inside.

use crate::client::{logged, start};
use bytes::Bytes;
use http::{HeaderMap, Request, Response};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, RootCertStore};
use std::io;
use std::sync::Arc;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;
use varve_demo::{DemoWeb, Protocol, Scheme};

async fn connect(web: &DemoWeb, host: &str, alpn: &[&str]) -> io::Result<TlsStream<TcpStream>> {
    let mut roots = RootCertStore::empty();
    let authority = CertificateDer::from_pem_slice(web.ca_pem().as_bytes()).unwrap();
    roots.add(authority).unwrap();
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let mut config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_root_certificates(roots)
        .with_no_client_auth();
    config.alpn_protocols = alpn.iter().map(|name| name.as_bytes().to_vec()).collect();
    let stream = TcpStream::connect(web.address()).await?;
    let name = ServerName::try_from(host.to_owned()).unwrap();
    TlsConnector::from(Arc::new(config))
        .connect(name, stream)
        .await
}

/// A response with its whole body.
struct Whole {
    head: Response<()>,
    body: Vec<u8>,
    trailers: Option<HeaderMap>,
}

async fn ask(web: &DemoWeb, host: &str, method: &str, target: &str, body: &'static str) -> Whole {
    let stream = connect(web, host, &["h2"]).await.unwrap();
    let (mut client, connection) = h2::client::handshake(stream).await.unwrap();
    tokio::spawn(connection);
    let request = Request::builder()
        .method(method)
        .uri(format!("https://{host}{target}"))
        .header("cookie", "a=1")
        .body(())
        .unwrap();
    let (response, mut sending) = client.send_request(request, body.is_empty()).unwrap();
    if !body.is_empty() {
        sending
            .send_data(Bytes::from_static(body.as_bytes()), true)
            .unwrap();
    }
    let (head, mut incoming) = response.await.unwrap().into_parts();
    let mut body = Vec::new();
    while let Some(data) = incoming.data().await {
        let data = data.unwrap();
        incoming
            .flow_control()
            .release_capacity(data.len())
            .unwrap();
        body.extend_from_slice(&data);
    }
    Whole {
        head: Response::from_parts(head, ()),
        body,
        trailers: incoming.trailers().await.unwrap(),
    }
}

fn lines(map: &HeaderMap) -> String {
    let line = |(name, value): (&http::HeaderName, &http::HeaderValue)| {
        format!("{name}: {}\r\n", String::from_utf8_lossy(value.as_bytes()))
    };
    map.iter().map(line).collect()
}

#[tokio::test]
async fn every_host_has_a_certificate() {
    let web = start().await;
    for (host, _) in DemoWeb::hosts() {
        let mut stream = connect(&web, host, &["http/1.1"]).await.unwrap();
        let request = format!("GET / HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut response = Vec::new();
        stream.read_to_end(&mut response).await.unwrap();
        assert!(response.starts_with(b"HTTP/1.1 "), "{host}");
    }
    assert!(
        web.log()
            .iter()
            .all(|logged| logged.scheme == Scheme::Https)
    );
    assert!(connect(&web, "elsewhere.example", &["h2"]).await.is_err());
}

#[tokio::test]
async fn the_log_has_fields_and_bodies() {
    let web = start().await;
    for target in [
        "/",
        "/everything/odd.json",
        "/everything/range.bin",
        "/everything/204",
        "/nowhere",
    ] {
        let whole = ask(&web, "garden.example", "GET", target, "").await;
        let logged = logged(&web, target);
        assert_eq!(logged.protocol, Protocol::Http2);
        let request = String::from_utf8(logged.request_head).unwrap();
        assert_eq!(
            request,
            format!("GET {target} HTTP/2\r\nhost: garden.example\r\ncookie: a=1\r\n\r\n")
        );
        let head = String::from_utf8(logged.response_head).unwrap();
        let status = whole.head.status().as_u16();
        assert_eq!(
            head,
            format!("HTTP/2 {status}\r\n{}\r\n", lines(whole.head.headers()))
        );
        assert_eq!(logged.response_body, whole.body);
        assert!(logged.complete);
    }
}

#[tokio::test]
async fn request_bodies_and_methods() {
    let web = start().await;
    let put = ask(
        &web,
        "garden.example",
        "PUT",
        "/everything/put",
        "a new label",
    )
    .await;
    assert_eq!(put.body, br#"{"method":"PUT","received":11}"#);
    assert_eq!(logged(&web, "/everything/put").request_body, b"a new label");
    let head = ask(&web, "garden.example", "HEAD", "/everything/image.png", "").await;
    assert!(head.body.is_empty());
    assert!(head.head.headers().contains_key("content-length"));
}

#[tokio::test]
async fn trailers_and_hints() {
    let web = start().await;
    let chunked = ask(&web, "garden.example", "GET", "/everything/chunked.txt", "").await;
    assert_eq!(
        chunked.body,
        b"Chunks come one by one,\nclosing with trailers.\n"
    );
    assert_eq!(
        lines(&chunked.trailers.unwrap()),
        "x-sum: 47\r\nx-mood: fine\r\n"
    );
    let logged_trailers = logged(&web, "/everything/chunked.txt").response_trailers;
    assert_eq!(logged_trailers, b"x-sum: 47\r\nx-mood: fine\r\n\r\n");
    ask(&web, "garden.example", "GET", "/everything/hints.json", "").await;
    let hints = logged(&web, "/everything/hints.json").informational;
    assert!(hints[0].starts_with(b"HTTP/2 103\r\nlink: </everything/style.css>"));
}
