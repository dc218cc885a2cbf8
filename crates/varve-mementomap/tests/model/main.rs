//! Roll-ups and answers as their definitions have them, all in memory and one step after the other,
//! beside the ways that are taken for speed.
#![allow(clippy::unwrap_used)]

mod web;

use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use varve_mementomap::{Absent, Asked, Better, KeyFilter, Map, Records, RollUp, improve, key_of};
use web::{Maps, cutoff, keys, lost, roll_ups, surts};

/// A host (`com,a`) or a directory (`com,a)/x`) with its depth, from 1.
type Node = (String, usize, bool);

/// The hosts, then the directories that a key lies in, outermost first.
fn nodes(key: &str, roll_up: &RollUp) -> Vec<Node> {
    let (host, _) = key.split_once(')').unwrap();
    let ends = |text: &str, separator: char, most: usize| {
        let mut ends: Vec<usize> = text.match_indices(separator).map(|(at, _)| at).collect();
        ends.truncate(most - 1);
        ends.push(text.len());
        ends
    };
    let hosts = ends(host, ',', roll_up.max_host_depth);
    let hosts = hosts
        .iter()
        .zip(1..)
        .map(|(end, depth)| (host[..*end].to_owned(), depth, true));
    let paths = ends(&key[host.len()..], '/', roll_up.max_path_depth);
    let paths = paths
        .iter()
        .zip(1..)
        .map(|(end, depth)| (key[..host.len() + end].to_owned(), depth, false));
    hosts.chain(paths).collect()
}

/// The roll-up as it is defined.
fn rolled_up(held: &BTreeMap<String, u64>, roll_up: &RollUp) -> String {
    let mut children: BTreeMap<Node, BTreeSet<String>> = BTreeMap::new();
    for key in held.keys() {
        for pair in nodes(key, roll_up).windows(2) {
            if pair[0].2 == pair[1].2 {
                let below = children.entry(pair[0].clone()).or_default();
                below.insert(pair[1].0.clone());
            }
        }
    }
    let rolls_up = |node: &Node| {
        let count = children.get(node).map_or(0, BTreeSet::len) as f64;
        let (_, depth, is_host) = node;
        match is_host {
            true => *depth > 1 && count > cutoff(roll_up.host, *depth),
            false => count > cutoff(roll_up.path, *depth),
        }
    };
    let mut lines: BTreeMap<String, u64> = BTreeMap::new();
    for (key, count) in held {
        let wildcard = nodes(key, roll_up).into_iter().find(&rolls_up);
        let line = wildcard.map_or(key.clone(), |(text, _, is_host)| {
            format!("{text}{}*", if is_host { ',' } else { '/' })
        });
        *lines.entry(line).or_default() += count;
    }
    let lines = lines.iter().map(|(key, count)| format!("{key} {count}\n"));
    lines.collect()
}

/// The key that speaks for another, and how many would have been preferred.
fn speaker(map: &BTreeMap<String, u64>, key: &str) -> Option<(String, usize)> {
    let mut speakers = vec![key.to_owned(), format!("{key}/*")];
    let mut rest = key.to_owned();
    loop {
        if let Some(host) = rest.strip_suffix(')') {
            speakers.push(format!("{host},*"));
            rest.pop();
        }
        let Some(at) = rest.rfind(['/', ',']) else {
            break;
        };
        speakers.push(format!("{}*", &rest[..=at]));
        rest.truncate(at);
    }
    if !key.contains(',') && !speakers.contains(&format!("{rest},*")) {
        speakers.push(format!("{rest},*"));
    }
    speakers.push("*".to_owned());
    let found = speakers
        .iter()
        .position(|speaker| map.contains_key(speaker))?;
    Some((speakers[found].clone(), found))
}

