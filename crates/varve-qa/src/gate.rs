//! The only way out for a replayed page: a proxy to the replay server and to nothing else.
//!
//! It sees every request, also those that the browser does not tell about (preflights, beacons of
//! pages that go away). Those for the replay are passed on, and what the answer says about itself
//! is written down; all others are refused, and have leaked.

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWriteExt, copy};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::{JoinHandle, JoinSet};
use varve_browser::{Activity, Traffic};

/// A head is not longer than this.
const MAX_HEAD: usize = 256 << 10;
/// Requests that are written down; more are passed on all the same.
const MAX_NOTED: usize = 20_000;
/// How long to wait when no connection can be accepted.
const PAUSE: Duration = Duration::from_millis(50);

/// A proxy to one server, for one visit.
pub(crate) struct Gate {
    address: SocketAddr,
    seen: Seen,
    accepting: JoinHandle<()>,
}

/// Where the gate leads.
#[derive(Clone, Debug)]
pub(crate) struct Way {
    /// The name, with its port, below which everything is the replay's.
    pub(crate) authority: String,
    /// Where that is.
    pub(crate) server: SocketAddr,
}

/// A request to the replay and what was said about its answer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Answer {
    /// The replay URL.
    pub(crate) url: String,
    pub(crate) status: Option<u16>,
    /// By which rule the capture was found, if it is one.
    pub(crate) matched: Option<String>,
    /// Whether the archive tells something in place of archived content.
    pub(crate) is_notice: bool,
}

/// What passed and what did not.
#[derive(Clone, Debug, Default)]
pub(crate) struct Passed {
    pub(crate) answers: Vec<Answer>,
    /// Requests that were not for the replay.
    pub(crate) leaked: Vec<String>,
}

#[derive(Clone)]
struct Seen(Arc<Mutex<State>>);

struct State {
    activity: Activity,
    passed: Passed,
    /// The page was looked at: it goes nowhere any more, and what it asks for is not written down.
    held: bool,
}

impl Gate {
    pub(crate) async fn open(way: Way) -> io::Result<Gate> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let address = listener.local_addr()?;
        let activity = Activity {
            in_flight: 0,
            streams: 0,
            started: 0,
            last_change: Instant::now(),
        };
        let seen = Seen(Arc::new(Mutex::new(State {
            activity,
            passed: Passed::default(),
            held: false,
        })));
        let accepting = tokio::spawn(accept(listener, Arc::new(way), seen.clone()));
        Ok(Gate {
            address,
            seen,
            accepting,
        })
    }

    /// What has passed.
    pub(crate) fn passed(&self) -> Passed {
        self.seen.lock().passed.clone()
    }
}

impl Drop for Gate {
    fn drop(&mut self) {
        self.accepting.abort();
    }
}

impl Traffic for Gate {
    fn proxy_address(&self) -> SocketAddr {
        self.address
    }

    fn activity(&self) -> Activity {
        self.seen.lock().activity
    }

    fn hold(&self) {
        self.seen.lock().held = true;
    }
}

impl Seen {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn leaked(&self, line: &str) {
        let leaked = &mut self.lock().passed.leaked;
        if leaked.len() < MAX_NOTED {
            leaked.push(line.to_owned());
        }
    }

    /// A request begins; it ends when what is returned is dropped.
    fn begin(&self, url: &str) -> UnderWay {
        let mut seen = self.lock();
        let State {
            activity,
            passed,
            held,
        } = &mut *seen;
        activity.started += 1;
        activity.in_flight += 1;
        activity.last_change = Instant::now();
        let at = passed.answers.len();
        let noted = at < MAX_NOTED && !*held;
        if noted {
            passed.answers.push(Answer {
                url: url.to_owned(),
                ..Answer::default()
            });
        }
        UnderWay {
            seen: self.clone(),
            at: noted.then_some(at),
        }
    }

    /// Whether a request is not to be made any more: it opens a document, or is more than a
    /// question. (To replay origins browsers say what requests are for.)
    fn refuses(&self, method: &str, head: &str) -> bool {
        let opens = field(head, "sec-fetch-mode").as_deref() == Some("navigate");
        let asks = matches!(method, "GET" | "HEAD" | "OPTIONS");
        self.lock().held && (opens || !asks)
    }
}

