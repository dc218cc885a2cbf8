//! Where a page redirects to: followed, unless the page that it leads to has a visit of its own.
//!
//! Sites link to `/a` and to `/a/` and answer the one with the other. Who followed every redirect
//! would fetch and read such pages twice. So a redirect to a page that the frontier knows ends the
//! visit: it is recorded, and that is all there is to the URL. What nobody knows yet is followed at
//! once; others that are led there meanwhile leave it to the frontier. Where robots.txt keeps us from
//! a page, we are kept from it however we come there.

use crate::admission::{insert, key};
use crate::crawl::Crawl;
use crate::frontier::{Found, Frontier, Target, UrlKey};
use crate::http_tier::Onward;
use std::collections::HashSet;
use std::pin::{Pin, pin};
use std::sync::{Mutex, MutexGuard, PoisonError};
use tokio::sync::Notify;
use url::Url;

/// Where redirects led, and where those of the pages in flight lead.
#[derive(Default)]
pub(crate) struct Ways {
    /// Pages that are saved although nobody asked for them by this name.
    arrived: Mutex<HashSet<UrlKey>>,
    headed_for: Mutex<HashSet<UrlKey>>,
    left: Notify,
}

impl Ways {
    /// A redirect led to a page, which is saved now.
    pub(crate) fn arrive(&self, url: &Url) {
        insert(&mut lock(&self.arrived), key(url));
    }

    /// Whether a page is saved already, because a redirect led there. If one in flight leads there,
    /// that is known when it is done with.
    pub(crate) async fn have_led_to(&self, target: &Target) -> bool {
        loop {
            let mut left = pin!(self.left.notified());
            left.as_mut().enable();
            if !lock(&self.headed_for).contains(&target.key) {
                return self.led_to(target.key);
            }
            left.await;
        }
    }

    fn led_to(&self, key: UrlKey) -> bool {
        lock(&self.arrived).contains(&key)
    }
}

/// The way of one page through its redirects. To be kept until the page is settled: others rely on
/// where it leads.
pub(crate) struct Way<'a> {
    crawl: &'a Crawl,
    target: &'a Target,
    /// Where this page goes, and no other does.
    taken: Mutex<Vec<UrlKey>>,
}

impl<'a> Way<'a> {
    /// The way that begins with a target.
    pub(crate) fn from(crawl: &'a Crawl, target: &'a Target) -> Way<'a> {
        Way {
            crawl,
            target,
            taken: Mutex::default(),
        }
    }

    /// Where it begins.
    pub(crate) fn begins(&self) -> &Url {
        &self.target.url
    }

    async fn goes_on(&self, next: &Url) -> bool {
        // In a session, where redirects lead tells whether the user is still logged in.
        if !self.crawl.options.session.is_empty() {
            return true;
        }
        if self.crawl.is_kept_from(next).await.is_some() {
            return false;
        }
        // What somebody named is visited, wherever it is.
        if self.target.found == Found::Seed {
            return true;
        }
        let Some(onward) = self.crawl.admission.onward(self.target, next) else {
            return true;
        };
        if onward.key == self.target.key {
            return true;
        }
        // A frontier that cannot answer will not take the page's outcome either, and say why.
        let state = self.crawl.state.frontier.state_of(onward.key).await;
        if matches!(state, Ok(Some(_))) || self.crawl.ways.led_to(onward.key) {
            return false;
        }
        self.take(onward.key)
    }

    /// Whether the way is free, and this page's from now on.
    fn take(&self, key: UrlKey) -> bool {
        let mut taken = lock(&self.taken);
        if taken.contains(&key) {
            return true;
        }
        let free = lock(&self.crawl.ways.headed_for).insert(key);
        if free {
            taken.push(key);
        }
        free
    }
}

impl Onward for Way<'_> {
    fn goes_on<'a>(&'a self, next: &'a Url) -> Pin<Box<dyn Future<Output = bool> + Send + 'a>> {
        Box::pin(Way::goes_on(self, next))
    }
}

impl Drop for Way<'_> {
    fn drop(&mut self) {
        let taken = std::mem::take(&mut *lock(&self.taken));
        if taken.is_empty() {
            return;
        }
        let ways = &self.crawl.ways;
        lock(&ways.headed_for).retain(|key| !taken.contains(key));
        ways.left.notify_waiters();
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
