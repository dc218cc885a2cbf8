//! What happens, as it happens, for those who watch.

use crate::trouble::Trouble;
use serde_json::json;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::broadcast;

/// Events that a slow watcher may be behind; older ones it does not see.
const BEHIND: usize = 256;

/// Tells watchers what happens. Costs nothing while nobody watches.
pub(crate) struct Monitor {
    events: broadcast::Sender<Arc<str>>,
}

impl Monitor {
    pub(crate) fn new() -> Monitor {
        let (events, _) = broadcast::channel(BEHIND);
        Monitor { events }
    }

    pub(crate) fn watch(&self) -> broadcast::Receiver<Arc<str>> {
        self.events.subscribe()
    }

    /// A peer was heard, or was not.
    pub(crate) fn peer(
        &self,
        url: &str,
        archive: &str,
        found: usize,
        took: Duration,
        trouble: Option<&Trouble>,
    ) {
        if self.events.receiver_count() == 0 {
            return;
        }
        let outcome = match (trouble, found) {
            (Some(_), _) => "error",
            (None, 0) => "miss",
            (None, _) => "hit",
        };
        let event = json!({
            "url": url,
            "archive": archive,
            "outcome": outcome,
            "reason": trouble.map(Trouble::reason),
            "mementos": found,
            "seconds": took.as_secs_f64(),
        });
        // Nobody is there any more: that is no error.
        let _ = self.events.send(event.to_string().into());
    }
}
