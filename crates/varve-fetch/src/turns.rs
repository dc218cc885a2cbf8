//! Turns: how many requests one host has to answer at once, whoever asks.
//!
//! All traffic passes the fetcher, so this holds for pages in the browser with all that they load
//! as well as for pages read over HTTP. What never ends by itself (streams of events, WebSockets)
//! takes no turn away from others.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// When more hosts than this are known, those that nobody asks now are forgotten.
const REMEMBERED: usize = 4096;

/// The turns of all hosts. Cheap to clone; clones share them.
#[derive(Clone)]
pub(crate) struct Turns {
    per_host: usize,
    hosts: Arc<Mutex<HashMap<String, Arc<Semaphore>>>>,
}

/// One request's turn with a host; over when dropped.
#[derive(Debug)]
pub(crate) struct HostTurn(#[allow(dead_code, reason = "held, not read")] OwnedSemaphorePermit);

impl Turns {
    /// So many requests to one host at once.
    pub(crate) fn new(per_host: usize) -> Turns {
        Turns {
            per_host: per_host.clamp(1, Semaphore::MAX_PERMITS),
            hosts: Arc::default(),
        }
    }

    /// Waits for a turn, first come, first served.
    pub(crate) async fn wait(&self, host: &str) -> Option<HostTurn> {
        let waiting = self.of(host).acquire_owned();
        // They are never closed.
        waiting.await.ok().map(HostTurn)
    }

    fn of(&self, host: &str) -> Arc<Semaphore> {
        let mut hosts = self.hosts.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(turns) = hosts.get(host) {
            return turns.clone();
        }
        if hosts.len() >= REMEMBERED {
            hosts.retain(|_, turns| Arc::strong_count(turns) > 1);
        }
        let turns = Arc::new(Semaphore::new(self.per_host));
        hosts.insert(host.to_owned(), turns.clone());
        turns
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_host_answers_so_many_at_once_and_others_wait() {
        let turns = Turns::new(2);
        let first = turns.wait("a.example").await;
        let _second = turns.wait("a.example").await;
        let mut third = Box::pin(turns.wait("a.example"));
        let other = turns.wait("b.example").await;
        assert!(other.is_some(), "another host has turns of its own");
        tokio::select! {
            biased;
            _ = &mut third => panic!("a third turn was given while two were taken"),
            () = tokio::task::yield_now() => {}
        }
        drop(first);
        assert!(third.await.is_some());
    }

    #[tokio::test]
    async fn hosts_that_nobody_asks_are_forgotten_and_others_are_not() {
        let turns = Turns::new(1);
        let held = turns.wait("held.example").await;
        for host in 0..2 * REMEMBERED {
            drop(turns.wait(&format!("{host}.example")).await);
        }
        let known = turns.hosts.lock().unwrap_or_else(PoisonError::into_inner);
        assert!(known.len() <= REMEMBERED);
        assert!(held.is_some() && known["held.example"].available_permits() == 0);
    }
}
