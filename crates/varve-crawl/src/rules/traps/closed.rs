//! What was found to be without end, in a form that survives a restart.

use super::template::{Spaces, site};
use serde::{Deserialize, Serialize};
use std::fmt;
use url::Url;

/// Why a URL is not followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum TrapReason {
    /// Too long, too deep, or going in circles.
    #[serde(rename = "trap.path")]
    Path,
    /// A calendar without events and without end.
    #[serde(rename = "trap.calendar")]
    Calendar,
    /// Pages of one pattern that say nothing new.
    #[serde(rename = "trap.pattern")]
    Pattern,
    /// The same page under another session or another parameter that changes nothing.
    #[serde(rename = "trap.session")]
    Session,
    /// The same page with its parameters in another order.
    #[serde(rename = "trap.order")]
    Order,
    /// A long chain of pages that are found through each other alone.
    #[serde(rename = "trap.chain")]
    Chain,
}

impl TrapReason {
    /// A stable word for logs.
    pub fn as_str(self) -> &'static str {
        match self {
            TrapReason::Path => "trap.path",
            TrapReason::Calendar => "trap.calendar",
            TrapReason::Pattern => "trap.pattern",
            TrapReason::Session => "trap.session",
            TrapReason::Order => "trap.order",
            TrapReason::Chain => "trap.chain",
        }
    }
}

impl fmt::Display for TrapReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A space that is closed, or a parameter that does not count.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Closed {
    /// Why.
    pub reason: TrapReason,
    /// What.
    pub space: ClosedSpace,
}

/// What can be closed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ClosedSpace {
    /// All URLs of a template.
    Template(String),
    /// All URLs below the first segment of a host.
    Section(String),
    /// All URLs of a host.
    Site(String),
    /// A parameter that changes nothing.
    Parameter {
        /// On this host.
        site: String,
        /// Its name.
        name: String,
    },
    /// Parameters whose order changes nothing.
    AnyOrder {
        /// On this host.
        site: String,
    },
}

impl Closed {
    /// Whether a URL that waits is to be dropped. Parameters alone drop nothing: one of the
    /// spellings is still to be fetched, and [`admit`](super::Traps::admit) tells which.
    pub fn matches(&self, url: &Url) -> bool {
        match &self.space {
            ClosedSpace::Template(template) => Spaces::of(url).template == *template,
            ClosedSpace::Section(section) => Spaces::of(url).section == *section,
            ClosedSpace::Site(closed) => site(url) == *closed,
            ClosedSpace::Parameter { .. } | ClosedSpace::AnyOrder { .. } => false,
        }
    }
}
