//! Nothing that is held is ever denied: over random trees, weights, logs, filters and mergers.
#![allow(clippy::unwrap_used)]

use proptest::prelude::*;
use std::collections::BTreeSet;
use std::io::Cursor;
use std::path::Path;
use varve_mementomap::{
    Absent, Asked, Better, Counter, Input, KeyFilter, Map, Records, RollUp, Wanted, compact,
    improve, key_of, merge_maps,
};

/// SURTs that meet each other often, with all that is awkward: names that extend others by bytes
/// around the separators, empty names, hosts of one label, ports, queries.
fn surts() -> impl Strategy<Value = Vec<String>> {
    let host = "(com|uk|localhost|127\\.0\\.0\\.1)((,(a|b|a-b|a\\+|www|x:80)){0,3})";
    let path = "((/(a|b|a-|a-1|a\\.|aa|a,b|\\)|\\*)?){0,5})(/|\\?q)?";
    let surt = (host, path).prop_map(|(host, path)| match path.starts_with('/') {
        true => format!("{host}){path}"),
        false => format!("{host})/{path}"),
    });
    proptest::collection::vec(surt, 1..70)
}

fn weight() -> impl Strategy<Value = f64> {
    prop_oneof![Just(f64::INFINITY), Just(0.0), 0.01..2.0f64]
}

fn detailed(surts: &[String]) -> Vec<u8> {
    let mut counter = Counter::new(Wanted::default());
    for surt in surts {
        counter
            .push(format!("{surt} 20140101000000 {{}}").as_bytes())
            .unwrap();
    }
    let mut map = Vec::new();
    counter.finish(&RollUp::never(), &mut map).unwrap();
    map
}

fn records(map: &[u8]) -> Records {
    Records::new(Input::new("map", Cursor::new(map.to_vec())).unwrap()).unwrap()
}

fn rolled_up(map: &[u8], host: f64, path: f64) -> Vec<u8> {
    let mut out = Vec::new();
    compact(
        &mut records(map),
        &RollUp::default().weighing(host, path),
        &mut out,
    )
    .unwrap();
    out
}

fn asked(surts: &[String]) -> Asked {
    let text = |surt: &String| String::from_utf8(key_of(surt.as_bytes()).to_vec()).unwrap();
    Asked {
        keys: surts.iter().map(text).collect(),
    }
}

/// Sorted, each key once.
fn check_form(map: &[u8]) {
    let text = std::str::from_utf8(map).unwrap();
    let keys: Vec<&str> = text
        .lines()
        .map(|line| line.split(' ').next().unwrap())
        .collect();
    assert!(keys.is_sorted_by(|one, other| one < other), "{text}");
}

fn check_recall(map: &[u8], filter: Option<&KeyFilter>, held: &[String]) {
    let text = String::from_utf8_lossy(map).into_owned();
    let map = Map::from_bytes("map", map.to_vec()).unwrap();
    for key in asked(held).keys {
        assert!(
            map.ask(&key, filter).unwrap().1,
            "{key} is denied by\n{text}"
        );
    }
}

fn mementos(map: &[u8]) -> u64 {
    let text = std::str::from_utf8(map).unwrap();
    text.lines()
        .map(|line| line.split(' ').nth(1).unwrap().parse::<u64>().unwrap())
        .sum()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn rolling_up_loses_nothing(held in surts(), host in weight(), path in weight(), again in weight()) {
        let once = rolled_up(&detailed(&held), host, path);
        check_form(&once);
        check_recall(&once, None, &held);
        prop_assert_eq!(mementos(&once), held.len() as u64);
        let twice = rolled_up(&once, again, again);
        check_form(&twice);
        check_recall(&twice, None, &held);
        prop_assert_eq!(mementos(&twice), held.len() as u64);
    }

    #[test]
    fn neither_do_better_maps(
        held in surts(), log in surts(), unheld in surts(), lines in 1u64..60, weight in weight(),
        targeted in any::<bool>(),
    ) {
        let better = Better {
            roll_up: RollUp::default().weighing(weight, weight),
            lines: targeted.then_some(lines),
            asked: asked(&log),
            absent: Some(Absent { asked: asked(&unheld), least: 1, most: 1000 }),
            ..Better::default()
        };
        let detailed = detailed(&held);
        let mut map = Vec::new();
        improve(&mut records(&detailed), &better, &mut map).unwrap();
        check_form(&map);
        check_recall(&map, None, &held);
        let filter = KeyFilter::between(&mut records(&detailed), &mut records(&map)).unwrap();
        check_recall(&map, Some(&filter), &held);
    }

    #[test]
    fn neither_do_mergers_of_maps_with_different_detail(
        one in surts(), other in surts(), unheld in surts(), weight in weight(), lines in 1u64..60,
    ) {
        let absent = |most| Some(Absent { asked: asked(&unheld), least: 1, most });
        let mut coarse = Vec::new();
        let better = Better { lines: Some(lines), absent: absent(1000), ..Better::default() };
        improve(&mut records(&detailed(&one)), &better, &mut coarse).unwrap();
        let mut fine = Vec::new();
        let roll_up = RollUp::default().weighing(weight, weight);
        let better = Better { roll_up, absent: absent(1000), ..Better::default() };
        improve(&mut records(&detailed(&other)), &better, &mut fine).unwrap();
        let dir = tempfile::tempdir().unwrap();
        let paths = [("a", &coarse), ("b", &fine)].map(|(name, map)| write(dir.path(), name, map));
        let mut merged = Vec::new();
        merge_maps(&paths, &mut merged).unwrap();
        check_form(&merged);
        check_recall(&merged, None, &one);
        check_recall(&merged, None, &other);
        prop_assert_eq!(mementos(&merged), (one.len() + other.len()) as u64);
    }

    /// Looking up is the same as trying all keys one after the other.
    #[test]
    fn a_search_finds_what_trying_all_finds(held in surts(), questions in surts(), weight in weight()) {
        let map = rolled_up(&detailed(&held), weight, weight);
        let lines: BTreeSet<&str> =
            std::str::from_utf8(&map).unwrap().lines().map(|line| line.split(' ').next().unwrap()).collect();
        let searched = Map::from_bytes("map", map.clone()).unwrap();
        for key in asked(&questions).keys {
            let found = searched.answer(&key).unwrap().map(|answer| answer.key);
            let speaks = |line: &&&str| covers(line, &key);
            let expected = lines.iter().filter(speaks).max_by_key(|line| (**line == key, line.len()));
            prop_assert_eq!(found.as_deref(), expected.copied(), "{}", key);
        }
    }
}

/// Whether a line of a map speaks for a key, written down anew.
fn covers(line: &str, key: &str) -> bool {
    if let Some(path) = line.strip_suffix("/*") {
        return key == path || key.starts_with(&format!("{path}/"));
    }
    match line.strip_suffix(",*") {
        Some(host) => key.starts_with(&format!("{host})")) || key.starts_with(&format!("{host},")),
        None => line == key,
    }
}

fn write(dir: &Path, name: &str, bytes: &[u8]) -> std::path::PathBuf {
    std::fs::write(dir.join(name), bytes).unwrap();
    dir.join(name)
}
