//! When a crawl is to end by itself.

use super::{Live, PageCounts};
use serde::{Deserialize, Serialize};

/// When a crawl is to end by itself. What is `None` has no limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct CrawlLimits {
    /// Pages visited.
    pub pages: Option<u64>,
    /// Bytes received.
    pub bytes: Option<u64>,
    /// Seconds since it began.
    pub seconds: Option<u64>,
}

impl CrawlLimits {
    /// Which limit the crawl has reached, if any: a stable word.
    pub fn reached(&self, live: &Live) -> Option<&'static str> {
        let over = |limit: Option<u64>, value: u64| limit.is_some_and(|limit| value >= limit);
        let PageCounts { saved, failed, .. } = live.pages();
        if over(self.pages, saved + failed) {
            return Some("limit.pages");
        }
        if over(self.bytes, live.received_bytes()) {
            return Some("limit.bytes");
        }
        over(self.seconds, live.age().as_secs()).then_some("limit.seconds")
    }
}
