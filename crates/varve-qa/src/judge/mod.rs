//! From what was seen at capture and in replay to findings.
//!
//! Each part looks at all visits to a page at once. A finding is what all of them show: what only
//! one shows depends on the moment, and is noted.

mod console;
mod page;
mod picture;
mod requests;
mod text;

pub(crate) use picture::difference_image;

use crate::capture::Before;
use crate::finding::{Finding, Kind};
use crate::names::Names;
use crate::report::{Comparison, PictureReport, RequestCounts, TextReport};
use crate::stage::Replayed;
use picture::Compared;
use std::collections::BTreeSet;

/// What was found out about a page.
pub(crate) struct Judgement {
    pub(crate) findings: Vec<Finding>,
    /// What is worth knowing and is nobody's fault.
    pub(crate) notes: Vec<String>,
    pub(crate) requests: RequestCounts,
    pub(crate) console: Comparison,
    pub(crate) picture: PictureReport,
    pub(crate) text: TextReport,
    /// The pictures point by point, if they could be compared.
    pub(crate) compared: Option<Compared>,
}

/// What one part of the judgement says.
#[derive(Default)]
struct Said {
    findings: Vec<Finding>,
    notes: Vec<String>,
}

/// Judges a page by visits to it.
pub(crate) fn judge(before: &Before, visits: &[Replayed], names: &Names) -> Judgement {
    let log = before.log.as_ref();
    let mut notes = Vec::new();
    let each = visits.iter().map(|replayed| {
        let mut said = page::judge(log, replayed, names);
        said.add(requests::judge(before, replayed, names));
        said.add(console::judge(log, replayed, names));
        said
    });
    let mut findings = agreed(each.collect(), &mut notes);
    let (picture, compared) = picture::judge(before, visits);
    let text = text::judge(log, visits, names);
    // Where there is no page, or another one, it is no wonder that it looks different.
    let is_there = findings.iter().all(|finding| finding.kind != Kind::Page);
    let at_rest = log.is_none_or(|log| log.is_at_rest());
    for finding in [picture::finding(&picture), text::finding(&text)] {
        match finding {
            Some(finding) if is_there && at_rest => findings.push(finding),
            Some(finding) if is_there => {
                let why = "the page was not at rest when it was captured";
                notes.push(format!("{}: {} ({why})", finding.kind.name(), finding.what));
            }
            _ => {}
        }
    }
    Judgement {
        requests: requests::count(log, visits, names),
        console: match log {
            Some(_) => Comparison::Compared,
            None => Comparison::NotRecorded,
        },
        findings,
        notes,
        picture,
        text,
        compared,
    }
}

impl Said {
    fn add(&mut self, other: Said) {
        self.findings.extend(other.findings);
        self.notes.extend(other.notes);
    }
}

/// What all visits say. What only some say is noted.
fn agreed(said: Vec<Said>, notes: &mut Vec<String>) -> Vec<Finding> {
    let subjects = |said: &Said| -> BTreeSet<(Kind, String)> {
        let subjects = said.findings.iter().map(Finding::subject);
        subjects.map(|(kind, of)| (kind, of.to_owned())).collect()
    };
    let of_each: Vec<_> = said.iter().map(subjects).collect();
    let mut told = BTreeSet::new();
    let mut agreed = Vec::new();
    for said in said {
        for note in said.notes {
            if !notes.contains(&note) {
                notes.push(note);
            }
        }
        for finding in said.findings {
            let (kind, of) = finding.subject();
            let subject = (kind, of.to_owned());
            if !told.insert(subject.clone()) {
                continue;
            }
            if of_each.iter().all(|subjects| subjects.contains(&subject)) {
                agreed.push(finding);
            } else {
                let url = finding.url.map_or(String::new(), |url| format!("{url}: "));
                let (kind, what) = (kind.name(), finding.what);
                notes.push(format!("only in one visit: {kind}: {url}{what}"));
            }
        }
    }
    agreed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_all_visits_say_is_held_against_a_page() {
        let said = |urls: &[&str]| Said {
            findings: urls
                .iter()
                .map(|url| Finding::about(Kind::Missing, url, "not there"))
                .collect(),
            notes: Vec::new(),
        };
        let mut notes = Vec::new();
        let found = agreed(vec![said(&["a", "b", "b"]), said(&["b", "c"])], &mut notes);
        assert_eq!(found, [Finding::about(Kind::Missing, "b", "not there")]);
        assert_eq!(
            notes,
            [
                "only in one visit: missing: a: not there",
                "only in one visit: missing: c: not there"
            ]
        );
    }
}
