//! `PagePort`: one page load's way out.
//!
//! A port is open, then draining (no new requests; what is running may end), then cut (what came
//! is recorded, the rest is not waited for). All its tasks end with it.

use super::calls_home::is_navigation;
use super::connection;
use super::gauge::Gauge;
use super::recording::Shared;
use super::screen::{Screen, Screened};
use super::sink::{Failure, Origin, VisitId};
use super::websocket::{Room, WebSocketEnd, WebSocketLog};
use crate::{Activity, Traffic};
use std::collections::HashSet;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::{JoinHandle, JoinSet};
use tokio::time::{sleep, timeout};
use url::Url;
use varve_fetch::{Exchange, FetchError, Request, Truncation, Unchanged};

/// Connections at a time; more wait. Chromium itself makes at most 32 to a proxy, and as many
/// more for WebSockets.
const CONNECTIONS: usize = 256;
/// URLs that are remembered; a page that asks for more gets all others anew.
const REMEMBERED: usize = 20_000;
/// What tasks get to hand over what they have when they are cut. They need next to nothing.
const HAND_OVER: Duration = Duration::from_secs(5);

/// One page load's way out. Dropping it cuts it; [`PagePort::close`] is gentler.
pub struct PagePort {
    address: SocketAddr,
    port: Arc<Port>,
    phase: watch::Sender<Phase>,
    accepting: JoinHandle<()>,
}

/// What passed through a port.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PortSummary {
    /// Requests of the page.
    pub requests: u64,
    /// Bytes received from servers, heads included.
    pub bytes: u64,
    /// Responses that came from what was recorded earlier.
    pub reused: u64,
    /// Requests that got no response.
    pub failed: u64,
    /// Streams and bodies that were still running when the port was closed.
    pub cut: u64,
    /// Requests that the browser made for itself; they were refused.
    pub calls_home: u64,
}

impl PagePort {
    pub(super) async fn open(shared: Arc<Shared>, visit: VisitId) -> io::Result<PagePort> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let address = listener.local_addr()?;
        let (phase, watched) = watch::channel(Phase::Open);
        let port = Arc::new(Port {
            shared,
            visit,
            gauge: Gauge::new(),
            room: Room::new(),
            screened: OnceLock::new(),
            held: AtomicBool::new(false),
            summary: Mutex::default(),
            offered: Mutex::default(),
            asked: Mutex::default(),
            phase: watched,
        });
        Ok(PagePort {
            address,
            accepting: tokio::spawn(accept(listener, port.clone())),
            port,
            phase,
        })
    }

    /// Answers the next navigation to the exchange's URL with it, or the first request for it:
    /// somebody asked just before, and once is enough.
    pub fn offer(&self, exchange: Arc<Exchange>) {
        self.port.lock_offered().push(exchange);
    }

    /// Asks for no scripts of the page at this URL that the screen has a rule against. Once, and
    /// before the page is opened.
    pub fn screen(&self, page: &Url, screen: Screen) {
        let _ = self.port.screened.set(Screened::new(page, screen));
    }

    /// Takes no more requests, waits up to `grace` for those that are running, and then cuts
    /// them. Endless streams are cut at once. Everything that came is with the sink afterwards.
    pub async fn close(mut self, grace: Duration) -> PortSummary {
        self.phase.send_replace(Phase::Draining);
        if timeout(grace, &mut self.accepting).await.is_err() {
            self.phase.send_replace(Phase::Cut);
            if timeout(HAND_OVER, &mut self.accepting).await.is_err() {
                self.accepting.abort();
            }
        }
        self.port.summary()
    }
}

impl Traffic for PagePort {
    fn proxy_address(&self) -> SocketAddr {
        self.address
    }

    fn activity(&self) -> Activity {
        self.port.gauge.read()
    }

    fn hold(&self) {
        self.port.held.store(true, Relaxed);
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    Open,
    Draining,
    Cut,
}

/// How long something may go on when a port closes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Patience {
    /// It will not end by itself.
    None,
    /// It may end within the grace.
    Grace,
}

/// What the tasks of a port share.
pub(super) struct Port {
    pub(super) shared: Arc<Shared>,
    pub(super) gauge: Gauge,
    /// For the messages of WebSockets.
    pub(super) room: Room,
    visit: VisitId,
    screened: OnceLock<Screened>,
    held: AtomicBool,
    summary: Mutex<PortSummary>,
    offered: Mutex<Vec<Arc<Exchange>>>,
    asked: Mutex<HashSet<Box<str>>>,
    phase: watch::Receiver<Phase>,
}

