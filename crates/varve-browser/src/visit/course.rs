//! The course of a visit: open, go there, wait, scroll, read, take a picture, leave.
//!
//! All of it has a deadline, which is watched from outside the page. At the deadline D loading is
//! stopped and what there is is read; a page that does not respond has its scripts ended; at D + 2 s
//! it is ended itself; and when the browser does not manage even that, the caller kills it.

use serde_json::json;
use tokio::time::{Duration, Instant, sleep, timeout_at};
use url::Url;

use super::coverage;
use super::dialog::silence;
use super::extract::read;
use super::handlers;
use super::made;
use super::page::{Disposal, Page};
use super::quiet::{Calm, wait_for_quiet};
use super::report::{Ending, Findings, Progress, outcome, tell};
use super::scroll::scroll_through;
use super::shot;
use super::{Outcome, Visit};
use crate::cdp::CdpError;
use crate::chromium::Process;
use crate::client::Client;
use crate::options::VisitOptions;
use crate::pins::{Drawn, METRICS};
use crate::traffic::Traffic;

/// After the deadline: for reading what there is, and for everything.
const READING: Duration = Duration::from_secs(2);
const ENDING: Duration = Duration::from_millis(4500);
/// How long reading may take before the deadline.
const READING_EARLY: Duration = Duration::from_secs(10);
/// A page that needs longer to answer the simplest question does not respond.
const ANSWER: Duration = Duration::from_millis(600);

/// What a visit is about.
pub(crate) struct Terms<'a> {
    pub(crate) url: &'a Url,
    pub(crate) traffic: &'a dyn Traffic,
    pub(crate) options: &'a VisitOptions,
    pub(crate) client: &'a Client,
    pub(crate) began: Instant,
}

/// A visit, and how the browser is after it.
pub(crate) struct Attempt {
    pub(crate) visit: Visit,
    pub(crate) browser: Health,
}

/// How a browser is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Health {
    Well,
    /// It answers, but cannot rid itself of the page. The other pages in it may end in peace; it
    /// goes with the last of them.
    Encumbered,
    /// It does not respond, and should be killed.
    Stuck,
    /// It died during the visit, for whatever reason.
    Lost,
}

/// Visits a page in this browser.
pub(crate) async fn attempt(process: &Process, terms: &Terms<'_>) -> Attempt {
    let page = match Page::open(process, terms).await {
        Ok(page) => page,
        Err(error) => return unopened(terms, &error),
    };
    let deadline = terms.began + terms.options.deadline;
    let kills = process.memory_kills();
    let mut progress = Progress::default();
    let ending = tokio::select! {
        biased;
        () = page.watch.end_of_page() => Ending::Died,
        ending = timeout_at(deadline, load(&page, terms, &mut progress)) => match ending {
            Ok(Ok(ending)) => ending,
            Ok(Err(CdpError::Refused { message, .. })) => Ending::NoPage(message),
            Ok(Err(_)) | Err(_) => Ending::Deadline,
        },
    };
    let findings = tokio::select! {
        biased;
        () = page.watch.end_of_page() => Findings::default(),
        findings = examine(&page, &ending, terms) => findings,
    };
    let browser = part(&page, &ending, &findings, terms).await;
    let memory = process.memory_kills() != kills;
    let outcome = outcome(&page, &ending, &findings, memory);
    let visit = tell(page, terms, outcome, findings, progress);
    Attempt { visit, browser }
}

async fn load(page: &Page, terms: &Terms<'_>, progress: &mut Progress) -> Result<Ending, CdpError> {
    let far_away = Instant::now() + terms.options.deadline * 2;
    let navigated = page.navigate(terms.url.as_str(), far_away).await?;
    if navigated.is_download {
        page.wait_for_download(far_away.min(Instant::now() + ANSWER))
            .await;
        return Ok(Ending::Download);
    }
    if let Some(error) = navigated.error_text.filter(|error| !error.is_empty()) {
        // A page that goes elsewhere at once aborts its own navigation, and is there all the same.
        let elsewhere = error == "net::ERR_ABORTED" && page.watch.state().navigations > 0;
        if !elsewhere {
            return Ok(Ending::NoPage(error));
        }
    }
    let mut calm = wait_for_quiet(page, terms.traffic).await?;
    // A page that goes elsewhere while one scrolls begins anew.
    let scrolls = terms.options.scroll && calm == Calm::Quiet;
    if scrolls && !matches!(scroll_through(page, terms.traffic).await, Ok(false)) {
        calm = wait_for_quiet(page, terms.traffic).await?;
    }
    let early = terms.options.at_least.saturating_sub(terms.began.elapsed());
    if calm == Calm::Quiet && !early.is_zero() {
        sleep(early).await;
        calm = wait_for_quiet(page, terms.traffic).await?;
    }
    if calm == Calm::Quiet {
        progress.quiet_after = Some(terms.began.elapsed());
    }
    Ok(Ending::Settled(calm))
}

