//! Documents through the crate's public face.
#![allow(clippy::unwrap_used)]

mod rewriting;
mod selection;
