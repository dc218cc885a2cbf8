//! The store through its public face: one module per promise.
#![allow(clippy::unwrap_used)]

mod bad_input;
mod collections;
mod crash;
mod fixture;
mod warc_files;
