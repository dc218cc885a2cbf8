//! Replays of a collection before and after.

use std::collections::{HashMap, HashSet};
use std::io::Read;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use varve_qa::{Choice, Kind, PageReport, QaError, QaOptions, Report, Thresholds, Visitor, check};
use varve_serve::Means;
use varve_store::collection::Collection;
use varve_store::index::{MergedIndex, Query};

/// Longer logs of visits are not read.
const MAX_LOG: u64 = 64 << 20;

/// A page, as its list has it: URL and time.
pub(crate) type PageName = (String, String);

/// How to replay.
pub(crate) struct Verifier {
    pub(crate) choice: Choice,
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
            pattern: None,
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
pub(crate) struct Before(Vec<HashMap<PageName, PageReport>>);

impl Before {
    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// Adds one.
    pub(crate) fn add(&mut self, replay: Report) {
        let pages = replay.pages.into_iter();
        self.0.push(pages.map(|page| (name(&page), page)).collect());
    }

    /// The pages that are worse than before, in each of these replays.
    pub(crate) fn worse(&self, after: &[Report]) -> Vec<PageName> {
        let pages = after.first().map_or(&[][..], |first| &first.pages);
        let is_worse = |page: &&PageReport| self.is_worse(&same(after, page));
        pages.iter().filter(is_worse).map(name).collect()
    }

    fn is_worse(&self, after: &[&PageReport]) -> bool {
        let Some(name) = after.first().map(|page| name(page)) else {
            return false;
        };
        let before = self.all_named(&name);
        if before.len() < self.len() {
            return after.iter().all(|page| !page.findings.is_empty());
        }
        let is_worse = |page: &&PageReport| before.iter().all(|before| is_worse(before, page));
        let (was, is) = (states(&before), states(after));
        after.iter().all(is_worse) || does_otherwise(&was, &is)
    }

    /// A page in all replays that have it.
    pub(crate) fn all_of(&self, page: &PageReport) -> Vec<&PageReport> {
        self.all_named(&name(page))
    }

    fn all_named(&self, name: &PageName) -> Vec<&PageReport> {
        self.0.iter().filter_map(|all| all.get(name)).collect()
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

fn is_worse(before: &PageReport, after: &PageReport) -> bool {
    let more = |kind: &Kind| after.count(*kind) > before.count(*kind);
    let looks = after.picture.differing_pixels > before.picture.differing_pixels;
    let says = after.text.differing_percent > before.text.differing_percent;
    Kind::ALL.iter().any(more) || looks || says
}

/// Whether handlers brought about something else, or are gone.
fn does_otherwise(before: &[&[u32]], after: &[&[u32]]) -> bool {
    let longest = after.iter().map(|list| list.len()).max().unwrap_or(0);
    2 * longest < shortest(before) || effects(before, after).1 > 0
}

/// What handlers brought about: how many effects can be compared, and how many of them are others now.
/// Only what was the same each time before counts, and only what is the same each time now: the rest
/// is chance. Some handlers may not have had their turn.
pub(crate) fn effects(before: &[&[u32]], after: &[&[u32]]) -> (usize, usize) {
    let steady = |lists: &[&[u32]], at: usize| {
        let first = *lists.first()?.get(at)?;
        lists.iter().all(|list| list[at] == first).then_some(first)
    };
    let (mut all, mut others) = (0, 0);
    for at in 0..shortest(before).min(shortest(after)) {
        if let Some((was, is)) = steady(before, at).zip(steady(after, at)) {
            all += 1;
            others += usize::from(was != is);
        }
    }
    (all, others)
}

fn shortest(lists: &[&[u32]]) -> usize {
    lists.iter().map(|list| list.len()).min().unwrap_or(0)
}

/// What a page asked for when it was captured.
pub(crate) fn asked_by(
    collection: &Collection,
    index: &MergedIndex,
    page: &PageName,
) -> HashSet<String> {
    let query = Query {
        url: format!("urn:varve:visit:{}", page.0),
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
            assert_eq!(otherwise, expected, "{before:?} {after:?}");
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
