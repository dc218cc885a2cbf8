//! Who keeps what was recorded.

use super::websocket::WebSocketLog;
use std::sync::Arc;
use url::Url;
use varve_fetch::{Exchange, FetchError, Unchanged};

/// The page load that a request belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct VisitId(pub u64);

/// Where a response came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// From the server, just now.
    Fetched,
    /// From what was recorded earlier in this crawl.
    Reused,
}

/// A request that got no response.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The URL asked for.
    pub url: Url,
    /// The request's method.
    pub method: String,
    /// A stable word: that of [`varve_fetch::FetchError::reason`], [`CANCELLED`], [`REQUEST_LIMIT`]
    /// or [`UNREADABLE`].
    pub reason: &'static str,
    /// What happened, in words.
    pub message: String,
}

impl Failure {
    /// What an error means for a request.
    pub(super) fn new(url: Url, method: String, error: &FetchError) -> Failure {
        Failure {
            url,
            method,
            reason: error.reason(),
            message: error.to_string(),
        }
    }

    /// The server's answer was that what is held of a resource is still good; but that cannot be
    /// read.
    pub fn unreadable(url: Url, method: String, why: &str) -> Failure {
        Failure {
            message: format!("{url}: unchanged, but what is stored of it cannot be read: {why}"),
            url,
            method,
            reason: UNREADABLE,
        }
    }
}

/// The reason of requests whose body was longer than a page may send.
pub const REQUEST_LIMIT: &str = "limit.request";
/// The reason of requests that nobody wanted to wait for any longer.
pub const CANCELLED: &str = "cancelled";
/// The reason of requests that are made again, because what they asked about cannot be read.
pub const UNREADABLE: &str = "unchanged.unreadable";

/// Keeps what was recorded. Called once per finished exchange, before the browser's side counts
/// as finished in [`Activity`](crate::Activity); must not block for long.
pub trait Sink: Send + Sync {
    /// A response that came, whole or as much of it as there was.
    fn exchange(&self, visit: VisitId, exchange: Arc<Exchange>, origin: Origin);
    /// A resource of which an earlier crawl holds a response that is still good.
    fn unchanged(&self, visit: VisitId, unchanged: Unchanged);
    /// A WebSocket that has ended: its handshake (the 101) and what was said.
    fn web_socket(&self, visit: VisitId, exchange: Arc<Exchange>, messages: WebSocketLog);
    /// A request without a response.
    fn failed(&self, visit: VisitId, failure: Failure);
}
