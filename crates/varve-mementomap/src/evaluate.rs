//! Judging a map: what it costs, and how often it is right.

mod size;

use crate::chart::{Axes, Series, chart};
use crate::generate::question;
use crate::input::Input;
use crate::{
    Answer, Asked, Counter, Format, KeyFilter, Map, MapError, Records, Result, RollUp, compact,
    is_wildcard,
};
use serde::Serialize;
use size::Size;
use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use tempfile::NamedTempFile;

/// The weights of the grid, for hosts and for paths: those of the paper's trade-off.
pub const GRID: [f64; 5] = [4.0, 2.0, 1.0, 0.5, 0.25];

/// Reads what is asked for: URLs, keys, lines of an index, or a log.
pub fn asked(input: Input, format: Option<Format>) -> Result<Asked> {
    let mut lines = input.lines();
    let (mut keys, mut format) = (Vec::new(), format);
    let name = lines.name().to_owned();
    while let Some(line) = lines.next_line()? {
        let says_nothing =
            line.trim_ascii().is_empty() || line.starts_with(b"#") || line.starts_with(b"!");
        if format.is_none() && says_nothing {
            continue;
        }
        let format = match format {
            Some(format) => format,
            None => *format.insert(Format::sniff(&name, line)?),
        };
        keys.extend(question(line, format).map(|key| key.into_owned()));
    }
    Ok(Asked { keys })
}

/// All that an archive holds, in full detail.
pub struct Truth {
    file: NamedTempFile,
    map: Map,
    size: Size,
    /// How many keys.
    pub keys: u64,
}

impl Truth {
    /// What has been counted.
    pub fn of(counter: Counter) -> Result<Truth> {
        let mut file = NamedTempFile::new().map_err(MapError::scratch)?;
        let generated = counter.finish(&RollUp::never(), std::io::BufWriter::new(&mut file))?;
        let map = Map::open(file.path())?;
        Ok(Truth {
            size: Size::of(file.path())?,
            file,
            map,
            keys: generated.map.keys,
        })
    }

    /// The map in full detail.
    pub fn path(&self) -> &Path {
        self.file.path()
    }

    fn holds(&self, key: &str) -> Result<bool> {
        Ok(self
            .map
            .answer(key)?
            .is_some_and(|answer| answer.distance == 0))
    }
}

/// How good a map is.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Evaluation {
    /// Its data lines.
    pub lines: u64,
    /// The bytes of its data lines, and of its filter.
    pub bytes: u64,
    /// The same when the lines are in zstd; a filter cannot be made smaller.
    pub packed_bytes: u64,
    /// How many keys the archive has.
    pub keys: u64,
    /// Lines for each key. A filter counts as the lines that its bytes would be.
    pub cost: f64,
    /// Bytes for each byte of the map in full detail.
    pub byte_cost: f64,
    /// Bytes for each byte of the map in full detail, both in zstd.
    pub packed_cost: f64,
    /// How many look-ups there were.
    pub asked: u64,
    /// How many of them ask for what is held.
    pub held: u64,
    /// How many are answered rightly, of all.
    pub accuracy: f64,
    /// How many of those for what is held are answered with yes.
    pub recall: f64,
    /// How many keys of the archive the map says not to be held.
    pub lost_keys: u64,
    /// Look-ups answered with yes for what is not held.
    pub false_positives: u64,
    /// The same, by the kind and depth of the key that spoke.
    pub false_positives_by: BTreeMap<String, u64>,
}