/// A request that has begun and not ended.
struct UnderWay {
    seen: Seen,
    /// Where it is written down.
    at: Option<usize>,
}

impl UnderWay {
    fn answered(&self, head: &str) {
        let mut seen = self.seen.lock();
        let noted = self.at.and_then(|at| seen.passed.answers.get_mut(at));
        if let Some(answer) = noted {
            let status = head.split(' ').nth(1);
            answer.status = status.and_then(|status| status.parse().ok());
            answer.matched = field(head, "x-varve-match");
            answer.is_notice = field(head, "x-varve-notice").is_some();
        }
        seen.activity.last_change = Instant::now();
    }
}

impl Drop for UnderWay {
    fn drop(&mut self) {
        let activity = &mut self.seen.lock().activity;
        activity.in_flight -= 1;
        activity.last_change = Instant::now();
    }
}

/// Accepts until aborted; the connections end with it.
async fn accept(listener: TcpListener, way: Arc<Way>, seen: Seen) {
    let mut connections = JoinSet::new();
    loop {
        match listener.accept().await {
            Ok((stream, _)) => {
                let (way, seen) = (way.clone(), seen.clone());
                connections.spawn(async move {
                    // Whoever goes away in between has no further questions.
                    let _ = pass(stream, &way, &seen).await;
                });
            }
            Err(_) => tokio::time::sleep(PAUSE).await,
        }
        while connections.try_join_next().is_some() {}
    }
}

/// Passes one request on; the connection ends with it.
async fn pass(mut browser: TcpStream, way: &Way, seen: &Seen) -> io::Result<()> {
    let (head, rest) = read_head(&mut browser).await?;
    let line = head.lines().next().unwrap_or("");
    let mut words = line.split(' ');
    let (method, target) = (words.next().unwrap_or(""), words.next().unwrap_or(""));
    let is_ours = is_below(&authority(target), &way.authority);
    if !is_ours || method == "CONNECT" {
        if !is_ours {
            seen.leaked(&format!("{method} {target}"));
        }
        let refusal = "HTTP/1.1 403 Forbidden\r\nConnection: close\r\nContent-Length: 0\r\n\r\n";
        return browser.write_all(refusal.as_bytes()).await;
    }
    if seen.refuses(method, &head) {
        let nothing = "HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n";
        return browser.write_all(nothing.as_bytes()).await;
    }
    let under_way = seen.begin(target);
    let mut server = TcpStream::connect(way.server).await?;
    server.write_all(closing(&head).as_bytes()).await?;
    server.write_all(&rest).await?;
    let (mut from_browser, mut to_browser) = browser.split();
    let (mut from_server, mut to_server) = server.split();
    let answer = async {
        let (head, rest) = read_head(&mut from_server).await?;
        under_way.answered(&head);
        to_browser.write_all(head.as_bytes()).await?;
        to_browser.write_all(&rest).await?;
        copy(&mut from_server, &mut to_browser).await
    };
    // The browser ends its side only when it does not wait for the answer any more.
    tokio::select! {
        answered = answer => answered.map(drop),
        asked = copy(&mut from_browser, &mut to_server) => asked.map(drop),
    }
}

