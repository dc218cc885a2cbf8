#![allow(clippy::unwrap_used)]
use super::*;
use crate::{Input, Map};
use std::io::Cursor;

fn improved(lines: &str, better: &Better) -> (String, Improved) {
    let mut records =
        Records::new(Input::new("map", Cursor::new(lines.to_owned())).unwrap()).unwrap();
    let mut out = Vec::new();
    let improved = improve(&mut records, better, &mut out).unwrap();
    (String::from_utf8(out).unwrap(), improved)
}

fn asked(keys: &[&str]) -> Asked {
    Asked {
        keys: keys.iter().map(|key| key.to_string()).collect(),
    }
}

/// Two directories with ten keys each.
fn two() -> String {
    let keys = |dir: char| (0..10).map(move |n| format!("com,a)/{dir}/{n} 1\n"));
    keys('x').chain(keys('y')).collect()
}

#[test]
fn what_nobody_asks_for_is_rolled_up_first() {
    let better = Better {
        lines: Some(11),
        asked: asked(&["com,a)/x/no", "com,a)/x/nothing"]),
        ..Better::default()
    };
    let (map, improved) = improved(&two(), &better);
    assert!(
        map.contains("com,a)/x/9 1\n") && map.contains("com,a)/y/* 10\n"),
        "{map}"
    );
    assert_eq!(
        (improved.compacted.lines, improved.compacted.roll_ups),
        (11, 1)
    );
}

#[test]
fn a_map_has_no_more_lines_than_it_may_have_and_uses_them() {
    let keys = (0..1000).map(|n| format!("com,s{})/d{}/p{n} 1\n", n % 7, n % 31));
    let mut lines: Vec<String> = keys.collect();
    lines.sort();
    for target in [7, 50, 100, 500, 900, 1000, 2000] {
        let better = Better {
            lines: Some(target),
            ..Better::default()
        };
        let found = improved(&lines.concat(), &better).1.compacted.lines;
        assert!(
            found <= target && found > target.min(1000) / 2,
            "{found} of {target}"
        );
    }
    let half = Better {
        cost: Some(0.5),
        ..Better::default()
    };
    assert!((450..=500).contains(&improved(&lines.concat(), &half).1.compacted.lines));
}

#[test]
fn what_is_asked_for_and_not_held_is_said_below_wildcards_only() {
    let absent = Absent {
        asked: asked(&[
            "com,a)/x/no/1",
            "com,a)/x/no/2", // nothing below x/no
            "com,a)/x/0/deep",
            "com,a)/x/0/deep", // nothing below x/0/deep
            "com,a)/y",
            "com,a)/y",      // something below y, but not y
            "com,a)/z/once", // too seldom
            "com,b)/x",
            "com,b)/x", // under no wildcard
            "com,a)/x/1",
            "com,a)/x/1", // held
        ]),
        least: 2,
        most: 10,
    };
    let better = Better {
        lines: Some(1),
        absent: Some(absent),
        ..Better::default()
    };
    let (map, improved) = improved(&two(), &better);
    assert_eq!(
        map,
        "com,a)/* 20\ncom,a)/x/0/deep/* 0\ncom,a)/x/no/* 0\ncom,a)/y 0\n"
    );
    assert_eq!(improved.absent, 3);
    let map = Map::from_bytes("map", map.into_bytes()).unwrap();
    assert!(!map.answer("com,a)/x/no/3").unwrap().unwrap().may_be_held());
    assert!(map.answer("com,a)/y/3").unwrap().unwrap().may_be_held());
}

#[test]
fn nothing_is_said_about_what_a_wildcard_hid_already() {
    let absent = Absent {
        asked: asked(&["com,a)/x/no", "com,a)/no/no"]),
        least: 1,
        most: 10,
    };
    let better = Better {
        lines: Some(1),
        absent: Some(absent),
        ..Better::default()
    };
    let (map, _) = improved("com,a)/x/* 5\ncom,a)/y 1\ncom,a)/z 1\n", &better);
    assert_eq!(map, "com,a)/* 7\ncom,a)/no/* 0\n");
}

#[test]
fn without_a_number_of_lines_cut_offs_choose() {
    let absent = Absent {
        asked: asked(&["com,a)/x/no"]),
        least: 1,
        most: 10,
    };
    let better = Better {
        roll_up: RollUp::default(),
        absent: Some(absent),
        ..Better::default()
    };
    let keys: String = (0..10).map(|n| format!("com,a)/x/{n} 1\n")).collect();
    assert_eq!(
        improved(&(keys + "com,a)/y 1\n"), &better).0,
        "com,a)/x/* 10\ncom,a)/x/no/* 0\ncom,a)/y 1\n"
    );
}
