//! A crawl from its seeds to its summary.
//!
//! The loop claims what is due from the frontier and starts a task for each page. As many pages are
//! visited at once as there are workers; more may be on their way to the disk. It also waits: for politeness, for people who paused it, for room on the
//! disk.

use crate::crawl::{Crawl, Visited, user_agent};
use crate::frontier::{Claim, Frontier, HostRules, Moment, Whose};
use crate::live::{Control, HostView, Live, PageCounts, QueueCounts, State};
use crate::options::CrawlOptions;
use crate::records;
use crate::scribe::Scribe;
use crate::state::CrawlState;
use crate::summary::{Ended, Tally};
use crate::{CrawlError, Summary};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::JoinSet;
use tokio::time::sleep;
use varve_store::collection::{Collection, RecordOptions};

/// How long the loop waits for anything before it looks around again.
const GLANCE: Duration = Duration::from_millis(500);
/// The right to visit a page. There are as many as workers.
pub(crate) type Seat = OwnedSemaphorePermit;

/// How many hosts are shown.
const SHOWN_HOSTS: usize = 200;

/// Crawls into a new layer of the collection: goes on with the crawl that was interrupted there,
/// or begins one. What happens is told to `live`; what people wish meanwhile is asked of `control`.
pub async fn crawl(
    collection: &Arc<Collection>,
    options: CrawlOptions,
    live: Arc<Live>,
    control: Arc<Control>,
) -> Result<Summary, CrawlError> {
    let started = Instant::now();
    // Chromium takes its time to say; meanwhile the files are opened.
    let agent = tokio::spawn(user_agent(options.client.clone()));
    let state = CrawlState::open(collection.root()).await?;
    let saved_before = state.saved_before;
    let recorder = collection.record(RecordOptions::default())?;
    let agent = agent.await.map_err(|_| CrawlError::Lost)?;
    let opening = records::client(&options.client, &agent);
    let (scribe, thread) =
        Scribe::start(recorder, opening, live.clone()).map_err(CrawlError::Thread)?;
    let crawl = Crawl::new(
        collection,
        options,
        state,
        scribe,
        agent,
        live.clone(),
        control,
    );
    let crawl = Arc::new(crawl?);
    let ran = Run::new(crawl.clone()).finish().await;
    live.state(State::Finishing);
    // All pages are done with, or one of their tasks was lost.
    let Some(crawl) = Arc::into_inner(crawl) else {
        return Err(CrawlError::Lost);
    };
    let waiting = crawl
        .state
        .frontier
        .counts()
        .await
        .map_or(0, |counts| counts.queued);
    let recalls = crawl.memory.recalls();
    let state = crawl.close().await;
    let sealed = tokio::task::spawn_blocking(move || thread.seal())
        .await
        .map_err(|_| CrawlError::Lost)?;
    live.state(State::Done);
    let (ended, tally) = ran?;
    let layer = sealed.map_err(CrawlError::Store)?;
    if ended.is_final() {
        state.remove()?;
    }
    let mut summary = Summary::new(tally, layer, started.elapsed());
    (summary.ended, summary.waiting) = (ended.name(), waiting);
    summary.saved_before = saved_before;
    summary.tiers.looked(recalls);
    Ok(summary)
}

/// The loop.
struct Run {
    crawl: Arc<Crawl>,
    pages: JoinSet<Result<Visited, CrawlError>>,
    seats: Arc<Semaphore>,
    tally: Tally,
    failure: Option<CrawlError>,
    /// The wishes that were last seen.
    generation: Option<u64>,
    shown: Option<Instant>,
}

/// What to do next.
enum Next {
    /// Look again.
    Again,
    /// No new pages.
    End(Ended),
}

impl Run {
    fn new(crawl: Arc<Crawl>) -> Run {
        Run {
            seats: Arc::new(Semaphore::new(crawl.workers())),
            crawl,
            pages: JoinSet::new(),
            tally: Tally::default(),
            failure: None,
            generation: None,
            shown: None,
        }
    }

