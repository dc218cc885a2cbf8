//! The program as its users meet it, and its files as other people's tools see them.
#![allow(clippy::unwrap_used)]

mod access;
mod aggregate;
mod commands;
mod crate_graph;
mod filter;
mod fuzz_corpus;
mod hostile;
mod interfaces;
mod judges;
mod killing;
mod mementomap;
mod serving;
mod setup;
mod unchanged;
