//! The fetcher against real servers on loopback: one module per promise.
#![allow(clippy::unwrap_used)]

mod addresses;
mod connections;
mod exactness;
mod framing;
mod http2;
mod limits;
mod reusing;
mod server;
mod tls;
