//! A map that forgets: what was not used for the longest time goes first.

use std::collections::{BTreeMap, HashMap};

/// A map from hashes, with a limit.
#[derive(Clone, Debug)]
pub(super) struct Recent<V> {
    entries: HashMap<u64, (u64, V)>,
    /// When each entry was last used, oldest first.
    order: BTreeMap<u64, u64>,
    uses: u64,
    limit: usize,
}

impl<V> Recent<V> {
    pub(super) fn new(limit: usize) -> Recent<V> {
        Recent {
            entries: HashMap::new(),
            order: BTreeMap::new(),
            uses: 0,
            limit: limit.max(1),
        }
    }

    /// Looks, without counting as a use.
    pub(super) fn get(&self, key: u64) -> Option<&V> {
        self.entries.get(&key).map(|(_, value)| value)
    }

    /// How many entries there are.
    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    /// Sets an entry and gives what was there. Another may be forgotten for it.
    pub(super) fn insert(&mut self, key: u64, value: V) -> Option<V> {
        let before = self.take(key);
        while self.entries.len() >= self.limit {
            self.forget_oldest();
        }
        self.uses += 1;
        self.order.insert(self.uses, key);
        self.entries.insert(key, (self.uses, value));
        before
    }

    /// Takes an entry out.
    pub(super) fn take(&mut self, key: u64) -> Option<V> {
        let (used, value) = self.entries.remove(&key)?;
        self.order.remove(&used);
        Some(value)
    }

    /// Takes out the entry that was not used for the longest time.
    pub(super) fn forget_oldest(&mut self) -> Option<V> {
        let (_, key) = self.order.pop_first()?;
        self.entries.remove(&key).map(|(_, value)| value)
    }
}

#[cfg(test)]
mod tests {
    use super::Recent;

    #[test]
    fn the_oldest_entry_is_forgotten() {
        let mut recent = Recent::new(2);
        assert_eq!(recent.insert(1, 'a'), None);
        assert_eq!(recent.insert(2, 'b'), None);
        assert_eq!(recent.insert(1, 'c'), Some('a'));
        assert_eq!(recent.insert(3, 'd'), None);
        assert_eq!(recent.get(1), Some(&'c'));
        assert_eq!(recent.get(2), None);
        assert_eq!(recent.take(3), Some('d'));
        assert_eq!(recent.forget_oldest(), Some('c'));
        assert_eq!(recent.forget_oldest(), None);
    }
}
