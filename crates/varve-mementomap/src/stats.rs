//! The holdings of an archive in figures: how many mementos of how many originals, how evenly they
//! are spread, since when, and what shape the tree of keys has.

mod figures;
mod html;
mod text;

pub use html::html;
pub use text::text;

use crate::compact::{Compactor, Wildcards};
use crate::generate::url_surt;
use crate::key::key_of;
use crate::sort::{Sorter, merge, push_varint, varint};
use crate::{Fit, Frequency, Input, Record, Result, RollUp};
use figures::{depths, spread};
use serde::Serialize;
use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap, HashMap};

/// How many of the greatest are named.
const TOP: usize = 20;

/// Mementos and originals.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Holding {
    /// URI-R: originals.
    pub originals: u64,
    /// URI-M: mementos.
    pub mementos: u64,
}

/// What was captured in a year.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Year {
    /// Originals captured in it.
    pub originals: u64,
    /// Mementos.
    pub mementos: u64,
    /// Mementos of an original that has others in the same year.
    pub duplicates: u64,
    /// Originals that were captured for the first time.
    pub new_originals: u64,
    /// All originals captured up to its end.
    pub cumulative_originals: u64,
    /// All mementos up to its end.
    pub cumulative_mementos: u64,
}

/// A depth of the tree of keys.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Depth {
    /// From 1.
    pub depth: usize,
    /// How many hosts or directories there are.
    pub nodes: u64,
    /// How many of them have children.
    pub parents: u64,
    /// The mean number of children of those.
    pub mean_children: f64,
    /// Which part of the keys would be saved if all were cut at this depth.
    pub reduction: f64,
}

/// The profile of an archive.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Holdings {
    /// All of it.
    pub total: Holding,
    /// Keys: originals without their queries.
    pub keys: u64,
    /// Mementos of an original, on average.
    pub mean: f64,
    /// Half of the originals have at most so many.
    pub median: u64,
    /// How unevenly mementos are spread over originals, from 0 to 1.
    pub gini: f64,
    /// The part of the originals, the most captured first, that has all the other mementos' part:
    /// 0.2 if a fifth of them has four fifths.
    pub pareto: f64,
    /// The originals with most mementos.
    pub top: Vec<(String, u64)>,
    /// Top-level domains, those with most originals first.
    pub tlds: Vec<(String, Holding)>,
    /// Mementos by status.
    pub statuses: BTreeMap<String, u64>,
    /// By year.
    pub years: BTreeMap<String, Year>,
    /// Of hosts.
    pub host_depths: Vec<Depth>,
    /// Of paths.
    pub path_depths: Vec<Depth>,
    /// The power law of the hosts' children, without top-level domains.
    pub host_fit: Option<FitReport>,
    /// The power law of the children in paths.
    pub path_fit: Option<FitReport>,
    /// How mementos are spread: this part of the originals has that part of them.
    pub lorenz: Vec<(f64, f64)>,
    /// Lines that are not counted, since they name no host.
    pub skipped: u64,
}

/// A power law, to be told.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct FitReport {
    /// At depth 1.
    pub a: f64,
    /// How fast it falls.
    pub k: f64,
    /// How well it fits.
    pub r_squared: f64,
}

impl From<Fit> for FitReport {
    fn from(fit: Fit) -> FitReport {
        FitReport {
            a: fit.a,
            k: fit.k,
            r_squared: fit.r_squared,
        }
    }
}

/// Takes lines of an index, and gives its profile in the end.
pub struct Profiler {
    sorter: Sorter,
    statuses: BTreeMap<String, u64>,
    skipped: u64,
    /// The original, year and number that were given last.
    last: (Vec<u8>, u64, u64),
}

impl Default for Profiler {
    fn default() -> Profiler {
        Profiler {
            sorter: Sorter::new(),
            statuses: BTreeMap::new(),
            skipped: 0,
            last: (Vec::new(), 0, 0),
        }
    }
}

impl Profiler {
    /// Reads all lines of an index.
    pub fn read(&mut self, input: Input) -> Result<()> {
        let mut lines = input.lines();
        while let Some(line) = lines.next_line()? {
            self.push(line)?;
        }
        Ok(())
    }

    /// Takes a line of an index, of a map, or of a list of URLs.
    pub fn push(&mut self, line: &[u8]) -> Result<()> {
        let line = line.trim_ascii();
        if line.is_empty() || line.starts_with(b"!") || line.starts_with(b"CDX ") {
            return Ok(());
        }
        let mut words = line.split(|byte| *byte == b' ');
        let (surt, time) = (
            words.next().unwrap_or_default(),
            words.next().unwrap_or_default(),
        );
        let surt = match time.is_empty() {
            // A word alone is a URL, or a key.
            true => url_surt(&String::from_utf8_lossy(surt)).unwrap_or(Cow::Borrowed(surt)),
            false => Cow::Borrowed(surt),
        };
        let key = key_of(&surt);
        if !key.contains(&b')') {
            self.skipped += 1;
            return Ok(());
        }
        let third = words.next();
        let (year, count) = match third {
            None if time.is_empty() => (0, 1),
            None => (
                0,
                Frequency::parse(time)
                    .and_then(|f| f.mementos().number())
                    .unwrap_or(1),
            ),
            Some(third) => {
                let status = status(third, words, line);
                *self.statuses.entry(status).or_default() += 1;
                (year(time), 1)
            }
        };
        let original = [key, b"\0", &surt].concat();
        if self.last.0 == original && self.last.1 == year {
            self.last.2 += count;
            return Ok(());
        }
        self.flush()?;
        self.last = (original, year, count);
        Ok(())
    }

