//! Maps that are merged, judged, and made better: by look-ups, by what is not held, by filters.

use super::original::harmless_index;
use crate::setup::{run, stderr, stdout};
use std::path::Path;

#[test]
fn maps_are_merged_and_judged() {
    let dir = tempfile::tempdir().unwrap();
    let at = |name: &str| dir.path().join(name);
    std::fs::write(at("one"), "!meta {a: 1}\ncom,a)/* 5\n").unwrap();
    std::fs::write(at("two"), "!meta {b: 2}\ncom,a)/x 1\norg,b) 1\n").unwrap();
    run(
        &[
            &"mementomap",
            &"merge",
            &at("one"),
            &at("two"),
            &"-o",
            &at("both"),
        ],
        0,
    );
    let both = std::fs::read_to_string(at("both")).unwrap();
    assert_eq!(both, "!meta {a: 1}\n!meta {b: 2}\ncom,a)/* 6\norg,b) 1\n");
    std::fs::write(
        at("index"),
        "http://a.com/x\nhttp://a.com/y\nhttp://b.org/\nhttp://c.net/\n",
    )
    .unwrap();
    std::fs::write(
        at("asked"),
        "http://a.com/x\nhttp://a.com/no\nhttp://d.net/\n",
    )
    .unwrap();
    let judged = run(
        &[
            &"mementomap",
            &"evaluate",
            &at("both"),
            &"--index",
            &at("index"),
            &"--lookups",
            &at("asked"),
            &"--json",
        ],
        0,
    );
    let judged: serde_json::Value = serde_json::from_slice(&judged.stdout).unwrap();
    assert_eq!(
        (&judged["cost"], &judged["lost_keys"]),
        (&0.5.into(), &1.into())
    );
    assert_eq!(judged["false_positives_by"]["path 1"], 1);
    let table = run(
        &[
            &"mementomap",
            &"evaluate",
            &"--grid",
            &"--csv",
            &"--svg",
            &at("chart.svg"),
            &"--index",
            &at("index"),
            &"--lookups",
            &at("asked"),
        ],
        0,
    );
    assert_eq!(stdout(&table).lines().count(), 26);
    assert!(
        std::fs::read_to_string(at("chart.svg"))
            .unwrap()
            .starts_with("<svg")
    );
}

/// A map of two directories, and look-ups of which one directory gets all.
fn lopsided(dir: &Path) {
    let keys = |name: char| (0..20).map(move |n| format!("com,a)/{name}/{n:02} 1\n"));
    std::fs::write(
        dir.join("map"),
        keys('x').chain(keys('y')).collect::<String>(),
    )
    .unwrap();
    std::fs::write(
        dir.join("asked"),
        "http://a.com/x/no\nhttp://a.com/x/none\nhttp://a.com/x/none/2\n",
    )
    .unwrap();
}

#[test]
fn look_ups_decide_what_is_rolled_up_and_what_is_said_not_to_be_held() {
    let dir = tempfile::tempdir().unwrap();
    lopsided(dir.path());
    let (map, asked) = (dir.path().join("map"), dir.path().join("asked"));
    let adaptive = run(
        &[
            &"mementomap",
            &"compact",
            &map,
            &"--adaptive",
            &"--lookups",
            &asked,
            &"--target-lines",
            &"21",
        ],
        0,
    );
    let adaptive = stdout(&adaptive);
    assert!(
        adaptive.contains("com,a)/x/00 1\n") && adaptive.contains("com,a)/y/* 20\n"),
        "{adaptive}"
    );
    let absent = run(&[&"mementomap", &"compact", &map, &"--absent", &asked], 0);
    assert_eq!(
        stdout(&absent),
        "com,a)/x/* 20\ncom,a)/x/none/* 0\ncom,a)/y/* 20\n"
    );
    let weighed = run(
        &[&"mementomap", &"compact", &map, &"--target-cost", &"0.1"],
        0,
    );
    assert_eq!(stdout(&weighed), "com,a)/x/* 20\ncom,a)/y/* 20\n");
    let fitted = run(&[&"mementomap", &"compact", &map, &"--fit"], 0);
    assert!(
        stderr(&fitted).contains("paths: a = "),
        "{}",
        stderr(&fitted)
    );
}

#[test]
fn a_filter_tells_what_wildcards_do_not_hold() {
    let dir = tempfile::tempdir().unwrap();
    lopsided(dir.path());
    let at = |name: &str| dir.path().join(name);
    run(
        &[
            &"mementomap",
            &"compact",
            &at("map"),
            &"--filter",
            &at("filter"),
            &"-o",
            &at("small"),
        ],
        0,
    );
    let ask = |url: &str| {
        let found = run(
            &[
                &"mementomap",
                &"lookup",
                &at("small"),
                &url,
                &"--filter",
                &at("filter"),
            ],
            0,
        );
        stdout(&found)
    };
    assert_eq!(
        ask("http://a.com/x/07"),
        "com,a)/x/* 20 1 http://a.com/x/07\n".replace(" 1 ", " 2 ")
    );
    let unheld = (0..50).filter(|n| ask(&format!("http://a.com/x/no{n}")).is_empty());
    assert!(unheld.count() > 45);
    let other = run(
        &[
            &"mementomap",
            &"lookup",
            &at("map"),
            &"com,a)/",
            &"--filter",
            &at("filter"),
        ],
        1,
    );
    assert!(stderr(&other).contains("the filter of another map"));
}

#[test]
fn a_map_with_its_filter_costs_no_more_than_is_wanted() {
    let dir = tempfile::tempdir().unwrap();
    let at = |name: &str| dir.path().join(name);
    std::fs::write(at("index.cdxj"), harmless_index()).unwrap();
    run(
        &[
            &"mementomap",
            &"generate",
            &at("index.cdxj"),
            &"-o",
            &at("map"),
        ],
        0,
    );
    std::fs::write(at("asked"), "http://nowhere.example/\n").unwrap();
    for more in [&[][..], &["--adaptive"]] {
        let (map, filter) = (at("map"), at("filter"));
        let mut words: Vec<&dyn AsRef<std::ffi::OsStr>> = vec![
            &"mementomap",
            &"compact",
            &map,
            &"--target-cost",
            &"0.3",
            &"--filter",
            &filter,
        ];
        words.extend(more.iter().map(|word| word as &dyn AsRef<std::ffi::OsStr>));
        let small = at("small");
        words.extend([&"-o" as &dyn AsRef<std::ffi::OsStr>, &small]);
        run(&words, 0);
        let judged = run(
            &[
                &"mementomap",
                &"evaluate",
                &small,
                &"--filter",
                &filter,
                &"--index",
                &at("index.cdxj"),
                &"--lookups",
                &at("asked"),
                &"--json",
            ],
            0,
        );
        let judged: serde_json::Value = serde_json::from_str(&stdout(&judged)).unwrap();
        let cost = judged["cost"].as_f64().unwrap();
        assert!((0.1..=0.3).contains(&cost), "{more:?}: {judged}");
        assert_eq!(judged["lost_keys"], 0);
    }
    let small = run(
        &[
            &"mementomap",
            &"compact",
            &at("map"),
            &"--target-cost",
            &"0.001",
            &"--filter",
            &at("filter"),
        ],
        1,
    );
    assert!(!stderr(&small).is_empty());
}
