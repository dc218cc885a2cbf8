//! Aggregators and their peers, over real sockets on loopback.
#![allow(clippy::unwrap_used)]

mod answers;
mod hostile;
mod illness;
mod many;
mod peers;
mod routing;
mod serving;
