//! Replays of a collection before and after.

use serde::Serialize;
use std::collections::{HashMap, HashSet};
use std::io::Read;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use varve_qa::{
    Choice, Kind, PageReport, Pattern, QaError, QaOptions, Report, Thresholds, Visitor, check,
};
use varve_serve::Means;
use varve_store::collection::Collection;
use varve_store::index::{MergedIndex, Query};

/// Longer logs of visits are not read.
const MAX_LOG: u64 = 64 << 20;

/// A page, as its list has it: URL and time.
type PageName = (String, String);

/// A page that is worse than before, and in what.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Worse {
    /// Its URL.
    pub url: String,
    /// When it was captured, as 14 digits.
    pub time: String,
    /// What differs: kinds of findings, or which of its handlers brings about something else.
    pub how: Vec<String>,
}

/// How to replay.
pub(crate) struct Verifier {
    pub(crate) choice: Choice,
    /// Only these pages, if they are named.
    pub(crate) only: Option<Pattern>,
    pub(crate) workers: usize,
    pub(crate) stop: Arc<AtomicBool>,
}

impl Verifier {
    /// Replays pages of a collection; `told` hears of each.
    pub(crate) async fn replay(
        &self,
        collection: &Path,
        report: &Path,
        mut told: impl FnMut(usize),
    ) -> Result<Report, QaError> {
        let options = QaOptions {
            collection: collection.to_owned(),
            choice: self.choice,
            pattern: self.only.clone(),
            workers: self.workers,
            report: report.to_owned(),
            thresholds: Thresholds::default(),
            visitor: Visitor::Stranger,
            means: Means::default(),
            handlers: true,
            stop: self.stop.clone(),
        };
        check(&options, |_, all| told(all)).await
    }
}

/// Replays before anything was changed: several, to know what differs by chance.
#[derive(Default)]
pub(crate) struct Before {
    replays: Vec<HashMap<PageName, PageReport>>,
    /// How many of them are of all pages.
    of_all: usize,
}

impl Before {
    /// How many there are of all pages.
    pub(crate) fn of_all(&self) -> usize {
        self.of_all
    }

    /// Adds one of all pages.
    pub(crate) fn add(&mut self, replay: Report) {
        self.add_some(replay);
        self.of_all += 1;
    }

    /// Adds one of some pages.
    pub(crate) fn add_some(&mut self, replay: Report) {
        let pages = replay.pages.into_iter();
        let pages = pages.map(|page| (name(&page), page));
        self.replays.push(pages.collect());
    }

    /// The pages that are worse than before, in each of these replays.
    pub(crate) fn worse(&self, after: &[Report]) -> Vec<Worse> {
        let pages = after.first().map_or(&[][..], |first| &first.pages);
        let worse = pages.iter().filter_map(|page| {
            let how = self.how(page, &same(after, page));
            (!how.is_empty()).then(|| Worse {
                url: page.url.clone(),
                time: page.time.clone(),
                how,
            })
        });
        worse.collect()
    }

    /// In what a page is worse each time; nothing if it is not.
    fn how(&self, page: &PageReport, after: &[&PageReport]) -> Vec<String> {
        let before = self.all_of(page);
        let mut how = Vec::new();
        if before.len() < self.of_all {
            // It did not come each time before.
            if after.iter().all(|page| !page.findings.is_empty()) {
                how.extend(page.findings.iter().map(|it| it.kind.name().to_owned()));
                how.dedup();
            }
            return how;
        }
        let worse_now = |page: &PageReport| before.iter().all(|it| !worse_in(it, page).is_empty());
        if after.iter().all(|page| worse_now(page)) {
            let words = before.iter().flat_map(|it| worse_in(it, page));
            how.extend(words.map(str::to_owned));
            how.sort_unstable();
            how.dedup();
        }
        how.extend(does_otherwise(&states(&before), &states(after)));
        how
    }

    /// A page in all replays that have it.
    pub(crate) fn all_of(&self, page: &PageReport) -> Vec<&PageReport> {
        let name = name(page);
        let replays = self.replays.iter();
        replays.filter_map(|pages| pages.get(&name)).collect()
    }
}

/// A page in all of these replays.
pub(crate) fn same<'r>(replays: &'r [Report], page: &PageReport) -> Vec<&'r PageReport> {
    let pages = replays.iter().flat_map(|replay| &replay.pages);
    pages
        .filter(|it| it.url == page.url && it.time == page.time)
        .collect()
}

/// What handlers brought about, in each.
pub(crate) fn states<'p>(pages: &[&'p PageReport]) -> Vec<&'p [u32]> {
    pages.iter().map(|page| page.states.as_slice()).collect()
}

