//! What goes in and out of a frontier: leases, outcomes, states and numbers.

use super::{Moment, Target};
use std::time::Duration;

/// Names one lease, for ever: a frontier opened again gives other ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LeaseId(pub u64);

/// The right and the duty to visit a target. To be settled; a lease whose owner dies is queued
/// again when the frontier is next opened, or when another settles it as [`Outcome::Released`].
#[derive(Debug, PartialEq, Eq)]
pub struct Lease {
    /// Its name.
    pub id: LeaseId,
    /// What to visit.
    pub target: Target,
    /// The host to be polite to.
    pub host: String,
}

/// What there is to claim.
#[derive(Debug, PartialEq, Eq)]
#[expect(
    clippy::large_enum_variant,
    reason = "claims are answered one by one, mostly with leases"
)]
pub enum Claim {
    /// Go there.
    Lease(Lease),
    /// Nothing becomes due before this moment, unless a lease is settled, targets are added or
    /// rules change.
    NotBefore(Moment),
    /// Nothing can be claimed until a lease is settled, targets are added or rules change.
    AllLeased,
    /// Nothing is leased, and all that is queued belongs to blocked hosts.
    AllBlocked,
    /// Nothing is queued and nothing is leased.
    Empty,
}

/// How a visit ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It is in the archive.
    Saved,
    /// It could not be had.
    Failed {
        /// Why.
        reason: String,
    },
    /// It is not wanted after all.
    Skipped {
        /// Why.
        reason: String,
    },
    /// To be tried again, behind others of its priority.
    Again {
        /// Not before this moment.
        not_before: Moment,
        /// Why. For the crawl's log; the frontier does not keep it.
        reason: String,
    },
    /// Given back untouched; it keeps its place.
    Released,
}

/// What has become of a URL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum State {
    /// It waits.
    Queued,
    /// Somebody is visiting it.
    Leased,
    /// It is in the archive.
    Saved,
    /// It could not be had.
    Failed {
        /// Why.
        reason: String,
    },
    /// It was not wanted after all.
    Skipped {
        /// Why.
        reason: String,
    },
}

/// What became of targets that were offered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Added {
    /// Never seen before; now queued.
    pub new: u64,
    /// Seen before; nothing changed.
    pub known: u64,
    /// Not taken: without a host, or longer than [`super::LONGEST_URL`].
    pub refused: u64,
}

/// How much there is of everything. Every URL seen is in one of five states.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Waiting.
    pub queued: u64,
    /// Being visited.
    pub leased: u64,
    /// In the archive.
    pub saved: u64,
    /// Not to be had.
    pub failed: u64,
    /// Not wanted.
    pub skipped: u64,
    /// Hosts ever met.
    pub hosts: u64,
    /// URLs ever seen.
    pub seen: u64,
}

/// A host, for those who watch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostView {
    /// Its name.
    pub host: String,
    /// Targets waiting.
    pub queued: u64,
    /// Targets being visited.
    pub leased: u64,
    /// When the next one may be claimed, as far as politeness goes.
    pub due: Moment,
    /// Between the starts of two visits.
    pub delay: Duration,
    /// It asked to be left alone until this moment. None when that has passed.
    pub backed_off: Option<Moment>,
    /// Why nothing of it is visited.
    pub blocked: Option<String>,
}
