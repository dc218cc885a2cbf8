//! Proxy mode: archived URLs asked for as they are, and answered as they were.

use crate::archive::{Saved, TIME, add_layer};
use crate::asking::{Answer, answer, raw, raw_and_hang_up};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, ClientConnection, RootCertStore, StreamOwned};
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::time::Duration;
use tempfile::TempDir;
use tokio::runtime::Runtime;
use varve_model::Timestamp;
use varve_serve::{ProxyFacts, ProxyOptions, ServeError, ServeOptions, Server};

const LOOPBACK: SocketAddr =
    SocketAddr::new(std::net::IpAddr::V4(std::net::Ipv4Addr::LOCALHOST), 0);

/// A proxy over a collection of its own.
struct Proxied {
    server: Option<Server>,
    runtime: Runtime,
    _dir: TempDir,
}

impl Proxied {
    fn new(layers: &[&[Saved]]) -> Proxied {
        Proxied::with(layers, ProxyOptions::new(LOOPBACK))
    }

    fn with(layers: &[&[Saved]], proxy: ProxyOptions) -> Proxied {
        let dir = TempDir::new().unwrap();
        for layer in layers {
            add_layer(dir.path(), layer);
        }
        let runtime = Runtime::new().unwrap();
        let options = ServeOptions {
            proxy: Some(proxy),
            ..ServeOptions::new(vec![dir.path().to_owned()], LOOPBACK)
        };
        let server = runtime.block_on(Server::start(options)).unwrap();
        Proxied {
            server: Some(server),
            runtime,
            _dir: dir,
        }
    }

    fn facts(&self) -> &ProxyFacts {
        self.server.as_ref().unwrap().proxy().unwrap()
    }

    fn address(&self) -> SocketAddr {
        self.facts().address
    }

    fn get(&self, url: &str, fields: &str) -> Answer {
        self.ask("GET", url, fields, "")
    }

    /// Asks for an `http:` URL in the open, for an `https:` one through a tunnel.
    fn ask(&self, method: &str, url: &str, fields: &str, body: &str) -> Answer {
        let (scheme, rest) = url.split_once("://").unwrap();
        let (host, path) = rest.split_once('/').unwrap();
        let target = match scheme {
            "https" => format!("/{path}"),
            _ => url.to_owned(),
        };
        let length = match body {
            "" => String::new(),
            body => format!("Content-Length: {}\r\n", body.len()),
        };
        let request = format!(
            "{method} {target} HTTP/1.1\r\nHost: {host}\r\n{fields}{length}Connection: close\r\n\r\n{body}"
        );
        let bytes = match scheme {
            "https" => self.through_tls(host, request.as_bytes()),
            _ => raw(self.address(), request.as_bytes()),
        };
        answer(&bytes).unwrap()
    }

    /// What comes back through a tunnel, for a client that trusts nothing but the proxy's authority.
    fn through_tls(&self, host: &str, request: &[u8]) -> Vec<u8> {
        let mut roots = RootCertStore::empty();
        let pem = self.facts().certificate.as_bytes();
        roots
            .add(CertificateDer::from_pem_slice(pem).unwrap())
            .unwrap();
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let config = ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_root_certificates(roots)
            .with_no_client_auth();
        let name = ServerName::try_from(host.to_owned()).unwrap();
        let client = ClientConnection::new(Arc::new(config), name).unwrap();
        let mut stream = StreamOwned::new(client, self.tunnel(&format!("{host}:443")));
        stream.write_all(request).unwrap();
        let mut bytes = Vec::new();
        let _ = stream.read_to_end(&mut bytes);
        bytes
    }

    fn tunnel(&self, authority: &str) -> TcpStream {
        let mut stream = TcpStream::connect(self.address()).unwrap();
        stream
            .set_read_timeout(Some(Duration::from_secs(20)))
            .unwrap();
        let head = format!("CONNECT {authority} HTTP/1.1\r\nHost: {authority}\r\n\r\n");
        stream.write_all(head.as_bytes()).unwrap();
        let mut answered = Vec::new();
        let mut byte = [0];
        while !answered.ends_with(b"\r\n\r\n") {
            stream.read_exact(&mut byte).unwrap();
            answered.push(byte[0]);
        }
        assert!(answered.starts_with(b"HTTP/1.1 200 "));
        stream
    }
}

