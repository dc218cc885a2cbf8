//! Many archives as one: ask those that can have a URL, and merge what they answer.
//!
//! An [`Aggregator`] knows its peers from a list ([`read_archives`]). A look-up goes to those whose
//! maps ([`Holdings`]) do not exclude the URL, all at once, and is answered before a deadline with
//! what is there and the names of those who are missing. [`Server`] offers it over HTTP,
//! [`Rendering`] writes it down.
//!
//! All requests go through `varve-fetch`, so that no address is contacted that was not allowed. No
//! collection is ever opened here.

mod aggregator;
mod answer;
mod archives;
mod ask;
mod budget;
mod cache;
mod claims;
mod client;
mod error;
mod flights;
mod health;
mod hedge;
mod map;
mod maps;
mod monitor;
mod original;
mod peer;
mod reading;
mod render;
mod server;
mod tally;
mod timing;
mod trouble;

pub use aggregator::{AggregateOptions, Aggregator, Overloaded, PeerFacts};
pub use answer::{Answer, Memento, Missing, Question};
pub use archives::{Archive, ArchivesError, read_archives};
pub use error::AggregateError;
pub use health::Patience;
pub use map::{Holding, Holdings, MapError, MapFile};
pub use maps::MapOptions;
pub use original::{NoOriginal, Original};
pub use render::{Rendering, View};
pub use server::{Server, ServerOptions};
pub use tally::{Counts, STEPS};
pub use trouble::Trouble;
pub use varve_fetch::{AddressPolicy, MapHost, Trust};
pub use varve_model::TimeMapForm;
