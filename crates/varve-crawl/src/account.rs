//! The account of a page and of a crawl: what was asked for, what came, what did not.

use serde::Serialize;
use std::collections::BTreeMap;
use varve_browser::Handled;

/// So many, of so many bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Amount {
    /// How many.
    pub count: u64,
    /// How many bytes, as received.
    pub bytes: u64,
}

impl Amount {
    fn add(&mut self, other: Amount) {
        self.count += other.count;
        self.bytes += other.bytes;
    }
}

/// Handlers of events by what they are for, such as `menu` or `transaction`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Handlers(pub BTreeMap<&'static str, FoundAndRun>);

/// Handlers of one kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct FoundAndRun {
    /// How many pages had.
    pub found: u64,
    /// How many of them were run.
    pub run: u64,
    /// How many were not, since others had been that are the same and look the same.
    pub alike: u64,
}

impl Handlers {
    /// What a visit tells.
    pub(crate) fn of(handled: &Handled) -> Handlers {
        let mut handlers = Handlers::default();
        for (kind, found) in &handled.found {
            let of =
                |counts: &BTreeMap<&str, u32>| u64::from(counts.get(kind).copied().unwrap_or(0));
            let counts = FoundAndRun {
                found: u64::from(*found),
                run: of(&handled.ran),
                alike: of(&handled.alike),
            };
            handlers.0.insert(kind, counts);
        }
        handlers
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn add(&mut self, other: &Handlers) {
        for (kind, both) in &other.0 {
            let sum = self.0.entry(kind).or_default();
            sum.found += both.found;
            sum.run += both.run;
            sum.alike += both.alike;
        }
    }
}

/// Proof of capture: every request is recorded, reused, or failed for a reason.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Account {
    /// Requests made.
    pub requested: u64,
    /// Responses received and recorded.
    pub recorded: Amount,
    /// Of these, responses that were cut short.
    pub truncated: u64,
    /// Of these, answers that what an earlier crawl holds is still good.
    pub unchanged: u64,
    /// Requests served from what was recorded before.
    pub reused: u64,
    /// Requests without a response.
    pub failed: u64,
    /// What was recorded, by kind.
    pub by_kind: BTreeMap<&'static str, Amount>,
    /// Failures by reason.
    pub by_reason: BTreeMap<String, u64>,
    /// Handlers of events that pages had, and that were run to learn what can run.
    #[serde(skip_serializing_if = "Handlers::is_empty")]
    pub handlers: Handlers,
    /// Pictures, films and files among it whose content the crawl had not received before.
    #[serde(skip)]
    pub new_embeds: usize,
}

impl Account {
    /// A response was received.
    pub(crate) fn record(&mut self, kind: &'static str, bytes: u64, truncated: bool) {
        let amount = Amount { count: 1, bytes };
        self.requested += 1;
        self.recorded.add(amount);
        self.by_kind.entry(kind).or_default().add(amount);
        self.truncated += u64::from(truncated);
    }

    /// A server said that nothing had changed.
    pub(crate) fn unchanged(&mut self, kind: &'static str, bytes: u64) {
        self.record(kind, bytes, false);
        self.unchanged += 1;
    }

    /// A request was served from what is recorded.
    pub(crate) fn reuse(&mut self) {
        self.requested += 1;
        self.reused += 1;
    }

    /// A request failed.
    pub(crate) fn fail(&mut self, reason: &str) {
        self.requested += 1;
        self.failed += 1;
        *self.by_reason.entry(reason.to_owned()).or_default() += 1;
    }

    /// Adds another account to this one.
    pub(crate) fn add(&mut self, other: &Account) {
        self.requested += other.requested;
        self.recorded.add(other.recorded);
        self.truncated += other.truncated;
        self.unchanged += other.unchanged;
        self.reused += other.reused;
        self.failed += other.failed;
        self.new_embeds += other.new_embeds;
        self.handlers.add(&other.handlers);
        for (kind, amount) in &other.by_kind {
            self.by_kind.entry(kind).or_default().add(*amount);
        }
        for (reason, count) in &other.by_reason {
            *self.by_reason.entry(reason.clone()).or_default() += count;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_request_is_recorded_reused_or_failed() {
        let mut page = Account::default();
        page.record("html", 100, false);
        page.record("image", 50, true);
        page.unchanged("css", 0);
        page.reuse();
        page.fail("dns.nxdomain");
        let mut crawl = Account::default();
        crawl.add(&page);
        crawl.add(&page);
        assert_eq!(
            crawl.requested,
            crawl.recorded.count + crawl.reused + crawl.failed
        );
        assert_eq!(
            crawl.recorded,
            Amount {
                count: 6,
                bytes: 300
            }
        );
        assert_eq!(crawl.unchanged, 2);
        assert_eq!(crawl.by_reason["dns.nxdomain"], 2);
    }
}