async fn examine(page: &Page, ending: &Ending, terms: &Terms<'_>) -> Findings {
    let mut findings = Findings {
        responsive: true,
        ..Findings::default()
    };
    let deadline = terms.began + terms.options.deadline;
    let last = deadline + READING;
    match ending {
        Ending::Settled(Calm::Quiet | Calm::Restless) => {}
        Ending::Settled(Calm::Looping | Calm::Silenced) => {
            page.session.tell("Page.stopLoading", json!({}));
            silence(&page.session);
        }
        Ending::Deadline => {
            page.session.tell("Page.stopLoading", json!({}));
            findings.responsive = responds(page).await;
            if !findings.responsive {
                silence(&page.session);
            }
        }
        Ending::NoPage(_) | Ending::Download | Ending::Died => return findings,
    }
    let by = last.min(Instant::now() + READING_EARLY);
    match read(page, by).await {
        Ok(reading) => findings.reading = Some(reading),
        Err(error) => {
            findings
                .notes
                .push(format!("the page could not be read: {error}"));
            return findings;
        }
    }
    findings.made = made::gather(page, by).await;
    if terms.options.screenshot {
        match shot::take(page, terms.client, last).await {
            Ok(shot) => findings.shot = Some(shot),
            Err(error) => findings.notes.push(format!("no screenshot: {error}")),
        }
    }
    try_out(page, terms, last, &mut findings).await;
    findings
}

/// Runs event handlers, and takes down what ran before and then.
async fn try_out(page: &Page, terms: &Terms<'_>, by: Instant, findings: &mut Findings) {
    let counts = terms.options.coverage.is_some();
    let mut already = None;
    if let Some(running) = terms.options.handlers.as_ref()
        && findings.responsive
    {
        let patience = terms.began.elapsed();
        let about_to = async || {
            if counts {
                already = Some(coverage::ran_already(page, by).await);
            }
            // Real input goes by how the page is drawn, and after its picture that is whole.
            let small = terms.client.metrics(Drawn::Small);
            page.session.tell(METRICS, small);
        };
        let handled = handlers::run_all(page, terms.traffic, running, patience, by, about_to).await;
        findings.handled = Some(handled);
    }
    if counts {
        match coverage::take(page, already.as_ref(), by).await {
            Ok(scripts) => findings.scripts = scripts,
            Err(error) => findings
                .notes
                .push(format!("what ran is not known: {error}")),
        }
    }
}

async fn responds(page: &Page) -> bool {
    let question = page
        .session
        .begin("Runtime.evaluate", json!({"expression": "1"}));
    question.answer(Instant::now() + ANSWER).await.is_ok()
}

/// Leaves the page, politely if it is in a state for it, and throws it away.
async fn part(page: &Page, ending: &Ending, findings: &Findings, terms: &Terms<'_>) -> Health {
    if *page.session.connection().closed().borrow() {
        return Health::Lost;
    }
    let polite = findings.responsive && findings.reading.is_some();
    let by = terms.began + terms.options.deadline + ENDING;
    match ending {
        Ending::Settled(_) | Ending::Deadline if polite && Instant::now() < by => {
            // Bounded by itself, but never beyond the end.
            let _ = timeout_at(by, page.leave(terms.traffic)).await;
        }
        Ending::Settled(_) | Ending::Deadline => page.session.tell("Page.crash", json!({})),
        Ending::NoPage(_) | Ending::Download | Ending::Died => {}
    }
    match page.dispose(by).await {
        Ok(Disposal::Done) => Health::Well,
        Ok(Disposal::Pending) => Health::Encumbered,
        Err(CdpError::Closed) => Health::Lost,
        Err(_) => Health::Stuck,
    }
}

fn unopened(terms: &Terms<'_>, error: &CdpError) -> Attempt {
    let mut visit = Visit::of_nothing(terms.url, Outcome::Crash);
    visit.took = terms.began.elapsed();
    visit
        .notes
        .push(format!("no page could be opened: {error}"));
    let browser = match error {
        CdpError::Closed => Health::Lost,
        _ => Health::Stuck,
    };
    Attempt { visit, browser }
}