    fn flush(&mut self) -> Result<()> {
        let (original, year, count) = std::mem::take(&mut self.last);
        if count == 0 {
            return Ok(());
        }
        let mut value = Vec::with_capacity(8);
        push_varint(&mut value, year);
        push_varint(&mut value, count);
        self.sorter.push(&original, &value)
    }

    /// The profile.
    pub fn finish(mut self) -> Result<Holdings> {
        self.flush()?;
        let mut tally = Tally::new()?;
        let mut merged = merge(self.sorter.finish())?;
        while let Some((original, value)) = merged.next_pair()? {
            let (year, length) = varint(value).unwrap_or_default();
            let count = varint(&value[length..]).map_or(0, |(count, _)| count);
            tally.add(original, year, count)?;
        }
        let mut holdings = tally.finish()?;
        holdings.statuses = self.statuses;
        holdings.skipped = self.skipped;
        Ok(holdings)
    }
}

/// The status of a line whose third word is given: of a CDX line its fifth, of a CDXJ line the one
/// in its JSON.
fn status<'a>(third: &[u8], mut words: impl Iterator<Item = &'a [u8]>, line: &[u8]) -> String {
    if !third.starts_with(b"{") {
        let status = words.nth(1).unwrap_or(b"-");
        return String::from_utf8_lossy(status).into_owned();
    }
    let start = memchr::memchr(b'{', line).unwrap_or(0);
    let json: serde_json::Value = serde_json::from_slice(&line[start..]).unwrap_or_default();
    match &json["status"] {
        serde_json::Value::String(text) => text.clone(),
        serde_json::Value::Number(number) => number.to_string(),
        _ => "-".to_owned(),
    }
}

fn year(time: &[u8]) -> u64 {
    let digits = time
        .get(..4)
        .and_then(|year| std::str::from_utf8(year).ok());
    digits.and_then(|year| year.parse().ok()).unwrap_or(0)
}

/// What is known while originals come in order.
struct Tally {
    holdings: Holdings,
    shape: Compactor<std::io::Sink>,
    original: Vec<u8>,
    /// Mementos of the original being counted, by year.
    years: BTreeMap<u64, u64>,
    by_year: BTreeMap<u64, Year>,
    /// How many originals have so many mementos.
    spread: BTreeMap<u64, u64>,
    top: BinaryHeap<Reverse<(u64, Vec<u8>)>>,
    tlds: HashMap<Vec<u8>, Holding>,
}

impl Tally {
    fn new() -> Result<Tally> {
        let cutoffs = RollUp::never().cutoffs()?;
        Ok(Tally {
            holdings: Holdings::default(),
            shape: Compactor::new(cutoffs, Wildcards::Beside, std::io::sink()),
            original: Vec::new(),
            years: BTreeMap::new(),
            by_year: BTreeMap::new(),
            spread: BTreeMap::new(),
            top: BinaryHeap::new(),
            tlds: HashMap::new(),
        })
    }

    fn add(&mut self, original: &[u8], year: u64, count: u64) -> Result<()> {
        if self.original != original {
            self.close();
            self.original = original.to_vec();
            let key = original.split(|byte| *byte == 0).next().unwrap_or_default();
            let frequency = Frequency::mementos_only(1);
            self.shape.push(&Record {
                key,
                frequency,
                more: &[],
            })?;
        }
        *self.years.entry(year).or_default() += count;
        Ok(())
    }

    /// Counts the original that is over.
    fn close(&mut self) {
        if self.years.is_empty() {
            return;
        }
        let mementos: u64 = self.years.values().sum();
        self.holdings.total.originals += 1;
        self.holdings.total.mementos += mementos;
        *self.spread.entry(mementos).or_default() += 1;
        let mut is_new = true;
        for (year, count) in std::mem::take(&mut self.years) {
            let of_year = self.by_year.entry(year).or_default();
            of_year.originals += 1;
            of_year.mementos += count;
            of_year.duplicates += count - 1;
            of_year.new_originals += u64::from(std::mem::take(&mut is_new));
        }
        let surt = self
            .original
            .split(|byte| *byte == 0)
            .nth(1)
            .unwrap_or_default();
        let tld = surt
            .split(|byte| matches!(byte, b',' | b')'))
            .next()
            .unwrap_or_default();
        let holding = self.tlds.entry(tld.to_vec()).or_default();
        holding.originals += 1;
        holding.mementos += mementos;
        self.top.push(Reverse((mementos, surt.to_vec())));
        if self.top.len() > TOP {
            self.top.pop();
        }
    }

    fn finish(mut self) -> Result<Holdings> {
        self.close();
        let mut holdings = self.holdings;
        spread(&mut holdings, &self.spread);
        let (mut originals, mut mementos) = (0, 0);
        for (year, mut of_year) in self.by_year.into_iter().filter(|(year, _)| *year > 0) {
            originals += of_year.new_originals;
            mementos += of_year.mementos;
            of_year.cumulative_originals = originals;
            of_year.cumulative_mementos = mementos;
            holdings.years.insert(year.to_string(), of_year);
        }
        let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
        let mut top: Vec<_> = self
            .top
            .into_iter()
            .map(|Reverse((count, surt))| (text(surt), count))
            .collect();
        top.sort_by(|one, other| (other.1, &one.0).cmp(&(one.1, &other.0)));
        holdings.top = top;
        holdings.tlds = self
            .tlds
            .into_iter()
            .map(|(tld, holding)| (text(tld), holding))
            .collect();
        let order = |one: &(String, Holding)| (Reverse(one.1.originals), one.0.clone());
        holdings.tlds.sort_by_key(order);
        let shape = self.shape.into_shape()?;
        depths(&mut holdings, &shape);
        Ok(holdings)
    }
}

#[cfg(test)]
mod tests;
