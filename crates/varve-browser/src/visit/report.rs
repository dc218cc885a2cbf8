//! What a visit comes to: how it ended, what was found and what was heard, as one [`Visit`].

use tokio::time::Duration;
use url::Url;

use super::course::Terms;
use super::coverage::ScriptRun;
use super::extract::Reading;
use super::handlers::Handled;
use super::made::Made;
use super::page::Page;
use super::quiet::Calm;
use super::reads::ReadLog;
use super::shot::Shot;
use super::{Outcome, Visit};

/// How the loading of a page ended.
pub(super) enum Ending {
    Settled(Calm),
    NoPage(String),
    Download,
    Deadline,
    Died,
}

/// How far a page came, even if it came no further.
#[derive(Default)]
pub(super) struct Progress {
    pub(super) quiet_after: Option<Duration>,
}

/// What was found on a page.
#[derive(Default)]
pub(super) struct Findings {
    pub(super) responsive: bool,
    pub(super) reading: Option<Reading>,
    pub(super) made: Vec<Made>,
    pub(super) handled: Option<Handled>,
    pub(super) scripts: Vec<ScriptRun>,
    pub(super) shot: Option<Shot>,
    pub(super) notes: Vec<String>,
}

/// What it comes to. `memory`: whether a page was ended for its memory meanwhile.
pub(super) fn outcome(page: &Page, ending: &Ending, findings: &Findings, memory: bool) -> Outcome {
    let crashed = || {
        if memory {
            Outcome::OutOfMemory
        } else {
            Outcome::Crash
        }
    };
    let calm = match ending {
        Ending::Died => return crashed(),
        Ending::Download => return Outcome::Download,
        Ending::NoPage(error) => return Outcome::Navigation(error.clone()),
        // It was there, and died or fell silent while it was read.
        Ending::Settled(calm) if findings.reading.is_none() => {
            let died = page.watch.has_crashed() || !findings.responsive;
            return match calm {
                _ if died => crashed(),
                // It went round once more just then.
                Calm::Looping => Outcome::NavigationLoop,
                Calm::Quiet | Calm::Restless | Calm::Silenced => Outcome::Hang,
            };
        }
        Ending::Settled(calm) => *calm,
        Ending::Deadline if findings.responsive && findings.reading.is_some() => {
            return Outcome::Timeout;
        }
        Ending::Deadline => return Outcome::Hang,
    };
    match calm {
        Calm::Quiet => Outcome::Ok,
        Calm::Restless => Outcome::NeverQuiet,
        Calm::Looping => Outcome::NavigationLoop,
        Calm::Silenced => Outcome::Dialogs,
    }
}

/// Puts together what was heard and what was found.
pub(super) fn tell(
    page: Page,
    terms: &Terms<'_>,
    outcome: Outcome,
    findings: Findings,
    progress: Progress,
) -> Visit {
    let heard = page.watch.finish();
    let mut visit = Visit::of_nothing(terms.url, outcome);
    visit.status = heard.log.status(&heard.loader);
    if let Ok(url) = Url::parse(&heard.url)
        && matches!(url.scheme(), "http" | "https")
    {
        visit.final_url = url;
    }
    visit.notes = findings.notes;
    visit.made = findings.made;
    visit.scripts = findings.scripts;
    visit.handled = findings.handled;
    for (left_out, what) in [
        (heard.log.left_out, "requests"),
        (heard.errors.left_out, "errors"),
    ] {
        if left_out > 0 {
            visit
                .notes
                .push(format!("{left_out} more {what} are not listed"));
        }
    }
    visit.requests = heard.log.into_entries();
    visit.reads = heard.reads.map(ReadLog::into_reads);
    visit.console_errors = heard.errors.into_errors();
    (visit.dialogs, visit.popups) = (heard.dialogs, heard.popups);
    visit.downloads = heard.downloads;
    visit.quiet_after = progress.quiet_after;
    visit.took = terms.began.elapsed();
    if let Some(reading) = findings.reading {
        visit.add_reading(reading);
    }
    if let Some(shot) = findings.shot {
        if shot.cut {
            visit
                .notes
                .push("the screenshot does not reach the page's end".to_owned());
        }
        visit.moving = shot.moving;
        (visit.screenshot, visit.thumbnail) = (Some(shot.whole), shot.thumbnail);
    }
    visit
}

impl Visit {
    fn add_reading(&mut self, reading: Reading) {
        (self.title, self.text, self.links) = (reading.title, reading.text, reading.links);
        (self.frames, self.client) = (reading.frames, reading.client);
        if reading.silent_frames > 0 {
            let note = format!("{} frames could not be read", reading.silent_frames);
            self.notes.push(note);
        }
    }
}
