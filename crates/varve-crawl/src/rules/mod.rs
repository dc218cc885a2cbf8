//! The rules of a crawl: what belongs to it, what may be asked for, when, and what never ends.
//!
//! Everything here is a value or a state machine. There is no I/O and no clock: time, chance and
//! what servers said come in as arguments, and the same history gives the same answers.

pub mod canonical;
pub mod politeness;
pub mod robots;
pub mod scope;
pub mod sitemap;
pub mod traps;
