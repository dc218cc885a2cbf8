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
            stop: self.stop.clone(),
        };
        check(&options, |_, all| told(all)).await
    }
}

/// The pages that are worse than before.
pub(crate) fn worse(before: &Report, after: &Report) -> Vec<PageName> {
    let name = |page: &PageReport| (page.url.clone(), page.time.clone());
    let known: HashMap<PageName, &PageReport> =
        before.pages.iter().map(|page| (name(page), page)).collect();
    let is_worse = |page: &&PageReport| match known.get(&name(page)) {
        Some(before) => is_worse(before, page),
        None => !page.findings.is_empty(),
    };
    after.pages.iter().filter(is_worse).map(name).collect()
}

fn is_worse(before: &PageReport, after: &PageReport) -> bool {
    let more = |kind: &Kind| after.count(*kind) > before.count(*kind);
    let looks = after.picture.differing_pixels > before.picture.differing_pixels;
    let says = after.text.differing_percent > before.text.differing_percent;
    Kind::ALL.iter().any(more) || looks || says
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
