//! Pages whose tier the crawl decides: visited where that is needed to know what their scripts ask
//! for, and looked at now and then where it was not.

use crate::CrawlError;
use crate::admission::key;
use crate::crawl::Crawl;
use crate::frontier::{Found, Frontier, Target, UrlKey};
use crate::hall::Turn;
use crate::http_tier::{Answer, Drawing, Errand, Onward, Opened};
use crate::ledger::Received;
use crate::memory::{Taught, destination, site_of};
use crate::options::Tier;
use crate::phase::Phase;
use crate::records;
use crate::run::Seat;
use crate::scribe::Entry;
use crate::visit::{PageVisit, is_saved};
use serde_json::json;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::SystemTime;
use url::Url;
use varve_browser::proxy::VisitId;
use varve_fetch::Exchange;
use varve_memo::{Decision, Foretold, Outcome, Why};
use varve_page::{Destination, Kind};

/// So many of the URLs that a page lacked are named in the log.
const NAMED: usize = 20;
/// So many pages that lead to each other are followed.
const MAX_HOPS: usize = 5;
/// Pages that are visited again come after the others.
const LATE: u8 = 200;

impl Crawl {
    /// Whether what visits teach decides which pages need one.
    pub(crate) fn decides(&self) -> bool {
        self.options.decides()
    }

    /// Follows a page that sends everybody elsewhere at once, as a browser would: what its scripts
    /// do does not matter then.
    pub(crate) async fn led_on(
        &self,
        errand: &Errand,
        mut answer: Answer,
        onward: &dyn Onward,
    ) -> Opened {
        for _ in 0..MAX_HOPS {
            let Some(next) = answer.page.leads_to.clone() else {
                break;
            };
            let was_there = |exchange: &Arc<Exchange>| exchange.url == next;
            if was_there(&answer.exchange) || answer.redirects.iter().any(was_there) {
                break;
            }
            self.http.complete(errand, &answer, &[]).await;
            if !onward.goes_on(&next).await {
                let status = answer.head.status();
                return Opened::Elsewhere { status, next };
            }
            match self.http.open_on_the_way(errand, &next, onward).await {
                Ok(Opened::Answer(after)) => answer = after.after(answer),
                Ok(elsewhere) => return elsewhere,
                // It is in the account; the page stays what it is.
                Err(_) => break,
            }
        }
        Opened::Answer(Box::new(answer))
    }

    /// Visits a page in the browser if that is needed; nothing if the crawl ends before that.
    pub(crate) async fn visit_if_needed(
        &self,
        id: VisitId,
        url: &Url,
        errand: &Errand,
        answer: Answer,
        seat: &mut Option<Seat>,
    ) -> Result<Option<(Tier, PageVisit)>, CrawlError> {
        if answer.page.kind != Kind::Html || !answer.page.has_scripts {
            let mut visit = self.http.complete(errand, &answer, &[]).await;
            visit.phase = Some(Phase::Read);
            return Ok(Some((Tier::Http, visit)));
        }
        let mut drawing = self.http.draw(errand, &answer).await;
        self.memory.meet(&drawing.sketch);
        let site = site_of(&answer.exchange.url);
        if drawing.sketch.is_harmless && self.memory.trusts(&site) {
            let page = AtHand::new(id, errand.clone(), &answer, drawing);
            let visit = self.without(page, BTreeSet::new(), Phase::Read, seat);
            return Ok(Some((Tier::Http, visit.await?)));
        }
        if let Decision::Browser(_) = self.memory.decide(&drawing.sketch) {
            drawing.sketch.looks = Some(self.http.looks(&answer, &drawing));
        }
        let is_over = || self.control.is_stopping();
        let turn = self.hall.turn(&self.memory, &drawing.sketch, seat, is_over);
        let turn = turn.await;
        // Waiting takes nothing of the time that a page may take.
        let errand = errand.clone().until(self.errand(id).deadline);
        let page = AtHand::new(id, errand, &answer, drawing);
        match turn {
            Turn::Leave => Ok(None),
            Turn::Without(phase, needs) => {
                let visit = self.without(page, needs, phase, seat).await?;
                Ok(Some((Tier::Http, visit)))
            }
            Turn::Browser(why, pass) => {
                let visit = self.taught(page, url, why).await?;
                drop(pass);
                Ok(Some((Tier::Browser, visit)))
            }
        }
    }

    /// A page that is visited, and what that teaches.
    async fn taught(&self, page: AtHand<'_>, url: &Url, why: Why) -> Result<PageVisit, CrawlError> {
        let id = page.id;
        let (mut visit, taught) = self.see_in_browser(id, url, page.known()).await?;
        visit.phase = Some(Phase::Browser(why));
        // A page that went elsewhere, or not well, says nothing of others.
        if is_saved(&visit.reason) && visit.final_url == *page.url() {
            self.learn(id, page, taught).await;
        }
        Ok(visit)
    }

