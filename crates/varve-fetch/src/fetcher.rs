//! `Fetcher`: requests out, responses back, over connections that are shared.

use crate::body::Spool;
use crate::call::{Call, Sent};
use crate::connect::{
    AddressPolicy, Dialer, FetchSetupError, MapHost, Offer, Resolve, SystemResolver, Trust,
};
use crate::error::FetchError;
use crate::exchange::Protocol;
use crate::http1::{self, Connection};
use crate::incoming::Incoming;
use crate::lane::{Begun, Lanes};
use crate::limits::Limits;
use crate::request::Request;
use crate::rules::RequestRules;
use crate::turns::{HostTurn, Turns};
use crate::upgrade::{Duplex, Upgrade};
use std::future::Future;
use std::path::PathBuf;
use std::sync::Arc;
use tokio::time::timeout_at;

/// What a fetcher may do, and how.
#[derive(Clone, Debug)]
pub struct FetchOptions {
    /// Which addresses may be contacted.
    pub policy: AddressPolicy,
    /// Hosts that are served elsewhere; the first that matches counts.
    pub map_hosts: Vec<MapHost>,
    /// Which certificates are good.
    pub trust: Trust,
    /// How much and how long.
    pub limits: Limits,
    /// How many requests one host has to answer at once.
    pub per_host: usize,
    /// What is never asked for, and what is always said.
    pub rules: RequestRules,
    /// Where large bodies are kept while they are used.
    pub spool_dir: PathBuf,
}

/// Sends requests. Cheap to clone; clones share connections and what was resolved.
#[derive(Clone)]
pub struct Fetcher {
    lanes: Arc<Lanes>,
    turns: Turns,
    rules: Arc<RequestRules>,
    spool_dir: Arc<PathBuf>,
}

impl Fetcher {
    /// A fetcher that asks the system's resolver.
    pub fn new(options: FetchOptions) -> Result<Fetcher, FetchSetupError> {
        Fetcher::with_resolver(options, Arc::new(SystemResolver::new()))
    }

    /// A fetcher with a resolver of one's own.
    pub fn with_resolver(
        options: FetchOptions,
        resolver: Arc<dyn Resolve>,
    ) -> Result<Fetcher, FetchSetupError> {
        let FetchOptions {
            policy,
            map_hosts,
            trust,
            limits,
            per_host,
            rules,
            spool_dir,
        } = options;
        if let Err(cause) = tempfile::tempfile_in(&spool_dir) {
            return Err(FetchSetupError::Spool {
                dir: spool_dir,
                cause,
            });
        }
        let lanes = Lanes {
            dialer: Dialer::new(policy, map_hosts, &trust, limits, resolver)?,
            pool: Arc::default(),
            limits,
        };
        Ok(Fetcher {
            lanes: Arc::new(lanes),
            turns: Turns::new(per_host),
            rules: Arc::new(rules),
            spool_dir: Arc::new(spool_dir),
        })
    }

    /// Sends the request and returns when the (final) response head is there. Never follows
    /// redirects.
    pub async fn send(&self, mut request: Request) -> Result<Incoming, FetchError> {
        self.rules.apply(&mut request)?;
        // Waiting for one's turn is not the server's time.
        let turn = self.turns.wait(request.url.host_str().unwrap_or("")).await;
        let call = Call::new(request)?;
        let begun = self.within_total(&call, self.lanes.answer(&call)).await?;
        Ok(self.incoming(begun, turn))
    }

    /// As [`Fetcher::send`], for a request that asks to switch protocols (WebSocket), always
    /// HTTP/1.1 on a connection of its own.
    pub async fn upgrade(&self, mut request: Request) -> Result<Upgrade, FetchError> {
        self.rules.apply(&mut request)?;
        let call = Call::switching(request)?;
        self.within_total(&call, self.switch(&call)).await
    }

    async fn switch(&self, call: &Call) -> Result<Upgrade, FetchError> {
        let fail = |trouble| call.error(trouble);
        let head = http1::request_head(&call.request, &call.origin).map_err(fail)?;
        let connected = self.lanes.dialer.dial(&call.origin, Offer::Http1).await?;
        let mut connection = Connection::new(connected);
        let sent = Sent::now();
        let asking = connection.ask(&head, &call.request.body, &self.lanes.limits);
        let heads = asking.await.map_err(fail)?;
        if heads.head.status() != Some(101) {
            let begun = self.lanes.begin(call, connection, (sent, head), heads);
            return Ok(Upgrade::Refused(self.incoming(begun.map_err(fail)?, None)));
        }
        let about = call.about(connection.peer, Protocol::Http1, sent, head);
        Ok(Upgrade::Switched {
            exchange: about.switched(heads.informational, &heads.head),
            stream: Duplex::new(connection),
        })
    }

    async fn within_total<T>(
        &self,
        call: &Call,
        doing: impl Future<Output = Result<T, FetchError>>,
    ) -> Result<T, FetchError> {
        let deadline = call.begun + self.lanes.limits.total;
        let done = timeout_at(deadline.into(), doing).await;
        done.unwrap_or_else(|_| Err(call.too_long("total")))
    }

    fn incoming(&self, begun: Begun, turn: Option<HostTurn>) -> Incoming {
        Incoming::new(begun, self.spool(), self.lanes.limits, turn)
    }

    /// A place for a body.
    pub(crate) fn spool(&self) -> Spool {
        Spool::new(Arc::clone(&self.spool_dir))
    }
}
