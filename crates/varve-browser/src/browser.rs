//! A browser that is always there: Chromium, watched over from outside.
//!
//! Visits *lease* the current Chromium. One that has served its time, or uses too much memory, is
//! *retired*: new visits get another, and it closes when the last visit that leases it has ended.
//! One that dies takes the pages that were open in it along; they are visited once more. So is a
//! page that was ended because all pages together used too much memory: alone.

use std::sync::Arc;

use tokio::sync::{Mutex, Semaphore, SemaphorePermit};
use tokio::time::{Duration, Instant, sleep, timeout};
use url::Url;

use crate::chromium::{Process, launch};
use crate::error::BrowserError;
use crate::guard::guard_memory;
use crate::options::{BrowserOptions, VisitOptions};
use crate::traffic::Traffic;
use crate::visit::{Health, Outcome, Terms, Visit, attempt};

/// How long to wait before another start, after the first failure, and at most.
const FIRST_PAUSE: Duration = Duration::from_millis(200);
const LONGEST_PAUSE: Duration = Duration::from_secs(10);
/// A Chromium that dies within this time counts as a failed start.
const EARLY_DEATH: Duration = Duration::from_secs(5);
/// A page is visited again only if this much of its time is left.
const WORTH_ANOTHER: Duration = Duration::from_secs(2);
/// Pages at once; none opens while one has all seats.
const SEATS: u32 = 1024;

/// A supervised Chromium. Cheap to clone; many visits can be under way at once.
#[derive(Clone)]
pub struct Browser {
    shared: Arc<Shared>,
}

struct Shared {
    options: BrowserOptions,
    current: Mutex<Current>,
    seats: Semaphore,
}

#[derive(Default)]
struct Current {
    running: Option<Arc<Process>>,
    started: Option<Instant>,
    pages: u32,
    failures: u32,
    stopped: bool,
}

impl Browser {
    /// Starts Chromium.
    pub async fn start(options: BrowserOptions) -> Result<Browser, BrowserError> {
        let shared = Shared {
            options,
            current: Mutex::default(),
            seats: Semaphore::new(SEATS as usize),
        };
        let browser = Browser {
            shared: Arc::new(shared),
        };
        let mut current = browser.shared.current.lock().await;
        browser.launch_into(&mut current).await?;
        drop(current);
        Ok(browser)
    }

    /// Visits a page. It never fails: whatever happens is the visit's outcome.
    ///
    /// Its time begins when there is a Chromium for it.
    pub async fn visit(&self, url: &Url, traffic: &dyn Traffic, options: &VisitOptions) -> Visit {
        let client = &self.shared.options.client;
        let mut seats = self.seats(1).await;
        let mut process = match self.lease().await {
            Ok(process) => process,
            Err(error) => return without_browser(url, &error),
        };
        let began = Instant::now();
        let terms = Terms {
            url,
            traffic,
            options,
            client,
            began,
        };
        let mut attempts = 1;
        loop {
            let crowded_kills = process.crowded_kills();
            let mut made = attempt(&process, &terms).await;
            made.visit.attempts = attempts;
            match made.browser {
                Health::Stuck => process.kill().await,
                Health::Encumbered => process.retire(),
                Health::Well | Health::Lost => {}
            }
            let time_left = options.deadline.saturating_sub(began.elapsed());
            let is_crowded = made.visit.outcome == Outcome::OutOfMemory
                && process.crowded_kills() != crowded_kills;
            let is_innocent = made.browser == Health::Lost || is_crowded;
            if !is_innocent || attempts > 1 || time_left < WORTH_ANOTHER {
                return made.visit;
            }
            attempts += 1;
            if is_crowded {
                drop((seats, process));
                seats = match timeout(time_left - WORTH_ANOTHER, self.seats(SEATS)).await {
                    Ok(all) => all,
                    Err(_) => return made.visit,
                };
            }
            process = match self.lease().await {
                Ok(process) => process,
                Err(_) => return made.visit,
            };
        }
    }

    /// Room for a page: one seat, or all.
    async fn seats(&self, number: u32) -> Option<SemaphorePermit<'_>> {
        // It is never closed.
        self.shared.seats.acquire_many(number).await.ok()
    }

    /// Closes Chromium, and kills it if it does not close. Visits under way end with it.
    pub async fn stop(self) {
        let mut current = self.shared.current.lock().await;
        current.stopped = true;
        if let Some(process) = current.running.take() {
            process.close().await;
        }
    }

    /// The process group of the Chromium that new pages go to, if there is one.
    pub async fn process_group(&self) -> Option<i32> {
        let current = self.shared.current.lock().await;
        current.running.as_ref().map(|process| process.group())
    }

    /// A Chromium for one page: the current one, or a new one.
    async fn lease(&self) -> Result<Arc<Process>, BrowserError> {
        let mut current = self.shared.current.lock().await;
        if current.stopped {
            return Err(BrowserError::Stopped);
        }
        if let Some(process) = &current.running {
            let worn = current.pages >= self.shared.options.recycle_after_pages;
            if process.is_alive() && !process.is_retired() && !worn {
                let process = process.clone();
                current.pages += 1;
                return Ok(process);
            }
            let died = !process.is_alive();
            let young = current.started.is_some_and(|at| at.elapsed() < EARLY_DEATH);
            current.failures = if died && young {
                current.failures + 1
            } else {
                0
            };
            // The last visit that leases it closes it.
            current.running = None;
        }
        self.launch_into(&mut current).await
    }

    async fn launch_into(&self, current: &mut Current) -> Result<Arc<Process>, BrowserError> {
        if current.failures > 0 {
            let doublings = (current.failures - 1).min(16);
            sleep((FIRST_PAUSE * 2u32.pow(doublings)).min(LONGEST_PAUSE)).await;
        }
        match launch(&self.shared.options).await {
            Ok(process) => {
                let process = Arc::new(process);
                process.put_pages_behind();
                let limit = self.shared.options.max_memory;
                tokio::spawn(guard_memory(Arc::downgrade(&process), limit));
                current.running = Some(process.clone());
                current.started = Some(Instant::now());
                current.pages = 1;
                Ok(process)
            }
            Err(error) => {
                current.failures += 1;
                Err(error)
            }
        }
    }
}

fn without_browser(url: &Url, error: &BrowserError) -> Visit {
    let mut visit = Visit::of_nothing(url, Outcome::NoBrowser(error.to_string()));
    visit.notes.push(error.to_string());
    visit
}
