//! The life of one page: from its lease to its outcome.

use crate::crawl::{Crawl, Visited};
use crate::frontier::{Found, Frontier, Lease, Moment, Outcome, Target, Whose};
use crate::hosts::Verdict;
use crate::onward::Way;
use crate::options::{Tier, TierChoice};
use crate::rules::politeness::{retry, retry_status};
use crate::rules::traps::Closed;
use crate::run::Seat;
use crate::visit::{PageDone, PageVisit};
use crate::{Account, CrawlError};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant, SystemTime};
use url::Url;

impl Crawl {
    /// Visits a page, writes down what became of it, and returns when all of that is saved. The
    /// seat is for those who visit; who waits for the disk has left it.
    pub(crate) async fn page(&self, lease: Lease, seat: Seat) -> Result<Visited, CrawlError> {
        if let Some(reason) = self.admission.refuses(&lease.target) {
            return self.skip(lease, reason).await;
        }
        if lease.target.found == Found::SitemapFile {
            return self.sitemap_file(lease).await;
        }
        if lease.target.found != Found::Seed && self.ways.have_led_to(&lease.target).await {
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
        let target = lease.target.clone();
        let way = Way::from(self, &target);
        let mut seat = Some(seat);
        let visited = self.visit(id, &way, &mut seat).await;
        self.keep_pace(&lease.host, self.ledger.answer(id)).await?;
        let account = self.ledger.end(id);
        let Some((tier, visit)) = visited? else {
            self.add_chore(&account);
            self.release(lease).await?;
            return Ok(Visited::Later);
        };
        drop(seat);
        if let Some(next) = &visit.leads_to {
            return self.lead_on(lease, next, &account).await;
        }
        let visit = self.admission.judge(&url, visit);
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
            self.probe(&url).await?;
            return Ok(Visited::Page(Box::new(done)));
        }
        self.add_chore(&done.account);
        Ok(Visited::Later)
    }

    /// A page redirects to one that has a visit of its own: that is all there is to it.
    async fn lead_on(
        &self,
        lease: Lease,
        next: &Url,
        account: &Account,
    ) -> Result<Visited, CrawlError> {
        self.add_chore(account);
        if !self.save().await? {
            self.release(lease).await?;
            return Ok(Visited::Later);
        }
        let onward = self.admission.onward(&lease.target, next);
        if lease.target.found == Found::Seed || onward.is_none() {
            // Nobody else will say why.
            if let Some(reason) = self.is_kept_from(next).await {
                return self.skip(lease, reason).await;
            }
        }
        let onward = onward.into_iter().collect();
        self.state
            .frontier
            .settle(lease, Outcome::Saved, onward)
            .await?;
        Ok(Visited::Chore)
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
                self.ways.arrive(&visit.final_url);
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
}
