//! `varve serve`: what it says, how it ends, and what it cannot do.

use crate::setup::{run, sample, stderr, stdout, varve};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

fn collection(dir: &Path) -> PathBuf {
    let collection = dir.join("collection");
    run(&[&"import", &sample(dir), &"-c", &collection], 0);
    collection
}

/// Starts serving on any port; gives the first line that it prints.
pub(crate) fn serve(collection: &Path, args: &[&str]) -> (Child, String) {
    let mut child = varve()
        .arg("serve")
        .arg(collection)
        .args(["--listen", "127.0.0.1:0"])
        .args(args)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    let mut lines = BufReader::new(child.stdout.take().unwrap());
    lines.read_line(&mut line).unwrap();
    (child, line)
}

/// Ctrl-C.
pub(crate) fn interrupt(mut child: Child) -> Option<i32> {
    let id = child.id().to_string();
    assert!(
        Command::new("kill")
            .args(["-INT", &id])
            .status()
            .unwrap()
            .success()
    );
    child.wait().unwrap().code()
}

fn get(address: &str, host: &str, path: &str) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    let request = format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

#[test]
fn it_says_where_it_is_and_ends_at_ctrl_c() {
    let dir = tempfile::tempdir().unwrap();
    let (child, line) = serve(&collection(dir.path()), &[]);
    let address = line.strip_prefix("open http://").unwrap();
    let address = address.split('/').next().unwrap();
    assert!(get(address, address, "/").contains("href=\"/collections/"));
    let port = address.rsplit(':').next().unwrap();
    let host = format!("garden.example.https.20240601120000.replay.localhost:{port}");
    assert!(get(address, &host, "/").starts_with("HTTP/1.1 200"));
    assert_eq!(interrupt(child), Some(0));
}

/// The lines of a map, without its headers.
fn lines(map: &str) -> Vec<String> {
    let lines = map.lines().filter(|line| line.contains(')'));
    lines.map(str::to_owned).collect()
}

#[test]
fn its_map_is_that_of_the_collection_whatever_is_added() {
    let dir = tempfile::tempdir().unwrap();
    let collection = collection(dir.path());
    let (child, line) = serve(&collection, &[]);
    let address = line.strip_prefix("open http://").unwrap();
    let address = address.split('/').next().unwrap();
    let published = || {
        let answer = get(address, address, "/.well-known/mementomap");
        let (head, map) = answer.split_once("\r\n\r\n").unwrap();
        assert!(head.starts_with("HTTP/1.1 200"), "{head}");
        lines(map)
    };
    let generated = || {
        let output = run(&[&"mementomap", &"generate", &collection], 0);
        lines(&stdout(&output))
    };
    assert_eq!(published(), generated());
    let more = dir.path().join("more.warc");
    let record = "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://new.example/\r\n\
        WARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-000000000001>\r\n\
        WARC-Date: 2026-01-01T00:00:00Z\r\nContent-Type: application/http\r\n\
        Content-Length: 19\r\n\r\nHTTP/1.1 200 OK\r\n\r\n\r\n\r\n";
    std::fs::write(&more, record).unwrap();
    run(&[&"import", &more, &"-c", &collection], 0);
    assert!(generated().contains(&"example,new) 1".to_owned()));
    let begun = Instant::now();
    while published() != generated() {
        assert!(begun.elapsed() < Duration::from_secs(60));
        std::thread::sleep(Duration::from_millis(50));
    }
    assert_eq!(interrupt(child), Some(0));
}

#[test]
fn as_a_proxy_it_shows_the_archive_at_its_own_addresses() {
    let dir = tempfile::tempdir().unwrap();
    let kept = dir.path().join("ca.pem");
    let kept = kept.to_str().unwrap();
    let collection = collection(dir.path());
    let more = [
        "--json",
        "--proxy-listen",
        "127.0.0.1:0",
        "--proxy-ca",
        kept,
    ];
    let more = [more.as_slice(), &["--proxy-time", "2024"]].concat();
    let (child, line) = serve(&collection, &more);
    let said: serde_json::Value = serde_json::from_str(&line).unwrap();
    let proxy = said["proxy"].as_str().unwrap();
    // Its only capture is of https.
    let shown = get(proxy, "garden.example", "http://garden.example/");
    assert!(shown.starts_with("HTTP/1.1 200"), "{shown}");
    assert!(
        shown.contains("\r\nx-varve-match: canonical\r\n"),
        "{shown}"
    );
    let certificate = get(proxy, proxy, "/ca.pem");
    let certificate = certificate.split("\r\n\r\n").nth(1).unwrap();
    assert!(
        std::fs::read_to_string(kept)
            .unwrap()
            .ends_with(certificate)
    );
    assert_eq!(interrupt(child), Some(0));
    let words = stderr(&run(&[&"serve", &collection, &"--proxy-time", &"2024"], 2));
    assert!(words.contains("--proxy-listen"), "{words}");
}

#[test]
fn programs_are_told_in_json() {
    let dir = tempfile::tempdir().unwrap();
    let args = [
        "--json",
        "--layout",
        "path",
        "--replay-listen",
        "127.0.0.1:0",
    ];
    let (child, line) = serve(&collection(dir.path()), &args);
    let said: serde_json::Value = serde_json::from_str(&line).unwrap();
    assert_eq!(said["layout"], "path");
    let replay = said["replay"]
        .as_str()
        .unwrap()
        .strip_prefix("http://")
        .unwrap();
    let path = "/web/20240601120000mp_/https://garden.example/";
    assert!(get(replay, replay, path).starts_with("HTTP/1.1 200"));
    assert_eq!(interrupt(child), Some(0));
}

