//! Replay as users meet it: pages are captured by the program in a real Chromium, served from the
//! archive in both layouts, and visited by another client than the one that captured them.

#![allow(clippy::unwrap_used)]

mod admin;
mod cold;
mod faithful;
mod gate;
mod isolation;
mod looks;
mod open_browser;
mod other_replayer;
mod own_pages;
mod pinned;
mod proxy;
mod pruned;
mod sealed;
mod semantics;
mod served;
mod service_workers;
mod shim;
mod site;
mod stage;
mod tour;

#[path = "../support/mod.rs"]
mod support;
