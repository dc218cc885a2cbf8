//! The rules of a crawl at work together, without a network.
#![allow(clippy::unwrap_used)]

mod maze;
mod walker;
