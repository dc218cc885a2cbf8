//! Replays of a collection before and after.

use std::collections::{HashMap, HashSet};
use std::io::Read;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use varve_qa::{Choice, Kind, PageReport, QaError, QaOptions, Report, Thresholds, check};
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
            handlers: true,
            stop: self.stop.clone(),
        };
        check(&options, |_, all| told(all)).await
    }
}

/// Replays before anything was changed: twice, to know what differs by chance.
pub(crate) struct Before {
    first: HashMap<PageName, PageReport>,
    second: HashMap<PageName, PageReport>,
}

impl Before {
    pub(crate) fn new(first: Report, second: Report) -> Before {
        let by_name = |report: Report| {
            let pages = report.pages.into_iter();
            pages.map(|page| (name(&page), page)).collect()
        };
        Before {
            first: by_name(first),
            second: by_name(second),
        }
    }

    /// The pages that are worse than before.
    pub(crate) fn worse(&self, after: &Report) -> Vec<PageName> {
        let is_worse = |page: &&PageReport| self.is_worse(page);
        after.pages.iter().filter(is_worse).map(name).collect()
    }

    fn is_worse(&self, after: &PageReport) -> bool {
        let name = name(after);
        match (self.first.get(&name), self.second.get(&name)) {
            (Some(first), Some(second)) => {
                is_worse(first, after) && is_worse(second, after)
                    || does_otherwise(&first.states, &second.states, &after.states)
            }
            _ => !after.findings.is_empty(),
        }
    }
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

/// Whether handlers brought about something else. Only what was the same twice before counts.
fn does_otherwise(first: &[u32], second: &[u32], after: &[u32]) -> bool {
    if first.len() != second.len() {
        return false;
    }
    let steady = first.iter().zip(second).map(|(one, other)| one == other);
    let same = after.iter().zip(first).map(|(is, was)| is == was);
    first.len() != after.len() || steady.zip(same).any(|(steady, same)| steady && !same)
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
    fn only_what_was_steady_counts() {
        let check = |first: &[u32], second: &[u32], after: &[u32], expected: bool| {
            assert_eq!(does_otherwise(first, second, after), expected, "{after:?}");
        };
        check(&[1, 2, 3], &[1, 2, 3], &[1, 2, 3], false);
        check(&[1, 2, 3], &[1, 2, 3], &[1, 2, 4], true);
        check(&[1, 2, 3], &[1, 2, 9], &[1, 2, 4], false);
        check(&[1, 2, 3], &[1, 2, 9], &[1, 4, 3], true);
        // A handler that is gone, or one that hangs.
        check(&[1, 2, 3], &[1, 2, 3], &[1, 2], true);
        check(&[1, 2, 3], &[1, 2], &[1], false);
        check(&[], &[], &[], false);
    }
}
