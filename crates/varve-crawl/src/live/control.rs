//! What people may change while a crawl runs.
//!
//! Every change counts up a *generation*. A crawl that waits, or holds a queue that may have
//! become wrong, compares generations instead of rules.

use super::exclusions::{BadPattern, Exclusions};
use super::{CrawlLimits, Live, Snapshot, State};
use serde::Serialize;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;
use tokio::sync::watch;
use url::Url;

/// How soon a stop that comes by signal, which wakes nobody, is noticed.
const GLANCE: Duration = Duration::from_millis(200);

/// All that is set, for people to see.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Settings {
    /// Whether no new pages are begun.
    pub paused: bool,
    /// Whether the crawl was told to end.
    pub stopping: bool,
    /// Patterns of URLs that are not visited.
    pub exclude: Vec<String>,
    /// Hosts are left in peace at least so long between two pages.
    pub delay_ms: u64,
    /// When it ends by itself.
    pub limits: CrawlLimits,
    /// Counts changes.
    pub generation: u64,
}

/// The wishes of people. Shared by all who may wish.
#[derive(Debug)]
pub struct Control {
    stop: Arc<AtomicBool>,
    wishes: RwLock<Wishes>,
    generation: watch::Sender<u64>,
}

#[derive(Debug, Default)]
struct Wishes {
    paused: bool,
    exclusions: Arc<Exclusions>,
    delay: Duration,
    limits: CrawlLimits,
}

impl Control {
    /// Nothing is wished for yet. Setting `stop`, also from a signal, ends the crawl.
    pub fn new(stop: Arc<AtomicBool>) -> Control {
        Control {
            stop,
            wishes: RwLock::default(),
            generation: watch::Sender::new(0),
        }
    }

    /// No new pages until [`Control::resume`].
    pub fn pause(&self) {
        self.change(|wishes| wishes.paused = true);
    }

    /// New pages again.
    pub fn resume(&self) {
        self.change(|wishes| wishes.paused = false);
    }

    /// Whether no new pages are to be begun.
    pub fn is_paused(&self) -> bool {
        self.read(|wishes| wishes.paused)
    }

    /// Ends the crawl after the pages in flight.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
        self.change(|_| {});
    }

    /// Whether the crawl is to end.
    pub fn is_stopping(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// URLs in which this regular expression matches are not visited from now on.
    pub fn exclude(&self, pattern: &str) -> Result<(), BadPattern> {
        // Compiled outside the lock, which readers in the crawl want. Two people who add a pattern
        // at the very same moment must not lose one: the second compiles again.
        loop {
            let before = self.read(|wishes| wishes.exclusions.clone());
            let after = Arc::new(before.with(pattern)?);
            let replaced = self.change(|wishes| {
                let unchanged = Arc::ptr_eq(&wishes.exclusions, &before);
                if unchanged {
                    wishes.exclusions = after;
                }
                unchanged
            });
            if replaced {
                return Ok(());
            }
        }
    }

    /// Takes such a pattern back.
    pub fn include_again(&self, pattern: &str) {
        self.change(|wishes| wishes.exclusions = Arc::new(wishes.exclusions.without(pattern)));
    }

    /// Whether this URL is not to be visited.
    pub fn excluded(&self, url: &Url) -> bool {
        let exclusions = self.read(|wishes| wishes.exclusions.clone());
        exclusions.matches(url)
    }

    /// Hosts are left in peace at least so long between two pages.
    pub fn set_delay(&self, delay: Duration) {
        self.change(|wishes| wishes.delay = delay);
    }

    /// The least pause between two pages of a host.
    pub fn delay(&self) -> Duration {
        self.read(|wishes| wishes.delay)
    }

    /// Sets when the crawl ends by itself.
    pub fn set_limits(&self, limits: CrawlLimits) {
        self.change(|wishes| wishes.limits = limits);
    }

    /// When the crawl ends by itself.
    pub fn limits(&self) -> CrawlLimits {
        self.read(|wishes| wishes.limits)
    }

    /// Counts changes of any kind.
    pub fn generation(&self) -> u64 {
        *self.generation.borrow()
    }

    /// Returns when something has changed since that generation, or the crawl is to end.
    pub async fn changed(&self, since: u64) {
        let mut generation = self.generation.subscribe();
        loop {
            if self.is_stopping() || *generation.borrow_and_update() != since {
                return;
            }
            // The sender is ours and lives as long as we do.
            let _ = tokio::time::timeout(GLANCE, generation.changed()).await;
        }
    }

    /// Returns at once unless paused; then when resumed, or when the crawl is to end.
    pub async fn unpaused(&self) {
        loop {
            let generation = self.generation();
            if !self.is_paused() || self.is_stopping() {
                return;
            }
            self.changed(generation).await;
        }
    }

    /// The picture, with what people have ordered although the crawl has not come to it yet.
    pub fn snapshot(&self, live: &Live) -> Snapshot {
        let mut now = live.snapshot();
        now.state = match now.state {
            State::Running | State::Pausing | State::Paused if self.is_stopping() => {
                State::Finishing
            }
            State::Running if self.is_paused() => State::Pausing,
            other => other,
        };
        now
    }

    /// All that is set.
    pub fn settings(&self) -> Settings {
        let generation = self.generation();
        self.read(|wishes| Settings {
            paused: wishes.paused,
            stopping: self.is_stopping(),
            exclude: wishes.exclusions.patterns().to_vec(),
            delay_ms: wishes.delay.as_millis() as u64,
            limits: wishes.limits,
            generation,
        })
    }

    fn read<T>(&self, read: impl FnOnce(&Wishes) -> T) -> T {
        read(&self.wishes.read().unwrap_or_else(PoisonError::into_inner))
    }

    fn change<T>(&self, change: impl FnOnce(&mut Wishes) -> T) -> T {
        let changed = change(&mut self.wishes.write().unwrap_or_else(PoisonError::into_inner));
        self.generation.send_modify(|generation| *generation += 1);
        changed
    }
}

#[cfg(test)]
mod tests;
