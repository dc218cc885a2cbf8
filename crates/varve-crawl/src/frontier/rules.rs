//! How a host is to be treated.

use super::Moment;
use std::time::Duration;

/// What is usual among crawlers when a host says nothing.
const USUAL_DELAY: Duration = Duration::from_secs(1);

/// How a host is to be treated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostRules {
    /// Between the starts of two visits.
    pub delay: Duration,
    /// So many visits at the same time, at most. Zero is as good as blocked.
    pub in_flight: u32,
    /// Leave it alone until this moment.
    pub not_before: Option<Moment>,
    /// Visit nothing of it, for this reason. What is queued stays queued.
    pub blocked: Option<String>,
}

impl Default for HostRules {
    fn default() -> HostRules {
        HostRules {
            delay: USUAL_DELAY,
            in_flight: 1,
            not_before: None,
            blocked: None,
        }
    }
}

impl HostRules {
    /// One visit at a time, with this much time between their starts.
    pub fn every(delay: Duration) -> HostRules {
        HostRules {
            delay,
            ..HostRules::default()
        }
    }
}