    /// What the visit `id` taught of a page.
    async fn learn(&self, id: VisitId, page: AtHand<'_>, taught: Taught) -> Outcome {
        let AtHand {
            errand,
            answer,
            drawing,
            ..
        } = page;
        let Drawing {
            sketch, mut names, ..
        } = drawing;
        names.add_inline(&answer.page, &sketch);
        // What led here is the page's way, not its need.
        let led = |it: &Received| answer.redirects.iter().any(|before| before.url == it.url);
        let mut received = self.ledger.received(id);
        received.retain(|it| !led(it));
        let read = self.http.named(&errand, answer).await;
        self.memory
            .learn(taught.beside(sketch, received, read, &names))
    }

    /// A page whose needs are known without a visit.
    async fn without(
        &self,
        page: AtHand<'_>,
        needs: BTreeSet<Foretold>,
        phase: Phase,
        seat: &mut Option<Seat>,
    ) -> Result<PageVisit, CrawlError> {
        let more: Vec<(Url, Destination)> = (needs.into_iter())
            .filter(|need| !self.memory.has(&need.url))
            .map(|need| (need.url, destination(&need.what_for)))
            .collect();
        let mut visit = self.http.complete(&page.errand, page.answer, &more).await;
        visit.phase = Some(phase);
        for received in self.ledger.received(page.id) {
            self.memory.add(&received.url);
        }
        if self.memory.rely(page.url(), phase) {
            // Others need not wait for that.
            drop(seat.take());
            self.audit(page, phase).await?;
        }
        Ok(visit)
    }

    /// Looks at a page in the browser although it was not needed, to see whether that is true.
    async fn audit(&self, page: AtHand<'_>, phase: Phase) -> Result<(), CrawlError> {
        let url = page.url().clone();
        let Some(pass) = self.hall.pass(site_of(&url)).await else {
            return Ok(());
        };
        let browser = self.browser().await?;
        let id = self.ledger.begin(&url);
        let seen = browser.look(id, &url, page.known()).await;
        let is_fit = |seen: &varve_browser::Visit| seen.outcome.is_ok() && seen.final_url == url;
        let outcome = match seen.filter(is_fit) {
            Some(seen) => Some(self.learn(id, page, Taught::of(&seen)).await),
            None => None,
        };
        self.add_chore(&self.ledger.end(id));
        drop(pass);
        if let Some(outcome) = outcome {
            self.judge(&url, phase, &outcome).await?;
        }
        Ok(())
    }

    /// Writes down what a look told. If too much was missing, pages like this one are visited again.
    async fn judge(&self, url: &Url, phase: Phase, outcome: &Outcome) -> Result<(), CrawlError> {
        let doubtful = self
            .memory
            .audited(url, phase, outcome, self.options.min_recall);
        let missed = outcome.missed.iter().take(NAMED).map(Url::as_str);
        self.ledger.scribe().write(Entry::Log(json!({
            "ts": records::timestamp(SystemTime::now()).w3c(),
            "kind": "audit",
            "url": url.as_str(),
            "phase": phase.name(),
            "bytes": outcome.bytes,
            "missed_bytes": outcome.missed_bytes,
            "missed": missed.collect::<Vec<_>>(),
            "again": doubtful.len(),
        })));
        let again = doubtful.into_iter().map(again).collect();
        self.state.frontier.add(again).await?;
        Ok(())
    }
}

/// A page as it came over HTTP.
struct AtHand<'a> {
    id: VisitId,
    errand: Errand,
    answer: &'a Answer,
    drawing: Drawing,
}

impl<'a> AtHand<'a> {
    fn new(id: VisitId, errand: Errand, answer: &'a Answer, drawing: Drawing) -> AtHand<'a> {
        AtHand {
            id,
            errand,
            answer,
            drawing,
        }
    }

    fn url(&self) -> &'a Url {
        &self.answer.exchange.url
    }

    /// What was fetched for it before it is visited.
    fn known(&self) -> Vec<Arc<Exchange>> {
        let navigation = self.answer.redirects.iter().chain([&self.answer.exchange]);
        navigation.cloned().chain(self.errand.all_held()).collect()
    }
}

/// A page that was visited, to be visited once more.
fn again(url: Url) -> Target {
    let key = UrlKey::of(&format!("again {}", key(&url)));
    Target {
        priority: LATE,
        found: Found::Link,
        ..Target::seed(url, key)
    }
}
