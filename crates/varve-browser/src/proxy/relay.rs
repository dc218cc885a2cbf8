//! The way of one response to the browser, while it comes.
//!
//! The browser may go away at any time; what the server was asked is recorded all the same, with
//! a little patience for the rest.

use super::delivery::{Delivery, Fate};
use super::gauge::Flight;
use super::pace::Pace;
use super::port::{Patience, Port};
use super::refusal::Then;
use super::sink::{Failure, Origin};
use super::wire::{BrowserStream, Wire};
use bytes::Bytes;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::{Instant, sleep_until};
use varve_fetch::{Exchange, Incoming, Unchanged, may_keep};

/// How long a response's head is waited for after the browser has gone.
const HEAD_GRACE: Duration = Duration::from_secs(10);
/// How long the rest of a body is read after the browser has gone.
const BODY_GRACE: Duration = Duration::from_secs(2);
/// How much of the rest of a body is read after the browser has gone.
const BODY_LEFT: u64 = 1 << 20;
/// How much of a recorded body is sent at once.
const PIECE: usize = 64 * 1024;

/// A request being answered.
pub(super) struct Relay<'a, S> {
    pub(super) port: &'a Port,
    pub(super) wire: &'a mut Wire<S>,
    pub(super) pace: Pace<'a>,
    pub(super) patience: Patience,
    browser: Browser,
}

#[derive(Clone, Copy)]
enum Browser {
    Here,
    Gone { until: Instant, left: u64 },
}

impl<'a, S: BrowserStream> Relay<'a, S> {
    /// At the start.
    pub(super) fn new(port: &'a Port, wire: &'a mut Wire<S>, flight: &'a mut Flight) -> Self {
        Relay {
            port,
            wire,
            pace: Pace::new(flight),
            patience: Patience::Grace,
            browser: Browser::Here,
        }
    }

    /// Waits for the server. `None` if nobody wants to any more.
    pub(super) async fn waiting<T>(&mut self, work: impl Future<Output = T>) -> Option<T> {
        let mut work = pin!(work);
        loop {
            let (here, until) = self.presence();
            tokio::select! {
                done = &mut work => return Some(done),
                () = self.wire.gone(), if here => self.browser_left(HEAD_GRACE),
                () = self.port.ends(self.patience) => return None,
                () = sleep_until(until), if !here => return None,
            }
        }
    }

    /// Passes a response on while it comes, and records it.
    pub(super) async fn pass_on(mut self, mut incoming: Incoming, wish: Then) -> Fate {
        let (head, protocol) = (incoming.head(), incoming.protocol());
        let delivery = Delivery::new(head, protocol, incoming.framing(), wish);
        if is_event_stream(&incoming) {
            self.pace.is_stream();
            self.patience = Patience::None;
        } else if !may_keep(incoming.head()) {
            self.pace.is_private();
        }
        if !self.is_here() {
            self.browser_left(BODY_GRACE);
        }
        self.pace.begin();
        let mut opening = [&early_heads(&incoming), &delivery.head[..]].concat();
        if let Some(piece) = at_once(&mut incoming).await {
            self.pace.passed(piece.len());
            opening.extend_from_slice(&delivery.piece(piece));
        }
        self.deliver(&opening).await;
        let whole = self.body(&mut incoming, &delivery).await;
        if whole {
            self.deliver(delivery.end()).await;
        }
        self.keep(incoming);
        self.fate(whole, &delivery)
    }

    /// Records what came. If our own disk failed, that is not the server's doing.
    fn keep(&mut self, incoming: Incoming) {
        let failure = incoming.failure().cloned();
        let exchange = Arc::new(incoming.finish());
        if let Some(error) = failure {
            let (url, method) = (exchange.url.clone(), exchange.method.clone());
            return self.port.fail(Failure::new(url, method, &error));
        }
        if let Some(ticket) = self.pace.ticket() {
            ticket.fill(exchange.clone());
        }
        self.port.record(exchange, Origin::Fetched);
    }

    /// Sends a recorded response again.
    pub(super) async fn send_again(mut self, exchange: Arc<Exchange>, delivery: Delivery) -> Fate {
        let whole = self.send_recorded(&exchange, &delivery).await;
        self.port.record(exchange, Origin::Reused);
        self.fate(whole, &delivery)
    }

    /// Sends a response of an earlier crawl, which is still good.
    pub(super) async fn send_unchanged(mut self, unchanged: Unchanged, delivery: Delivery) -> Fate {
        if let Some(ticket) = self.pace.ticket() {
            ticket.fill(unchanged.held.clone());
        }
        let whole = self.send_recorded(&unchanged.held, &delivery).await;
        self.port.record_unchanged(unchanged);
        self.fate(whole, &delivery)
    }

