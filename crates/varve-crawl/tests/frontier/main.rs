//! The frontier's promises, for every backend, and what the embedded one promises besides.

#![allow(clippy::unwrap_used)]

mod conformance;
mod embedded;
mod full_disk;
mod interleaving;
mod killing;
mod model;
mod setup;
