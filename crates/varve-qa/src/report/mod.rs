//! What a check comes to, as it stands in `report.json`.

mod files;
mod html;

pub(crate) use files::{PagePictures, ReportDir};

use crate::finding::{Finding, Kind};
use crate::options::Thresholds;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use varve_store::collection::PartsKey;

/// The outcome of a check.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// The collection that was checked.
    pub collection: String,
    /// When, as W3C date and time.
    pub time: String,
    /// The version of the program.
    pub version: &'static str,
    /// What was allowed.
    pub thresholds: Thresholds,
    /// All in figures.
    pub summary: Summary,
    /// Functions that pages called although they had been taken out of their scripts: the script,
    /// and which of its parts.
    #[serde(skip)]
    pub restored: Vec<(PartsKey, usize)>,
    /// Every page that was checked, in the order of the page list.
    pub pages: Vec<PageReport>,
}

/// A check in figures.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Summary {
    /// Pages that there are to choose from.
    pub pages: usize,
    /// Pages that were checked.
    pub checked: usize,
    /// Pages that are within the thresholds.
    pub good: usize,
    /// Pages that are not.
    pub bad: usize,
    /// Pages that no browser had visited at capture, so that only their requests can be judged.
    pub without_visit: usize,
    /// Findings of each kind.
    pub findings: BTreeMap<&'static str, usize>,
    /// Functions that had been taken out of scripts and were called: those that were there.
    pub restored: usize,
    /// And those that were not.
    pub not_restored: usize,
    /// How often the archive looked something up in its index, for all of that.
    pub index_look_ups: u64,
    /// Whether it was ended before all chosen pages were checked.
    pub interrupted: bool,
}

/// Whether a page is within the thresholds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// It is.
    Good,
    /// It is not.
    Bad,
}

/// Whether something could be compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Comparison {
    /// It was.
    Compared,
    /// Nothing was recorded at capture to compare with.
    NotRecorded,
    /// It was recorded, but there is nothing to compare with it, or not all of it.
    NotComparable,
}

impl Comparison {
    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            Comparison::Compared => "compared",
            Comparison::NotRecorded => "not recorded at capture",
            Comparison::NotComparable => "could not be compared",
        }
    }
}

/// A page that was checked.
#[derive(Clone, Debug, Serialize)]
pub struct PageReport {
    /// Its URL.
    pub url: String,
    /// When it was captured, as 14 digits.
    pub time: String,
    /// Its title.
    pub title: Option<String>,
    /// Whether it is good.
    pub verdict: Verdict,
    /// Everything that is wrong, the gravest first.
    pub findings: Vec<Finding>,
    /// What is worth knowing and is nobody's fault.
    pub notes: Vec<String>,
    /// Its requests.
    pub requests: RequestCounts,
    /// Whether its complaints could be compared.
    pub console: Comparison,
    /// How it looks.
    pub picture: PictureReport,
    /// What it says.
    pub text: TextReport,
    /// The states of the document after handlers of events, if they were run.
    #[serde(skip)]
    pub states: Vec<u32>,
    /// How often it was visited.
    pub visits: usize,
    /// How long that took, in milliseconds.
    pub ms: u64,
}

/// The requests of a page in its first visit.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct RequestCounts {
    /// All that were asked of the archive.
    pub asked: usize,
    /// Those that a capture answered.
    pub answered: usize,
    /// By which rules captures were found.
    pub matched: BTreeMap<String, usize>,
    /// Those that are not in the archive.
    pub missing: usize,
    /// Those that the archive could not answer.
    pub failed: usize,
    /// Those that were not for the archive.
    pub leaked: usize,
    /// What was received at capture and not asked for in replay, the query aside.
    pub unasked: BTreeSet<String>,
}

/// How a page looks.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PictureReport {
    /// Whether it could be compared.
    pub compared: Comparison,
    /// Pixels that differ.
    pub differing_pixels: usize,
    /// Their share.
    pub differing_percent: f64,
    /// The share of those that were left out because they move.
    pub not_compared_percent: f64,
    /// Where the pictures are, relative to the report.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub files: Option<PictureFiles>,
}

/// Where pictures are, relative to the report.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct PictureFiles {
    /// At capture.
    pub capture: Option<String>,
    /// In replay.
    pub replay: Option<String>,
    /// What differs.
    pub difference: Option<String>,
}

/// What a page says.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TextReport {
    /// Whether it could be compared.
    pub compared: Comparison,
    /// The share of letters in lines that differ.
    pub differing_percent: f64,
    /// Some lines that are gone.
    pub gone: Vec<String>,
    /// Some lines that are new.
    pub new: Vec<String>,
}

