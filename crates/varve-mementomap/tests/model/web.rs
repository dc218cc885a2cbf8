//! Random webs, and maps of them.

use proptest::prelude::*;
use std::path::{Path, PathBuf};
use varve_mementomap::{Counter, Map, PowerLaw, Records, RollUp, Wanted, compact, key_of};

/// SURTs of a small web. Names extend each other by bytes on both sides of the separators, some are
/// empty, and there are hosts of one label and addresses.
pub(crate) fn surts() -> impl Strategy<Value = Vec<String>> {
    let label = prop::sample::select(vec!["a", "a-1", "a+b", "a*", "b", "www", "é"]);
    let named = (
        prop::sample::select(vec!["com", "org"]),
        prop::collection::vec(label, 1..4),
    )
        .prop_map(|(tld, labels)| format!("{tld},{}", labels.join(",")));
    let host = prop_oneof![
        8 => named,
        1 => Just("localhost".to_owned()),
        1 => Just("127.0.0.1".to_owned()),
    ];
    let name = prop::sample::select(vec!["x", "x-1", "x.y", "x,y", "x0", "y", "*", ""]);
    let path = prop::collection::vec(name, 0..6);
    let query = prop::option::weighted(0.2, "[ab/]");
    let surt = (host, path, query).prop_map(|(host, path, query)| {
        let query = query.map_or(String::new(), |query| format!("?{query}"));
        format!("{host})/{}{query}", path.join("/"))
    });
    prop::collection::vec(surt, 1..120)
}

/// Weights at which small webs roll up here and there, and depths that cut some names short.
pub(crate) fn roll_ups() -> impl Strategy<Value = RollUp> {
    let weights = || prop::sample::select(vec![0.0, 0.05, 0.1, 0.2, 0.4, 1.0, f64::INFINITY]);
    (weights(), weights(), 1_usize..6, 1_usize..8).prop_map(|(host, path, hosts, paths)| RollUp {
        max_host_depth: hosts,
        max_path_depth: paths,
        ..RollUp::default().weighing(host, path)
    })
}

/// The keys of some SURTs, in order.
pub(crate) fn keys(surts: &[String]) -> Vec<String> {
    let key = |surt: &String| String::from_utf8(key_of(surt.as_bytes()).to_vec()).unwrap();
    let mut keys: Vec<String> = surts.iter().map(key).collect();
    keys.sort();
    keys.dedup();
    keys
}

/// The most children at each depth, as the formula has it.
pub(crate) fn cutoff(law: PowerLaw, depth: usize) -> f64 {
    law.a * (depth as f64).powf(-law.k) * law.weight
}

/// A place for maps.
pub(crate) struct Maps(tempfile::TempDir);

impl Maps {
    pub(crate) fn new() -> Maps {
        Maps(tempfile::tempdir().unwrap())
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, map: Vec<u8>) -> PathBuf {
        let path = self.path(name);
        std::fs::write(&path, map).unwrap();
        path
    }

    /// The map of an index in full detail.
    pub(crate) fn detailed(&self, name: &str, surts: &[String]) -> PathBuf {
        let mut counter = Counter::new(Wanted::default());
        for surt in surts {
            counter
                .push(format!("{surt} 20140101000000 {{}}").as_bytes())
                .unwrap();
        }
        let mut out = Vec::new();
        counter.finish(&RollUp::never(), &mut out).unwrap();
        self.write(name, out)
    }

    /// A map of a map, rolled up.
    pub(crate) fn compacted(&self, name: &str, map: &Path, roll_up: &RollUp) -> PathBuf {
        let mut out = Vec::new();
        compact(&mut Records::open(map).unwrap(), roll_up, &mut out).unwrap();
        self.write(name, out)
    }
}

/// The first key of some SURTs that a map says not to be held, or nothing.
pub(crate) fn lost(map: &Path, surts: &[String]) -> Option<String> {
    let map = Map::open(map).unwrap();
    let mut keys = keys(surts).into_iter();
    keys.find(|key| !map.ask(key, None).unwrap().1)
}
