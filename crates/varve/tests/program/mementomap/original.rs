//! What the Python package that the format comes from makes of the same, where it is right.

use crate::setup::{judge, run, stdout, succeed};

/// An index without what the original gets wrong: names of one length, hosts with pages or with
/// subdomains but not both, queries only where nothing comes between.
pub(super) fn harmless_index() -> String {
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

/// A map without its headers.
pub(super) fn data_lines(map: &str) -> String {
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
