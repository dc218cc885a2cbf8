//! Targets in: each URL once.

use super::ground::Ground;
use super::layout::{queue_key, write_state, write_target};
use super::space::Changes;
use crate::frontier::{Added, FrontierError, LONGEST_URL, State, Target, UrlKey};
use std::collections::HashSet;
use url::Url;

/// So many targets are committed together, at most: a batch is held in memory.
const BATCH: usize = 10_000;

impl Ground {
    /// Queues targets that were never seen.
    pub(super) fn add(&mut self, targets: Vec<Target>) -> Result<Added, FrontierError> {
        let mut added = Added::default();
        let mut targets = targets.into_iter().peekable();
        while targets.peek().is_some() {
            let mut changes = self.disk.changes();
            let batch = targets.by_ref().take(BATCH);
            let part = self.queue_new(&mut changes, batch)?;
            self.commit(changes)?;
            added.new += part.new;
            added.known += part.known;
            added.refused += part.refused;
        }
        Ok(added)
    }

    /// Queues targets that were never seen, as part of some changes.
    pub(super) fn queue_new(
        &mut self,
        changes: &mut Changes,
        targets: impl IntoIterator<Item = Target>,
    ) -> Result<Added, FrontierError> {
        let mut added = Added::default();
        let mut fresh = HashSet::new();
        for target in targets {
            let Some(host) = acceptable(&target) else {
                added.refused += 1;
                continue;
            };
            if fresh.contains(&target.key) || self.disk.is_seen(target.key)? {
                added.known += 1;
                continue;
            }
            added.new += 1;
            fresh.insert(target.key);
            self.queue_one(changes, &host, &target);
        }
        Ok(added)
    }

    fn queue_one(&mut self, changes: &mut Changes, host: &str, target: &Target) {
        let host = self.host(changes, host);
        let place = self.arrive(target.priority);
        changes.insert(
            &self.disk.queue,
            queue_key(host, place),
            write_target(target),
        );
        self.mark(changes, target.key, &State::Queued);
        self.totals.seen += 1;
        self.hosts.change(host).tally.unsettled += 1;
        self.line_up(host, place);
    }

    /// Writes down what has become of a URL.
    pub(super) fn mark(&self, changes: &mut Changes, key: UrlKey, state: &State) {
        changes.insert(&self.disk.seen, key.0, write_state(state));
    }
}

/// The host of a target that can be kept: one that has a host and will be read back as it is.
fn acceptable(target: &Target) -> Option<String> {
    let text = target.url.as_str();
    let long = |url: &Url| url.as_str().len() > LONGEST_URL;
    if long(&target.url) || target.via.as_ref().is_some_and(long) {
        return None;
    }
    let same = Url::parse(text).is_ok_and(|url| url == target.url);
    same.then(|| target.host()).flatten()
}
