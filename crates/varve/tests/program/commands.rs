//! The commands: what they print, where, and how they end.

use crate::setup::{only_layer, run, sample, stderr, stdout, varve};
use serde_json::Value;
use std::path::{Path, PathBuf};

fn collection(dir: &Path) -> PathBuf {
    let collection = dir.join("collection");
    run(&[&"import", &sample(dir), &"-c", &collection], 0);
    collection
}

#[track_caller]
fn find(collection: &Path, args: &[&str], expected: &[&str]) {
    let output = varve()
        .arg("find")
        .arg(collection)
        .args(args)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let found = stdout(&output);
    assert_eq!(found.lines().collect::<Vec<_>>(), expected, "{args:?}");
}

#[test]
fn find_answers_every_kind_of_question() {
    let dir = tempfile::tempdir().unwrap();
    let c = collection(dir.path());
    let home = "https://garden.example/";
    find(
        &c,
        &[home, "--fields", "timestamp,status"],
        &["20240601120000 200", "20250601120000 200"],
    );
    find(
        &c,
        &[
            "garden.example/*",
            "--filter",
            "=status:404",
            "--fields",
            "url",
        ],
        &["https://garden.example/apples"],
    );
    find(
        &c,
        &[
            "*.example",
            "--filter",
            "!mime:html",
            "--filter",
            "~url:.*\\.(css|js)",
            "--from",
            "2025",
            "--fields",
            "url",
        ],
        &[
            "https://garden.example/garden.js",
            "https://garden.example/style.css",
        ],
    );
    find(
        &c,
        &[home, "--to", "2024", "--fields", "timestamp"],
        &["20240601120000"],
    );
    find(
        &c,
        &[
            home,
            "--closest",
            "20250101000000",
            "--limit",
            "1",
            "--fields",
            "timestamp",
        ],
        &["20250601120000"],
    );
    find(
        &c,
        &[home, "--reverse", "--fields", "timestamp"],
        &["20250601120000", "20240601120000"],
    );
    find(
        &c,
        &[
            home,
            "--match",
            "host",
            "--collapse",
            "urlkey",
            "--fields",
            "url",
        ],
        &[
            "https://garden.example/",
            "https://garden.example/apples",
            "https://garden.example/garden.js",
            "https://garden.example/pear.gif",
            "https://garden.example/style.css",
        ],
    );
    find(
        &c,
        &[
            home, "--match", "prefix", "--offset", "7", "--fields", "url",
        ],
        &[
            "https://garden.example/style.css",
            "https://garden.example/style.css",
        ],
    );
    find(
        &c,
        &[
            "https://garden.example/b",
            "--match",
            "range",
            "--until-url",
            "https://garden.example/h",
            "--collapse",
            "urlkey",
            "--fields",
            "url",
        ],
        &["https://garden.example/garden.js"],
    );
    find(&c, &["http://nobody.example/"], &[]);
}

#[test]
fn find_prints_cdxj_lines_or_json() {
    let dir = tempfile::tempdir().unwrap();
    let c = collection(dir.path());
    let plain = stdout(&run(&[&"find", &c, &"https://garden.example/apples"], 0));
    let index = std::fs::read_to_string(only_layer(&c).join("indexes/index.cdxj")).unwrap();
    assert!(index.contains(plain.trim()), "{plain}");
    let json = stdout(&run(
        &[&"find", &c, &"https://garden.example/apples", &"--json"],
        0,
    ));
    let value: Value = serde_json::from_str(json.trim()).unwrap();
    assert_eq!(value["status"], "404");
    assert_eq!(value["urlkey"], "example,garden)/apples");
}

#[test]
fn a_wrong_question_is_explained() {
    let dir = tempfile::tempdir().unwrap();
    let c = collection(dir.path());
    for (args, word) in [
        (["--filter", "~url:("], "regex"),
        (["--from", "soon"], "soon"),
        (["--collapse", "timestamp:x"], "timestamp:x"),
    ] {
        let output = varve()
            .arg("find")
            .arg(&c)
            .arg("http://x.example/")
            .args(args)
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(1), "{args:?}");
        assert!(stderr(&output).contains(word), "{}", stderr(&output));
    }
}

#[test]
fn what_is_no_collection_is_said_to_be_none() {
    let dir = tempfile::tempdir().unwrap();
    for command in ["find", "audit"] {
        let mut program = varve();
        program.arg(command).arg(dir.path());
        if command == "find" {
            program.arg("http://a.example/");
        }
        let output = program.output().unwrap();
        assert_eq!(output.status.code(), Some(1));
        assert!(
            stderr(&output).contains("no collection here"),
            "{}",
            stderr(&output)
        );
        assert!(
            std::fs::read_dir(dir.path()).unwrap().next().is_none(),
            "nothing was made"
        );
    }
}

