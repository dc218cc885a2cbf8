//! What was resolved: every name once per crawl, so that its addresses cannot change under us.

use super::resolve::{Resolve, ResolveError};
use std::collections::{HashMap, VecDeque};
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::OnceCell;

/// How many names are remembered; then the oldest is forgotten.
const REMEMBERED: usize = 16_384;
/// How long a failure is remembered: long enough for the other requests of a page.
const FAILURE_HOLDS: Duration = Duration::from_secs(10);

type Answer = Result<Arc<[IpAddr]>, ResolveError>;

/// A resolver with a memory.
pub(crate) struct Names {
    resolver: Arc<dyn Resolve>,
    limit: Duration,
    known: Mutex<Known>,
}

#[derive(Default)]
struct Known {
    by_name: HashMap<String, Arc<Entry>>,
    by_age: VecDeque<String>,
}

/// Filled once. Those who ask for the same name at the same time wait for one answer.
#[derive(Default)]
struct Entry {
    answer: OnceCell<(Answer, Instant)>,
}

impl Names {
    /// A memory over a resolver that may take `limit` for an answer.
    pub(crate) fn new(resolver: Arc<dyn Resolve>, limit: Duration) -> Names {
        Names {
            resolver,
            limit,
            known: Mutex::default(),
        }
    }

    /// All addresses of a host.
    pub(crate) async fn addresses(&self, host: &str) -> Answer {
        let entry = self.entry(host);
        let (answer, _) = entry.answer.get_or_init(|| self.ask(host)).await;
        answer.clone()
    }

    /// Lets the next request ask again: none of the addresses could be reached.
    pub(crate) fn forget(&self, host: &str) {
        self.lock().remove(host);
    }

    async fn ask(&self, host: &str) -> (Answer, Instant) {
        let asking = tokio::time::timeout(self.limit, self.resolver.resolve(host));
        let answer = asking.await.unwrap_or(Err(ResolveError::Timeout));
        (answer.map(Arc::from), Instant::now())
    }

    fn entry(&self, host: &str) -> Arc<Entry> {
        let mut known = self.lock();
        if let Some(entry) = known.by_name.get(host) {
            if !entry.is_old_failure() {
                return Arc::clone(entry);
            }
            known.remove(host);
        }
        if known.by_age.len() >= REMEMBERED
            && let Some(oldest) = known.by_age.pop_front()
        {
            known.by_name.remove(&oldest);
        }
        let entry = Arc::<Entry>::default();
        known.by_name.insert(host.into(), Arc::clone(&entry));
        known.by_age.push_back(host.into());
        entry
    }

    fn lock(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Known {
    fn remove(&mut self, host: &str) {
        if self.by_name.remove(host).is_some() {
            self.by_age.retain(|known| known != host);
        }
    }
}

impl Entry {
    fn is_old_failure(&self) -> bool {
        matches!(self.answer.get(), Some((Err(_), at)) if at.elapsed() > FAILURE_HOLDS)
    }
}
