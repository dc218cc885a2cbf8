//! What the scripts of pages fetch, learned from visits in a browser and foretold for others.
//!
//! A [`Sketch`] is what a page shows without its scripts being run: which scripts it has (by what
//! they say), the values that they are given, what is in its markup. A visit in a browser tells what
//! they asked for; [`Site::learn`] holds the two together, and [`Site::decide`] says of another page
//! what its scripts will ask for, or that it must be visited as well, and why. [`Memo`] has all
//! sites, to be kept between crawls.
//!
//! [`template`] learns how scripts make URLs of what a page gives them. [`classify`] guesses what a page
//! loses without a browser, where nothing better is known.
//!
//! This crate does no I/O and has no clock. What it learns from comes from anywhere: all work and
//! memory are bounded, and no input makes it panic.

mod census;
mod chunks;
pub mod classify;
mod leads;
mod lesson;
mod memo;
mod news;
mod recall;
mod rules;
mod script;
mod selector;
mod shared;
mod site;
mod sketch;
pub mod template;

pub use lesson::{Asked, Lesson, Teaching};
pub use memo::{Memo, Technique};
pub use news::News;
pub use recall::Recall;
pub use rules::{Foretold, RuleCounts};
pub use script::{Goal, ScriptFacts};
pub use site::{Decision, Outcome, Site, Why};
pub use sketch::{Chunk, Elsewhere, Sketch};