    /// Sends what is there; whether the browser got all of it.
    async fn send_recorded(&mut self, exchange: &Exchange, delivery: &Delivery) -> bool {
        self.pace.begin();
        let mut out = delivery.head.clone();
        let mut sent = 0;
        let whole = loop {
            match exchange.body.read_at(sent, PIECE) {
                Ok(piece) if piece.is_empty() => break true,
                Ok(piece) => {
                    sent += piece.len() as u64;
                    self.pace.passed(piece.len());
                    out.extend_from_slice(&delivery.piece(piece));
                }
                Err(_) => break false,
            }
            if sent < exchange.body.len() {
                self.deliver(&out).await;
                out.clear();
            }
            if !self.is_here() {
                break false;
            }
        };
        if whole {
            out.extend_from_slice(delivery.end());
        }
        self.deliver(&out).await;
        whole
    }

    /// Passes the body on; whether it came to its end.
    async fn body(&mut self, incoming: &mut Incoming, delivery: &Delivery) -> bool {
        loop {
            let (here, until) = self.presence();
            let piece = tokio::select! {
                piece = incoming.next() => piece,
                () = self.wire.gone(), if here => {
                    self.browser_left(BODY_GRACE);
                    continue;
                }
                () = self.port.ends(self.patience) => return false,
                () = sleep_until(until), if !here => return false,
                () = self.pace.due() => {
                    self.pace.judge();
                    continue;
                }
            };
            let Some(piece) = piece else {
                return incoming.truncated().is_none();
            };
            self.pace.passed(piece.len());
            match &mut self.browser {
                Browser::Here => self.deliver(&delivery.piece(piece)).await,
                Browser::Gone { left, .. } => match left.checked_sub(piece.len() as u64) {
                    Some(less) => *left = less,
                    None => return false,
                },
            }
        }
    }

    /// Sends bytes to the browser, if it is there.
    pub(super) async fn deliver(&mut self, bytes: &[u8]) {
        if !self.is_here() || bytes.is_empty() {
            return;
        }
        let grace = {
            let mut sending = pin!(self.wire.send(bytes));
            loop {
                tokio::select! {
                    sent = &mut sending => match sent {
                        Ok(()) => return,
                        Err(_) => break BODY_GRACE,
                    },
                    () = self.port.ends(self.patience) => break Duration::ZERO,
                    // A browser that takes nothing may have all it wants for now, as of a video.
                    () = self.pace.due() => self.pace.judge(),
                }
            }
        };
        self.browser_left(grace);
    }

    pub(super) fn is_here(&self) -> bool {
        matches!(self.browser, Browser::Here)
    }

    fn fate(&self, whole: bool, delivery: &Delivery) -> Fate {
        match whole && self.is_here() {
            true => delivery.whole(),
            false => delivery.short(),
        }
    }

    /// Whether the browser is there, and until when to go on without it.
    fn presence(&self) -> (bool, Instant) {
        match self.browser {
            Browser::Here => (true, Instant::now()),
            Browser::Gone { until, .. } => (false, until),
        }
    }

    fn browser_left(&mut self, grace: Duration) {
        // Nobody listens to a stream any more: it has no end to wait for.
        let grace = match self.patience {
            Patience::None => Duration::ZERO,
            Patience::Grace => grace,
        };
        self.browser = Browser::Gone {
            until: Instant::now() + grace,
            left: BODY_LEFT,
        };
    }
}

/// The first piece of the body if it came with the head: most responses fit into one write.
async fn at_once(incoming: &mut Incoming) -> Option<Bytes> {
    tokio::select! {
        biased;
        piece = incoming.next() => piece,
        () = std::future::ready(()) => None,
    }
}

fn is_event_stream(incoming: &Incoming) -> bool {
    let kind = incoming.head().get("content-type").unwrap_or_default();
    let essence = kind.split(|byte| *byte == b';').next().unwrap_or_default();
    essence
        .trim_ascii()
        .eq_ignore_ascii_case(b"text/event-stream")
}

/// The informational responses to pass on: not 100, which the proxy sends itself when asked.
fn early_heads(incoming: &Incoming) -> Vec<u8> {
    let continues = |head: &[u8]| head.get(9..12) == Some(b"100");
    let heads = incoming.informational().iter();
    heads
        .filter(|head| !continues(head))
        .flatten()
        .copied()
        .collect()
}
