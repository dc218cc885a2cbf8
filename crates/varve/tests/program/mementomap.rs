//! `varve mementomap`: maps made, kept, asked, and mended.

mod better;
mod original;

use crate::setup::{run, sample, stderr, stdout, varve};
use original::{data_lines, harmless_index};
use std::io::Write;
use std::process::Stdio;

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
