//! Servers and pages that mean harm: what the program does about each, and where it does not go.
//!
//! `table.rs` has every behaviour with the reason that a crawl must record for it; the files named
//! after its groups serve them. `harness.rs` crawls them and checks what is promised: an end in
//! time, the reason, what was received, the next page, memory. `no_way_in.rs` is about addresses
//! that are not to be contacted.

#![allow(clippy::unwrap_used)]

// Other tests look at more of a record.
#[allow(dead_code)]
#[path = "../support/archive.rs"]
mod archive;
mod authority;
mod bodies;
mod connections;
mod content;
mod framing;
mod harness;
mod http2;
mod memory;
mod name_server;
mod names;
mod namespace;
mod no_way_in;
mod redirects;
mod serving;
mod suite;
mod table;
mod traps;
mod unruly;
mod unruly_traffic;
