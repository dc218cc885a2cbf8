//! The crawler as users meet it: whole crawls of the example web, compared with what its servers
//! say they were asked.

#![allow(clippy::unwrap_used)]

mod again;
mod disk;
mod filter;
mod foretold;
mod killing;
mod missing;
mod profile;
mod pruning;
mod redirects;
mod rules;
mod secrets;
mod site;
mod styles;
mod traps;

#[path = "../support/mod.rs"]
mod support;
