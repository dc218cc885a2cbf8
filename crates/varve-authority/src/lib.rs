//! A certificate authority of our own, for proxies that speak TLS as whatever host a browser asks
//! them for: the one that records, and the one that replays.
//!
//! All certificates of an [`Authority`] share one key pair, so that a single pin
//! ([`Authority::key_pin`]) tells Chromium to accept them all, and nothing else. This is the
//! server's side of TLS; nothing here opens a connection.

mod authority;
mod kept;

pub use authority::{Authority, AuthorityError};
