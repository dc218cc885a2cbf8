//! The hall: where pages wait for a browser, and leave when they no longer need one.
//!
//! Pages come here with what they show without being visited. Those that would teach most go first,
//! and after each visit all that wait are looked at again: most of a site's pages need no visit once
//! a few others had theirs. As long as a site may still be understood, few of its pages are visited
//! at once, or they would all teach the same.

use crate::memory::{Memory, site_of};
use crate::run::Seat;
use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio::time::sleep;
use varve_memo::{Decision, Foretold, Sketch, Why};

/// How long one waits before looking around again.
const GLANCE: Duration = Duration::from_millis(500);
/// After so many visits one more page of a site is visited at once.
const VISITS_PER_PAGE: usize = 3;

/// Where pages wait for a browser.
pub(crate) struct Hall {
    browsers: Arc<Semaphore>,
    state: Mutex<State>,
    changed: watch::Sender<u64>,
}

#[derive(Default)]
struct State {
    next: u64,
    /// Those who wait: their sites, and how much a visit would teach.
    waiting: HashMap<u64, (String, u64)>,
    /// How many pages of a site are being visited.
    visiting: HashMap<String, usize>,
}

/// What becomes of a page that waited.
pub(crate) enum Turn {
    /// It needs no visit, but this.
    Without(BTreeSet<Foretold>),
    /// It is visited now.
    Browser(Why, Pass),
    /// The crawl ends.
    Leave,
}

/// The right to visit a page. Whoever gives it back calls the others.
pub(crate) struct Pass {
    hall: Arc<Hall>,
    site: String,
    _browser: OwnedSemaphorePermit,
}

impl Hall {
    /// For so many visits at once.
    pub(crate) fn new(browsers: usize) -> Arc<Hall> {
        Arc::new(Hall {
            browsers: Arc::new(Semaphore::new(browsers)),
            state: Mutex::default(),
            changed: watch::Sender::new(0),
        })
    }

    /// Waits until a page can be visited, or need not be. Who has to wait gives up the seat.
    pub(crate) async fn turn(
        self: &Arc<Hall>,
        memory: &Memory,
        sketch: &Sketch,
        seat: &mut Option<Seat>,
        is_over: impl Fn() -> bool,
    ) -> Turn {
        let place = self.enter(sketch);
        let mut changes = self.changed.subscribe();
        loop {
            match memory.decide(sketch) {
                Decision::Without(needs) => return Turn::Without(needs),
                Decision::Browser(why) => {
                    if let Some(pass) = self.admit(&place, why, memory.novelty(sketch)) {
                        return Turn::Browser(why, pass);
                    }
                }
            }
            if is_over() {
                return Turn::Leave;
            }
            drop(seat.take());
            tokio::select! {
                _ = changes.changed() => {}
                () = sleep(GLANCE) => {}
            }
        }
    }

    /// The right to look at a page for other reasons.
    pub(crate) async fn pass(self: &Arc<Hall>, site: String) -> Option<Pass> {
        let browser = self.browsers.clone().acquire_owned().await.ok()?;
        *self.lock().visiting.entry(site.clone()).or_default() += 1;
        Some(Pass {
            hall: self.clone(),
            site,
            _browser: browser,
        })
    }

    fn enter(self: &Arc<Hall>, sketch: &Sketch) -> Place {
        let mut state = self.lock();
        state.next += 1;
        let (number, site) = (state.next, site_of(sketch.url()));
        state.waiting.insert(number, (site.clone(), 0));
        Place {
            hall: self.clone(),
            number,
            site,
        }
    }

    /// Lets a page in if it would teach more than the others of its site, or if none can be taught.
    fn admit(self: &Arc<Hall>, place: &Place, why: Why, news: (u64, usize)) -> Option<Pass> {
        let (novelty, visits) = news;
        let mut state = self.lock();
        let me = state.waiting.get_mut(&place.number)?;
        me.1 = novelty;
        let hopeless = matches!(why, Why::Varies | Why::Input);
        let busy = state.visiting.get(&place.site).copied().unwrap_or(0);
        let most = 1 + visits / VISITS_PER_PAGE;
        let mut others = state.waiting.values();
        let is_outdone = others.any(|(site, other)| *site == place.site && *other > novelty);
        if !hopeless && (busy >= most || is_outdone) {
            return None;
        }
        let browser = self.browsers.clone().try_acquire_owned().ok()?;
        *state.visiting.entry(place.site.clone()).or_default() += 1;
        Some(Pass {
            hall: self.clone(),
            site: place.site.clone(),
            _browser: browser,
        })
    }

    fn call(&self) {
        self.changed.send_modify(|changes| *changes += 1);
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A place in the hall, as long as somebody waits there.
struct Place {
    hall: Arc<Hall>,
    number: u64,
    site: String,
}

impl Drop for Place {
    fn drop(&mut self) {
        self.hall.lock().waiting.remove(&self.number);
        self.hall.call();
    }
}

impl Drop for Pass {
    fn drop(&mut self) {
        let mut state = self.hall.lock();
        if let Some(visiting) = state.visiting.get_mut(&self.site) {
            *visiting -= 1;
            if *visiting == 0 {
                state.visiting.remove(&self.site);
            }
        }
        drop(state);
        self.hall.call();
    }
}
