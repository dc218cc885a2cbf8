//! The recorder as users meet it: the program crawls the example web in a real Chromium, and what
//! it wrote is compared with what the servers say they sent.

#![allow(clippy::unwrap_used)]

mod browser_tier;
mod dashboard;
mod everything;
mod http_tier;
mod requisites;
mod terminal;
mod web;

#[path = "../support/mod.rs"]
mod support;
