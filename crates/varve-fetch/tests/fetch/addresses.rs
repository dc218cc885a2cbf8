//! Only public addresses are contacted, and those that were allowed, however they are spelled
//! and whatever a resolver says.

use crate::server::{Client, Server, body, make_impatient, options};
use std::collections::HashMap;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use tempfile::TempDir;
use tokio::net::{TcpListener, UdpSocket};
use url::Url;
use varve_fetch::{
    AddressPolicy, FetchError, Fetcher, MapHost, MapHostError, Request, Resolve, ResolveError,
    Resolving, SystemResolver,
};

/// Literal and special hosts that lead to where a crawler must not go.
const REFUSED: [&str; 47] = [
    "127.0.0.1",
    "127.0.0.2",
    "127.1",
    "0",
    "0.0.0.0",
    "0.1.2.3",
    "2130706433",
    "0x7f.1",
    "0x7f000001",
    "0177.0.0.1",
    "017700000001",
    "%31%32%37.0.0.1",
    "１２７。０。０。１",
    "localhost",
    "LOCALHOST",
    "localhost.",
    "x.localhost",
    "a.b.localhost.",
    "[::1]",
    "[::]",
    "[::127.0.0.1]",
    "[::ffff:127.0.0.1]",
    "[::ffff:a00:1]",
    "[64:ff9b::7f00:1]",
    "[64:ff9b::10.0.0.1]",
    "[64:ff9b:1::1]",
    "[64:ff9b:1:0:0:0:808:808]",
    "[2002:7f00:1::]",
    "[2002:c0a8:1::1]",
    "[2001:0:7f00:1::1]",
    "[2001:0:808:808:0:0:80ff:fffe]",
    "[2001:db8::1]",
    "[3fff::1]",
    "10.0.0.1",
    "172.16.0.1",
    "172.31.255.255",
    "192.168.0.1",
    "169.254.169.254",
    "100.64.0.1",
    "192.0.0.192",
    "192.0.2.1",
    "198.18.0.1",
    "224.0.0.1",
    "255.255.255.255",
    "[fd00:ec2::254]",
    "[fe80::1]",
    "[ff02::1]",
];

/// A resolver that says what it is told to, in turn, and counts.
#[derive(Default)]
struct Told {
    answers: Mutex<HashMap<&'static str, Vec<Vec<IpAddr>>>>,
    asked: AtomicUsize,
}

impl Told {
    /// Each answer is given once, the last one from then on.
    fn answers(self, host: &'static str, answers: &[&[&str]]) -> Told {
        let parse = |answer: &&[&str]| answer.iter().map(|it| it.parse().unwrap()).collect();
        let answers = answers.iter().rev().map(parse).collect();
        self.answers.lock().unwrap().insert(host, answers);
        self
    }
}

impl Resolve for Told {
    fn resolve<'a>(&'a self, host: &'a str) -> Resolving<'a> {
        self.asked.fetch_add(1, Ordering::Relaxed);
        let mut answers = self.answers.lock().unwrap();
        let answer = match answers.get_mut(host) {
            Some(turns) if turns.len() > 1 => Ok(turns.pop().unwrap()),
            Some(turns) => Ok(turns[0].clone()),
            None => Err(ResolveError::NoSuchHost),
        };
        Box::pin(std::future::ready(answer))
    }
}

fn fetcher(dir: &TempDir, allow: &[&str], resolver: Arc<dyn Resolve>) -> Fetcher {
    let mut options = options(dir);
    let allow = allow.iter().map(|net| net.parse().unwrap());
    options.policy = AddressPolicy::allowing(allow);
    make_impatient(&mut options.limits);
    Fetcher::with_resolver(options, resolver).unwrap()
}

async fn get(fetcher: &Fetcher, url: &str) -> Result<Vec<u8>, FetchError> {
    let request = Request::get(Url::parse(url).unwrap());
    Ok(body(&fetcher.send(request).await?.complete().await))
}

