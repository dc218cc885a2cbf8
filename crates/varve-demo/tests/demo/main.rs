//! The example web through real sockets: one module per promise.
#![allow(clippy::unwrap_used)]

mod bad_requests;
mod client;
mod everything_page;
mod exact_bytes;
mod generated;
mod http2;
mod links;
mod negotiation;
mod websocket;
