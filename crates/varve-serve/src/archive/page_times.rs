//! When the pages of a layer were visited: what tells which layer a page belongs to.

use super::opened::PageLine;
use std::path::Path;
use varve_model::Timestamp;
use varve_store::fs::Fs;
use varve_store::index::CdxjFile;
use varve_store::{Result, StoreError};

/// Pages of a layer whose times are kept; the span of all counts in any case.
const MAX_TIMES: usize = 1_000_000;
/// A moment further than this from every page of a layer, and outside its span, is not of it.
const FAR: u64 = 60_000;

/// The times of a layer's pages, in milliseconds, in order, and how many pages there are.
#[derive(Debug, Default)]
pub(super) struct PageTimes {
    times: Vec<i64>,
    pages: u64,
}

impl PageTimes {
    /// Reads a layer's page list. One that is not there has no pages.
    pub(super) fn read(fs: &Fs, path: &Path) -> Result<PageTimes> {
        let kind = fs.kind(path).map_err(StoreError::io(path, "look at"))?;
        if kind.is_none() {
            return Ok(PageTimes::default());
        }
        let mut lines = CdxjFile::open(fs, path)?.start();
        let (mut times, mut pages) = (Vec::new(), 0);
        while let Some(line) = lines.next_line()? {
            let Ok(page) = serde_json::from_slice::<PageLine>(line) else {
                continue;
            };
            pages += 1;
            times.extend(page.time().map(Timestamp::unix_millis));
        }
        Ok(PageTimes::new(times, pages))
    }

    fn new(mut times: Vec<i64>, pages: u64) -> PageTimes {
        times.sort_unstable();
        if times.len() > MAX_TIMES {
            let last = times[times.len() - 1];
            times.truncate(MAX_TIMES - 1);
            times.push(last);
        }
        PageTimes { times, pages }
    }

    /// How many pages there are.
    pub(super) fn pages(&self) -> u64 {
        self.pages
    }

    /// When the first and the last page were visited.
    pub(super) fn span(&self) -> Option<(Timestamp, Timestamp)> {
        let moment = |millis: &i64| Timestamp::from_unix_millis(*millis);
        let (first, last) = (self.times.first()?, self.times.last()?);
        Some((moment(first)?, moment(last)?))
    }

    /// How far the nearest page is; `None` if the moment is not of this layer.
    pub(super) fn distance(&self, time: Timestamp) -> Option<u64> {
        let at = time.unix_millis();
        let after = self.times.partition_point(|page| *page < at);
        let near = [after.checked_sub(1), Some(after)];
        let near = near.into_iter().flatten().filter_map(|i| self.times.get(i));
        let far = near.map(|page| page.abs_diff(at)).min()?;
        let within = after > 0 && after < self.times.len();
        (within || far <= FAR).then_some(far)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn a_moment_belongs_to_pages_near_it_or_around_it() {
        let at = |millis| Timestamp::from_unix_millis(millis).unwrap();
        let times = PageTimes::new(vec![5_000_000, 1_000_000], 2);
        for (moment, distance) in [
            (1_000_000, Some(0)),
            (1_030_000, Some(30_000)),
            (940_000, Some(60_000)),
            (939_999, None),
            (3_500_000, Some(1_500_000)),
            (5_060_001, None),
        ] {
            assert_eq!(times.distance(at(moment)), distance, "{moment}");
        }
        assert_eq!(PageTimes::default().distance(at(0)), None);
    }
}
