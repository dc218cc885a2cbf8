//! Where the two halves of this crate meet: the network traffic of one page load.
//!
//! The proxy in front of the browser sees every request, also those that the browser's own
//! protocol does not tell about (WebSocket handshakes, preflights, beacons sent while a page goes
//! away). So it is the proxy that knows whether a page is still loading, and a visit asks it.

use std::net::SocketAddr;
use std::time::Instant;

/// The network traffic of one page load, as the proxy in front of the browser sees it.
pub trait Traffic: Send + Sync {
    /// Where the page's browser context must send its requests.
    fn proxy_address(&self) -> SocketAddr;
    /// What is going on right now.
    fn activity(&self) -> Activity;
    /// From now on the page goes nowhere and sends nothing: what opens a document, or is more than
    /// a question, is answered with nothing.
    fn hold(&self) {}
}

/// What is going on between a page and the network.
#[derive(Clone, Copy, Debug)]
pub struct Activity {
    /// Requests without a complete response; streams (WebSocket, EventSource) do not count.
    pub in_flight: usize,
    /// Streams that are open.
    pub streams: usize,
    /// Requests ever started.
    pub started: u64,
    /// When a request last began, went on or ended.
    pub last_change: Instant,
}
