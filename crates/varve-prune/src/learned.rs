//! What visits told about the functions that ran.

use serde::Deserialize;
use std::collections::{HashMap, HashSet};
use std::io::Read;
use varve_browser::{FunctionRun, Idle, ScriptRun, When};
use varve_js::Ran;
use varve_model::KeyRange;
use varve_store::collection::{Collection, WholeDigest};
use varve_store::index::{Hit, MergedIndex, Query};
use varve_store::{Result, StoreError};

/// Where crawls write it: one record for each page that brought news.
const RAN: &str = "urn:varve:ran:";
/// Where a range of keys with that beginning ends.
const AFTER_RAN: &str = "urn:varve:ran;";
/// Longer records are not read.
const MAX_RECORD: u64 = 64 << 20;

/// What ran, by the scripts' texts.
#[derive(Debug, Default)]
pub struct Learned {
    scripts: HashMap<String, Run>,
    /// Layers that told something.
    layers: HashSet<usize>,
}

/// What ran of one script.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Run {
    /// Where they are, and what of them never ran, if any visit looked at that.
    functions: HashMap<(u32, u32), Option<Idle>>,
    /// Whether it ran as a module.
    pub is_module: bool,
}

#[derive(Deserialize)]
struct Record {
    scripts: Vec<Script>,
}

#[derive(Deserialize)]
struct Script {
    sha256: String,
    #[serde(default)]
    module: bool,
    ran: Vec<Told>,
}

/// A function, as it is stored.
#[derive(Deserialize)]
#[serde(untagged)]
enum Told {
    WithBranches(u32, u32, Idle),
    Whole(u32, u32),
}

impl From<Told> for FunctionRun {
    fn from(told: Told) -> FunctionRun {
        let (start, end, idle) = match told {
            Told::WithBranches(start, end, idle) => (start, end, Some(idle)),
            Told::Whole(start, end) => (start, end, None),
        };
        FunctionRun {
            start,
            end,
            idle,
            when: When::Loading,
        }
    }
}

impl Learned {
    /// Reads what all layers of a collection say.
    pub fn of(collection: &Collection, index: &MergedIndex) -> Result<Learned> {
        let query = Query {
            keys: Some(KeyRange {
                start: RAN.to_owned(),
                end: Some(AFTER_RAN.to_owned()),
            }),
            ..Query::default()
        };
        let mut learned = Learned::default();
        for hit in index.query(&query)? {
            let hit = hit?;
            learned.read(collection, &hit)?;
            learned.layers.insert(hit.layer);
        }
        Ok(learned)
    }

    /// Whether a layer told something itself.
    pub(crate) fn knows_layer(&self, layer: usize) -> bool {
        self.layers.contains(&layer)
    }

    /// Adds what a visit saw.
    pub(crate) fn add_run(&mut self, run: &ScriptRun) {
        let script = self.scripts.entry(run.digest.clone()).or_default();
        script.is_module |= run.is_module;
        run.ran.iter().cloned().for_each(|it| script.add(it));
    }

    fn read(&mut self, collection: &Collection, hit: &Hit) -> Result<()> {
        let mut record = collection.read(hit)?;
        let path = record.path().to_owned();
        let mut bytes = Vec::new();
        (&mut record)
            .take(MAX_RECORD)
            .read_to_end(&mut bytes)
            .map_err(StoreError::io(&path, "read"))?;
        // What nobody can read teaches nothing; its scripts stay whole.
        if let Ok(record) = serde_json::from_slice::<Record>(&bytes) {
            for script in record.scripts {
                let run = self.scripts.entry(script.sha256).or_default();
                run.is_module |= script.module;
                script.ran.into_iter().for_each(|it| run.add(it.into()));
            }
        }
        Ok(())
    }

    /// Whether nothing was learned at all.
    pub fn is_empty(&self) -> bool {
        self.scripts.is_empty()
    }

    /// What ran of the script with this text.
    pub fn of_text(&self, text: &str) -> Option<&Run> {
        let digest = WholeDigest::of(text.as_bytes());
        self.scripts.get(digest.as_str())
    }

    /// Whether something is known of the script that is this as a whole.
    pub(crate) fn knows(&self, whole: &WholeDigest) -> bool {
        self.scripts.contains_key(whole.as_str())
    }
}

impl Run {
    #[cfg(test)]
    pub(crate) fn of(functions: &[(u32, u32)], is_module: bool) -> Run {
        Run {
            functions: functions.iter().map(|place| (*place, None)).collect(),
            is_module,
        }
    }

    /// Adds what one visit saw of a function: only what never ran in any of those that looked at it
    /// never did.
    fn add(&mut self, function: FunctionRun) {
        let place = (function.start, function.end);
        let known = self.functions.entry(place).or_default();
        *known = match (known.take(), function.idle) {
            (Some(known), Some(seen)) => Some(known.and(&seen)),
            (known, seen) => known.or(seen),
        };
    }

    /// The functions that ran.
    pub fn functions(&self) -> Vec<Ran> {
        let ran = |((start, end), idle): (&(u32, u32), &Option<Idle>)| Ran {
            start: *start,
            end: *end,
            idle: idle.as_ref().map_or(Vec::new(), |it| it.ranges().to_vec()),
        };
        self.functions.iter().map(ran).collect()
    }
}