/// A listener on all addresses of this machine, which nobody may reach.
async fn canary() -> (u16, Arc<AtomicUsize>) {
    let listener = TcpListener::bind("[::]:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let reached = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&reached);
    tokio::spawn(async move {
        while listener.accept().await.is_ok() {
            counted.fetch_add(1, Ordering::Relaxed);
        }
    });
    (port, reached)
}

#[tokio::test]
async fn addresses_that_are_not_public_are_not_contacted() {
    let (port, reached) = canary().await;
    let dir = TempDir::new().unwrap();
    let told = Told::default()
        .answers("private.test", &[&["10.0.0.1"]])
        .answers("loopback.test", &[&["127.0.0.1"]])
        .answers("mapped.test", &[&["::ffff:127.0.0.1"]]);
    let fetcher = fetcher(&dir, &[], Arc::new(told));
    let names = ["private.test", "loopback.test", "mapped.test"];
    for host in REFUSED.iter().chain(&names) {
        for scheme in ["http", "https"] {
            let url = format!("{scheme}://{host}:{port}/");
            let error = get(&fetcher, &url).await.unwrap_err();
            assert_eq!(error.reason(), "blocked.ssrf", "{url}: {error}");
        }
        let url = Url::parse(&format!("ws://{host}:{port}/")).unwrap();
        let error = fetcher.upgrade(Request::get(url)).await.err().unwrap();
        assert_eq!(error.reason(), "blocked.ssrf", "{host}: {error}");
    }
    tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    assert_eq!(reached.load(Ordering::Relaxed), 0);
}

#[tokio::test]
async fn one_bad_address_is_enough_to_refuse_a_name() {
    let (port, reached) = canary().await;
    let dir = TempDir::new().unwrap();
    let told = Told::default()
        .answers("first.test", &[&["::1", "127.0.0.1"]])
        .answers("last.test", &[&["127.0.0.1", "127.0.0.2", "::1"]]);
    let fetcher = fetcher(&dir, &["127.0.0.0/8"], Arc::new(told));
    for host in ["first.test", "last.test"] {
        let error = get(&fetcher, &format!("http://{host}:{port}/"))
            .await
            .unwrap_err();
        assert_eq!(error.reason(), "blocked.ssrf", "{host}: {error}");
    }
    assert_eq!(reached.load(Ordering::Relaxed), 0);
}

#[test]
fn the_policy_knows_what_is_public() {
    let policy = AddressPolicy::default();
    let public = [
        "8.8.8.8",
        "1.1.1.1",
        "100.63.255.255",
        "100.128.0.0",
        "172.15.0.1",
        "172.32.0.1",
        "192.0.1.1",
        "192.167.255.255",
        "198.17.0.1",
        "198.20.0.1",
        "223.255.255.255",
        "::ffff:8.8.8.8",
        "64:ff9b::808:808",
        "2002:808:808::1",
        "2001:0:808:808:0:0:f7f7:f7f7",
        "2001:200::1",
        "2606:4700:4700::1111",
        "2a00::1",
    ];
    for address in public {
        assert!(policy.allows(address.parse().unwrap()), "{address}");
    }
    let not_public = [
        "240.0.0.1",
        "239.1.1.1",
        "fec0::1",
        "2001:2::1",
        "2001:10::1",
        "4000::1",
    ];
    for address in not_public {
        assert!(!policy.allows(address.parse().unwrap()), "{address}");
    }
    let allowing = AddressPolicy::allowing(["10.1.0.0/16".parse().unwrap()]);
    assert!(allowing.allows("10.1.2.3".parse().unwrap()));
    assert!(allowing.allows("::ffff:10.1.2.3".parse().unwrap()));
    assert!(!allowing.allows("10.2.2.3".parse().unwrap()));
    assert!(!allowing.allows("2002:a01:203::1".parse().unwrap()));
}

#[tokio::test]
async fn what_was_allowed_is_contacted() {
    let server = Server::answering("HTTP/1.1 200 OK\r\n\r\nhello").await;
    let dir = TempDir::new().unwrap();
    let told = Told::default().answers("name.test", &[&["127.0.0.1"]]);
    let fetcher = fetcher(&dir, &["127.0.0.0/8"], Arc::new(told));
    let port = server.address.port();
    for host in [
        "127.0.0.1",
        "2130706433",
        "localhost",
        "www.localhost.",
        "name.test",
        "NAME.test.",
    ] {
        let got = get(&fetcher, &format!("http://{host}:{port}/")).await;
        assert_eq!(got.unwrap(), b"hello", "{host}");
    }
}

#[tokio::test]
async fn a_name_is_resolved_once() {
    let server = Server::answering("HTTP/1.1 200 OK\r\n\r\nhello").await;
    let dir = TempDir::new().unwrap();
    let told = Told::default().answers("turns.test", &[&["127.0.0.1"], &["10.0.0.1"]]);
    let told = Arc::new(told);
    let fetcher = fetcher(&dir, &["127.0.0.0/8"], told.clone());
    let url = format!("http://turns.test:{}/", server.address.port());
    for _ in 0..3 {
        assert_eq!(get(&fetcher, &url).await.unwrap(), b"hello");
    }
    assert_eq!(told.asked.load(Ordering::Relaxed), 1);
}

#[tokio::test]
async fn a_name_that_is_resolved_again_is_checked_again() {
    // Nobody listens there, so the answer is forgotten.
    let free = TcpListener::bind("127.0.0.1:0")
        .await
        .unwrap()
        .local_addr()
        .unwrap();
    let dir = TempDir::new().unwrap();
    let told = Told::default().answers("turns.test", &[&["127.0.0.1"], &["10.0.0.1"]]);
    let fetcher = fetcher(&dir, &["127.0.0.0/8"], Arc::new(told));
    let url = format!("http://turns.test:{}/", free.port());
    let error = get(&fetcher, &url).await.unwrap_err();
    assert_eq!(error.reason(), "connect.refused", "{error}");
    // At the same port, nobody would try again so soon.
    let error = get(&fetcher, "http://turns.test/").await.unwrap_err();
    assert_eq!(error.reason(), "blocked.ssrf", "{error}");
}

#[tokio::test]
async fn all_addresses_are_tried_in_order() {
    let server = Server::answering("HTTP/1.1 200 OK\r\n\r\nhello").await;
    let dir = TempDir::new().unwrap();
    let told = Told::default().answers("many.test", &[&["127.0.0.2", "::1", "127.0.0.1"]]);
    let fetcher = fetcher(&dir, &["127.0.0.0/8", "::1/128"], Arc::new(told));
    let url = format!("http://many.test:{}/", server.address.port());
    assert_eq!(get(&fetcher, &url).await.unwrap(), b"hello");
}

#[tokio::test]
async fn other_schemes_are_not_fetched() {
    for url in [
        "ftp://127.0.0.1/",
        "file:///etc/passwd",
        "data:,x",
        "chrome://version",
        "about:blank",
    ] {
        let error = Client::new()
            .get(Url::parse(url).unwrap())
            .await
            .unwrap_err();
        assert_eq!(error.reason(), "blocked.scheme", "{url}: {error}");
    }
}

#[tokio::test]
async fn hosts_can_be_mapped() {
    let one = Server::answering("HTTP/1.1 200 OK\r\n\r\none").await;
    let two = Server::answering("HTTP/1.1 200 OK\r\n\r\ntwo").await;
    let client = Client::with(|options| {
        let rules = [
            format!("*.example.com:8080={}", one.address),
            format!("EXAMPLE.org={}", one.address),
            "metadata.*=169.254.169.254:80".to_owned(),
            format!("*={}", two.address),
        ];
        options.map_hosts = rules.iter().map(|rule| rule.parse().unwrap()).collect();
    });
    for (url, expected) in [
        ("http://www.example.com:8080/", "one"),
        ("http://a.b.example.com.:8080/", "one"),
        ("http://www.example.com/", "two"),
        ("http://example.com:8080/", "two"),
        ("http://example.org/", "one"),
        ("http://203.0.113.7/", "two"),
        ("http://localhost/", "two"),
    ] {
        let exchange = client.get(Url::parse(url).unwrap()).await.unwrap();
        assert_eq!(body(&exchange), expected.as_bytes(), "{url}");
        let host = Url::parse(url).unwrap()[url::Position::BeforeHost..url::Position::BeforePath]
            .to_owned();
        let expected = format!("GET / HTTP/1.1\r\nHost: {host}\r\n\r\n");
        assert_eq!(String::from_utf8_lossy(&exchange.request_head), expected);
    }
    // A mapping gives no permission.
    let url = Url::parse("http://metadata.internal/").unwrap();
    assert_eq!(client.get(url).await.unwrap_err().reason(), "blocked.ssrf");
}

#[test]
fn mappings_that_make_no_sense_are_explained() {
    let parse = |rule: &str| rule.parse::<MapHost>();
    for rule in [
        "*=127.0.0.1:80",
        "[::1]:80=[::1]:8080",
        "[::1]=127.0.0.1:1",
        " a.*.c = 1.2.3.4:5 ",
    ] {
        assert!(parse(rule).is_ok(), "{rule}");
    }
    let rule = parse("[::1]=127.0.0.1:1").unwrap();
    assert_eq!(
        rule.target("[::1]", 80),
        Some("127.0.0.1:1".parse().unwrap())
    );
    assert!(matches!(
        parse("127.0.0.1:80"),
        Err(MapHostError::NoEquals(_))
    ));
    assert!(matches!(
        parse("=127.0.0.1:80"),
        Err(MapHostError::NoHost(_))
    ));
    assert!(matches!(
        parse("a:x=127.0.0.1:80"),
        Err(MapHostError::Port { .. })
    ));
    assert!(matches!(
        parse("a:0=127.0.0.1:80"),
        Err(MapHostError::Port { .. })
    ));
    for rule in [
        "a=127.0.0.1",
        "a=localhost:80",
        "a=::1:80",
        "a=127.0.0.1:0",
        "a=",
    ] {
        let error = parse(rule).unwrap_err();
        assert!(matches!(error, MapHostError::Target { .. }), "{rule}");
        assert!(error.to_string().contains("127.0.0.1:8080"), "{error}");
    }
}

/// A name server on loopback that knows a few names.
async fn name_server() -> SocketAddr {
    let socket = UdpSocket::bind("127.0.0.1:0").await.unwrap();
    let address = socket.local_addr().unwrap();
    tokio::spawn(async move {
        let mut packet = [0; 512];
        loop {
            let (length, from) = socket.recv_from(&mut packet).await.unwrap();
            if let Some(answer) = dns_answer(&packet[..length]) {
                socket.send_to(&answer, from).await.unwrap();
            }
        }
    });
    address
}

/// The answer to a question (RFC 1035, section 4), if there is one.
fn dns_answer(query: &[u8]) -> Option<Vec<u8>> {
    let name_length = query[12..].iter().position(|byte| *byte == 0)? + 1;
    let question = &query[12..12 + name_length + 4];
    let name = String::from_utf8_lossy(&question[1..name_length - 1]).to_lowercase();
    let is_a = question[name_length..name_length + 2] == [0, 1];
    let (code, record): (u8, Option<(u8, Vec<u8>)>) = match name.split('\u{4}').next()? {
        "silent" => return None,
        "broken" => (2, None),
        "here" if is_a => (0, Some((1, Ipv4Addr::LOCALHOST.octets().into()))),
        "here" | "empty" => (0, None),
        "circle" => (0, Some((5, question[..name_length].into()))),
        _ => (3, None),
    };
    let count = u8::from(record.is_some());
    let mut answer = query[..2].to_vec();
    answer.extend([0x81, 0x80 | code, 0, 1, 0, count, 0, 0, 0, 0]);
    answer.extend(question);
    if let Some((kind, data)) = record {
        answer.extend([0xc0, 12, 0, kind, 0, 1, 0, 0, 0, 0, 0, data.len() as u8]);
        answer.extend(data);
    }
    Some(answer)
}

#[tokio::test]
async fn name_servers_are_asked() {
    let server = Server::answering("HTTP/1.1 200 OK\r\n\r\nhello").await;
    let resolver = SystemResolver::asking(name_server().await);
    let dir = TempDir::new().unwrap();
    let fetcher = fetcher(&dir, &["127.0.0.0/8"], Arc::new(resolver));
    let port = server.address.port();
    assert_eq!(
        get(&fetcher, &format!("http://here.test:{port}/"))
            .await
            .unwrap(),
        b"hello"
    );
    for (host, reasons) in [
        ("gone.test", "dns.nxdomain"),
        ("empty.test", "dns.nxdomain"),
        ("silent.test", "dns.timeout"),
        ("broken.test", "dns.failed"),
    ] {
        let error = get(&fetcher, &format!("http://{host}/")).await.unwrap_err();
        assert_eq!(error.reason(), reasons, "{host}: {error}");
    }
    let error = get(&fetcher, "http://circle.test/").await.unwrap_err();
    assert!(error.reason().starts_with("dns."), "{error}");
}