/// A map of a map, with lines chosen for the look-ups of a log.
fn improved(maps: &Maps, name: &str, map: &std::path::Path, better: &Better) -> std::path::PathBuf {
    let mut out = Vec::new();
    improve(&mut Records::open(map).unwrap(), better, &mut out).unwrap();
    maps.write(name, out)
}

/// With lines that say what is not held of all that was asked for.
fn with_absent(log: &[String], roll_up: RollUp, lines: Option<u64>) -> Better {
    let asked = Asked { keys: keys(log) };
    Better {
        roll_up,
        lines,
        cost: None,
        asked: asked.clone(),
        absent: Some(Absent {
            asked,
            least: 1,
            most: 1000,
        }),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn one_pass_rolls_up_as_the_definition_says(held in surts(), roll_up in roll_ups()) {
        let maps = Maps::new();
        let detailed = maps.detailed("detailed", &held);
        let compacted = maps.compacted("compacted", &detailed, &roll_up);
        let mut counts: BTreeMap<String, u64> = BTreeMap::new();
        for surt in &held {
            let key = std::str::from_utf8(key_of(surt.as_bytes())).unwrap();
            *counts.entry(key.to_owned()).or_default() += 1;
        }
        let found = std::fs::read_to_string(compacted).unwrap();
        prop_assert_eq!(found, rolled_up(&counts, &roll_up));
    }

    #[test]
    fn one_search_answers_as_asking_for_every_key_does(
        held in surts(),
        roll_up in roll_ups(),
        others in surts(),
        everything in any::<bool>(),
    ) {
        let maps = Maps::new();
        let detailed = maps.detailed("detailed", &held);
        let path = maps.compacted("map", &detailed, &roll_up);
        let mut text = std::fs::read_to_string(&path).unwrap();
        if everything {
            text.insert_str(0, "* 1\n");
            std::fs::write(&path, &text).unwrap();
        }
        let lines = text.lines().map(|line| line.rsplit_once(' ').unwrap());
        let lines = lines
            .map(|(key, count)| (key.to_owned(), count.parse().unwrap()))
            .collect();
        let map = Map::open(&path).unwrap();
        for key in keys(&held).iter().chain(&keys(&others)) {
            let found = map.answer(key).unwrap();
            let found = found.map(|answer| (answer.key, answer.distance));
            prop_assert_eq!(found, speaker(&lines, key), "{}", key);
        }
    }

    #[test]
    fn maps_made_better_and_coarser_again_and_again_lose_nothing(
        held in surts(),
        log in surts(),
        roll_up in roll_ups(),
        again in roll_ups(),
        lines in proptest::option::of(1_u64..60),
    ) {
        let maps = Maps::new();
        let detailed = maps.detailed("detailed", &held);
        let better = with_absent(&log, roll_up, lines);
        let map = improved(&maps, "map", &detailed, &better);
        prop_assert_eq!(lost(&map, &held), None);
        // Rolled up further, and made better a second time, now that details are gone.
        let coarser = maps.compacted("coarser", &map, &again);
        prop_assert_eq!(lost(&coarser, &held), None);
        let twice = improved(&maps, "twice", &coarser, &with_absent(&log, again, lines));
        prop_assert_eq!(lost(&twice, &held), None);
    }

    #[test]
    fn a_filter_denies_nothing_whatever_urls_look_like_wildcards(
        held in surts(),
        first in roll_ups(),
        second in roll_ups(),
    ) {
        let maps = Maps::new();
        let mut from = maps.detailed("detailed", &held);
        for (name, roll_up) in [("once", first), ("twice", second)] {
            let to = maps.compacted(name, &from, &roll_up);
            let mut rolled_up = Records::open(&to).unwrap();
            let filter =
                KeyFilter::between(&mut Records::open(&from).unwrap(), &mut rolled_up).unwrap();
            let map = Map::open(&to).unwrap();
            for key in keys(&held) {
                prop_assert!(map.ask(&key, Some(&filter)).unwrap().1, "{key}");
            }
            from = to;
        }
    }
}
