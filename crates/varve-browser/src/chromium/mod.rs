//! Chromium as a process: where it is, how it is started, how it ends.
//!
//! It runs as an unprivileged user, inside its own sandbox, in a process group of its own, with a
//! profile directory that lives as long as it does. It has no debugging port, and no way to the
//! network but the proxies it is given.

mod attaching;
mod find;
mod flags;
mod footprint;
mod keeper;
mod launch;
mod memory;
mod process;
mod user;

pub use footprint::{Footprint, footprint};
pub(crate) use launch::launch;
pub use launch::user_agent;
pub(crate) use process::{Blame, Memory, Process};
pub(crate) use user::User;
