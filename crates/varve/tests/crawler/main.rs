//! The crawler as users meet it: whole crawls of the example web, compared with what its servers
//! say they were asked.

#![allow(clippy::unwrap_used)]

mod again;
mod disk;
mod killing;
<<<<<<< HEAD
mod missing;
mod profile;
=======
mod redirects;
>>>>>>> 1299287 (A redirect to a page that has a visit of its own ends there)
mod rules;
mod secrets;
mod site;
mod traps;

#[path = "../support/mod.rs"]
mod support;
