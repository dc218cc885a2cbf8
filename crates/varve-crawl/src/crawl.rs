//! One page of a crawl: from its lease to its outcome.

use crate::admission::Admission;
use crate::browser_tier::BrowserTier;
use crate::disk::Disk;
use crate::frontier::{Found, Frontier, Lease, Moment, Outcome, Target, Whose};
use crate::hosts::{Hosts, Verdict};
use crate::http_tier::HttpTier;
use crate::ledger::Ledger;
use crate::live::{Control, Live};
use crate::options::{CrawlOptions, Tier, TierChoice};
use crate::rules::politeness::{retry, retry_status};
use crate::rules::traps::Closed;
use crate::scribe::Scribe;
use crate::state::CrawlState;
use crate::visit::{PageDone, PageVisit};
use crate::{Account, CrawlError};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime};
use tokio::sync::OnceCell;
use varve_browser::Client;
use varve_fetch::{FetchOptions, Fetcher, RequestRules, Reuse};

/// How much of what was recorded is kept at hand for other pages.
const REUSE_BYTES: u64 = 512 << 20;

/// A crawl under way, shared by its pages.
pub(crate) struct Crawl {
    pub(crate) options: CrawlOptions,
    pub(crate) state: CrawlState,
    pub(crate) http: HttpTier,
    pub(crate) browser: OnceCell<BrowserTier>,
    pub(crate) ledger: Arc<Ledger>,
    pub(crate) live: Arc<Live>,
    pub(crate) control: Arc<Control>,
    pub(crate) disk: Disk,
    pub(crate) hosts: Hosts,
    pub(crate) admission: Admission,
    /// Whether pages show that the user is not logged in any more.
    pub(crate) login_lost: AtomicBool,
    /// What was asked for on behalf of no page.
    chores: Mutex<Account>,
}

/// What became of a lease.
pub(crate) enum Visited {
    /// The page was visited.
    Page(Box<PageDone>),
    /// It was left out.
    Skipped {
        /// Why.
        reason: String,
        /// Whether somebody had named it.
        is_seed: bool,
    },
    /// It was put back, to be visited later.
    Later,
    /// It is no page, but was needed to find some.
    Chore,
}

impl Crawl {
    pub(crate) async fn new(
        collection: &Path,
        options: CrawlOptions,
        state: CrawlState,
        scribe: Scribe,
        live: Arc<Live>,
        control: Arc<Control>,
    ) -> Result<Crawl, CrawlError> {
        let ledger = Arc::new(Ledger::new(scribe, options.session.clone(), live.clone()));
        let http = HttpTier::new(
            Fetcher::new(fetch_options(&options))?,
            Reuse::new(REUSE_BYTES),
            ledger.clone(),
            options.client.clone(),
            user_agent(&options.client).await,
        );
        control.set_delay(options.delay);
        control.set_limits(options.ends);
        Ok(Crawl {
            admission: Admission::new(options.scope.clone(), control.clone()),
            hosts: Hosts::default(),
            disk: Disk::of(collection),
            options,
            state,
            http,
            browser: OnceCell::new(),
            ledger,
            live,
            control,
            login_lost: AtomicBool::new(false),
            chores: Mutex::default(),
        })
    }

    /// Puts the seeds into the frontier.
    pub(crate) async fn plant(&self) -> Result<(), CrawlError> {
        let closed = self.state.frontier.note(crate::admission::CLOSED).await?;
        self.admission.restore(closed.as_deref());
        let seeds = self.options.seeds.iter().cloned();
        let targets = seeds.map(|url| Target::seed(url.clone(), crate::admission::key(&url)));
        self.state.frontier.add(targets.collect()).await?;
        Ok(())
    }

