//! What goes on at the proxy, for those who wait until nothing does.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// The requests to a proxy.
#[derive(Debug)]
pub struct ProxyTraffic {
    activity: Mutex<ProxyActivity>,
    held: AtomicBool,
}

/// What is going on.
#[derive(Clone, Copy, Debug)]
pub struct ProxyActivity {
    /// Requests that are not answered yet.
    pub in_flight: usize,
    /// Requests ever.
    pub started: u64,
    /// When one last began or ended.
    pub last_change: Instant,
}

impl ProxyTraffic {
    pub(super) fn new() -> ProxyTraffic {
        ProxyTraffic {
            activity: Mutex::new(ProxyActivity {
                in_flight: 0,
                started: 0,
                last_change: Instant::now(),
            }),
            held: AtomicBool::new(false),
        }
    }

    /// What is going on now.
    pub fn activity(&self) -> ProxyActivity {
        *self.lock()
    }

    /// While it is held, no page leads elsewhere and nothing is sent: what opens a document, or is
    /// more than a question, is answered with nothing.
    pub fn hold(&self, hold: bool) {
        self.held.store(hold, Ordering::Relaxed);
    }

    pub(super) fn is_held(&self) -> bool {
        self.held.load(Ordering::Relaxed)
    }

    /// A request begins; it ends when what is returned is dropped.
    pub(super) fn begin(&self) -> UnderWay<'_> {
        let mut activity = self.lock();
        activity.in_flight += 1;
        activity.started += 1;
        activity.last_change = Instant::now();
        UnderWay(self)
    }

    fn lock(&self) -> MutexGuard<'_, ProxyActivity> {
        self.activity.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A request that is not answered yet.
pub(super) struct UnderWay<'a>(&'a ProxyTraffic);

impl Drop for UnderWay<'_> {
    fn drop(&mut self) {
        let mut activity = self.0.lock();
        activity.in_flight -= 1;
        activity.last_change = Instant::now();
    }
}