/// A head, and what came with it.
async fn read_head(stream: &mut (impl AsyncRead + Unpin)) -> io::Result<(String, Vec<u8>)> {
    let mut bytes = Vec::new();
    loop {
        let end = bytes.windows(4).position(|four| four == b"\r\n\r\n");
        if let Some(end) = end {
            let rest = bytes.split_off(end + 4);
            // Heads of replay and of browsers are ASCII.
            return Ok((String::from_utf8_lossy(&bytes).into_owned(), rest));
        }
        if stream.read_buf(&mut bytes).await? == 0 || bytes.len() > MAX_HEAD {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
    }
}

/// The head of a request after whose answer the connection ends.
fn closing(head: &str) -> String {
    let mut lines = head.trim_end().split("\r\n");
    let mut closing = format!("{}\r\n", lines.next().unwrap_or(""));
    for line in lines {
        let name = line.split(':').next().unwrap_or("").to_ascii_lowercase();
        if !matches!(name.as_str(), "connection" | "proxy-connection") {
            closing.push_str(line);
            closing.push_str("\r\n");
        }
    }
    closing + "Connection: close\r\n\r\n"
}

/// The host and port that a target names.
fn authority(target: &str) -> String {
    let rest = target.split_once("://").map_or(target, |(_, rest)| rest);
    let authority = rest.split(['/', '?', '#']).next().unwrap_or("");
    authority.to_ascii_lowercase()
}

fn is_below(authority: &str, name: &str) -> bool {
    let below = authority.strip_suffix(name);
    below.is_some_and(|below| below.is_empty() || below.ends_with('.'))
}

fn field(head: &str, wanted: &str) -> Option<String> {
    let fields = head.lines().skip(1).filter_map(|line| line.split_once(':'));
    let mut found = fields.filter(|(name, _)| name.eq_ignore_ascii_case(wanted));
    found.next().map(|(_, value)| value.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A gate to a server that gives every request this answer.
    async fn gate(answer: &'static str) -> Gate {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        let server = listener.local_addr().unwrap();
        tokio::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                read_head(&mut stream).await.unwrap();
                stream.write_all(answer.as_bytes()).await.unwrap();
            }
        });
        let authority = "replay.localhost:80".to_owned();
        Gate::open(Way { authority, server }).await.unwrap()
    }

    async fn ask(gate: &Gate, line: &str) -> String {
        let mut stream = TcpStream::connect(gate.proxy_address()).await.unwrap();
        let request = format!("{line} HTTP/1.1\r\nHost: x\r\nProxy-Connection: keep-alive\r\n\r\n");
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await.unwrap();
        answer
    }

    #[tokio::test]
    async fn what_is_for_the_replay_passes_and_is_written_down() {
        let gate = gate("HTTP/1.1 200 OK\r\nX-Varve-Match: query\r\n\r\nbody").await;
        let url = "http://a.test.https.20260101000000.replay.localhost:80/x";
        assert!(ask(&gate, &format!("GET {url}")).await.ends_with("body"));
        let answer = Answer {
            url: url.to_owned(),
            status: Some(200),
            matched: Some("query".to_owned()),
            is_notice: false,
        };
        assert_eq!(gate.passed().answers, [answer]);
        assert_eq!(gate.passed().leaked, [""; 0]);
        assert_eq!((gate.activity().started, gate.activity().in_flight), (1, 0));
    }

    #[tokio::test]
    async fn a_page_that_is_held_asks_and_goes_nowhere() {
        let gate = gate("HTTP/1.1 200 OK\r\n\r\nbody").await;
        gate.hold();
        let url = "http://a.test.https.20260101000000.replay.localhost:80/x";
        let navigate = format!("GET {url} HTTP/1.1\r\nSec-Fetch-Mode: navigate\r\nX: y");
        for (line, answer) in [
            (format!("GET {url}"), "HTTP/1.1 200"),
            (format!("POST {url}"), "HTTP/1.1 204"),
            (navigate, "HTTP/1.1 204"),
        ] {
            assert!(ask(&gate, &line).await.starts_with(answer), "{line}");
        }
        assert_eq!(gate.passed().answers, []);
    }

    #[tokio::test]
    async fn what_is_for_others_is_refused_and_has_leaked() {
        let gate = gate("HTTP/1.1 200 OK\r\n\r\nbody").await;
        let lines = [
            "GET http://outside.test/",
            "CONNECT outside.test:443",
            "GET http://replay.localhost:81/",
            "GET http://notreplay.localhost:80/",
        ];
        for line in lines {
            assert!(ask(&gate, line).await.starts_with("HTTP/1.1 403"), "{line}");
        }
        assert_eq!(gate.passed().leaked, lines);
        assert_eq!(gate.passed().answers, []);
    }
}