    /// Visits a page, writes down what became of it, and returns when all of that is saved.
    pub(crate) async fn page(&self, lease: Lease) -> Result<Visited, CrawlError> {
        if let Some(reason) = self.admission.refuses(&lease.target) {
            return self.skip(lease, reason).await;
        }
        if lease.target.found == Found::SitemapFile {
            return self.sitemap_file(lease).await;
        }
        if lease.target.found != Found::Seed && self.admission.has_arrived(&lease.target) {
            self.state
                .frontier
                .settle(lease, Outcome::Saved, Vec::new())
                .await?;
            return Ok(Visited::Chore);
        }
        match self.ask_robots(&lease.target.url).await? {
            Verdict::Welcome => {}
            Verdict::Refused(reason) => return self.skip(lease, reason).await,
            Verdict::Later(reason) => return self.later(lease, reason).await,
        }
        self.wait_for_turn(&lease).await?;
        let (started, date) = (Instant::now(), SystemTime::now());
        let url = lease.target.url.clone();
        let id = self.ledger.begin(&url);
        let underway = self.live.page_begins(id.0, &url);
        let visited = self.visit(id, &url).await;
        self.keep_pace(&lease.host, self.ledger.answer(id)).await?;
        let account = self.ledger.end(id);
        let (tier, visit) = visited?;
        self.attach_text(&url, date, &visit.text);
        let done = PageDone::new(&url, tier, &visit, account, started.elapsed());
        self.write_down(&done, date);
        let logged_out = self
            .options
            .session
            .is_lost(&url, &visit.final_url, visit.status);
        if logged_out {
            self.login_lost.store(true, Ordering::Relaxed);
            self.control.pause();
        }
        if !self.save().await? || logged_out {
            self.add_chore(&done.account);
            self.release(lease).await?;
            return Ok(Visited::Later);
        }
        if self.settle(lease, &visit, &done).await? {
            underway.done(&done);
            return Ok(Visited::Page(Box::new(done)));
        }
        self.add_chore(&done.account);
        Ok(Visited::Later)
    }

    /// Waits until the host may be asked for another page.
    async fn wait_for_turn(&self, lease: &Lease) -> Result<(), CrawlError> {
        // To start Chromium takes long; pages that wait for it must not start all at once.
        if self.options.tier == TierChoice::Always(Tier::Browser) {
            self.browser().await?;
        }
        let start = self.hosts.next_start(&lease.host, self.control.delay());
        tokio::time::sleep_until(start.into()).await;
        Ok(())
    }

    /// Tells the frontier what became of a page and where it leads; whether it is done with.
    async fn settle(
        &self,
        lease: Lease,
        visit: &PageVisit,
        done: &PageDone,
    ) -> Result<bool, CrawlError> {
        let outcome = self.outcome(done, lease.target.tries);
        let is_over = !matches!(outcome, Outcome::Again { .. });
        let target = lease.target.clone();
        let links = match is_over && done.is_saved() {
            true => self.admission.links(&target, visit),
            false => Vec::new(),
        };
        let new = self.admission.first_mentioned(&links);
        self.state.frontier.settle(lease, outcome, links).await?;
        if is_over && done.is_saved() {
            if visit.final_url != target.url {
                self.admission.arrive(&visit.final_url);
            }
            let closed = self.admission.learn(&target.url, visit, done, &new);
            self.close_traps(closed).await?;
        }
        Ok(is_over)
    }

    /// Drops what waits in a space that was found to have no end.
    async fn close_traps(&self, closed: Option<(Vec<Closed>, String)>) -> Result<(), CrawlError> {
        let Some((new, all)) = closed else {
            return Ok(());
        };
        self.state
            .frontier
            .set_note(crate::admission::CLOSED, &all)
            .await?;
        for trap in new {
            let reason = trap.reason.as_str();
            let within = Box::new(move |target: &Target| {
                target.found != Found::Seed && trap.matches(&target.url)
            });
            let dropped = self
                .state
                .frontier
                .drop_matching(Whose::Everyone, within, reason);
            self.live_skips(reason, dropped.await?);
        }
        Ok(())
    }

    /// How many pages of one host are in flight at once.
    pub(crate) fn pages_per_host(&self) -> u32 {
        u32::try_from(self.options.workers)
            .unwrap_or(u32::MAX)
            .max(1)
    }

    pub(crate) async fn release(&self, lease: Lease) -> Result<(), CrawlError> {
        let outcome = Outcome::Released;
        self.state
            .frontier
            .settle(lease, outcome, Vec::new())
            .await?;
        Ok(())
    }

    /// Whether everything handed over so far is saved. Not so only when the disk is full.
    pub(crate) async fn save(&self) -> Result<bool, CrawlError> {
        match self.ledger.scribe().commit().await {
            Ok(()) => Ok(true),
            Err(error) if error.is_disk_full() => Ok(false),
            Err(error) => Err(CrawlError::Store(error)),
        }
    }

    /// A page is not visited, for this reason.
    async fn skip(&self, lease: Lease, reason: &str) -> Result<Visited, CrawlError> {
        self.note_skip(&lease.target.url, reason);
        self.live.page_skipped(reason);
        let is_seed = lease.target.found == Found::Seed;
        let outcome = Outcome::Skipped {
            reason: reason.to_owned(),
        };
        self.state
            .frontier
            .settle(lease, outcome, Vec::new())
            .await?;
        Ok(Visited::Skipped {
            reason: reason.to_owned(),
            is_seed,
        })
    }