    async fn finish(mut self) -> Result<(Ended, Tally), CrawlError> {
        self.crawl.plant().await?;
        let ended = loop {
            match self.step().await {
                Ok(Next::Again) => {}
                Ok(Next::End(ended)) => break ended,
                Err(error) => {
                    self.failure.get_or_insert(error);
                    break Ended::Stopped;
                }
            }
        };
        self.crawl.live.state(State::Finishing);
        // What is in flight has its say, also when something else failed.
        while !self.pages.is_empty() {
            self.wait_for_a_page().await;
        }
        self.tally.add_account(&self.crawl.chores());
        match self.failure {
            Some(error) => Err(error),
            None => Ok((ended, self.tally)),
        }
    }

    async fn step(&mut self) -> Result<Next, CrawlError> {
        while let Some(done) = self.pages.try_join_next() {
            self.take(done);
        }
        if let Some(error) = self.failure.take() {
            return Err(error);
        }
        self.show().await?;
        self.heed_wishes().await?;
        if let Some(ended) = self.ending() {
            return Ok(Next::End(ended));
        }
        if self.crawl.control.is_paused() {
            self.pause().await;
            return Ok(Next::Again);
        }
        if self.crawl.lacks_room() {
            return self.wait_for_room().await;
        }
        let room = self.room();
        if room == 0 {
            self.wait_for_a_page().await;
            return Ok(Next::Again);
        }
        let seats = self.free_seats(room);
        if seats.is_empty() {
            self.wait_for_a_seat().await;
            return Ok(Next::Again);
        }
        self.claim(seats).await
    }

    fn ending(&self) -> Option<Ended> {
        let Crawl { control, live, .. } = self.crawl.as_ref();
        if control.is_stopping() {
            return Some(Ended::Stopped);
        }
        control.limits().reached(live).map(Ended::Limit)
    }

    /// How many more pages may be in flight, with those that are, within the limit.
    fn room(&self) -> usize {
        let Crawl { control, live, .. } = self.crawl.as_ref();
        let PageCounts { saved, failed, .. } = live.pages();
        let begun = saved + failed + self.pages.len() as u64;
        let left = control
            .limits()
            .pages
            .map(|most| most.saturating_sub(begun));
        let left = left.map_or(usize::MAX, |left| left.try_into().unwrap_or(usize::MAX));
        let most = self.crawl.most_pages();
        most.saturating_sub(self.pages.len()).min(left)
    }

    fn free_seats(&self, most: usize) -> Vec<Seat> {
        let free = std::iter::from_fn(|| self.seats.clone().try_acquire_owned().ok());
        free.take(most).collect()
    }

    /// Takes the next pages that are due, one for each seat, or waits until one may be. All are
    /// asked for together: while the frontier syncs, it answers nobody.
    async fn claim(&mut self, seats: Vec<Seat>) -> Result<Next, CrawlError> {
        let now = Moment::now();
        let crawl = self.crawl.clone();
        let claims: Vec<_> = seats
            .iter()
            .map(|_| crawl.state.frontier.claim(now))
            .collect();
        let (mut leased, mut nothing) = (false, None);
        for (seat, claim) in seats.into_iter().zip(claims) {
            match claim.await? {
                Claim::Lease(lease) => {
                    let crawl = self.crawl.clone();
                    leased = true;
                    self.pages
                        .spawn(async move { crawl.page(lease, seat).await });
                }
                other => drop(nothing.get_or_insert(other)),
            }
        }
        match nothing {
            Some(nothing) if !leased => self.wait_for_work(nothing, now).await,
            _ => Ok(Next::Again),
        }
    }

    /// Nothing can be claimed: waits until that may have changed.
    async fn wait_for_work(&mut self, nothing: Claim, now: Moment) -> Result<Next, CrawlError> {
        match nothing {
            Claim::Lease(_) => {}
            Claim::NotBefore(due) => {
                let wait = Duration::from_millis(due.0.saturating_sub(now.0).max(1));
                self.wait_for_a_page_or(sleep(wait.min(GLANCE))).await;
            }
            Claim::AllLeased => self.wait_for_a_page().await,
            Claim::AllBlocked => {
                let everything = Box::new(|_: &_| true);
                let dropped = self.crawl.state.frontier.drop_matching(
                    Whose::Everyone,
                    everything,
                    "host.blocked",
                );
                self.crawl.live_skips("host.blocked", dropped.await?);
            }
            Claim::Empty if self.pages.is_empty() => return Ok(Next::End(Ended::Finished)),
            Claim::Empty => self.wait_for_a_page().await,
        }
        Ok(Next::Again)
    }

