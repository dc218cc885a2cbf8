//! Backends to be tested, and small targets to test them with.

use std::path::PathBuf;
use std::time::Duration;
use tempfile::TempDir;
use varve_crawl::Url;
use varve_crawl::frontier::{
    Added, Claim, EmbeddedFrontier, Found, Frontier, HostRules, Lease, Moment, Outcome, Target,
    UrlKey,
};

/// A frontier that can be closed and opened again.
pub(crate) trait Backend {
    /// Opens the frontier. The one opened before is dropped already.
    fn open(&self) -> Box<dyn Frontier>;
}

/// An embedded frontier in a directory for one test.
pub(crate) struct Embedded(TempDir);

impl Embedded {
    pub(crate) fn new() -> Embedded {
        Embedded(tempfile::tempdir().unwrap())
    }

    pub(crate) fn dir(&self) -> PathBuf {
        self.0.path().join("state/crawl")
    }

    pub(crate) fn open(&self) -> EmbeddedFrontier {
        EmbeddedFrontier::open(&self.dir()).unwrap()
    }
}

impl Backend for Embedded {
    fn open(&self) -> Box<dyn Frontier> {
        Box::new(Embedded::open(self))
    }
}

/// Runs a test that has to wait for answers.
pub(crate) fn wait<T>(test: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread().build();
    runtime.unwrap().block_on(test)
}

/// The key of a URL that is its own canonical form.
pub(crate) fn key(url: &str) -> UrlKey {
    UrlKey::of(url)
}

/// A seed.
pub(crate) fn seed(url: &str) -> Target {
    Target::seed(Url::parse(url).unwrap(), key(url))
}

/// A link with a priority.
pub(crate) fn link(url: &str, priority: u8) -> Target {
    Target {
        priority,
        depth: 1,
        found: Found::Link,
        ..seed(url)
    }
}

/// Seeds.
pub(crate) fn seeds<const N: usize>(urls: [&str; N]) -> Vec<Target> {
    urls.map(seed).into()
}

/// Time passes only when a test says so; it begins here.
pub(crate) const START: Moment = Moment(1_700_000_000_000);

/// So many milliseconds after the start.
pub(crate) fn at(millis: u64) -> Moment {
    START.plus(Duration::from_millis(millis))
}

/// No politeness at all: any number of visits at any time.
pub(crate) fn impolite() -> HostRules {
    HostRules {
        in_flight: u32::MAX,
        ..HostRules::every(Duration::ZERO)
    }
}

/// Claims, and expects a lease.
pub(crate) async fn lease(frontier: &dyn Frontier, now: Moment) -> Lease {
    match frontier.claim(now).await.unwrap() {
        Claim::Lease(lease) => lease,
        other => panic!("{other:?} instead of a lease"),
    }
}

/// Settles, and expects no trouble.
pub(crate) async fn settle(frontier: &dyn Frontier, lease: Lease, outcome: Outcome) -> Added {
    frontier.settle(lease, outcome, Vec::new()).await.unwrap()
}

/// Claims and saves all there is, without politeness, and tells the URLs in their order.
pub(crate) async fn drain(frontier: &dyn Frontier, now: Moment) -> Vec<String> {
    frontier.default_rules(impolite()).await.unwrap();
    let mut urls = Vec::new();
    while let Claim::Lease(lease) = frontier.claim(now).await.unwrap() {
        urls.push(lease.target.url.to_string());
        settle(frontier, lease, Outcome::Saved).await;
    }
    urls
}
