//! Store only what can run of scripts.
//!
//! Visits tell which functions of a script ran ([`Learned`]). The bodies of the others are taken
//! out of it and stored apart ([`cut`]), with stubs in their place that fetch them when they are
//! called after all. [`prune`] does that for a collection: it makes the layers anew beside the old
//! ones, replays pages of both, and lets the new ones take the place of the old only if nothing is
//! worse than it was. What differs keeps its scripts whole.

#![cfg_attr(test, allow(clippy::unwrap_used))]

mod compared;
mod cut;
mod error;
mod learned;
mod learning;
mod needed;
mod pruner;
mod run;
mod tally;
mod verify;

pub use compared::Compared;
pub use cut::{Called, Cut, Holder, Whole, cut, set_aside};
pub use error::PruneError;
pub use learned::{Learned, Run};
pub use run::{Cold, Layers, Outcome, PruneOptions, Step, prune};
pub use tally::Tally;
pub use varve_store::collection::Packing;
pub use verify::Worse;
