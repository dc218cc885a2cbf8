//! The hall: where pages wait for a browser, and leave when they no longer need one.
//!
//! Pages come here with what they show without being visited. Those that would teach most go first,
//! and after each visit those of its site are looked at again: most of a site's pages need no visit
//! once a few others had theirs. As long as a site may still be understood, only pages are visited at
//! once that have something to teach which the others have not.

mod choosing;

pub(crate) use choosing::Wish;

use crate::memory::{Memory, site_of};
use crate::phase::Phase;
use crate::run::Seat;
use choosing::Waiting;
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio::time::sleep;
use varve_memo::{Decision, Foretold, News, Sketch, Why};

/// How long one waits before looking around again.
const GLANCE: Duration = Duration::from_millis(500);

/// Where pages wait for a browser.
pub(crate) struct Hall {
    browsers: Arc<Semaphore>,
    state: Mutex<State>,
    changed: watch::Sender<u64>,
}

#[derive(Default)]
struct State {
    next: u64,
    waiting: BTreeMap<u64, Waiting>,
    /// What the pages of a site may show that are being visited.
    visiting: HashMap<String, BTreeMap<u64, News>>,
}

/// What becomes of a page that waited.
pub(crate) enum Turn {
    /// It needs no visit, for the reason that this phase tells, but this.
    Without(Phase, BTreeSet<Foretold>),
    /// It is visited now.
    Browser(Why, Pass),
    /// The crawl ends.
    Leave,
}

/// The right to visit a page. Whoever gives it back calls the others.
pub(crate) struct Pass {
    hall: Arc<Hall>,
    site: String,
    number: u64,
    browser: Option<OwnedSemaphorePermit>,
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
        let mut heard = None;
        loop {
            let pass = self.pass_of(&place);
            let now = memory.changes(&place.site);
            // To decide is not little work; so it is done when something may have changed.
            if pass.is_some() || heard != Some(now) {
                heard = Some(now);
                let why = match memory.decide(sketch) {
                    Decision::Without(needs) => return Turn::Without(Phase::Foretold, needs),
                    Decision::Guessed(needs) => return Turn::Without(Phase::Guessed, needs),
                    Decision::Browser(why) => why,
                };
                if let Some(pass) = pass {
                    return Turn::Browser(why, pass);
                }
                self.wishes(&place, memory.wish(sketch, why));
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
        let mut state = self.lock();
        let number = state.number();
        state.begin(&site, number, News::default());
        Some(self.pass_for(site, number, browser))
    }

    fn enter(self: &Arc<Hall>, sketch: &Sketch) -> Place {
        Place {
            hall: self.clone(),
            number: self.lock().number(),
            site: site_of(sketch.url()),
        }
    }

    /// A page would like to be visited, for this.
    fn wishes(self: &Arc<Hall>, place: &Place, wish: Wish) {
        let mut state = self.lock();
        match state.waiting.entry(place.number) {
            // It may have been let in just now.
            Entry::Occupied(waiting) => waiting.into_mut().wish = wish,
            Entry::Vacant(nobody) => {
                nobody.insert(Waiting::new(place.site.clone(), wish));
            }
        }
        self.admit(&mut state);
    }

    /// Lets in as many as there are browsers for, those first that teach most.
    fn admit(&self, state: &mut State) {
        let mut has_chosen = false;
        while let Ok(browser) = self.browsers.clone().try_acquire_owned() {
            let Some((number, site, news)) = state.choose(browser) else {
                break;
            };
            state.begin(&site, number, news);
            has_chosen = true;
        }
        if has_chosen {
            self.call();
        }
    }

    /// The pass of a page, if it was let in. From then on it waits no longer.
    fn pass_of(self: &Arc<Hall>, place: &Place) -> Option<Pass> {
        let mut state = self.lock();
        let browser = state.waiting.get_mut(&place.number)?.browser.take()?;
        state.waiting.remove(&place.number);
        Some(self.pass_for(place.site.clone(), place.number, browser))
    }

    fn pass_for(
        self: &Arc<Hall>,
        site: String,
        number: u64,
        browser: OwnedSemaphorePermit,
    ) -> Pass {
        Pass {
            hall: self.clone(),
            site,
            number,
            browser: Some(browser),
        }
    }

    /// Somebody left, and may have given back a browser.
    fn left(&self, site: &str, number: u64) {
        let mut state = self.lock();
        state.end(site, number);
        self.admit(&mut state);
        drop(state);
        self.call();
    }

    fn call(&self) {
        self.changed.send_modify(|changes| *changes += 1);
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn number(&mut self) -> u64 {
        self.next += 1;
        self.next
    }

    fn begin(&mut self, site: &str, number: u64, news: News) {
        let visiting = self.visiting.entry(site.to_owned()).or_default();
        visiting.insert(number, news);
    }

    fn end(&mut self, site: &str, number: u64) {
        if let Some(visiting) = self.visiting.get_mut(site) {
            visiting.remove(&number);
            if visiting.is_empty() {
                self.visiting.remove(site);
            }
        }
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
        let left = self.hall.lock().waiting.remove(&self.number);
        // One that was let in and leaves without its pass is not visited.
        if left.is_some_and(|waiting| waiting.browser.is_some()) {
            self.hall.left(&self.site, self.number);
        }
    }
}

impl Drop for Pass {
    fn drop(&mut self) {
        drop(self.browser.take());
        self.hall.left(&self.site, self.number);
    }
}