impl PictureReport {
    pub(crate) fn not_compared(why: Comparison) -> PictureReport {
        PictureReport {
            compared: why,
            differing_pixels: 0,
            differing_percent: 0.0,
            not_compared_percent: 100.0,
            files: None,
        }
    }
}

impl TextReport {
    pub(crate) fn not_compared(why: Comparison) -> TextReport {
        TextReport {
            compared: why,
            differing_percent: 0.0,
            gone: Vec::new(),
            new: Vec::new(),
        }
    }
}

impl PageReport {
    /// How many findings of a kind it has.
    pub fn count(&self, kind: Kind) -> usize {
        self.findings
            .iter()
            .filter(|finding| finding.kind == kind)
            .count()
    }

    /// Judges by what may be wrong.
    pub(crate) fn decide(&mut self, allowed: &Thresholds) {
        let bad = Kind::ALL.into_iter().any(|kind| match kind {
            Kind::Page | Kind::Leaked => self.count(kind) > 0,
            Kind::Missing => self.count(kind) > allowed.missing,
            Kind::Failed => self.count(kind) > allowed.failed,
            Kind::Console => self.count(kind) > allowed.errors,
            Kind::Picture => {
                self.count(kind) > 0 && self.picture.differing_percent > allowed.picture
            }
            Kind::Text => self.count(kind) > 0 && self.text.differing_percent > allowed.text,
        });
        self.verdict = if bad { Verdict::Bad } else { Verdict::Good };
        self.findings.sort_by_key(|finding| finding.kind);
    }

    /// What comes first where the worst come first.
    fn badness(&self) -> impl Ord + use<> {
        let counts = Kind::ALL.map(|kind| self.count(kind));
        let picture = (self.picture.differing_percent * 1000.0) as u64;
        (self.verdict == Verdict::Bad, counts, picture)
    }
}

impl Summary {
    pub(crate) fn new(pages: &[PageReport], all: usize, interrupted: bool) -> Summary {
        let mut findings = BTreeMap::new();
        for finding in pages.iter().flat_map(|page| &page.findings) {
            *findings.entry(finding.kind.name()).or_default() += 1;
        }
        let good = pages
            .iter()
            .filter(|page| page.verdict == Verdict::Good)
            .count();
        let blind = pages
            .iter()
            .filter(|page| page.console == Comparison::NotRecorded);
        Summary {
            restored: 0,
            not_restored: 0,
            index_look_ups: 0,
            pages: all,
            checked: pages.len(),
            good,
            bad: pages.len() - good,
            without_visit: blind.count(),
            findings,
            interrupted,
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A page with these findings.
    pub(crate) fn page(findings: Vec<Finding>) -> PageReport {
        PageReport {
            states: Vec::new(),
            url: "https://a.test/".to_owned(),
            time: "20260101000000".to_owned(),
            title: None,
            verdict: Verdict::Good,
            findings,
            notes: Vec::new(),
            requests: RequestCounts::default(),
            console: Comparison::Compared,
            picture: PictureReport::not_compared(Comparison::NotRecorded),
            text: TextReport::not_compared(Comparison::NotRecorded),
            visits: 1,
            ms: 1,
        }
    }

    fn verdict(kinds: &[Kind], allowed: Thresholds) -> Verdict {
        let findings = kinds.iter().map(|kind| Finding::new(*kind, "what"));
        let mut page = page(findings.collect());
        (page.picture.differing_percent, page.text.differing_percent) = (2.0, 2.0);
        page.decide(&allowed);
        page.verdict
    }

    #[test]
    fn anything_is_too_much_if_nothing_is_allowed() {
        assert_eq!(verdict(&[], Thresholds::default()), Verdict::Good);
        for kind in Kind::ALL {
            let found = verdict(&[kind], Thresholds::default());
            assert_eq!(found, Verdict::Bad, "{kind:?}");
        }
    }

    #[test]
    fn what_is_allowed_is_good() {
        let allowed = Thresholds {
            missing: 1,
            failed: 1,
            errors: 1,
            picture: 2.0,
            text: 2.0,
        };
        for kind in Kind::ALL {
            let never = matches!(kind, Kind::Page | Kind::Leaked);
            let expected = if never { Verdict::Bad } else { Verdict::Good };
            assert_eq!(verdict(&[kind], allowed), expected, "{kind:?}");
        }
        for kind in [Kind::Missing, Kind::Failed, Kind::Console] {
            assert_eq!(verdict(&[kind, kind], allowed), Verdict::Bad, "{kind:?}");
        }
    }
}
