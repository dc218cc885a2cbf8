//! A guess what a page loses without a browser, for pages with new scripts.
//!
//! [`Features`] are numbers that can be had without running anything: counts of what its scripts
//! say ([`ScriptCounts`]), marks of frameworks, how much there is to read and how much to run, and
//! what is known of the site so far ([`Around`]). A [`Model`] was trained on labelled visits
//! (`bench/classifier`, docs/classifier.md) and makes an [`Estimate`] of them: how likely it is
//! that scripts fetch something that is found nowhere else, and how many bytes that would be.

mod counts;
mod features;
mod markup;
mod model;

pub use counts::ScriptCounts;
pub use features::{Around, Features, Subject};
pub use model::{Estimate, Model};