/// Asks a map, given as a file, about everything in `asked`, and about all that is held.
pub fn evaluate(
    map: &Path,
    filter: Option<&KeyFilter>,
    truth: &Truth,
    asked: &Asked,
) -> Result<Evaluation> {
    let mut evaluation = Evaluation {
        keys: truth.keys,
        asked: asked.keys.len() as u64,
        ..Evaluation::default()
    };
    let size = Size::of(map)?;
    let filter_bytes = filter.map_or(0, KeyFilter::len) as u64;
    let filter_lines = filter.map_or(0.0, |filter| filter.as_lines(&size.compacted()));
    evaluation.lines = size.lines;
    evaluation.bytes = size.bytes + filter_bytes;
    evaluation.packed_bytes = size.packed + filter_bytes;
    evaluation.cost = (size.lines as f64 + filter_lines) / truth.keys.max(1) as f64;
    evaluation.byte_cost = part(evaluation.bytes, truth.size.bytes);
    evaluation.packed_cost = part(evaluation.packed_bytes, truth.size.packed);
    let map = Map::open(map)?;
    let mut right = 0;
    let mut found = 0;
    for key in &asked.keys {
        let (answer, may_hold) = map.ask(key, filter)?;
        let held = truth.holds(key)?;
        right += u64::from(held == may_hold);
        evaluation.held += u64::from(held);
        found += u64::from(held && may_hold);
        if let Some(answer) = answer.filter(|_| may_hold && !held) {
            evaluation.false_positives += 1;
            *evaluation
                .false_positives_by
                .entry(kind(&answer))
                .or_default() += 1;
        }
    }
    evaluation.accuracy = part(right, evaluation.asked);
    evaluation.recall = part(found, evaluation.held);
    let mut held = Records::open(truth.path())?;
    while let Some(record) = held.next_record()? {
        let key = String::from_utf8_lossy(record.key);
        evaluation.lost_keys += u64::from(!map.ask(&key, filter)?.1);
    }
    Ok(evaluation)
}

/// All of nothing is one.
fn part(some: u64, all: u64) -> f64 {
    match all {
        0 => 1.0,
        all => some as f64 / all as f64,
    }
}

/// What kind of key spoke, such as `path 2`; depths are from 1.
fn kind(answer: &Answer) -> String {
    if !is_wildcard(answer.key.as_bytes()) {
        return "key".to_owned();
    }
    match answer.key.split_once(')') {
        Some((_, path)) => format!("path {}", path.matches('/').count()),
        None => format!("host {}", answer.key.matches(',').count()),
    }
}

/// How good the roll-up is with these weights.
#[derive(Clone, Debug, Serialize)]
pub struct Weighed {
    /// The weight of hosts.
    pub host_weight: f64,
    /// The weight of paths.
    pub path_weight: f64,
    /// What came of them.
    #[serde(flatten)]
    pub evaluation: Evaluation,
}

/// Rolls up all that is held with each pair of weights, and judges it.
pub fn grid(
    truth: &Truth,
    asked: &Asked,
    roll_up: &RollUp,
    weights: &[(f64, f64)],
) -> Result<Vec<Weighed>> {
    let mut all = Vec::new();
    for (host_weight, path_weight) in weights.iter().copied() {
        let mut file = NamedTempFile::new().map_err(MapError::scratch)?;
        let roll_up = roll_up.weighing(host_weight, path_weight);
        compact(&mut Records::open(truth.path())?, &roll_up, &mut file)?;
        file.flush().map_err(MapError::scratch)?;
        all.push(Weighed {
            host_weight,
            path_weight,
            evaluation: evaluate(file.path(), None, truth, asked)?,
        });
    }
    Ok(all)
}

/// The chart of a grid: accuracy by cost, a line for each weight of hosts.
pub fn grid_chart(grid: &[Weighed]) -> String {
    let mut series: Vec<Series> = Vec::new();
    for one in grid {
        let name = format!("host weight {}", one.host_weight);
        let point = (one.evaluation.cost, one.evaluation.accuracy);
        match series.last_mut().filter(|series| series.name == name) {
            Some(series) => series.points.push(point),
            None => series.push(Series {
                name,
                points: vec![point],
            }),
        }
    }
    let axes = Axes {
        title: "Accuracy and cost of maps",
        x: "relative cost: lines of the map for each key of the index",
        y: "accuracy: right answers of all",
    };
    chart(&axes, &series)
}

#[cfg(test)]
mod tests;
