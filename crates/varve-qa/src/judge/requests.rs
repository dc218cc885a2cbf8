//! What the page asked for, and what became of it.
//!
//! The gate tells what was asked and how the archive answered; the browser tells what failed on
//! the way and what it was not allowed to ask. What was not answered at capture either is no fault
//! of the archive.

use super::Said;
use crate::capture::{Before, Requested, VisitLog};
use crate::finding::{Finding, Kind};
use crate::gate::Answer;
use crate::names::Names;
use crate::report::RequestCounts;
use crate::stage::Replayed;
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// A page that goes on does not wait for everything.
const GIVEN_UP: &str = "net::ERR_ABORTED";

/// With these the recorder tells a browser that a server gave no answer. Those of servers are in
/// the archive, and never missed.
const NO_ANSWER: [u16; 2] = [502, 504];

/// What became of a URL at capture.
enum Then<'a> {
    /// Nobody wrote it down.
    NotRecorded,
    /// It was not asked for.
    NotAsked,
    /// Without an answer.
    Unanswered,
    /// With one of these statuses; and whether a request failed all the same.
    Answered(&'a [u16], bool),
}

/// The requests of a visit by their URLs, and what got no answer in the whole crawl.
struct Known<'a> {
    visit: Option<BTreeMap<String, (Vec<u16>, bool)>>,
    unanswered: &'a HashSet<String>,
}

impl Known<'_> {
    fn new<'a>(log: Option<&VisitLog>, unanswered: &'a HashSet<String>) -> Known<'a> {
        let visit = log.map(|log| {
            let mut known: BTreeMap<String, (Vec<u16>, bool)> = BTreeMap::new();
            for request in &log.requests {
                let (statuses, failed) = known.entry(request.url.clone()).or_default();
                let status = request.status;
                statuses.extend(status.filter(|status| !NO_ANSWER.contains(status)));
                *failed |= request.error.is_some();
                for redirect in &request.redirects {
                    let (statuses, _) = known.entry(redirect.url.clone()).or_default();
                    statuses.push(redirect.status);
                }
            }
            known
        });
        Known { visit, unanswered }
    }

    fn then(&self, url: &str) -> Then<'_> {
        let of_visit = self.visit.as_ref().map(|visit| visit.get(url));
        match of_visit {
            None | Some(None) if self.unanswered.contains(url) => Then::Unanswered,
            None => Then::NotRecorded,
            Some(None) => Then::NotAsked,
            Some(Some((statuses, _))) if statuses.is_empty() => Then::Unanswered,
            Some(Some((statuses, failed))) => Then::Answered(statuses, *failed),
        }
    }
}

pub(super) fn judge(before: &Before, replayed: &Replayed, names: &Names) -> Said {
    let known = Known::new(before.log.as_ref(), &before.unanswered);
    let mut said = Said::default();
    for answer in &replayed.passed.answers {
        if let Some(url) = names.archived(&answer.url) {
            if answer.is_notice && matches!(known.then(&url), Then::Unanswered) {
                let why = "not in the archive, and got no answer at capture";
                said.notes.push(format!("{url}: {why}"));
            }
            said.findings.extend(answered(&known, &url, answer));
        }
    }
    let found: BTreeSet<String> = said
        .findings
        .iter()
        .filter_map(|finding| finding.url.clone())
        .collect();
    for request in replayed.visit.failed_requests() {
        let error = request.error.as_deref().unwrap_or_default();
        let outside = names.is_outside(&request.url);
        match names.archived(&request.url) {
            Some(url) if error != GIVEN_UP && !found.contains(&url) => {
                failed(&mut said, &known, &url, error);
            }
            None if outside => said.findings.extend(stopped(&known, &request.url, error)),
            _ => {}
        }
    }
    for line in &replayed.passed.leaked {
        let what = "asked for outside of the archive, and refused";
        let url = line.split_once(' ').map_or(line.as_str(), |(_, url)| url);
        said.findings.push(Finding::about(Kind::Leaked, url, what));
    }
    said
}

/// What is wrong with an answer of the archive.
fn answered(known: &Known<'_>, url: &str, answer: &Answer) -> Option<Finding> {
    let status = answer.status?;
    let then = known.then(url);
    if answer.is_notice && status == 404 {
        let what = match then {
            Then::Unanswered => return None,
            Then::NotRecorded => "not in the archive; what it was at capture is not known".into(),
            Then::NotAsked => "not in the archive, and not asked for at capture".into(),
            Then::Answered(statuses, _) => {
                format!(
                    "not in the archive, and was answered at capture ({})",
                    list(statuses)
                )
            }
        };
        return Some(Finding::about(Kind::Missing, url, what));
    }
    match then {
        Then::Unanswered => None,
        _ if answer.is_notice => {
            let what = format!("the archive cannot show it (status {status})");
            Some(Finding::about(Kind::Failed, url, what))
        }
        Then::Answered(statuses, _) if status >= 400 && !statuses.contains(&status) => {
            let what = format!("answered with {status}, at capture with {}", list(statuses));
            Some(Finding::about(Kind::Failed, url, what))
        }
        _ => None,
    }
}

/// A request for something archived of which nothing came.
fn failed(said: &mut Said, known: &Known<'_>, url: &str, error: &str) {
    match known.then(url) {
        Then::Unanswered | Then::Answered(_, true) => {}
        Then::NotRecorded => {
            let why = "what it was at capture is not known";
            said.notes.push(format!("failed: {url}: {error} ({why})"));
        }
        Then::NotAsked | Then::Answered(_, false) => {
            said.findings.push(Finding::about(Kind::Failed, url, error));
        }
    }
}

