//! The store through its public face: one module per promise.
#![allow(clippy::unwrap_used)]

mod bad_input;

mod crash;
mod exporting;
mod fixture;
mod importing;
mod not_modified;
mod pictures;
mod recoding;
mod recording;
mod remaking;
mod warc_files;
