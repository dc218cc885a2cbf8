//! Answers that are kept for a while: whole ones only, in bounded memory.

use crate::answer::Answer;
use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::time::Instant;

/// What an answer takes besides its mementos.
const ENTRY: usize = 512;

/// Answers by URL.
pub(crate) struct Cache {
    lifetime: Duration,
    most: usize,
    kept: Mutex<Kept>,
}

#[derive(Default)]
struct Kept {
    answers: HashMap<String, (Arc<Answer>, Instant)>,
    /// In the order in which they came.
    order: VecDeque<(String, Instant)>,
    bytes: usize,
}

impl Cache {
    /// A cache of so many bytes, in which answers are kept for so long.
    pub(crate) fn new(lifetime: Duration, most: usize) -> Cache {
        Cache {
            lifetime,
            most,
            kept: Mutex::default(),
        }
    }

    pub(crate) fn lifetime(&self) -> Duration {
        self.lifetime
    }

    /// An answer that is still good.
    pub(crate) fn get(&self, url: &str, now: Instant) -> Option<Arc<Answer>> {
        let kept = self.lock();
        let (answer, came) = kept.answers.get(url)?;
        (now < *came + self.lifetime).then(|| answer.clone())
    }

    /// Keeps an answer, if it is whole.
    pub(crate) fn put(&self, answer: &Arc<Answer>, now: Instant) {
        let size = size(answer);
        if !answer.missing.is_empty() || self.lifetime.is_zero() || size > self.most / 4 {
            return;
        }
        let url = answer.original.as_str().to_owned();
        let mut kept = self.lock();
        kept.forget_while(|_, came| now >= came + self.lifetime);
        if kept.answers.contains_key(&url) {
            return;
        }
        kept.bytes += size;
        kept.order.push_back((url.clone(), now));
        kept.answers.insert(url, (answer.clone(), now));
        kept.forget_while(|bytes, _| bytes > self.most);
    }

    fn lock(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Kept {
    /// Drops the oldest answers for as long as this holds for all bytes and the time of the oldest.
    fn forget_while(&mut self, too_many: impl Fn(usize, Instant) -> bool) {
        while let Some((_, came)) = self.order.front() {
            if !too_many(self.bytes, *came) {
                break;
            }
            let oldest = self.order.pop_front();
            let gone = oldest.and_then(|(url, _)| self.answers.remove(&url));
            self.bytes -= gone.map_or(0, |(answer, _)| size(&answer));
        }
    }
}

fn size(answer: &Answer) -> usize {
    ENTRY + answer.original.as_str().len() + answer.reserve.bytes()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::answer::Missing;
    use crate::budget::Reserve;
    use crate::original::Original;
    use crate::trouble::Trouble;

    const SECOND: Duration = Duration::from_secs(1);

    fn answer(url: &str) -> Answer {
        Answer {
            original: Original::parse(url).unwrap(),
            mementos: Vec::new(),
            missing: Vec::new(),
            asked: 1,
            answered: 1,
            skipped_by_map: 0,
            reserve: Reserve::default(),
        }
    }

    #[test]
    fn answers_are_good_for_their_lifetime() {
        let cache = Cache::new(10 * SECOND, 1 << 20);
        let now = Instant::now();
        cache.put(&Arc::new(answer("http://a.example/")), now);
        assert!(cache.get("http://a.example/", now + 9 * SECOND).is_some());
        assert!(cache.get("http://a.example/", now + 10 * SECOND).is_none());
        assert!(cache.get("http://b.example/", now).is_none());
    }

    #[test]
    fn answers_that_are_not_whole_are_not_kept() {
        let cache = Cache::new(10 * SECOND, 1 << 20);
        let mut partial = answer("http://a.example/");
        partial.missing.push(Missing {
            archive: "x".into(),
            trouble: Trouble::Deadline,
        });
        cache.put(&Arc::new(partial), Instant::now());
        assert!(cache.get("http://a.example/", Instant::now()).is_none());
    }

    #[test]
    fn memory_is_bounded_and_the_oldest_goes_first() {
        let cache = Cache::new(10 * SECOND, 20 * ENTRY);
        let now = Instant::now();
        for number in 0..1_000 {
            cache.put(
                &Arc::new(answer(&format!("http://a.example/{number}"))),
                now,
            );
            cache.put(&Arc::new(answer("http://a.example/again")), now);
        }
        assert!(cache.get("http://a.example/0", now).is_none());
        assert!(cache.get("http://a.example/999", now).is_some());
        let kept = cache.lock();
        assert!(kept.bytes <= 20 * ENTRY && kept.answers.len() <= 20);
        assert_eq!(kept.order.len(), kept.answers.len());
    }
}
