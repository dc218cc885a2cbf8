//! Asking whether what is held of a resource has changed.
//!
//! Who keeps responses of earlier crawls ([`Earlier`]) spares servers the work of sending them
//! again: a request for one of them carries its validators, and the answer may be 304. What may
//! be asked in this way is decided here, for both tiers alike:
//!
//! - Requests: those that may be shared (GET, without body, `Range`, `Authorization` or `Upgrade`,
//!   not for a stream of events) and bring no conditions of their own.
//! - Held responses: status 200, an `ETag` or `Last-Modified`, and everything that
//!   [`Reuse`](crate::Reuse) asks of responses too. Fields named by `Vary` must be the same in the
//!   request that it answered, and it must be open to the origin that asks.

mod rules;

use crate::body::{Spool, Spooled};
use crate::error::FetchError;
use crate::exchange::{Exchange, Protocol};
use crate::fetcher::Fetcher;
use crate::incoming::Incoming;
use crate::request::Request;
pub use rules::opens_to;
use std::io;
use std::sync::Arc;
use tokio::task::spawn_blocking;
use url::Url;
use varve_model::{Digest, HttpHead, Timestamp};

/// What earlier crawls hold.
pub trait Earlier: Send + Sync {
    /// The newest response of a URL that is all there. May read files.
    fn newest(&self, url: &Url) -> Option<Held>;
}

/// A response that is held.
pub struct Held {
    /// Its head, which describes the body as it is held.
    pub head: HttpHead,
    /// What it came by.
    pub protocol: Protocol,
    /// The head of the request that it answered, if that is known.
    pub asked: Option<HttpHead>,
    /// The capture that holds its body.
    pub original: Original,
    /// Reads that body. May read files.
    pub body: ReadBody,
}

/// Reads a body, and fails if it is not all there.
pub type ReadBody = Box<dyn FnOnce(&mut Spool) -> io::Result<()> + Send>;

/// A capture of an earlier crawl.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Original {
    /// Its URL.
    pub url: String,
    /// Its date.
    pub date: Timestamp,
    /// The digest of its payload.
    pub digest: Digest,
}

/// How a server answered.
pub enum Asked {
    /// With a response.
    Response(Box<Incoming>),
    /// What is held is still good.
    Unchanged(Unchanged),
    /// What is held is still good, and cannot be read: it must be asked for once more.
    Unreadable(io::Error),
}

/// A response that is still good.
#[derive(Clone, Debug)]
pub struct Unchanged {
    /// The answer, a 304.
    pub answer: Arc<Exchange>,
    /// The same with the response that is held in place of the 304.
    pub held: Arc<Exchange>,
    /// The capture that holds its body.
    pub original: Original,
}

impl Fetcher {
    /// As [`Fetcher::send`], if nothing is held that answers the request. Else asks whether that
    /// has changed.
    pub async fn ask(
        &self,
        mut request: Request,
        earlier: Option<&Arc<dyn Earlier>>,
    ) -> Result<Asked, FetchError> {
        let Some((held, conditions)) = recall(&request, earlier).await else {
            return self.send(request).await.map(Box::new).map(Asked::Response);
        };
        request.fields.extend(conditions);
        let incoming = self.send(request).await?;
        if incoming.head().status() != Some(304) {
            return Ok(Asked::Response(Box::new(incoming)));
        }
        let answer = incoming.complete().await;
        let mut spool = self.spool();
        let read = spawn_blocking(move || (held.body)(&mut spool).map(|()| spool.finish()));
        Ok(match read.await.unwrap_or_else(|lost| Err(lost.into())) {
            Ok(body) => Asked::Unchanged(Unchanged {
                held: Arc::new(in_place_of(&answer, &held.head, held.protocol, body)),
                answer: Arc::new(answer),
                original: held.original,
            }),
            Err(error) => Asked::Unreadable(error),
        })
    }
}

/// What is held and may be asked for, and the conditions to ask with.
async fn recall(
    request: &Request,
    earlier: Option<&Arc<dyn Earlier>>,
) -> Option<(Held, rules::Conditions)> {
    let earlier = earlier.filter(|_| rules::may_ask(request))?.clone();
    let mut url = request.url.clone();
    url.set_fragment(None);
    let held = spawn_blocking(move || earlier.newest(&url)).await.ok()??;
    let conditions = rules::conditions(&held.head, held.asked.as_ref(), request)?;
    Some((held, conditions))
}

fn in_place_of(answer: &Exchange, head: &HttpHead, protocol: Protocol, body: Spooled) -> Exchange {
    Exchange {
        protocol,
        informational: Vec::new(),
        response_head: head.as_bytes().to_vec(),
        body,
        trailers: Vec::new(),
        truncated: None,
        ..answer.clone()
    }
}