#[test]
fn import_takes_directories_and_tells_what_it_did() {
    let dir = tempfile::tempdir().unwrap();
    sample(dir.path());
    let c = dir.path().join("c");
    let first = run(&[&"import", &dir.path(), &"-c", &c, &"--json"], 0);
    let last: Value = serde_json::from_str(stdout(&first).lines().last().unwrap()).unwrap();
    assert_eq!((&last["added"], &last["captures"]), (&1.into(), &9.into()));
    let again = run(
        &[&"import", &dir.path().join("garden.warc.gz"), &"-c", &c],
        0,
    );
    assert!(stderr(&again).contains("in the collection already"));
    assert!(stdout(&again).contains("nothing added"));
}

#[test]
fn one_bad_file_does_not_stop_the_others() {
    let dir = tempfile::tempdir().unwrap();
    let good = sample(dir.path());
    let bad = dir.path().join("bad.warc");
    std::fs::write(&bad, "no archive").unwrap();
    let c = dir.path().join("c");
    let output = run(
        &[
            &"import",
            &bad,
            &dir.path().join("missing.warc"),
            &good,
            &"-c",
            &c,
        ],
        1,
    );
    let said = stderr(&output);
    assert!(
        said.contains("bad.warc") && said.contains("missing.warc"),
        "{said}"
    );
    assert!(
        stdout(&output).contains("added 1 file"),
        "{}",
        stdout(&output)
    );
}

#[test]
fn quiet_is_quiet_and_success_says_little() {
    let dir = tempfile::tempdir().unwrap();
    let warc = sample(dir.path());
    let output = run(&[&"-q", &"import", &warc, &"-c", &dir.path().join("c")], 0);
    assert_eq!(stderr(&output), "");
    assert_eq!(stdout(&output).lines().count(), 1);
}

#[test]
fn exports_come_back_the_same() {
    let dir = tempfile::tempdir().unwrap();
    let c = collection(dir.path());
    let urls = |c: &Path| {
        stdout(&run(
            &[
                &"find",
                &c,
                &"*.example",
                &"--fields",
                &"urlkey,timestamp,status,digest",
            ],
            0,
        ))
    };
    for ending in ["wacz", "warc.gz", "warc.zst", "warc"] {
        let out = dir.path().join(format!("out.{ending}"));
        run(&[&"export", &c, &out], 0);
        run(&[&"audit", &out], 0);
        let again = dir.path().join(format!("from-{ending}"));
        run(&[&"import", &out, &"-c", &again], 0);
        run(&[&"audit", &again], 0);
        assert_eq!(urls(&again), urls(&c), "{ending}");
        let refused = run(&[&"export", &c, &out], 1);
        assert!(stderr(&refused).contains("exists already"));
    }
    let wrong = run(&[&"export", &c, &dir.path().join("out.zip")], 1);
    assert!(stderr(&wrong).contains(".wacz"));
}

#[test]
fn audit_names_file_and_offset_and_rebuilds_the_index() {
    let dir = tempfile::tempdir().unwrap();
    let c = collection(dir.path());
    assert!(stdout(&run(&[&"audit", &c], 0)).contains("sound"));
    let index = only_layer(&c).join("indexes/index.cdxj");
    let whole = std::fs::read_to_string(&index).unwrap();
    let cut: String = whole
        .lines()
        .skip(1)
        .map(|line| format!("{line}\n"))
        .collect();
    std::fs::write(&index, cut).unwrap();
    let said = stderr(&run(&[&"audit", &c], 5));
    assert!(
        said.contains("the index lacks it") && said.contains("garden.warc.gz"),
        "{said}"
    );
    run(&[&"audit", &c, &"--rebuild-index"], 0);
    assert_eq!(std::fs::read_to_string(&index).unwrap(), whole);

    let warc = only_layer(&c).join("archive/garden.warc.gz");
    let mut bytes = std::fs::read(&warc).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 4;
    std::fs::write(&warc, bytes).unwrap();
    let said = stderr(&run(&[&"audit", &c], 5));
    assert!(said.contains("garden.warc.gz: offset "), "{said}");
}

#[test]
fn help_and_usage() {
    let help = stdout(&run(&[&"--help"], 0));
    assert!(
        help.contains("import") && help.contains("Exit codes"),
        "{help}"
    );
    run(&[&"no-such-command"], 2);
    run(&[&"find"], 2);
}