fn name(page: &PageReport) -> PageName {
    (page.url.clone(), page.time.clone())
}

/// In what one replay of a page is worse than another.
fn worse_in(before: &PageReport, after: &PageReport) -> Vec<&'static str> {
    let looks = after.picture.differing_pixels > before.picture.differing_pixels;
    let says = after.text.differing_percent > before.text.differing_percent;
    let is_worse = |kind: &Kind| {
        after.count(*kind) > before.count(*kind)
            || *kind == Kind::Picture && looks
            || *kind == Kind::Text && says
    };
    let worse = Kind::ALL.into_iter().filter(is_worse);
    worse.map(Kind::name).collect()
}

/// Whether handlers brought about something else, or are gone, in words.
fn does_otherwise(before: &[&[u32]], after: &[&[u32]]) -> Option<String> {
    let longest = after.iter().map(|list| list.len()).max().unwrap_or(0);
    if 2 * longest < shortest(before) {
        let all = shortest(before);
        return Some(format!("only {longest} of {all} handlers could be run"));
    }
    // What one brought about is seen before the next one.
    let first = others(before, after).first()?.saturating_sub(1);
    Some(format!("handler {first} brings about something else"))
}

/// What handlers brought about: how many effects can be compared, and how many of them are others now.
/// Only what was the same each time before counts, and only what is the same each time now: the rest
/// is chance. Some handlers may not have had their turn.
pub(crate) fn effects(before: &[&[u32]], after: &[&[u32]]) -> (usize, usize) {
    (
        comparable(before, after).count(),
        others(before, after).len(),
    )
}

/// The places of effects that are others now.
fn others(before: &[&[u32]], after: &[&[u32]]) -> Vec<usize> {
    let others = comparable(before, after).filter(|(_, was, is)| was != is);
    others.map(|(at, ..)| at).collect()
}

/// Effects that are the same each time before, and each time after: their places, and both.
fn comparable(before: &[&[u32]], after: &[&[u32]]) -> impl Iterator<Item = (usize, u32, u32)> {
    let steady = |lists: &[&[u32]], at: usize| {
        let first = *lists.first()?.get(at)?;
        lists.iter().all(|list| list[at] == first).then_some(first)
    };
    let shared = shortest(before).min(shortest(after));
    (0..shared).filter_map(move |at| Some((at, steady(before, at)?, steady(after, at)?)))
}

fn shortest(lists: &[&[u32]]) -> usize {
    lists.iter().map(|list| list.len()).min().unwrap_or(0)
}

/// What a page asked for when it was captured.
pub(crate) fn asked_by(
    collection: &Collection,
    index: &MergedIndex,
    page: &str,
) -> HashSet<String> {
    let query = Query {
        url: format!("urn:varve:visit:{page}"),
        ..Query::default()
    };
    let hits = index.query(&query).ok();
    let mut asked = HashSet::new();
    for hit in hits.into_iter().flatten().filter_map(Result::ok) {
        let Ok(mut record) = collection.read(&hit) else {
            continue;
        };
        let mut bytes = Vec::new();
        let read = (&mut record).take(MAX_LOG).read_to_end(&mut bytes);
        let log: serde_json::Value = match read {
            Ok(_) => serde_json::from_slice(&bytes).unwrap_or_default(),
            Err(_) => continue,
        };
        let requests = log["requests"].as_array().into_iter().flatten();
        let urls = requests.filter_map(|request| request["url"].as_str());
        asked.extend(urls.map(str::to_owned));
    }
    asked
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_steady_counts() {
        let check = |first: &[u32], second: &[u32], after: &[&[u32]], expected: bool| {
            let before = [first, second];
            let otherwise = does_otherwise(&before, after);
            assert_eq!(otherwise.is_some(), expected, "{before:?} {after:?}");
        };
        check(&[1, 2, 3], &[1, 2, 3], &[&[1, 2, 3]], false);
        check(&[1, 2, 3], &[1, 2, 3], &[&[1, 2, 4]], true);
        check(&[1, 2, 3], &[1, 2, 3], &[&[1, 2, 4], &[1, 2, 4]], true);
        check(&[1, 2, 3], &[1, 2, 3], &[&[1, 2, 4], &[1, 2, 5]], false);
        check(&[1, 2, 3], &[1, 2, 9], &[&[1, 2, 4]], false);
        check(&[1, 2, 3], &[1, 2, 9], &[&[1, 4, 3]], true);
        // Those that had no turn tell nothing, unless most of them had none.
        check(&[1, 2, 3], &[1, 2, 3], &[&[1, 2]], false);
        check(&[1, 2, 3], &[1, 2, 3], &[&[1], &[]], true);
        check(&[], &[], &[&[]], false);
    }
}