/// A request to somewhere else, which the browser stopped.
fn stopped(known: &Known<'_>, url: &str, error: &str) -> Option<Finding> {
    let what = format!("asked for outside of the archive, and stopped: {error}");
    match known.then(url) {
        Then::Unanswered => None,
        _ => Some(Finding::about(Kind::Leaked, url, what)),
    }
}

fn list(statuses: &[u16]) -> String {
    let different: BTreeSet<&u16> = statuses.iter().collect();
    let words: Vec<String> = different.into_iter().map(u16::to_string).collect();
    words.join(", ")
}

/// How the archive answered the first visit.
pub(super) fn count(log: Option<&VisitLog>, visits: &[Replayed], names: &Names) -> RequestCounts {
    let mut counts = RequestCounts::default();
    let Some(replayed) = visits.first() else {
        return counts;
    };
    for answer in &replayed.passed.answers {
        // Preflights, and redirects to a page's own time, are answered without a capture.
        let is_ours = answer.matched.is_none() && !answer.is_notice;
        if is_ours || names.archived(&answer.url).is_none() {
            continue;
        }
        counts.asked += 1;
        if let Some(rule) = &answer.matched {
            counts.answered += 1;
            *counts.matched.entry(rule.clone()).or_default() += 1;
        } else if answer.is_notice {
            match answer.status {
                Some(404) => counts.missing += 1,
                _ => counts.failed += 1,
            }
        }
    }
    counts.leaked = replayed.passed.leaked.len();
    let asked = replayed.passed.answers.iter();
    let asked: Vec<String> = asked.filter_map(|it| names.archived(&it.url)).collect();
    let log = log.into_iter().flat_map(|log| &log.requests);
    counts.unasked = unasked(log, &asked);
    counts
}

/// What came at capture and was not asked for now. What stands in for another differs from it in
/// the query, so that does not count.
fn unasked<'a>(
    requests: impl Iterator<Item = &'a Requested>,
    asked: &[String],
) -> BTreeSet<String> {
    let path = |url: &str| url.split(['?', '#']).next().unwrap_or_default().to_owned();
    let asked: HashSet<String> = asked.iter().map(|url| path(url)).collect();
    let came = |request: &&Requested| {
        let is_there = request.status.is_some_and(|status| status < 400);
        is_there && request.error.is_none() && request.url.starts_with("http")
    };
    let came = requests.filter(came).map(|request| &request.url);
    came.filter(|url| !asked.contains(&path(url)))
        .cloned()
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::LazyLock;

    const LOG: &str = r#"{"requests": [
        {"url": "u:answered", "status": 200},
        {"url": "u:gone", "status": 404},
        {"url": "u:failed", "status": 200, "error": "net::ERR_FAILED"},
        {"url": "u:silent"},
        {"url": "u:dead", "status": 502},
        {"url": "u:end", "status": 200, "redirects": [{"url": "u:begin", "status": 302}]}
    ]}"#;

    static UNANSWERED: LazyLock<HashSet<String>> =
        LazyLock::new(|| HashSet::from(["u:lost".to_owned()]));

    fn known() -> Known<'static> {
        Known::new(Some(&serde_json::from_str(LOG).unwrap()), &UNANSWERED)
    }

    fn nothing_known() -> Known<'static> {
        Known::new(None, &UNANSWERED)
    }

    fn check(known: &Known<'_>, url: &str, status: u16, is_notice: bool, kind: Option<Kind>) {
        let answer = Answer {
            status: Some(status),
            is_notice,
            ..Answer::default()
        };
        let found = answered(known, url, &answer).map(|finding| finding.kind);
        assert_eq!(found, kind, "{url} {status}");
    }

    #[test]
    fn what_came_at_capture_and_is_not_asked_for_is_told() {
        let log = r#"{"requests": [
            {"url": "http://a/asked.png?1", "status": 200}, {"url": "http://a/other.png", "status": 200},
            {"url": "http://a/gone.png", "status": 404}, {"url": "data:,x", "status": 200}
        ]}"#;
        let log: VisitLog = serde_json::from_str(log).unwrap();
        let asked = ["http://a/asked.png?2".to_owned()];
        let unasked: Vec<String> = unasked(log.requests.iter(), &asked).into_iter().collect();
        assert_eq!(unasked, ["http://a/other.png"]);
    }

    #[test]
    fn what_the_archive_lacks_is_missing_unless_it_never_came() {
        check(&known(), "u:answered", 404, true, Some(Kind::Missing));
        check(&known(), "u:begin", 404, true, Some(Kind::Missing));
        check(&known(), "u:new", 404, true, Some(Kind::Missing));
        check(&known(), "u:silent", 404, true, None);
        check(&known(), "u:dead", 404, true, None);
        check(&known(), "u:lost", 404, true, None);
        check(&nothing_known(), "u:lost", 404, true, None);
        check(&nothing_known(), "u:any", 404, true, Some(Kind::Missing));
    }

    #[test]
    fn answers_are_compared_with_those_at_capture() {
        check(&known(), "u:answered", 200, false, None);
        check(&known(), "u:gone", 404, false, None);
        check(&known(), "u:answered", 404, false, Some(Kind::Failed));
        check(&known(), "u:new", 404, false, None);
        check(&nothing_known(), "u:any", 404, false, None);
    }

    #[test]
    fn damage_is_a_failure() {
        check(&known(), "u:answered", 502, true, Some(Kind::Failed));
        check(&nothing_known(), "u:any", 502, true, Some(Kind::Failed));
    }

    #[test]
    fn what_failed_at_capture_may_fail_again() {
        for (url, fails) in [("u:answered", true), ("u:new", true), ("u:failed", false)] {
            let mut said = Said::default();
            failed(&mut said, &known(), url, "net::ERR_FAILED");
            assert_eq!(!said.findings.is_empty(), fails, "{url}");
        }
    }
}
