//! A crawl under way: everything that its pages share.

use crate::admission::Admission;
use crate::browser_tier::BrowserTier;
use crate::disk::Disk;
use crate::earlier::EarlierLayers;
use crate::frontier::{Frontier, Lease, Outcome, Target};
use crate::hall::Hall;
use crate::hosts::Hosts;
use crate::http_tier::HttpTier;
use crate::ledger::Ledger;
use crate::live::{Control, Live};
use crate::memory::Memory;
use crate::onward::Ways;
use crate::options::CrawlOptions;
use crate::scribe::Scribe;
use crate::state::CrawlState;
use crate::visit::PageDone;
use crate::{Account, CrawlError};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::OnceCell;
use varve_browser::Client;
use varve_fetch::{Earlier, FetchOptions, Fetcher, RequestRules, Reuse};
use varve_store::collection::Collection;

/// How much of what was recorded is kept at hand for other pages.
const REUSE_BYTES: u64 = 512 << 20;

/// For each page that is visited, so many more may wait until the disk has what they brought. They
/// share its syncs, and the network need not wait for any of them.
const SAVED_PER_VISITED: usize = 3;

/// So many pages may wait for a browser while others show that they need none.
const WAITING: usize = 48;

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
    pub(crate) ways: Ways,
    pub(crate) memory: Memory,
    pub(crate) hall: Arc<Hall>,
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
    pub(crate) fn new(
        collection: &Arc<Collection>,
        options: CrawlOptions,
        state: CrawlState,
        scribe: Scribe,
        user_agent: String,
        live: Arc<Live>,
        control: Arc<Control>,
    ) -> Result<Crawl, CrawlError> {
        let earlier = earlier(collection, &options)?;
        let session = options.session.clone();
        let ledger = Arc::new(Ledger::new(scribe, session, earlier.clone(), live.clone()));
        let http = HttpTier::new(
            Fetcher::new(fetch_options(&options))?,
            Reuse::new(REUSE_BYTES, &options.spool_dir),
            earlier.map(|earlier| earlier as Arc<dyn Earlier>),
            ledger.clone(),
            options.filter.clone(),
            options.client.clone(),
            user_agent,
            options.variants,
        );
        control.set_delay(options.delay);
        control.set_limits(options.ends);
        Ok(Crawl {
            admission: Admission::new(options.scope.clone(), control.clone()),
            ways: Ways::default(),
            memory: Memory::of(collection.root(), &options.without, options.min_recall),
            hall: Hall::new(
                options
                    .workers
                    .clamp(1, tokio::sync::Semaphore::MAX_PERMITS),
            ),
            hosts: Hosts::default(),
            disk: Disk::of(collection.root()),
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

    /// How many pages of one host are in flight at once.
    pub(crate) fn pages_per_host(&self) -> u32 {
        u32::try_from(self.most_pages()).unwrap_or(u32::MAX)
    }

    /// How many pages are visited at once.
    pub(crate) fn workers(&self) -> usize {
        self.options
            .workers
            .clamp(1, tokio::sync::Semaphore::MAX_PERMITS)
    }

    /// How many pages are in flight at once: visited, on their way to the disk, or waiting for a
    /// browser.
    pub(crate) fn most_pages(&self) -> usize {
        let waiting = if self.decides() { WAITING } else { 0 };
        self.workers().saturating_mul(1 + SAVED_PER_VISITED) + waiting
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
        self.http.forget();
        self.ledger.scribe().go_on()
    }

    /// Counts what was dropped from the queue.
    pub(crate) fn live_skips(&self, reason: &str, count: u64) {
        (0..count).for_each(|_| self.live.page_skipped(reason));
    }

    /// Ends the browser; what is left is the state.
    pub(crate) async fn close(self) -> CrawlState {
        if self.decides() {
            self.memory.write();
        }
        if let Some(browser) = self.browser.into_inner() {
            browser.stop().await;
        }
        self.state
    }
}

/// What was captured before, for servers to be asked whether it changed. What they show in a
/// session of the user's own is nothing that others saw.
fn earlier(
    collection: &Arc<Collection>,
    options: &CrawlOptions,
) -> Result<Option<Arc<EarlierLayers>>, CrawlError> {
    match options.session.is_empty() {
        true => Ok(EarlierLayers::of(collection)?),
        false => Ok(None),
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
pub(crate) async fn user_agent(client: Client) -> String {
    const WITHOUT: &str = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) \
                           Chrome/140.0.0.0 Safari/537.36";
    varve_browser::user_agent(&client)
        .await
        .unwrap_or_else(|_| WITHOUT.to_owned())
}
