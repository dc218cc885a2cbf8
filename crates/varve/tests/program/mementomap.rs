//! `varve mementomap`, and the Python package that the format comes from.

use crate::setup::{judge, run, sample, stderr, stdout, succeed, varve};
use std::io::Write;
use std::path::Path;
use std::process::Stdio;

/// An index without what the original gets wrong: names of one length, hosts with pages or with
/// subdomains but not both, queries only where nothing comes between.
fn harmless_index() -> String {
    let mut lines = Vec::new();
    let mut dice = 7_u64;
    let mut throw = |sides: u64| {
        dice = dice
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (dice >> 33) % sides
    };
    for _ in 0..4000 {
        let mut key = format!(
            "{},d{:02}",
            ["com", "org", "uk"][throw(3) as usize],
            throw(30)
        );
        if key.as_bytes()[key.len() - 1] % 2 == 0 {
            for _ in 0..1 + throw(2) {
                key += &format!(",s{:02}", throw(40));
            }
            // A host with subdomains has no pages of its own.
            if key.matches(',').count() == 2 && key.as_bytes()[key.len() - 1] % 2 == 0 {
                key += &format!(",t{:02}", throw(20));
            }
        }
        key += ")";
        for _ in 0..throw(7) {
            let names = 1 + throw(30);
            key += &format!("/p{:02}", throw(names));
        }
        if key.ends_with(')') {
            key += "/";
        }
        for n in 0..1 + throw(3) {
            lines.push(format!(
                "{key} 201{n}0101000000 {{\"url\": \"x\", \"status\": \"200\"}}\n"
            ));
        }
    }
    lines.sort();
    // Only hosts whose subdomains are not there.
    let hosts: std::collections::BTreeSet<String> = lines
        .iter()
        .filter_map(|line| line.split(')').next())
        .map(str::to_owned)
        .collect();
    lines.retain(|line| {
        let host = format!("{},", line.split(')').next().unwrap_or_default());
        hosts
            .range(host.clone()..)
            .next()
            .is_none_or(|next| !next.starts_with(&host))
    });
    lines.concat()
}

fn data_lines(map: &str) -> String {
    map.lines()
        .filter(|line| !line.starts_with('!'))
        .map(|line| format!("{line}\n"))
        .collect()
}

#[test]
fn the_original_makes_the_same_maps() {
    let dir = tempfile::tempdir().unwrap();
    let at = |name: &str| dir.path().join(name);
    std::fs::write(at("index.cdxj"), harmless_index()).unwrap();
    let index = at("index.cdxj");
    run(
        &[&"mementomap", &"generate", &index, &"-o", &at("detailed")],
        0,
    );
    let weights = ["inf", "4", "2", "1", "0.5", "0.25"];
    let mut roll_ups = 0;
    for host in weights {
        for path in weights {
            for (command, input) in [("generate", "index.cdxj"), ("compact", "detailed")] {
                // The original would take headers for lines.
                let detailed = data_lines(&std::fs::read_to_string(at(input)).unwrap());
                std::fs::write(at("input"), detailed).unwrap();
                succeed(
                    judge("mementomap")
                        .args([command, "--hcf", host, "--pcf", path])
                        .args([at("input"), at("theirs")]),
                );
                let ours = run(
                    &[
                        &"mementomap",
                        &command,
                        &at("input"),
                        &"--host-weight",
                        &host,
                        &"--path-weight",
                        &path,
                    ],
                    0,
                );
                let theirs = std::fs::read_to_string(at("theirs")).unwrap();
                assert_eq!(
                    data_lines(&stdout(&ours)),
                    theirs,
                    "{command} {host} {path}"
                );
                roll_ups += theirs.matches('*').count();
            }
        }
    }
    assert!(roll_ups > 1000, "{roll_ups}");
}

#[test]
fn the_original_finds_the_same_keys_at_the_same_distance() {
    let dir = tempfile::tempdir().unwrap();
    let map = dir.path().join("map");
    let lines = "com,a) 1\ncom,b,* 2\ncom,c)/x 3\ncom,c)/x/* 4\ncom,c)/y/z 5\ncom,d)/* 6\n";
    // The original gives up when it comes near the end.
    let end: String = (10..99).map(|n| format!("org,z{n}) 7\n")).collect();
    std::fs::write(&map, lines.to_owned() + &end).unwrap();
    for key in [
        "com,c)/x",
        "com,c)/x/q/r",
        "com,d)",
        "com,d)/e/f",
        "com,b)",
        "com,b,www)/x?y",
        "com,c)/y/z/",
    ] {
        let theirs = succeed(judge("mementomap").arg("lookup").arg(&map).arg(key));
        let ours = run(&[&"mementomap", &"lookup", &map, &key], 0);
        assert_eq!(stdout(&ours), theirs, "{key}");
        assert!(!theirs.is_empty());
    }
}