impl Drop for Proxied {
    fn drop(&mut self) {
        if let Some(server) = self.server.take() {
            self.runtime.block_on(server.stop());
        }
    }
}

#[test]
fn pages_are_as_they_were_in_the_open_and_in_tunnels() {
    let html = "<a href=\"https://h.test/x\">x</a><script>top.location</script>";
    for url in ["http://h.test/", "https://h.test/", "http://h.test:81/a?b"] {
        let page = Saved::page(url, html)
            .field("Content-Security-Policy", "script-src 'none'")
            .field("ETag", "\"e\"")
            .field("Strict-Transport-Security", "max-age=1")
            .field("Set-Cookie", "a=b")
            .field("Cache-Control", "max-age=31536000")
            .field("Transfer-Encoding", "identity");
        let proxied = Proxied::new(&[&[page]]);
        let answer = proxied.get(url, "");
        assert_eq!(
            (answer.status, answer.text().as_str()),
            (200, html),
            "{url}"
        );
        for (name, expected) in [
            ("content-type", "text/html; charset=utf-8"),
            ("content-security-policy", "script-src 'none'"),
            ("etag", "\"e\""),
            ("content-length", &html.len().to_string()),
            ("cache-control", "no-store"),
            ("memento-datetime", "Thu, 01 Jan 2026 00:00:00 GMT"),
            ("x-varve-match", "exact"),
            ("strict-transport-security", ""),
            ("set-cookie", ""),
            ("x-archive-orig-set-cookie", "a=b"),
        ] {
            assert_eq!(answer.header(name), expected, "{name}");
        }
        let link = answer.header("link");
        assert!(
            link.contains(&format!("<{url}>; rel=\"original\"")),
            "{link}"
        );
        assert!(link.contains("rel=\"timegate\"") && link.contains("rel=\"timemap\""));
        let head = proxied.ask("HEAD", url, "", "");
        assert_eq!((head.status, head.body.len()), (200, 0));
        assert_eq!(head.header("content-length"), html.len().to_string());
    }
}

#[test]
fn coded_bodies_and_parts_of_them() {
    let text = "<p>content that was compressed on its way".repeat(20);
    let mut coder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    coder.write_all(text.as_bytes()).unwrap();
    let coded = Saved::new("http://h.test/", "text/html", coder.finish().unwrap())
        .field("Content-Encoding", "gzip");
    let proxied = Proxied::new(&[&[coded]]);
    let whole = proxied.get("http://h.test/", "Accept-Encoding: gzip\r\n");
    assert_eq!(
        (whole.text(), whole.header("content-encoding")),
        (text.clone(), "")
    );
    let part = proxied.get("http://h.test/", "Range: bytes=3-9\r\n");
    assert_eq!((part.status, part.text().as_str()), (206, "content"));
    let total = text.len();
    assert_eq!(part.header("content-range"), format!("bytes 3-9/{total}"));
    assert_eq!(
        proxied
            .get("http://h.test/", "Range: bytes=99999-\r\n")
            .status,
        416
    );
}

#[test]
fn redirects_and_errors_are_as_they_were() {
    let proxied = Proxied::new(&[&[
        Saved::redirect("http://h.test/r", 302, "https://elsewhere.test/x"),
        Saved::page("http://h.test/gone", "gone").status(410),
    ]]);
    let redirect = proxied.get("http://h.test/r", "");
    assert_eq!(redirect.status, 302);
    assert_eq!(redirect.header("location"), "https://elsewhere.test/x");
    let gone = proxied.get("http://h.test/gone", "");
    assert_eq!((gone.status, gone.text().as_str()), (410, "gone"));
}

