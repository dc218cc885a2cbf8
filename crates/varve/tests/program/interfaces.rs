//! Other people's servers and clients agree with `varve serve`: on the index, and on Memento.

use crate::serving::{interrupt, serve};
use crate::setup::{judge, root, run, succeed};
use std::path::{Path, PathBuf};

/// Many captures in a WARC file, and a collection of them.
fn captures(dir: &Path) -> (PathBuf, PathBuf) {
    let (warc, collection) = (dir.join("captures.warc.gz"), dir.join("collection"));
    let script = root().join("tests/judges/compare_cdx.py");
    succeed(judge("python").arg(script).arg("make").arg(&warc));
    run(&[&"import", &warc, &"-c", &collection], 0);
    (warc, collection)
}

/// Serves a collection while another program asks it.
fn ask(collection: &Path, question: impl FnOnce(&str) -> String) -> String {
    let more = ["--layout", "path", "--replay-listen", "127.0.0.1:0"];
    let (child, line) = serve(collection, &more);
    let address = line.strip_prefix("open ").unwrap();
    let origin = address.split(' ').next().unwrap().trim_end_matches('/');
    let answer = question(origin);
    assert_eq!(interrupt(child), Some(0));
    answer
}

#[test]
fn pywb_gives_the_same_answers_about_the_index() {
    let dir = tempfile::tempdir().unwrap();
    let (warc, collection) = captures(dir.path());
    let alike = ask(&collection, |origin| {
        succeed(
            judge("python")
                .arg(root().join("tests/judges/compare_cdx.py"))
                .arg("ask")
                .arg(dir.path().join("pywb"))
                .arg(&warc)
                .arg(origin),
        )
    });
    let alike: usize = alike.trim().parse().unwrap();
    assert!(alike >= 100, "only {alike} questions were compared");
}

#[test]
fn clients_of_memento_find_what_there_is() {
    let dir = tempfile::tempdir().unwrap();
    let (_, collection) = captures(dir.path());
    let url = "http://example.org/about";
    let told = ask(&collection, |origin| {
        let script = root().join("tests/judges/memento.py");
        succeed(judge("python").arg(script).args([origin, url, "2016"]))
    });
    let lines: Vec<&str> = told.lines().collect();
    assert!(
        lines[0].starts_with("5 http://example.org/about http://"),
        "{told}"
    );
    let nearest = format!("/web/20160201010000mp_/{url} {url} ['closest', 'first', 'last']");
    assert!(
        lines[1].starts_with("200 ") && lines[1].ends_with(&nearest),
        "{told}"
    );
}

#[test]
fn no_question_of_those_described_breaks_the_server() {
    let dir = tempfile::tempdir().unwrap();
    let (_, collection) = captures(dir.path());
    let told = ask(&collection, |origin| {
        succeed(
            judge("schemathesis")
                .current_dir(dir.path())
                .arg("run")
                .arg(format!("{origin}/openapi.json"))
                .arg("--checks=not_a_server_error,status_code_conformance,content_type_conformance")
                .args(["--max-examples", "40", "--seed", "1", "--no-color"]),
        )
    });
    assert!(told.contains("Tested: 7"), "{told}");
}