/// Runs `varve mementomap` with something on stdin.
fn piped(args: &[&str], input: &[u8]) -> std::process::Output {
    let mut child = varve()
        .arg("mementomap")
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(input).unwrap();
    child.wait_with_output().unwrap()
}

#[test]
fn headers_are_written_and_kept() {
    let made = piped(
        &[
            "generate",
            "--id",
            "https://archive.example/",
            "--name",
            "Example",
        ],
        b"com,a)/ 20140101000000 {}\n",
    );
    let map = stdout(&made);
    for header in [
        "!context [",
        "!id {\"uri\":\"https://archive.example/\"}",
        "!fields {",
        "!meta {\"name\":\"Example\"",
    ] {
        assert!(map.contains(header), "{map}");
    }
    assert!(map.ends_with("\ncom,a) 1\n"), "{map}");
    let compacted = stdout(&piped(&["compact"], map.as_bytes()));
    assert_eq!(compacted, map);
    let theirs = "!id {uri: \"x\"}\n!meta {a: 1}\n!meta {b: 2}\ncom,a) 1\n";
    assert_eq!(stdout(&piped(&["compact", "-"], theirs.as_bytes())), theirs);
}

#[test]
fn maps_are_compressed_by_name_and_read_whatever_they_are() {
    let dir = tempfile::tempdir().unwrap();
    let index = dir.path().join("index.cdxj");
    std::fs::write(
        &index,
        "com,a)/x 20140101000000 {}\ncom,b)/ 20140101000000 {}\n",
    )
    .unwrap();
    for (name, magic) in [
        ("map", &b"!con"[..]),
        ("map.gz", &[0x1f, 0x8b]),
        ("map.zst", &[0x28, 0xb5]),
    ] {
        let map = dir.path().join(name);
        run(&[&"mementomap", &"generate", &index, &"-o", &map], 0);
        assert!(std::fs::read(&map).unwrap().starts_with(magic), "{name}");
        let found = run(&[&"mementomap", &"lookup", &map, &"http://a.com/X"], 0);
        assert_eq!(stdout(&found), "com,a)/x 1 0 http://a.com/X\n");
        let again = run(&[&"mementomap", &"compact", &map], 0);
        assert_eq!(data_lines(&stdout(&again)), "com,a)/x 1\ncom,b) 1\n");
    }
}

#[test]
fn questions_are_answered_in_order_one_line_each() {
    let dir = tempfile::tempdir().unwrap();
    let map = dir.path().join("map");
    std::fs::write(&map, "com,a)/* 5/2\ncom,a)/no/* 0\n").unwrap();
    let args = [
        "lookup",
        map.to_str().unwrap(),
        "--json",
        "--batch",
        "-",
        "com,b)/",
    ];
    let answers = piped(&args, b"http://a.com/x\n\ncom,a)/no/way\n");
    assert_eq!(
        stdout(&answers),
        "{\"query\": \"com,b)/\", \"key\": null, \"frequency\": null, \"distance\": null}\n\
         {\"query\": \"http://a.com/x\", \"key\": \"com,a)/*\", \"frequency\": \"5/2\", \"distance\": 2}\n\
         {\"query\": \"com,a)/no/way\", \"key\": \"com,a)/no/*\", \"frequency\": \"0\", \"distance\": 2}\n"
    );
}

#[test]
fn what_is_wrong_is_told_with_its_line_and_sort_mends_it() {
    let unsorted = b"com,b) 1\ncom,a) 2\ncom,b) 3\n";
    let refused = piped(&["compact"], unsorted);
    assert_eq!(refused.status.code(), Some(1));
    assert!(
        stderr(&refused).contains("standard input, line 2: not in the order"),
        "{}",
        stderr(&refused)
    );
    assert_eq!(
        stdout(&piped(&["compact", "--sort"], unsorted)),
        "com,a) 2\ncom,b) 4\n"
    );
    let damaged = piped(&["compact"], b"com,a) 1\ncom,b) x\n");
    assert!(
        stderr(&damaged).contains("line 2: no frequency"),
        "{}",
        stderr(&damaged)
    );
    let binary = piped(&["generate"], b"com,a)/ 20140101000000 {}\n\0\0\0\n");
    assert!(
        stderr(&binary).contains("line 2: holds a NUL byte"),
        "{}",
        stderr(&binary)
    );
}