    /// A page cannot be visited now: later, or not at all if it was tried often enough.
    async fn later(&self, lease: Lease, reason: &str) -> Result<Visited, CrawlError> {
        let Some(wait) = self.retry(reason, None, lease.target.tries) else {
            return self.fail(lease, reason).await;
        };
        let outcome = Outcome::Again {
            not_before: Moment::now().plus(wait),
            reason: reason.to_owned(),
        };
        self.state
            .frontier
            .settle(lease, outcome, Vec::new())
            .await?;
        Ok(Visited::Later)
    }

    /// A page cannot be visited: its host does not even say whether it may be.
    async fn fail(&self, lease: Lease, reason: &str) -> Result<Visited, CrawlError> {
        let (url, date) = (lease.target.url.clone(), SystemTime::now());
        let id = self.ledger.begin(&url);
        let underway = self.live.page_begins(id.0, &url);
        let account = self.ledger.end(id);
        let visit = PageVisit::failed(&url, reason);
        let done = PageDone::new(&url, Tier::Http, &visit, account, Duration::ZERO);
        self.write_down(&done, date);
        if !self.save().await? {
            self.release(lease).await?;
            return Ok(Visited::Later);
        }
        let outcome = Outcome::Failed {
            reason: reason.to_owned(),
        };
        self.state
            .frontier
            .settle(lease, outcome, Vec::new())
            .await?;
        underway.done(&done);
        Ok(Visited::Page(Box::new(done)))
    }

    /// When what failed is tried again, if it is.
    fn retry(&self, reason: &str, status: Option<u16>, tries: u32) -> Option<Duration> {
        if tries >= self.options.retries {
            return None;
        }
        let by_status = status.and_then(|status| retry_status(status, tries + 1));
        by_status.or_else(|| retry(reason, tries + 1))
    }

    fn outcome(&self, done: &PageDone, tries: u32) -> Outcome {
        let reason = done.reason.clone();
        match self.retry(&reason, done.status, tries) {
            Some(wait) => Outcome::Again {
                not_before: Moment::now().plus(wait),
                reason,
            },
            None if done.is_saved() => Outcome::Saved,
            None => Outcome::Failed { reason },
        }
    }

    /// What was asked for on behalf of no page, or of pages that are tried again.
    pub(crate) fn chores(&self) -> Account {
        let chores = self.chores.lock().unwrap_or_else(PoisonError::into_inner);
        chores.clone()
    }

    pub(crate) fn add_chore(&self, account: &Account) {
        let mut chores = self.chores.lock().unwrap_or_else(PoisonError::into_inner);
        chores.add(account);
    }

    /// Whether nothing more can be written for lack of room, or soon.
    pub(crate) fn lacks_room(&self) -> bool {
        let full = self.ledger.scribe().failure();
        full.is_some_and(|error| error.is_disk_full()) || self.disk.is_low()
    }

    /// Writes again after the disk was full. What was lost then must be fetched anew.
    pub(crate) fn go_on_writing(&self) -> bool {
        self.http.reuse.clear();
        self.ledger.scribe().go_on()
    }

    /// Counts what was dropped from the queue.
    pub(crate) fn live_skips(&self, reason: &str, count: u64) {
        (0..count).for_each(|_| self.live.page_skipped(reason));
    }

    /// Ends the browser; what is left is the state.
    pub(crate) async fn close(self) -> CrawlState {
        if let Some(browser) = self.browser.into_inner() {
            browser.stop().await;
        }
        self.state
    }
}

fn fetch_options(options: &CrawlOptions) -> FetchOptions {
    let hosts = options.seeds.iter().filter_map(|seed| seed.host_str());
    FetchOptions {
        policy: options.policy.clone(),
        map_hosts: options.map_hosts.clone(),
        trust: options.trust.clone(),
        limits: options.limits,
        per_host: options.per_host,
        rules: RequestRules {
            block: options.block.clone(),
            extra_fields: options.session.fields.clone(),
            extra_hosts: hosts.map(str::to_owned).collect(),
        },
        spool_dir: options.spool_dir.clone(),
    }
}

/// Servers shall see one visitor, in whatever tier. Without a Chromium there is only one tier.
async fn user_agent(client: &Client) -> String {
    const WITHOUT: &str = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) \
                           Chrome/140.0.0.0 Safari/537.36";
    varve_browser::user_agent(client)
        .await
        .unwrap_or_else(|_| WITHOUT.to_owned())
}
