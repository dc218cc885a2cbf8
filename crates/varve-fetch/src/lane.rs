//! The way a request takes: a connection of its own or a shared one, new or used before.

use crate::call::{Call, Sent};
use crate::connect::{Dialer, Offer};
use crate::error::FetchError;
use crate::exchange::Protocol;
use crate::http1::{self, Connection, Follows, Heads};
use crate::http2;
use crate::incoming::{About, Framing, Source};
use crate::limits::Limits;
use crate::pool::{Home, Pool, Turn};
use crate::trouble::Trouble;
use std::net::SocketAddr;
use std::sync::Arc;
use varve_model::HttpHead;

/// A connection that can take a request now.
pub(crate) enum Lane {
    /// HTTP/1.1, for this request alone.
    Http1(Connection),
    /// HTTP/2, used before or not.
    Http2(http2::Handle, Used),
}

/// Whether a connection has answered before, so that it may have been closed since.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Used {
    /// It has.
    Before,
    /// It has just been made.
    Never,
}

/// A response that begins.
pub(crate) struct Begun {
    pub(crate) about: About,
    pub(crate) informational: Vec<Vec<u8>>,
    pub(crate) head: HttpHead,
    pub(crate) framing: Framing,
    pub(crate) source: Source,
}

/// Finds lanes.
pub(crate) struct Lanes {
    pub(crate) dialer: Dialer,
    pub(crate) pool: Arc<Pool>,
    pub(crate) limits: Limits,
}

impl Lanes {
    /// Sends a request and waits for its head. A connection that the server closed in the
    /// meantime, or on which it refused the request, is replaced once.
    pub(crate) async fn answer(&self, call: &Call) -> Result<Begun, FetchError> {
        let lane = self.any(call).await?;
        let used = lane.used();
        let offer = match self.ask(call, lane).await {
            Ok(begun) => return Ok(begun),
            Err(Trouble::WantsHttp1) => Offer::Http1,
            Err(Trouble::Refused) => Offer::Any,
            Err(Trouble::Leaving) if call.is_safe() => Offer::Any,
            Err(Trouble::Closed { answered: false }) if used == Used::Before && call.is_safe() => {
                Offer::Any
            }
            Err(trouble) => return Err(call.error(trouble)),
        };
        let lane = self.fresh(call, offer).await?;
        let asked = self.ask(call, lane).await;
        asked.map_err(|trouble| call.error(trouble))
    }

    /// A connection that is there, or else a new one.
    async fn any(&self, call: &Call) -> Result<Lane, FetchError> {
        if let Some(lane) = self.waiting(call) {
            return Ok(lane);
        }
        // Whether a server speaks HTTP/2 is known after the first connection to it. The others
        // that want one wait, since they may be able to share it.
        let _leading = match self.pool.turn(&call.origin) {
            Turn::Now => None,
            Turn::Lead(lead) => Some(lead),
            Turn::Follow(mut leader) => {
                let _ = leader.changed().await;
                if let Some(lane) = self.waiting(call) {
                    return Ok(lane);
                }
                None
            }
        };
        self.fresh(call, Offer::Any).await
    }

    fn waiting(&self, call: &Call) -> Option<Lane> {
        if let Some(handle) = self.pool.shared(&call.origin) {
            return Some(Lane::Http2(handle, Used::Before));
        }
        // A request that must not be sent twice does not go where the server may just be
        // closing.
        let connection = call.is_safe().then(|| self.pool.get(&call.origin));
        connection.flatten().map(Lane::Http1)
    }

    async fn fresh(&self, call: &Call, offer: Offer) -> Result<Lane, FetchError> {
        let connected = self.dialer.dial(&call.origin, offer).await?;
        if !connected.http2 {
            self.pool.speaks_http1(&call.origin);
            return Ok(Lane::Http1(Connection::new(connected)));
        }
        let handle = http2::Handle::start(connected, &self.limits).await;
        let handle = handle.map_err(|trouble| call.error(trouble))?;
        self.pool.share(&call.origin, handle.clone());
        Ok(Lane::Http2(handle, Used::Never))
    }

    async fn ask(&self, call: &Call, lane: Lane) -> Result<Begun, Trouble> {
        let sent = Sent::now();
        match lane {
            Lane::Http1(mut connection) => {
                let request_head = http1::request_head(&call.request, &call.origin)?;
                let asking = connection.ask(&request_head, &call.request.body, &self.limits);
                let heads = asking.await?;
                self.begin(call, connection, (sent, request_head), heads)
            }
            Lane::Http2(handle, _) => {
                let peer = handle.peer;
                let authority = call.origin.authority();
                let asking = handle.ask(&call.request, &authority, &self.limits);
                let answer = asking.await;
                if matches!(answer, Err(Trouble::Time)) {
                    // Perhaps nobody is there any more; the next request finds out for itself.
                    self.pool.unshare(&call.origin);
                }
                let answer = answer?;
                Ok(begin_http2(call, peer, sent, answer))
            }
        }
    }

    /// What follows a head over HTTP/1.1.
    pub(crate) fn begin(
        &self,
        call: &Call,
        connection: Connection,
        (sent, request_head): (Sent, Vec<u8>),
        heads: Heads,
    ) -> Result<Begun, Trouble> {
        if heads.head.status() == Some(101) {
            let cause = "it switched protocols without being asked";
            return Err(Trouble::Malformed(cause.into()));
        }
        let Follows { framing, keep } = http1::follows(&call.request.method, &heads.head)?;
        let home = (keep && heads.sent && !call.asks_to_close()).then(|| Home {
            pool: Arc::clone(&self.pool),
            origin: call.origin.clone(),
        });
        let about = call.about(connection.peer, Protocol::Http1, sent, request_head);
        let source = match http1::Body::new(connection, framing, home) {
            Some(body) => Source::Http1(Box::new(body)),
            None => Source::Ended,
        };
        Ok(Begun {
            about,
            informational: heads.informational,
            head: heads.head,
            framing,
            source,
        })
    }
}

impl Lane {
    fn used(&self) -> Used {
        match self {
            Lane::Http1(connection) if connection.reused => Used::Before,
            Lane::Http1(_) => Used::Never,
            Lane::Http2(_, used) => *used,
        }
    }
}

/// What follows a head over HTTP/2.
fn begin_http2(call: &Call, peer: SocketAddr, sent: Sent, answer: http2::Answer) -> Begun {
    let framing = match (&answer.body, answer.length) {
        (None, _) => Framing::Empty,
        (Some(_), Some(length)) => Framing::Length(length),
        (Some(_), None) => Framing::UntilClose,
    };
    let source = match answer.body {
        Some(body) => Source::Http2(Box::new(body)),
        None => Source::Ended,
    };
    Begun {
        about: call.about(peer, Protocol::Http2, sent, answer.request_head),
        informational: answer.informational,
        head: answer.head,
        framing,
        source,
    }
}
