//! An example web on loopback, to show and to test with.
//!
//! [`DemoWeb`] is one small server that plays several hosts: the site of a botanical garden and the
//! hosts around it, down to an advertiser. Its pages are in `examples/site` and are built into the
//! program. It speaks HTTP/1.1, HTTP/2 and WebSocket, in the clear and over TLS, all on one port, and
//! routes by host name. The HTTP/1.1 side is written by hand so that [`Logged`] can hold every byte:
//! the log is the ground truth for tests of a recorder.
//!
//! [`generated`] has hosts whose pages are made up: a site of many pages, and one full of traps.
//! [`everything()`] lists the requests that one load of `http(s)://garden.example/everything/` causes.

#![cfg_attr(test, allow(clippy::unwrap_used))]

mod certificates;
mod connection;
mod date;
mod everything;
mod files;
pub mod generated;
mod hosts;
mod http1;
mod http2;
mod log;
mod negotiate;
mod pages;
mod reply;
mod request;
mod routes;
mod web;
mod websocket;

pub use everything::{ExpectedRequest, When, everything};
pub use log::{Logged, Message, MessageKind, Protocol, Scheme, Sender};
pub use web::{DemoOptions, DemoWeb};
