//! The recording proxy: the only way out for Chromium.
//!
//! Each page load gets a port of its own ([`PagePort`]), so that every request belongs to a page.
//! The browser speaks HTTP/1.1 to it, in the open or through a tunnel, encrypted or not; the proxy
//! asks the servers through [`varve_fetch`], passes on what comes while it comes, and gives every
//! finished exchange to a [`Sink`]. Of what earlier crawls hold the servers are only asked whether
//! it has changed; if not, the browser gets that.
//!
//! ```text
//! port ─► connection ─► asked ─► answer ─┬─ Fetcher ─► relay ─► browser, Sink
//!         (tunnel, TLS)                  ├─ Reuse ───► relay ─► browser, Sink
//!                                        └─ Fetcher ─► websocket ◄─► browser; Sink
//! ```

mod answer;
mod asked;
mod calls_home;
mod connection;
mod dead_end;
mod delivery;
mod fields;
mod gauge;
mod pace;
mod port;
mod recording;
mod refusal;
mod relay;
mod screen;
mod sink;
mod websocket;
mod wire;

pub use dead_end::DeadEnd;
pub use port::{PagePort, PortSummary};
pub use recording::RecordingProxy;
pub use screen::Screen;
pub use sink::{CANCELLED, Failure, Origin, REQUEST_LIMIT, Sink, UNREADABLE, VisitId};
pub use varve_authority::AuthorityError;
pub use websocket::{
    Direction, MessageKind, WebSocketCount, WebSocketEnd, WebSocketLog, WebSocketMessage,
};