#[test]
fn what_cannot_be_served_is_said() {
    let dir = tempfile::tempdir().unwrap();
    let nothing = run(&[&"serve", &dir.path()], 1);
    assert!(stderr(&nothing).contains("no collection here"));
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let collection = collection(dir.path());
    let output = run(&[&"serve", &collection, &"--listen", &address], 1);
    assert!(stderr(&output).contains("choose another with --listen"));
}

#[test]
fn administrators_are_let_in_by_a_file_that_is_theirs_alone() {
    use std::os::unix::fs::PermissionsExt;
    let dir = tempfile::tempdir().unwrap();
    let collection = collection(dir.path());
    let token = dir.path().join("token");
    let refused = |text: &str, mode: u32| {
        std::fs::write(&token, text).unwrap();
        std::fs::set_permissions(&token, PermissionsExt::from_mode(mode)).unwrap();
        let words = stderr(&run(&[&"serve", &collection, &"--admin-token", &token], 1));
        assert!(words.contains("token: "), "{words}");
        assert!(!words.contains("correct-horse"), "{words}");
        words
    };
    assert!(refused("correct-horse", 0o600).contains("at least 16"));
    assert!(refused("correct-horse-battery", 0o644).contains("chmod 600"));
    std::fs::set_permissions(&token, PermissionsExt::from_mode(0o600)).unwrap();
    let token = token.to_str().unwrap();
    let (child, line) = serve(&collection, &["--json", "--admin-token", token]);
    let said: serde_json::Value = serde_json::from_str(&line).unwrap();
    let admin = said["admin"].as_str().unwrap();
    let address = admin.strip_prefix("http://").unwrap();
    let address = address.strip_suffix("/admin").unwrap();
    assert!(get(address, address, "/admin").contains("action=\"/admin/sign-in\""));
    assert_eq!(interrupt(child), Some(0));
}

#[test]
fn behind_another_server_it_speaks_of_itself_by_that_ones_name() {
    let dir = tempfile::tempdir().unwrap();
    let public = ["--public-url", "https://archive.example"];
    let replay = ["--public-replay-url", "https://replay.example:8443"];
    let path = [
        "--json",
        "--layout",
        "path",
        "--replay-listen",
        "127.0.0.1:0",
    ];
    let (child, line) = serve(
        &collection(dir.path()),
        &[&path[..], &public, &replay].concat(),
    );
    let place: serde_json::Value = serde_json::from_str(&line).unwrap();
    assert_eq!(place["url"], "https://archive.example/");
    let address = place["listen"].as_str().unwrap();
    let of_ours = get(
        address,
        "archive.example",
        "/timemap/link/https://garden.example/",
    );
    assert!(
        of_ours.contains("<https://archive.example/timegate/https://garden.example/>"),
        "{of_ours}"
    );
    let memento = get(
        address,
        "archive.example",
        "/web/20240601120000mp_/https://garden.example/",
    );
    let at = "https://replay.example:8443/web/20240601120000mp_/https://garden.example/";
    assert!(
        memento.contains(&format!("location: {at}\r\n")),
        "{memento}"
    );
    assert!(get(address, "rebound.test", "/").starts_with("HTTP/1.1 4"));
    assert_eq!(interrupt(child), Some(0));
}

#[test]
fn in_the_host_layout_archived_hosts_have_the_public_scheme() {
    let dir = tempfile::tempdir().unwrap();
    let words = [
        "--json",
        "--public-url",
        "https://archive.example",
        "--replay-host",
        "replay.example",
    ];
    let (child, line) = serve(&collection(dir.path()), &words);
    let place: serde_json::Value = serde_json::from_str(&line).unwrap();
    let address = place["listen"].as_str().unwrap();
    let host = "garden.example.https.20240601120000.replay.example";
    let page = get(address, host, "/");
    assert!(page.starts_with("HTTP/1.1 200"), "{page}");
    assert!(
        page.contains("https://*.20240601120000.replay.example"),
        "{page}"
    );
    let framed_by = page.split("frame-ancestors ").nth(1).unwrap();
    let framed_by = framed_by.split(';').next().unwrap();
    assert!(
        framed_by.contains(" https://archive.example "),
        "{framed_by}"
    );
    assert!(!page.contains("http://*."), "{page}");
    assert_eq!(interrupt(child), Some(0));
}

#[test]
fn public_addresses_that_do_not_fit_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    let collection = collection(dir.path());
    let check = |words: &[&str], code: i32, expected: &str| {
        let output = varve()
            .arg("serve")
            .arg(&collection)
            .args(words)
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(code), "{words:?}");
        assert!(stderr(&output).contains(expected), "{}", stderr(&output));
    };
    let own = ["--public-url", "https://a.example"];
    let path = ["--layout", "path"];
    let same = ["--public-replay-url", "https://a.example"];
    check(&[&path[..], &own].concat(), 1, "needs --public-replay-url");
    check(
        &[&path[..], &own, &same].concat(),
        1,
        "must be different origins",
    );
    check(&same, 1, "is for --layout path");
    check(
        &["--public-url", "https://a.example/x"],
        2,
        "without a path",
    );
}
