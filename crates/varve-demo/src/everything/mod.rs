//! The requests of the everything page, as data for tests. `examples/site/EVERYTHING.md` tells the same.

mod table;

use crate::log::{Logged, Scheme};

/// One kind of request that a load of `/everything/` causes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExpectedRequest {
    /// What kind it is, in words.
    pub name: &'static str,
    /// The host.
    pub host: &'static str,
    /// The method.
    pub method: &'static str,
    /// Path and query, where `*` stands for anything.
    pub target: &'static str,
    /// When it is made.
    pub when: When,
}

/// When a request of the everything page is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    /// While the page loads, within two seconds.
    Loading,
    /// As `Loading`, but over https only: browsers have no service workers elsewhere.
    LoadingSecurely,
    /// When somebody scrolls to the end of the page.
    Scrolling,
    /// When the page is left.
    Leaving,
    /// If the browser cares: headless ones mostly do not.
    Perhaps,
}

impl ExpectedRequest {
    /// Whether this is that request.
    pub fn matches(&self, logged: &Logged) -> bool {
        self.host == logged.host && self.method == logged.method && self.is_target(&logged.target)
    }

    /// Whether it must be made over this scheme by a browser that scrolls and leaves.
    pub fn is_due(&self, scheme: Scheme) -> bool {
        match self.when {
            When::Loading | When::Scrolling | When::Leaving => true,
            When::LoadingSecurely => scheme == Scheme::Https,
            When::Perhaps => false,
        }
    }

    /// Whether a target fits the pattern.
    pub fn is_target(&self, target: &str) -> bool {
        match self.target.split_once('*') {
            Some((start, end)) => {
                target.len() >= start.len() + end.len()
                    && target.starts_with(start)
                    && target.ends_with(end)
            }
            None => target == self.target,
        }
    }
}

/// Everything that the everything page asks for.
pub fn everything() -> &'static [ExpectedRequest] {
    &table::EVERYTHING
}
