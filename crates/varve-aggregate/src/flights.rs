//! Look-ups that are under way: whoever asks the same at the same time waits for the same answer.

use crate::answer::{Answer, Question};
use std::collections::HashMap;
use std::future::Future;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use tokio::sync::OnceCell;

/// When more are known than this, those that were given up are forgotten.
const KNOWN: usize = 4_096;

type Flight = OnceCell<Arc<Answer>>;
type Key = (String, Question);

/// All look-ups that are under way.
#[derive(Default)]
pub(crate) struct Flights {
    under_way: Mutex<HashMap<Key, Weak<Flight>>>,
}

impl Flights {
    /// The answer to a question: somebody else's if it is being asked already. If that one is given
    /// up, the next who waits for it asks.
    pub(crate) async fn join<F>(
        &self,
        url: &str,
        question: Question,
        ask: impl FnOnce() -> F,
    ) -> Arc<Answer>
    where
        F: Future<Output = Arc<Answer>>,
    {
        let key = (url.to_owned(), question);
        let flight = self.of(&key);
        let answer = flight.get_or_init(ask).await.clone();
        let mut under_way = self.lock();
        // Those who come from now on ask again; the answer may be in the cache.
        let same = |known: &Weak<Flight>| known.as_ptr() == Arc::as_ptr(&flight);
        if under_way.get(&key).is_some_and(same) {
            under_way.remove(&key);
        }
        answer
    }

    fn of(&self, key: &Key) -> Arc<Flight> {
        let mut under_way = self.lock();
        if let Some(flight) = under_way.get(key).and_then(Weak::upgrade) {
            return flight;
        }
        if under_way.len() >= KNOWN {
            under_way.retain(|_, flight| flight.strong_count() > 0);
        }
        let flight = Arc::new(Flight::new());
        under_way.insert(key.clone(), Arc::downgrade(&flight));
        flight
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Key, Weak<Flight>>> {
        self.under_way
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}
