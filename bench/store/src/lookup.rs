//! `MergedIndex::closest`, timed call by call in a process that does nothing else.

use crate::captures::{moment, url_count};
use crate::dice::Dice;
use crate::sorting::file_system;
use crate::urls::{Url, Urls};
use anyhow::{Result, ensure};
use serde_json::{Value, json};
use std::path::Path;
use std::time::{Duration, Instant};
use varve_model::{Surt, Timestamp};
use varve_store::index::{LayerIndex, MergedIndex};

/// Which keys are looked up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Keys {
    /// Of URLs in the archive.
    Existing,
    /// Of URLs that lie between those in the archive.
    Absent,
}

impl Keys {
    pub(crate) fn parse(text: &str) -> Option<Keys> {
        match text {
            "existing" => Some(Keys::Existing),
            "absent" => Some(Keys::Absent),
            _ => None,
        }
    }
}

/// Looks up random keys, each at a random time: `warmup` of them untimed, then `times`.
pub(crate) fn measure(
    dir: &Path,
    captures: u64,
    keys: Keys,
    warmup: u64,
    times: u64,
) -> Result<Value> {
    let urls = Urls::new(url_count(captures));
    let began = Instant::now();
    let index = MergedIndex::new(vec![(0, LayerIndex::open(&file_system(), dir)?)]);
    let opened = began.elapsed();
    let mut lookups = Lookups {
        index,
        urls,
        captures,
        keys,
        url: Url::default(),
        dice: Dice::new(77),
    };
    for _ in 0..warmup {
        lookups.next()?;
    }
    let mut took = (0..times)
        .map(|_| lookups.next())
        .collect::<Result<Vec<_>>>()?;
    took.sort_unstable();
    let micros = |duration: Duration| duration.as_nanos() as f64 / 1000.0;
    let at = |percent: usize| took.get(took.len() * percent / 100).copied().map(micros);
    Ok(json!({
        "lookups": times,
        "open_us": micros(opened),
        "mean_us": micros(took.iter().sum()) / times as f64,
        "p50_us": at(50),
        "p99_us": at(99),
    }))
}

struct Lookups {
    index: MergedIndex,
    urls: Urls,
    captures: u64,
    keys: Keys,
    url: Url,
    dice: Dice,
}

impl Lookups {
    /// Looks up one key and says how long it took.
    fn next(&mut self) -> Result<Duration> {
        let number = self.dice.below(url_count(self.captures));
        match self.keys {
            Keys::Existing => self.urls.get(number, &mut self.url),
            Keys::Absent => self.urls.absent(number, &mut self.url),
        }
        let key = Surt::from_key(String::from_utf8(self.url.key.clone())?);
        let at = Timestamp::parse(std::str::from_utf8(&moment(&mut self.dice))?)?;
        let began = Instant::now();
        let found = self.index.closest(&key, at)?;
        let took = began.elapsed();
        let expected = self.keys == Keys::Existing;
        let right = found.is_some_and(|hit| hit.capture.key == key) == expected;
        ensure!(
            right,
            "{key} is {}",
            if expected { "not found" } else { "found" }
        );
        Ok(took)
    }
}
