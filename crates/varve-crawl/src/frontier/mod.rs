//! The frontier: Targets not yet visited, grouped by host, and every URL ever seen.
//!
//! A URL lives once: it is *queued* when it is first seen, *leased* while somebody visits it, and
//! at last *saved*, *failed* or *skipped*. It is never queued a second time. A lease has one owner,
//! who settles it; what a page brought (its links) is written in the same commit as its outcome, so
//! that no crash can keep one and lose the other.
//!
//! Politeness is kept here, not by those who visit: a host is due some time after its last claim
//! (start to start) and has a bounded number of leases. The frontier has no clock of its own; it is
//! told what time it is.
//!
//! [`Frontier`] is what a crawl sees. [`EmbeddedFrontier`] keeps everything in a directory of its
//! own; other backends must pass the same conformance suite (`tests/frontier/conformance.rs`).

mod answers;
mod embedded;
mod error;
mod moment;
mod rules;
mod target;

pub use answers::{Added, Claim, Counts, HostView, Lease, LeaseId, Outcome, State};
pub use embedded::EmbeddedFrontier;
pub use error::FrontierError;
pub use moment::Moment;
pub use rules::HostRules;
pub use target::{Found, LONGEST_URL, Target, UrlKey, host_of};

use std::pin::Pin;

/// What a frontier will answer. The work is under way whether or not the answer is awaited.
pub type Answer<'a, T> = Pin<Box<dyn Future<Output = Result<T, FrontierError>> + Send + 'a>>;

/// Decides about a queued target.
pub type Predicate = Box<dyn Fn(&Target) -> bool + Send>;

/// Whose targets are meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Whose {
    /// Those of one host, spelled as [`host_of`] does.
    Host(String),
    /// Those of all hosts.
    Everyone,
}

/// Targets not yet visited, and every URL ever seen.
pub trait Frontier: Send + Sync {
    /// Queues the targets whose key was never seen. Those already known change nothing, so that
    /// the same call can be made again. On disk when it is answered.
    fn add(&self, targets: Vec<Target>) -> Answer<'_, Added>;

    /// Leases the next target: of the host that is due longest, the one with the lowest priority
    /// number that came first.
    fn claim(&self, now: Moment) -> Answer<'_, Claim>;

    /// Ends a lease, with the links that the page brought, in one commit. On disk when it is
    /// answered. A lease that was not given by this frontier, or is settled already, is an error
    /// and changes nothing: its links are not taken either.
    fn settle(&self, lease: Lease, outcome: Outcome, links: Vec<Target>) -> Answer<'_, Added>;

    /// Sets how a host is to be treated from now on. Survives the end of the process.
    fn host_rules(&self, host: &str, rules: HostRules) -> Answer<'_, ()>;

    /// Sets how hosts without rules of their own are treated. Survives the end of the process.
    fn default_rules(&self, rules: HostRules) -> Answer<'_, ()>;

    /// Skips the queued targets that the predicate picks, for a reason, and tells how many. Leased
    /// ones are left to their owners; what is added meanwhile may or may not be looked at.
    fn drop_matching(&self, whose: Whose, pick: Predicate, reason: &str) -> Answer<'_, u64>;

    /// What has become of a URL. None if it was never seen.
    fn state_of(&self, key: UrlKey) -> Answer<'_, Option<State>>;

    /// How much there is of everything. Cheap and exact.
    fn counts(&self) -> Answer<'_, Counts>;

    /// The hosts with the most queued targets, most first.
    fn hosts(&self, limit: usize) -> Answer<'_, Vec<HostView>>;

    /// A note of the crawl's own.
    fn note(&self, key: &str) -> Answer<'_, Option<String>>;

    /// Keeps a note. On disk when it is answered.
    fn set_note(&self, key: &str, value: &str) -> Answer<'_, ()>;
}
