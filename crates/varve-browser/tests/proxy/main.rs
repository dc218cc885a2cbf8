//! The recording proxy between a raw client and raw servers on loopback: one module per promise.
#![allow(clippy::unwrap_used)]

mod browser;
mod calls_home;
mod chromium;
mod closing;
mod earlier;
mod exactness;
mod failures;
mod http2;
mod kept;
mod leaving;
mod refusing;
mod reuse;
mod server;
mod stage;
mod streams;
mod tunnels;
mod websockets;