impl Port {
    /// Returns when it is time to stop. A port that was dropped is cut.
    pub(super) async fn ends(&self, patience: Patience) {
        let over = |phase: &Phase| match patience {
            Patience::None => *phase != Phase::Open,
            Patience::Grace => *phase == Phase::Cut,
        };
        let _ = self.phase.clone().wait_for(over).await;
    }

    /// Whether a request gets no answer, because the page is to stay as it is.
    pub(super) fn holds(&self, request: &Request) -> bool {
        let asks = matches!(request.method.as_str(), "GET" | "HEAD" | "OPTIONS");
        // Frames may be opened, where one is told that they are.
        let opens = match request.field("sec-fetch-dest") {
            Some(destination) => destination == b"document",
            None => is_navigation(request),
        };
        self.held.load(Relaxed) && (!asks || opens)
    }

    /// Lets a request pass, or says why not.
    pub(super) fn look(&self, request: &Request) -> Result<(), FetchError> {
        let screened = self.screened.get();
        screened.map_or(Ok(()), |screened| screened.look(request))
    }

    /// Whether this page load has asked for a URL before.
    pub(super) fn asks_again(&self, url: &Url) -> bool {
        let mut asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        asked.len() >= REMEMBERED || !asked.insert(url.as_str().into())
    }

    /// What was offered for a URL, once.
    pub(super) fn take_offered(&self, url: &Url) -> Option<Arc<Exchange>> {
        let mut offered = self.lock_offered();
        let at = offered.iter().position(|exchange| exchange.url == *url)?;
        Some(offered.remove(at))
    }

    fn lock_offered(&self) -> MutexGuard<'_, Vec<Arc<Exchange>>> {
        self.offered.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts something.
    pub(super) fn tally(&self, count: impl FnOnce(&mut PortSummary)) {
        count(&mut self.summary.lock().unwrap_or_else(PoisonError::into_inner));
    }

    /// Hands over a response.
    pub(super) fn record(&self, exchange: Arc<Exchange>, origin: Origin) {
        self.tally(|sum| match origin {
            Origin::Reused => sum.reused += 1,
            Origin::Fetched => {
                sum.bytes += exchange.response_head.len() as u64 + exchange.body.len();
                sum.cut += u64::from(exchange.truncated == Some(Truncation::Time));
            }
        });
        self.shared.sink.exchange(self.visit, exchange, origin);
    }

    /// Hands over what has not changed.
    pub(super) fn record_unchanged(&self, unchanged: Unchanged) {
        let received = unchanged.answer.response_head.len() as u64;
        self.tally(|sum| sum.bytes += received);
        self.shared.sink.unchanged(self.visit, unchanged);
    }

    /// Hands over a WebSocket.
    pub(super) fn record_web_socket(&self, exchange: Exchange, log: WebSocketLog) {
        let received = exchange.response_head.len() as u64 + log.received.bytes;
        self.tally(|sum| {
            sum.bytes += received;
            sum.cut += u64::from(log.ended == WebSocketEnd::Cut);
        });
        let sink = &self.shared.sink;
        sink.web_socket(self.visit, Arc::new(exchange), log);
    }

    /// Hands over a failure.
    pub(super) fn fail(&self, failure: Failure) {
        self.tally(|sum| sum.failed += 1);
        self.shared.sink.failed(self.visit, failure);
    }

    fn summary(&self) -> PortSummary {
        *self.summary.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Accepts connections until the port drains, then waits for them.
async fn accept(listener: TcpListener, port: Arc<Port>) {
    let mut connections = JoinSet::new();
    loop {
        tokio::select! {
            accepted = listener.accept(), if connections.len() < CONNECTIONS => match accepted {
                Ok((stream, _)) => { connections.spawn(connection::serve(port.clone(), stream)); }
                // Out of file handles, most likely: others must close first.
                Err(_) => sleep(Duration::from_millis(50)).await,
            },
            Some(_) = connections.join_next() => {}
            () = port.ends(Patience::None) => break,
        }
    }
    drop(listener);
    while connections.join_next().await.is_some() {}
}