#[test]
fn what_is_not_archived_is_404_and_nobody_is_asked() {
    let live = TcpListener::bind("127.0.0.1:0").unwrap();
    live.set_nonblocking(true).unwrap();
    let address = live.local_addr().unwrap();
    let proxied = Proxied::new(&[&[Saved::page("http://h.test/", "x")]]);
    let url = format!("http://{address}/secret");
    let answer = proxied.get(&url, "");
    assert_eq!(answer.status, 404);
    assert_eq!(answer.header("x-varve-notice"), "1");
    assert!(answer.text().contains("Not in the archive"));
    assert_eq!(proxied.get("https://none.test/", "").status, 404);
    let mut tunnel = proxied.tunnel(&address.to_string());
    tunnel
        .write_all(b"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        .unwrap();
    let mut bytes = Vec::new();
    tunnel.read_to_end(&mut bytes).unwrap();
    assert_eq!(self::answer(&bytes).unwrap().status, 404);
    let nobody = live.accept().unwrap_err();
    assert_eq!(nobody.kind(), std::io::ErrorKind::WouldBlock);
}

#[test]
fn the_time_is_that_of_the_request_or_of_the_proxy() {
    let url = "http://h.test/";
    let saved: Vec<Saved> = ["2020", "2021", "2022"]
        .iter()
        .map(|year| Saved::page(url, year).at(&format!("{year}0101000000")))
        .collect();
    let proxied = Proxied::new(&[&saved]);
    assert_eq!(proxied.get(url, "").text(), "2022");
    let near = "Accept-Datetime: Fri, 05 Feb 2021 00:00:00 GMT\r\n";
    assert_eq!(proxied.get(url, near).text(), "2021");
    assert_eq!(proxied.get(url, "Accept-Datetime: soon\r\n").status, 400);
    let set = Proxied::with(
        &[&saved],
        ProxyOptions {
            time: Timestamp::earliest_of("2020").ok(),
            ..ProxyOptions::new(LOOPBACK)
        },
    );
    assert_eq!(set.get(url, "").text(), "2020");
    assert_eq!(set.get(url, near).text(), "2021");
}

#[test]
fn what_a_page_needs_is_of_its_own_crawl() {
    let style = "https://cdn.test/s.css";
    let at = |time: &str, url: &str, body: &str| Saved::page(url, body).at(time);
    let proxied = Proxied::new(&[
        &[
            at("20200101000000", "https://old.test/", "old"),
            at("20200101000001", style, "old style"),
            at("20200101000002", "https://cdn.test/i.png", "old image"),
        ],
        &[
            at("20220101000000", "https://new.test/", "new"),
            at("20220101000001", style, "new style"),
            at("20220101000002", "https://cdn.test/i.png", "new image"),
        ],
    ]);
    let asked_by = |referrer: &str, purpose: &str| {
        format!("Referer: {referrer}\r\nSec-Fetch-Dest: {purpose}\r\n")
    };
    for age in ["old", "new"] {
        let page = format!("https://{age}.test/");
        assert_eq!(
            proxied.get(&page, "Sec-Fetch-Dest: document\r\n").text(),
            age
        );
        let given = proxied.get(style, &asked_by(&page, "style")).text();
        assert_eq!(given, format!("{age} style"));
        let image = proxied.get("https://cdn.test/i.png", &asked_by(style, "image"));
        assert_eq!(image.text(), format!("{age} image"));
    }
}

#[test]
fn what_scripts_ask_for_differently_is_matched_and_said_so() {
    let proxied = Proxied::new(&[&[
        Saved::page("https://h.test/", "page"),
        Saved::new(
            "https://h.test/data?q=1&_=1700000000000",
            "application/json",
            "{}",
        ),
        Saved::new("https://h.test/send", "text/plain", "one").asked_by(
            "POST",
            "application/x-www-form-urlencoded",
            "a=1",
        ),
        Saved::new("https://h.test/send", "text/plain", "two").asked_by(
            "POST",
            "application/x-www-form-urlencoded",
            "a=2",
        ),
    ]]);
    let fields = "Referer: https://h.test/\r\nSec-Fetch-Dest: empty\r\n";
    let data = proxied.get("https://h.test/data?q=1&_=1800000000000", fields);
    assert_eq!((data.status, data.header("x-varve-match")), (200, "query"));
    // One who types it in gets what is there, and nothing for it.
    assert_eq!(
        proxied
            .get("https://h.test/data?q=1&_=1800000000000", "")
            .status,
        404
    );
    let fields = format!("{fields}Content-Type: application/x-www-form-urlencoded\r\n");
    for (sent, expected) in [("a=1", "one"), ("a=2", "two")] {
        let answer = proxied.ask("POST", "https://h.test/send", &fields, sent);
        assert_eq!(answer.text(), expected);
    }
}

#[test]
fn other_origins_read_what_they_read_at_capture() {
    let proxied = Proxied::new(&[&[
        Saved::new("https://h.test/open", "text/plain", "x")
            .field("Access-Control-Allow-Origin", "https://a.test"),
        Saved::new("https://h.test/closed", "text/plain", "x"),
    ]]);
    let fields =
        |origin: &str, dest: &str| format!("Origin: {origin}\r\nSec-Fetch-Dest: {dest}\r\n");
    for (path, dest, allowed) in [
        ("open", "empty", "https://b.test"),
        ("closed", "empty", ""),
        ("closed", "font", "https://b.test"),
    ] {
        let answer = proxied.get(
            &format!("https://h.test/{path}"),
            &fields("https://b.test", dest),
        );
        assert_eq!(
            answer.header("access-control-allow-origin"),
            allowed,
            "{path} {dest}"
        );
    }
    let asked = "Origin: https://b.test\r\nAccess-Control-Request-Method: PUT\r\n";
    let preflight = proxied.ask("OPTIONS", "https://h.test/open", asked, "");
    assert_eq!(preflight.status, 204);
    assert_eq!(preflight.header("access-control-allow-methods"), "PUT");
}

#[test]
fn service_workers_are_not_given_out() {
    let proxied = Proxied::new(&[&[Saved::new("https://h.test/sw.js", "text/javascript", "x")]]);
    let answer = proxied.get("https://h.test/sw.js", "Service-Worker: script\r\n");
    assert_eq!(answer.status, 403);
}

#[test]
fn the_proxy_introduces_itself_and_gives_its_certificate() {
    let proxied = Proxied::new(&[&[Saved::page("http://h.test/", "x")]]);
    let address = proxied.address();
    let ask = |host: &str, target: &str| {
        let head = format!("GET {target} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
        answer(&raw(address, head.as_bytes())).unwrap()
    };
    let us = address.to_string();
    let page = ask(&us, "/");
    assert!(page.text().contains("href=\"/ca.pem\""), "{}", page.text());
    assert!(
        page.header("content-security-policy")
            .starts_with("default-src 'none'")
    );
    let certificate = ask(&us, "/ca.pem");
    assert_eq!(certificate.text(), proxied.facts().certificate);
    assert!(!certificate.text().contains("PRIVATE"));
    assert_eq!(
        ask(&us, &format!("http://{us}/ca.pem")).text(),
        certificate.text()
    );
    assert_eq!(ask(&us, "/other").status, 404);
    assert_eq!(ask("rebound.test", "/").status, 400);
}

#[test]
fn a_kept_authority_outlives_the_server() {
    let dir = TempDir::new().unwrap();
    let file = dir.path().join("ca.pem");
    let options = || ProxyOptions {
        authority: Some(file.clone()),
        ..ProxyOptions::new(LOOPBACK)
    };
    let saved = [Saved::page("https://h.test/", "x")];
    let first = Proxied::with(&[&saved], options())
        .facts()
        .certificate
        .clone();
    let again = Proxied::with(&[&saved], options());
    assert_eq!(again.facts().certificate, first);
    assert_eq!(again.get("https://h.test/", "").text(), "x");
    assert_ne!(Proxied::new(&[&saved]).facts().certificate, first);
    std::fs::write(&file, "something else").unwrap();
    let archive = TempDir::new().unwrap();
    add_layer(archive.path(), &saved);
    let refused = ServeOptions {
        proxy: Some(options()),
        ..ServeOptions::new(vec![archive.path().to_owned()], LOOPBACK)
    };
    let refused = Runtime::new().unwrap().block_on(Server::start(refused));
    assert!(matches!(refused.err(), Some(ServeError::Authority(_))));
}

#[test]
fn tunnels_are_for_http_and_tls_alone() {
    let proxied = Proxied::new(&[&[Saved::page("http://h.test/", "x").at(TIME)]]);
    for bytes in [
        b"\x05\x01\x00".as_slice(),
        b"\0\0",
        b"ssh-2.0",
        b"\x16\x03\x01nonsense",
    ] {
        let mut tunnel = proxied.tunnel("h.test:22");
        // It may be closed by then.
        let _ = tunnel.write_all(bytes);
        let _ = tunnel.shutdown(std::net::Shutdown::Write);
        let mut answered = Vec::new();
        let _ = tunnel.read_to_end(&mut answered);
        assert!(!answered.starts_with(b"HTTP"), "{bytes:?}");
    }
    for target in ["h.test", "h.test:0", "user@h.test:443"] {
        let head = format!("CONNECT {target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
        let answer = answer(&raw(proxied.address(), head.as_bytes())).unwrap();
        assert_eq!(answer.status, 400, "{target}");
    }
    let tunnel = "CONNECT h.test:80 HTTP/1.1\r\nHost: h.test\r\n\r\n";
    let inside = "CONNECT h.test:80 HTTP/1.1\r\nHost: h.test\r\nConnection: close\r\n\r\n";
    let bytes = raw(proxied.address(), format!("{tunnel}{inside}").as_bytes());
    assert!(String::from_utf8_lossy(&bytes).contains("HTTP/1.1 400"));
}

#[test]
fn requests_of_any_kind() {
    let proxied = Proxied::new(&[&[Saved::page("http://h.test/", "x")]]);
    let part = "[\\x20-\\x7e\\r\\n\\x80-\\xff]{0,40}";
    let targets = prop_oneof![
        part.prop_map(|text| text),
        part.prop_map(|text| format!("/{text}")),
        part.prop_map(|text| format!("http://h.test/{text}")),
        part.prop_map(|text| format!("http://{text}/")),
        part.prop_map(|text| format!("{text}:443")),
    ];
    let names = proptest::sample::select(vec![
        "Range",
        "Origin",
        "Referer",
        "Sec-Fetch-Dest",
        "Accept-Datetime",
        "Accept",
        "X",
    ]);
    let methods = proptest::sample::select(vec!["GET", "HEAD", "POST", "OPTIONS", "CONNECT", "X"]);
    let mut runner = TestRunner::new(Config::with_cases(150));
    let result = runner.run(&(methods, targets, names, part), |(method, target, name, value)| {
        let request = format!(
            "{method} {target} HTTP/1.1\r\nHost: h.test\r\n{name}: {value}\r\nConnection: close\r\n\r\n"
        );
        let bytes = raw_and_hang_up(proxied.address(), request.as_bytes());
        let status = answer(&bytes).map_or(0, |answer| answer.status);
        prop_assert!(status != 500, "{request}");
        Ok(())
    });
    result.unwrap();
    let mut runner = TestRunner::new(Config::with_cases(60));
    let bytes = proptest::collection::vec(any::<u8>(), 0..200);
    let result = runner.run(&(bytes, any::<bool>()), |(bytes, in_tunnel)| {
        let head: &[u8] = match in_tunnel {
            true => b"CONNECT h.test:443 HTTP/1.1\r\nHost: h.test\r\n\r\n",
            false => b"",
        };
        raw_and_hang_up(proxied.address(), &[head, &bytes].concat());
        Ok(())
    });
    result.unwrap();
    // It still stands.
    assert_eq!(proxied.get("http://h.test/", "").text(), "x");
}
