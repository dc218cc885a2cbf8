//! Visits in a real Chromium, to small sites that behave in every way.
#![allow(clippy::unwrap_used)]

mod client;
mod coverage;
mod handlers;
mod hostile;
mod pages;
mod pictures;
mod processes;
mod reads;
mod service_workers;
mod setup;
mod site;
