//! One page: visited, judged, visited again if something is found, and told.

use crate::capture::{Before, Captures};
use crate::error::QaError;
use crate::finding::{Finding, Kind};
use crate::judge::{Judgement, difference_image, judge};
use crate::options::{Thresholds, Visitor};
use crate::pages::ListedPage;
use crate::report::{
    Comparison, PagePictures, PageReport, PictureReport, ReportDir, RequestCounts, TextReport,
    Verdict,
};
use crate::stage::{Replayed, Stage};
use std::sync::Arc;
use std::time::{Duration, Instant};
use url::Url;
use varve_browser::Outcome;

/// A page with findings is visited so often in all.
const VISITS: usize = 2;
/// The same if it only looks, speaks or complains differently, which may well be by chance.
const VISITS_IN_DOUBT: usize = 3;
/// Each of these visits lasts longer than the one before by this. What a page draws without end would
/// otherwise be at the same frame in all of them now and then, and seem to stand still.
const ANOTHER_MOMENT: Duration = Duration::from_millis(230);

/// What all inspections share.
pub(crate) struct Inspector {
    pub(crate) stage: Stage,
    pub(crate) visitor: Visitor,
    pub(crate) captures: Captures,
    pub(crate) dir: ReportDir,
    pub(crate) thresholds: Thresholds,
    /// Whether pictures of good pages are kept.
    pub(crate) pictures_of_good: bool,
}

/// A page, what it was, and the visits to it.
struct Inspected {
    before: Before,
    visits: Vec<Replayed>,
    judgement: Judgement,
}

impl Inspected {
    fn needs_another_look(&self) -> bool {
        let findings = &self.judgement.findings;
        let visits = self.visits.len();
        let is_sure =
            |finding: &Finding| !matches!(finding.kind, Kind::Console | Kind::Picture | Kind::Text);
        match findings.iter().any(is_sure) {
            true => visits < VISITS,
            false => !findings.is_empty() && visits < VISITS_IN_DOUBT,
        }
    }
}

impl Inspector {
    /// Inspects the page with this number.
    pub(crate) async fn inspect(
        self: &Arc<Inspector>,
        number: usize,
        page: ListedPage,
    ) -> Result<PageReport, QaError> {
        let began = Instant::now();
        let (inspector, listed) = (self.clone(), page.clone());
        let before = blocking(move || inspector.captures.of(&listed)).await;
        let Some(url) = self.stage.replay_url(&page.url, page.time) else {
            return Ok(unplaced(&page));
        };
        let first = self.look(&url, &before, Duration::ZERO).await?;
        let mut inspected = self.judged(before, vec![first]).await;
        while inspected.needs_another_look() {
            let Inspected {
                before, mut visits, ..
            } = inspected;
            // What pages do by the clock they should have done as at capture.
            let log = before.log.as_ref();
            let pace = log.and_then(|log| log.quiet_after);
            let before_it = visits.iter().filter_map(|it| it.visit.quiet_after);
            let longest = pace.into_iter().chain(before_it).max().unwrap_or_default();
            let next = self.look(&url, &before, longest + ANOTHER_MOMENT).await?;
            visits.push(next);
            inspected = self.judged(before, visits).await;
        }
        let inspector = self.clone();
        blocking(move || inspector.report(number, page, inspected, began.elapsed())).await
    }

    /// Visits the page for at least so long. Without a browser nothing can be said about any page.
    async fn look(
        &self,
        url: &Url,
        before: &Before,
        at_least: Duration,
    ) -> Result<Replayed, QaError> {
        let client = self.visitor.client(&before.client);
        let replayed = self.stage.visit(url, &client, at_least).await?;
        match &replayed.visit.outcome {
            Outcome::NoBrowser(why) => Err(QaError::NoBrowser(why.clone())),
            _ => Ok(replayed),
        }
    }

    async fn judged(self: &Arc<Inspector>, before: Before, visits: Vec<Replayed>) -> Inspected {
        let inspector = self.clone();
        blocking(move || Inspected {
            judgement: judge(&before, &visits, &inspector.stage.names),
            before,
            visits,
        })
        .await
    }

    fn report(
        &self,
        number: usize,
        page: ListedPage,
        inspected: Inspected,
        took: Duration,
    ) -> Result<PageReport, QaError> {
        let Inspected {
            before,
            visits,
            judgement,
        } = inspected;
        let compared = judgement.compared;
        let mut report = PageReport {
            url: page.url.to_string(),
            time: page.time.digits14(),
            title: page.title,
            verdict: Verdict::Good,
            findings: judgement.findings,
            notes: judgement.notes,
            requests: judgement.requests,
            console: judgement.console,
            picture: judgement.picture,
            text: judgement.text,
            states: states(&visits),
            visits: visits.len(),
            ms: took.as_millis() as u64,
        };
        report.decide(&self.thresholds);
        if report.verdict == Verdict::Bad || self.pictures_of_good {
            let differs = report.picture.differing_pixels > 0;
            let difference = compared.filter(|_| differs);
            let difference = difference.and_then(|compared| difference_image(&compared));
            let pictures = PagePictures {
                capture: before.picture.as_deref(),
                replay: visits.last().and_then(|it| it.visit.screenshot.as_deref()),
                difference: difference.as_deref(),
            };
            report.picture.files = self.dir.pictures(number, &pictures)?;
        }
        Ok(report)
    }
}

/// What handlers brought about, as the first visit saw it.
fn states(visits: &[Replayed]) -> Vec<u32> {
    let handled = visits.first().and_then(|it| it.visit.handled.as_ref());
    handled.map_or_else(Vec::new, |handled| handled.states.clone())
}

/// Work that takes a processor, on a thread for that.
async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    match tokio::task::spawn_blocking(work).await {
        Ok(done) => done,
        Err(error) => std::panic::resume_unwind(error.into_panic()),
    }
}

/// A page whose name is too long for a replay host.
fn unplaced(page: &ListedPage) -> PageReport {
    let what = "its address has no place in the replay";
    PageReport {
        url: page.url.to_string(),
        time: page.time.digits14(),
        title: page.title.clone(),
        verdict: Verdict::Bad,
        findings: vec![Finding::new(Kind::Page, what)],
        notes: Vec::new(),
        requests: RequestCounts::default(),
        console: Comparison::NotComparable,
        picture: PictureReport::not_compared(Comparison::NotComparable),
        text: TextReport::not_compared(Comparison::NotComparable),
        states: Vec::new(),
        visits: 0,
        ms: 0,
    }
}
