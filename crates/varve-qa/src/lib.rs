//! Replay the pages of a collection in Chromium and compare them with their captures.
//!
//! [`check`] serves the collection on loopback, visits pages as the client that captured them, and
//! makes a [`PageReport`] of each: what it asked for and what became of it, and every [`Finding`].
//! A finding counts only if it is there again when the page is visited once more: what depends on
//! the moment is not held against the archive. Nothing but the replay is in reach of a visit.

#![cfg_attr(test, allow(clippy::unwrap_used))]

mod capture;
mod error;
mod finding;
mod gate;
mod inspect;
mod judge;
mod names;
mod options;
mod pages;
mod report;
mod run;
mod stage;

pub use error::QaError;
pub use finding::{Finding, Kind};
pub use options::{Choice, Pattern, QaOptions, Thresholds, Visitor};
pub use report::{
    Comparison, PageReport, PictureFiles, PictureReport, Report, RequestCounts, Summary,
    TextReport, Verdict,
};
pub use run::check;
