//! What was rewritten, kept for those who ask next.
//!
//! The key says everything that the output depends on. The oldest go first when there are too many
//! bytes. Of several requests for the same thing one does the work and the others wait for it.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How long most wait for the one who works before they work themselves.
pub(crate) const PATIENCE: Duration = Duration::from_secs(10);
/// What an entry costs besides its bytes.
const OVERHEAD: usize = 256;

/// A value that knows how many bytes it has.
pub(crate) trait Weigh {
    /// Its bytes in memory.
    fn weight(&self) -> usize;
}

/// A cache of so many bytes.
pub(crate) struct Cache<V> {
    state: Mutex<State<V>>,
    done: Condvar,
    limit: usize,
}

struct State<V> {
    entries: HashMap<String, Entry<V>>,
    /// Ready entries by when they were last used.
    order: BTreeMap<u64, String>,
    tick: u64,
    bytes: usize,
}

enum Entry<V> {
    Working,
    Ready {
        value: Arc<V>,
        used: u64,
        bytes: usize,
    },
}

impl<V: Weigh> Cache<V> {
    pub(crate) fn new(limit: usize) -> Cache<V> {
        let state = State {
            entries: HashMap::new(),
            order: BTreeMap::new(),
            tick: 0,
            bytes: 0,
        };
        Cache {
            state: Mutex::new(state),
            done: Condvar::new(),
            limit,
        }
    }

    /// What is kept under a key.
    pub(crate) fn get(&self, key: &str) -> Option<Arc<V>> {
        self.lock().touch(key)
    }

    /// Keeps a value under a key.
    pub(crate) fn put(&self, key: &str, value: Arc<V>) {
        self.lock().insert(key, value, self.limit);
    }

    /// What is kept under a key, or what `make` makes. Nothing is kept of what fails. If somebody
    /// else makes it just now, that is waited for, within patience.
    pub(crate) fn get_or_make<E>(
        &self,
        key: &str,
        patience: Duration,
        make: impl FnOnce() -> Result<V, E>,
    ) -> Result<Arc<V>, E> {
        if let Some(value) = self.wait_for(key, patience) {
            return Ok(value);
        }
        let working = Working { cache: self, key };
        let value = Arc::new(make()?);
        self.put(key, value.clone());
        drop(working);
        Ok(value)
    }

    /// The value, if it is there or somebody else makes it in time; else it is ours to make.
    fn wait_for(&self, key: &str, patience: Duration) -> Option<Arc<V>> {
        let mut state = self.lock();
        loop {
            if let Some(value) = state.touch(key) {
                return Some(value);
            }
            if !state.entries.contains_key(key) {
                state.entries.insert(key.to_owned(), Entry::Working);
                return None;
            }
            let waited = self.done.wait_timeout(state, patience);
            let (next, timeout) = waited.unwrap_or_else(PoisonError::into_inner);
            state = next;
            if timeout.timed_out() {
                return None;
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, State<V>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Somebody makes a value. When that ends, however it ends, others go on.
struct Working<'a, V> {
    cache: &'a Cache<V>,
    key: &'a str,
}

impl<V> Drop for Working<'_, V> {
    fn drop(&mut self) {
        let mut state = self
            .cache
            .state
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if matches!(state.entries.get(self.key), Some(Entry::Working)) {
            state.entries.remove(self.key);
        }
        self.cache.done.notify_all();
    }
}

impl<V: Weigh> State<V> {
    fn touch(&mut self, key: &str) -> Option<Arc<V>> {
        let Some(Entry::Ready { value, used, .. }) = self.entries.get_mut(key) else {
            return None;
        };
        self.tick += 1;
        if let Some(name) = self.order.remove(used) {
            self.order.insert(self.tick, name);
        }
        *used = self.tick;
        Some(value.clone())
    }

    fn insert(&mut self, key: &str, value: Arc<V>, limit: usize) {
        self.remove(key);
        let bytes = value.weight() + key.len() * 2 + OVERHEAD;
        if bytes > limit / 4 {
            return;
        }
        self.tick += 1;
        let used = self.tick;
        self.bytes += bytes;
        self.order.insert(used, key.to_owned());
        self.entries
            .insert(key.to_owned(), Entry::Ready { value, used, bytes });
        while self.bytes > limit {
            let Some((_, oldest)) = self.order.pop_first() else {
                break;
            };
            self.remove(&oldest);
        }
    }

    fn remove(&mut self, key: &str) {
        if let Some(Entry::Ready { used, bytes, .. }) = self.entries.remove(key) {
            self.order.remove(&used);
            self.bytes -= bytes;
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use std::convert::Infallible;
    use std::sync::atomic::{AtomicUsize, Ordering};

    impl Weigh for Vec<u8> {
        fn weight(&self) -> usize {
            self.len()
        }
    }

    #[test]
    fn the_oldest_go_first_and_large_ones_are_not_kept() {
        let cache: Cache<Vec<u8>> = Cache::new(8 * (1000 + OVERHEAD));
        for key in 0..10 {
            cache.put(&key.to_string(), Arc::new(vec![0; 1000]));
            cache.get("0");
        }
        assert!(cache.get("0").is_some() && cache.get("9").is_some());
        assert!(cache.get("1").is_none());
        cache.put("large", Arc::new(vec![0; 5000]));
        assert!(cache.get("large").is_none());
        let state = cache.lock();
        assert!(state.bytes <= cache.limit);
        assert_eq!(state.order.len(), state.entries.len());
    }

    #[test]
    fn one_works_and_the_others_wait() {
        let cache: Cache<Vec<u8>> = Cache::new(1 << 20);
        let made = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    let value = cache.get_or_make("k", PATIENCE, || {
                        made.fetch_add(1, Ordering::Relaxed);
                        std::thread::sleep(Duration::from_millis(20));
                        Ok::<_, Infallible>(vec![7])
                    });
                    assert_eq!(*value.unwrap(), [7]);
                });
            }
        });
        assert_eq!(made.load(Ordering::Relaxed), 1);
    }

    #[test]
    fn what_fails_is_made_again() {
        let cache: Cache<Vec<u8>> = Cache::new(1 << 20);
        assert_eq!(
            cache.get_or_make("k", PATIENCE, || Err("no")).unwrap_err(),
            "no"
        );
        let value = cache
            .get_or_make("k", PATIENCE, || Ok::<_, &str>(vec![1]))
            .unwrap();
        assert_eq!(*value, [1]);
    }
}
