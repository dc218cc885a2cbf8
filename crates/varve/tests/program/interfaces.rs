//! Other people's servers and clients agree with `varve serve`: on the index, and on Memento.

use crate::serving::{interrupt, serve};
use crate::setup::{judge, root, run, succeed};
use std::io::{Read, Write};
use std::net::TcpStream;
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
fn wacz_finds_valid_what_is_downloaded() {
    let dir = tempfile::tempdir().unwrap();
    let (_, collection) = captures(dir.path());
    // A second layer, with a file of the same name.
    let other = dir.path().join("other");
    std::fs::create_dir(&other).unwrap();
    let again = other.join("captures.warc.gz");
    run(&[&"export", &collection, &again], 0);
    run(&[&"import", &again, &"-c", &collection], 0);
    let out = dir.path().join("out.wacz");
    let words = ask(&collection, |origin| {
        let address = origin.strip_prefix("http://").unwrap();
        let mut stream = TcpStream::connect(address).unwrap();
        let target = "/collections/collection/collection.wacz";
        let head = format!("GET {target} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
        stream.write_all(head.as_bytes()).unwrap();
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes).unwrap();
        assert!(bytes.starts_with(b"HTTP/1.1 200"));
        let end = bytes
            .windows(4)
            .position(|four| four == b"\r\n\r\n")
            .unwrap();
        std::fs::write(&out, &bytes[end + 4..]).unwrap();
        succeed(judge("wacz").args(["validate", "-f"]).arg(&out))
    });
    assert!(words.contains("is valid"), "{words}");
    let written = dir.path().join("written.wacz");
    run(&[&"export", &collection, &written], 0);
    let length = |path: &Path| std::fs::metadata(path).unwrap().len();
    assert_eq!(length(&out), length(&written));
    run(&[&"audit", &out], 0);
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
    assert!(told.contains("Tested: 18"), "{told}");
}

#[test]
fn nor_does_any_that_administrators_may_ask() {
    use std::os::unix::fs::PermissionsExt;
    const TOKEN: &str = "correct-horse-battery";
    let dir = tempfile::tempdir().unwrap();
    let (_, collection) = captures(dir.path());
    let (token, list) = (dir.path().join("token"), dir.path().join("access.aclj"));
    std::fs::write(&token, TOKEN).unwrap();
    std::fs::set_permissions(&token, PermissionsExt::from_mode(0o600)).unwrap();
    std::fs::write(&list, "").unwrap();
    let [token, list] = [&token, &list].map(|path| path.to_str().unwrap());
    let (child, line) = serve(&collection, &["--admin-token", token, "--access", list]);
    let origin = line.strip_prefix("open ").unwrap().split('/').take(3);
    let origin = origin.collect::<Vec<_>>().join("/");
    let told = succeed(
        judge("schemathesis")
            .current_dir(dir.path())
            .arg("run")
            .arg(format!("{origin}/openapi.json"))
            .args(["--include-path-regex", "^/admin"])
            .arg("-H")
            .arg(format!("Authorization: Bearer {TOKEN}"))
            .arg("--checks=not_a_server_error,status_code_conformance,content_type_conformance")
            .args(["--max-examples", "40", "--seed", "1", "--no-color"]),
    );
    assert!(told.contains("Tested: 5"), "{told}");
    assert_eq!(interrupt(child), Some(0));
    run(&[&"audit", &collection], 0);
}