    /// Does what people changed since the last time.
    async fn heed_wishes(&mut self) -> Result<(), CrawlError> {
        let generation = self.crawl.control.generation();
        if self.generation == Some(generation) {
            return Ok(());
        }
        let first = self.generation.replace(generation).is_none();
        let Crawl { control, state, .. } = self.crawl.as_ref();
        let rules = HostRules {
            in_flight: self.crawl.pages_per_host(),
            ..HostRules::every(control.delay())
        };
        state.frontier.default_rules(rules).await?;
        if !first && !control.settings().exclude.is_empty() {
            let wishes = control.clone();
            let excluded =
                Box::new(move |target: &crate::frontier::Target| wishes.excluded(&target.url));
            let dropped = state
                .frontier
                .drop_matching(Whose::Everyone, excluded, "scope.excluded");
            self.crawl.live_skips("scope.excluded", dropped.await?);
        }
        Ok(())
    }

    async fn pause(&mut self) {
        self.crawl
            .live
            .state(match self.crawl.login_lost.load(Ordering::Relaxed) {
                true => State::PausedLogin,
                false => State::Paused,
            });
        let control = self.crawl.control.clone();
        self.wait_for_a_page_or(async {
            tokio::select! {
                () = control.unpaused() => {}
                () = sleep(GLANCE) => {}
            }
        })
        .await;
        if !self.crawl.control.is_paused() {
            self.crawl.login_lost.store(false, Ordering::Relaxed);
            self.crawl.live.state(State::Running);
        }
    }

    /// Lets the pages in flight end, and waits until there is room on the disk again.
    async fn wait_for_room(&mut self) -> Result<Next, CrawlError> {
        self.crawl.live.state(State::PausedDisk);
        while !self.pages.is_empty() {
            self.wait_for_a_page().await;
        }
        let patience_ends = Instant::now() + self.crawl.options.disk_wait;
        while self.crawl.disk.is_low() || !self.crawl.go_on_writing() {
            if self.crawl.control.is_stopping() {
                return Ok(Next::End(Ended::Stopped));
            }
            if Instant::now() >= patience_ends {
                return Ok(Next::End(Ended::DiskFull));
            }
            sleep(GLANCE).await;
        }
        self.crawl.live.state(State::Running);
        Ok(Next::Again)
    }

    async fn wait_for_a_seat(&mut self) {
        let seats = self.seats.clone();
        self.wait_for_a_page_or(async {
            tokio::select! {
                _ = seats.acquire() => {}
                () = sleep(GLANCE) => {}
            }
        })
        .await;
    }

    async fn wait_for_a_page(&mut self) {
        self.wait_for_a_page_or(sleep(GLANCE)).await;
    }

    async fn wait_for_a_page_or(&mut self, other: impl Future<Output = ()>) {
        tokio::select! {
            Some(done) = self.pages.join_next() => self.take(done),
            () = other => {}
        }
    }

    fn take(&mut self, done: Result<Result<Visited, CrawlError>, tokio::task::JoinError>) {
        match done.unwrap_or(Err(CrawlError::Lost)) {
            Ok(Visited::Page(page)) => self.tally.add(*page),
            Ok(Visited::Skipped { reason, is_seed }) => self.tally.skip(reason, is_seed),
            Ok(Visited::Later | Visited::Chore) => {}
            // One that fails does not cut the others short: what they have is theirs to hand over.
            Err(error) => drop(self.failure.get_or_insert(error)),
        }
    }

    /// Shows what waits, now and then.
    async fn show(&mut self) -> Result<(), CrawlError> {
        if self.shown.is_some_and(|at| at.elapsed() < GLANCE) {
            return Ok(());
        }
        self.shown = Some(Instant::now());
        let Crawl { state, live, .. } = self.crawl.as_ref();
        let counts = state.frontier.counts().await?;
        live.queue(QueueCounts {
            queued: counts.queued,
            hosts: counts.hosts,
            seen: counts.seen,
        });
        let hosts = state.frontier.hosts(SHOWN_HOSTS).await?;
        let shown = hosts.into_iter().map(|host| HostView {
            host: host.host,
            queued: host.queued,
            in_flight: host.leased,
            delay_ms: host.delay.as_millis() as u64,
            backed_off_until: host.backed_off.map(|until| until.0),
            blocked: host.blocked,
        });
        live.hosts(shown.collect());
        Ok(())
    }
}
