//! Whether the page came, and is the one that was captured.

use super::Said;
use crate::capture::VisitLog;
use crate::finding::{Finding, Kind};
use crate::names::Names;
use crate::stage::Replayed;
use url::Url;
use varve_browser::Outcome;

pub(super) fn judge(log: Option<&VisitLog>, replayed: &Replayed, names: &Names) -> Said {
    let fault = fault(log, replayed, names).map(|what| Finding::new(Kind::Page, what));
    Said {
        findings: fault.into_iter().collect(),
        notes: Vec::new(),
    }
}

fn fault(log: Option<&VisitLog>, replayed: &Replayed, names: &Names) -> Option<String> {
    let visit = &replayed.visit;
    let outcome = visit.outcome.reason();
    let same_outcome = log.is_some_and(|log| log.outcome == outcome);
    // What nobody has seen in a browser may be a file that browsers save.
    let is_file = log.is_none() && matches!(visit.outcome, Outcome::Download);
    if !visit.outcome.is_ok() && !same_outcome && !is_file {
        return Some(format!("it does not come: {outcome}"));
    }
    let place = without_fragment(visit.final_url.as_str());
    let mut answers = replayed.passed.answers.iter().rev();
    let answer = answers.find(|answer| without_fragment(&answer.url) == place);
    if answer.is_some_and(|answer| answer.is_notice) {
        let status = visit.status.unwrap_or_default();
        return Some(match status {
            404 => "it is not in the archive".to_owned(),
            _ => format!("the archive cannot show it (status {status})"),
        });
    }
    let log = log?;
    if log.status.is_some() && visit.status.is_some() && log.status != visit.status {
        let (then, now) = (log.status?, visit.status?);
        return Some(format!("its status was {then} and is {now}"));
    }
    let now = names.archived(visit.final_url.as_str())?;
    let elsewhere = place_of(&now)? != place_of(&log.final_url)?;
    elsewhere.then(|| format!("it led to {} and leads to {now}", log.final_url))
}

fn without_fragment(url: &str) -> &str {
    url.split('#').next().unwrap_or(url)
}

/// The host and path of a URL. What scripts add behind it says less.
fn place_of(url: &str) -> Option<(String, String)> {
    let url = Url::parse(url).ok()?;
    Some((url.host_str()?.to_owned(), url.path().to_owned()))
}