#[test]
fn a_failed_command_leaves_the_old_map_as_it_was() {
    let dir = tempfile::tempdir().unwrap();
    let map = dir.path().join("map");
    std::fs::write(&map, "old\n").unwrap();
    let failed = piped(
        &["compact", "-o", map.to_str().unwrap()],
        b"com,b) 1\ncom,a) 1\n",
    );
    assert_eq!(failed.status.code(), Some(1));
    assert_eq!(std::fs::read_to_string(&map).unwrap(), "old\n");
    assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 1);
}

#[test]
fn a_collection_has_a_map_and_a_profile() {
    let dir = tempfile::tempdir().unwrap();
    let (warc, collection) = (sample(dir.path()), dir.path().join("collection"));
    run(&[&"import", &warc, &"-c", &collection], 0);
    let map = dir.path().join("map");
    run(
        &[
            &"mementomap",
            &"generate",
            &collection,
            &"--originals",
            &"-o",
            &map,
        ],
        0,
    );
    let index =
        std::fs::read_to_string(crate::setup::only_layer(&collection).join("indexes/index.cdxj"))
            .unwrap();
    for line in index.lines() {
        let url = line
            .split("\"url\": \"")
            .nth(1)
            .unwrap()
            .split('"')
            .next()
            .unwrap();
        let found = run(&[&"mementomap", &"lookup", &map, &url], 0);
        assert!(!stdout(&found).is_empty(), "{url}");
    }
    let stats = run(&[&"mementomap", &"stats", &collection, &"--json"], 0);
    let stats: serde_json::Value = serde_json::from_slice(&stats.stdout).unwrap();
    assert_eq!(stats["total"]["mementos"], index.lines().count());
}

/// Cuts an index into gzip members of 300 lines; gives them, and the place of each with its first
/// two words.
fn in_blocks(index: &str) -> (Vec<u8>, Vec<(String, usize, usize)>) {
    let lines: Vec<&str> = index.lines().collect();
    let (mut part, mut places) = (Vec::new(), Vec::new());
    for block in lines.chunks(300) {
        let mut member = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        member
            .write_all((block.join("\n") + "\n").as_bytes())
            .unwrap();
        let member = member.finish().unwrap();
        let words: Vec<&str> = block[0].splitn(3, ' ').collect();
        places.push((words[..2].join(" "), part.len(), member.len()));
        part.extend(member);
    }
    (part, places)
}

#[test]
fn a_zipnum_index_has_the_map_of_the_same_index_in_plain() {
    let dir = tempfile::tempdir().unwrap();
    let at = |name: &str| dir.path().join(name);
    let index = harmless_index();
    let (part, places) = in_blocks(&index);
    assert!(places.len() > 5, "several blocks");
    std::fs::write(at("index.cdxj"), &index).unwrap();
    std::fs::write(at("part.gz"), part).unwrap();
    let wacz = places.iter().map(|(words, offset, length)| {
        format!("{words} {{\"offset\": {offset}, \"length\": {length}}}\n")
    });
    let header = "!meta 0 {\"format\": \"cdxj-gzip-1.0\", \"filename\": \"part.gz\"}\n";
    std::fs::write(
        at("wacz.idx"),
        header.to_owned() + &wacz.collect::<String>(),
    )
    .unwrap();
    let classic = places
        .iter()
        .map(|(words, offset, length)| format!("{words}\tpart.gz\t{offset}\t{length}\n"));
    std::fs::write(at("classic.idx"), classic.collect::<String>()).unwrap();
    let map = |name: &str| {
        let made = run(&[&"mementomap", &"generate", &at(name), &"--originals"], 0);
        data_lines(&stdout(&made))
    };
    let plain = map("index.cdxj");
    assert!(plain.lines().count() > 1000);
    for spelling in ["wacz.idx", "classic.idx"] {
        assert!(map(spelling) == plain, "{spelling}");
    }
}

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
