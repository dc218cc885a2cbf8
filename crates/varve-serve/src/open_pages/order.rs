//! The order of scripts that run as soon as they come. The network decided it at capture, and what a
//! script finds may depend on it; from an archive all would come in the order of the page. So those
//! that came late at capture are held back until the others were sent, for a while.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::pin::pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::Notify;
use tokio::time::{sleep, timeout};
use url::Url;

/// How long a script waits for those before it. Some may not be asked for this time.
const PATIENCE: Duration = Duration::from_millis(700);
/// Scripts that are held back at a time: browsers have few connections to one host, and those that
/// are waited for need one, too.
const MAX_HELD: usize = 3;
/// What a script that was sent takes to arrive and to run, where nothing else keeps the browser busy.
const ARRIVING: Duration = Duration::from_millis(100);

/// The name of a script in an order: short, for there are many pages.
pub(crate) fn name_of(url: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    url.hash(&mut hasher);
    hasher.finish()
}

/// Scripts of one page, in the order in which they came at capture.
#[derive(Debug, Default)]
pub(crate) struct ScriptOrder {
    names: Vec<u64>,
    /// Which of them need not be waited for any more.
    sent: Mutex<Vec<bool>>,
    held: AtomicUsize,
    changed: Notify,
}

impl ScriptOrder {
    /// The order of some scripts, of which `came` says when they came. Those that it does not know
    /// may come when they like.
    pub(super) fn new(scripts: &[Url], came: &[u64]) -> ScriptOrder {
        let rank = |url: &Url| {
            let name = name_of(url.as_str());
            let rank = came.iter().position(|other| *other == name)?;
            Some((rank, name))
        };
        let mut ranked: Vec<(usize, u64)> = scripts.iter().filter_map(rank).collect();
        ranked.sort_unstable();
        ranked.dedup();
        let names: Vec<u64> = ranked.into_iter().map(|(_, name)| name).collect();
        ScriptOrder {
            sent: Mutex::new(vec![false; names.len()]),
            names,
            held: AtomicUsize::new(0),
            changed: Notify::new(),
        }
    }

    /// Waits until it is the turn of a script.
    pub(crate) async fn turn_of(&self, url: &Url) {
        let Some(place) = self.place_of(url) else {
            return;
        };
        if self.is_turn_of(place) {
            return;
        }
        let held = Held::begin(&self.held);
        let come = timeout(PATIENCE, self.come_before(place));
        if held.before >= MAX_HELD || come.await.is_err() {
            self.give_up_before(place);
        }
        drop(held);
        sleep(ARRIVING).await;
    }

    /// Waits until all before a place were sent.
    async fn come_before(&self, place: usize) {
        loop {
            let mut changed = pin!(self.changed.notified());
            // What changes from here on counts.
            changed.as_mut().enable();
            if self.is_turn_of(place) {
                return;
            }
            changed.await;
        }
    }

    /// A script is on its way.
    pub(crate) fn is_sent(&self, url: &Url) {
        if let Some(place) = self.place_of(url) {
            self.sent.lock().unwrap_or_else(PoisonError::into_inner)[place] = true;
            self.changed.notify_waiters();
        }
    }

    fn place_of(&self, url: &Url) -> Option<usize> {
        // One alone has no order.
        if self.names.len() < 2 {
            return None;
        }
        let name = name_of(url.as_str());
        self.names.iter().position(|other| *other == name)
    }

    fn is_turn_of(&self, place: usize) -> bool {
        let sent = self.sent.lock().unwrap_or_else(PoisonError::into_inner);
        sent[..place].iter().all(|sent| *sent)
    }

    /// Who waited in vain makes nobody else wait.
    fn give_up_before(&self, place: usize) {
        self.sent.lock().unwrap_or_else(PoisonError::into_inner)[..place].fill(true);
        self.changed.notify_waiters();
    }
}

/// Counts who is held back, also when the browser hangs up.
struct Held<'a> {
    count: &'a AtomicUsize,
    /// How many were before it.
    before: usize,
}

impl Held<'_> {
    fn begin(count: &AtomicUsize) -> Held<'_> {
        let before = count.fetch_add(1, Ordering::Relaxed);
        Held { count, before }
    }
}

impl Drop for Held<'_> {
    fn drop(&mut self) {
        self.count.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use std::sync::Arc;

    fn urls(names: &[&str]) -> Vec<Url> {
        let url = |name: &&str| Url::parse(&format!("https://h/{name}")).unwrap();
        names.iter().map(url).collect()
    }

    #[tokio::test]
    async fn scripts_come_as_they_came() {
        let page = urls(&["slow.js", "new.js", "quick.js"]);
        let came = [name_of("https://h/quick.js"), name_of("https://h/slow.js")];
        let order = Arc::new(ScriptOrder::new(&page, &came));
        let sent = Arc::new(Mutex::new(Vec::new()));
        let tasks: Vec<_> = page
            .into_iter()
            .map(|url| {
                let (order, sent) = (order.clone(), sent.clone());
                tokio::spawn(async move {
                    order.turn_of(&url).await;
                    sent.lock().unwrap().push(url.path().to_owned());
                    order.is_sent(&url);
                })
            })
            .collect();
        for task in tasks {
            task.await.unwrap();
        }
        assert_eq!(*sent.lock().unwrap(), ["/new.js", "/quick.js", "/slow.js"]);
    }

    #[tokio::test]
    async fn what_never_comes_is_not_waited_for_long() {
        let page = urls(&["a.js", "b.js", "c.js"]);
        let came: Vec<u64> = page.iter().map(|url| name_of(url.as_str())).collect();
        let order = ScriptOrder::new(&page, &came);
        assert!(!order.is_turn_of(1));
        order.turn_of(&page[1]).await;
        order.is_sent(&page[1]);
        assert!(order.is_turn_of(2));
    }
    #[tokio::test]
    async fn who_hangs_up_is_held_no_more() {
        let page = urls(&["a.js", "b.js"]);
        let came: Vec<u64> = page.iter().map(|url| name_of(url.as_str())).collect();
        let order = ScriptOrder::new(&page, &came);
        let impatient = timeout(Duration::from_millis(1), order.turn_of(&page[1]));
        assert!(impatient.await.is_err());
        assert_eq!(order.held.load(Ordering::Relaxed), 0);
    }
}
