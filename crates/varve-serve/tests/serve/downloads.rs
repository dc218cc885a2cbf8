//! Files for other tools: records, archive files and whole collections, in parts and from any site.

use crate::archive::{Saved, TIME, add_compressed, add_layer};
use crate::asking::{Answer, In, Running, answer, raw};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tempfile::TempDir;
use varve_model::Timestamp;
use varve_serve::{ServeOptions, Server};
use varve_store::collection::Collection;
use varve_store::export::export_wacz;
use varve_store::fs::OsFileSystem;
use varve_store::warc::Compression;
use varve_store::world::TestWorld;

const URL: &str = "https://h.test/a";

/// Two layers.
fn archive() -> Running {
    let first = [
        Saved::page(URL, "one").at("20200101000000"),
        Saved::page("http://h.test/a", "other scheme").at("20210101000000"),
    ];
    let second = [Saved::page(URL, "two").at("20220101000000")];
    Running::new(&[&first, &second], In::Host)
}

fn ask(running: &Running, method: &str, target: &str, fields: &str) -> Answer {
    let host = running.ui();
    let head = format!("{method} {target} HTTP/1.1\r\nHost: {host}\r\n{fields}");
    let request = format!("{head}Connection: close\r\n\r\n");
    answer(&raw(host, request.as_bytes())).unwrap()
}

fn list(running: &Running, target: &str) -> Value {
    serde_json::from_str(&running.own(target).text()).unwrap()
}

/// The path of a URL of the archive.
fn path(url: &Value) -> String {
    let url = url.as_str().unwrap();
    let at = url.find("/collections").unwrap();
    url[at..].to_owned()
}

fn wacz(running: &Running) -> String {
    path(&list(running, "/collections.json")["collections"][0]["wacz"])
}

/// What `varve export` writes, at the moment when the last layer was sealed.
fn exported(root: &Path) -> Vec<u8> {
    let open = |time| Collection::open(Arc::new(OsFileSystem), root, TestWorld::new(time)).unwrap();
    let any = Timestamp::parse(TIME).unwrap();
    let sealed = open(any).layers().last().unwrap().sealed.clone();
    let collection = open(Timestamp::parse_w3c(&sealed).unwrap());
    let out = TempDir::new().unwrap();
    let file = out.path().join("out.wacz");
    export_wacz(&collection, &file, &mut ()).unwrap();
    std::fs::read(file).unwrap()
}

#[test]
fn a_collection_is_the_wacz_that_export_writes() {
    let running = archive();
    let answer = running.own(&wacz(&running));
    assert_eq!(answer.status, 200);
    assert_eq!(answer.header("content-type"), "application/wacz");
    assert!(answer.header("content-disposition").ends_with(".wacz\""));
    assert!(answer.body == exported(running.dir.path()));
}

#[test]
fn parts_are_the_bytes_that_are_asked_for() {
    let running = archive();
    let target = wacz(&running);
    let whole = running.own(&target);
    let (all, tag) = (&whole.body, whole.header("etag"));
    let total = all.len();
    for (fields, status, from, to) in [
        ("Range: bytes=0-3", 206, 0, 4),
        ("Range: bytes=-22", 206, total - 22, total),
        ("Range: bytes=100-", 206, 100, total),
        ("Range: bytes=100-99999999", 206, 100, total),
        ("Range: bytes=1-2, 5-6", 200, 0, total),
        ("Range: lines=1-2", 200, 0, total),
        ("X: y", 200, 0, total),
        ("Range: bytes=0-3\r\nIf-Range: \"another\"", 200, 0, total),
        (&format!("Range: bytes=0-3\r\nIf-Range: {tag}"), 206, 0, 4),
    ] {
        let part = ask(&running, "GET", &target, &format!("{fields}\r\n"));
        assert_eq!(part.status, status, "{fields}");
        assert!(part.body == all[from..to], "{fields}");
        assert_eq!(part.header("content-length"), (to - from).to_string());
        assert_eq!(part.header("etag"), tag);
        let range = match status {
            206 => format!("bytes {from}-{}/{total}", to - 1),
            _ => String::new(),
        };
        assert_eq!(part.header("content-range"), range, "{fields}");
        let head = ask(&running, "HEAD", &target, &format!("{fields}\r\n"));
        assert_eq!((head.status, head.body.len()), (status, 0), "{fields}");
        assert_eq!(head.header("content-length"), part.header("content-length"));
    }
    let beyond = ask(
        &running,
        "GET",
        &target,
        &format!("Range: bytes={total}-\r\n"),
    );
    assert_eq!(beyond.status, 416);
    assert_eq!(beyond.header("content-range"), format!("bytes */{total}"));
    let known = ask(
        &running,
        "GET",
        &target,
        &format!("If-None-Match: {tag}\r\n"),
    );
    assert_eq!((known.status, known.body.len()), (304, 0));
}

#[test]
fn another_layer_makes_another_wacz() {
    let running = archive();
    let before = running.own(&wacz(&running));
    add_layer(
        running.dir.path(),
        &[Saved::page(URL, "three").at("20230101000000")],
    );
    // A manifest is looked at once a second.
    let until = std::time::Instant::now() + std::time::Duration::from_secs(30);
    loop {
        let after = running.own(&wacz(&running));
        if after.header("etag") != before.header("etag") {
            assert!(after.body == exported(running.dir.path()));
            return;
        }
        assert!(std::time::Instant::now() < until, "it never changes");
        std::thread::sleep(std::time::Duration::from_millis(100));
    }
}

#[test]
fn archive_files_are_as_they_are() {
    let running = archive();
    let collection = path(&list(&running, "/collections.json")["collections"][0]["files"]);
    let files = list(&running, &collection)["files"].clone();
    let collection = collection.trim_end_matches("/files.json");
    assert_eq!(files.as_array().unwrap().len(), 2);
    let stored: Vec<Vec<u8>> = layers(running.dir.path())
        .iter()
        .map(|layer| only_file(layer))
        .collect();
    for file in files.as_array().unwrap() {
        let answer = running.own(&path(&file["url"]));
        assert_eq!(answer.header("content-type"), "application/warc");
        assert!(stored.contains(&answer.body));
        assert_eq!(file["bytes"], answer.body.len());
        let hash = file["hash"].as_str().unwrap();
        assert_eq!(answer.header("etag"), format!("\"{hash}\""));
    }
    for nothing in [
        "/archive/none.warc.gz",
        "/archive/..%2Fdatapackage.json",
        "/archive/../../../collection.json",
        "/datapackage.json",
        "/other.wacz",
    ] {
        assert_eq!(running.own(&format!("{collection}{nothing}")).status, 404);
    }
    assert_eq!(running.own("/collections/none/none.wacz").status, 404);
}

/// The archive file of a layer that has one.
fn only_file(layer: &Path) -> Vec<u8> {
    let file = layer.join("archive").read_dir().unwrap().next().unwrap();
    std::fs::read(file.unwrap().path()).unwrap()
}

fn layers(root: &Path) -> Vec<PathBuf> {
    let layers = root.join("layers").read_dir().unwrap();
    let mut layers: Vec<PathBuf> = layers.map(|layer| layer.unwrap().path()).collect();
    layers.sort();
    layers
}

#[test]
fn collections_of_one_name_are_told_apart() {
    let (one, two) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    let roots = [one.path().join("my archive"), two.path().join("my archive")];
    for (root, body) in roots.iter().zip(["one", "two"]) {
        add_layer(root, &[Saved::page(URL, body)]);
    }
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let options = ServeOptions::new(roots.to_vec(), ([127, 0, 0, 1], 0).into());
    let server = runtime.block_on(Server::start(options)).unwrap();
    for (name, root) in ["my-archive", "my-archive-2"].iter().zip(&roots) {
        let address = server.address();
        let target = format!("/collections/{name}/{name}.wacz");
        let request =
            format!("GET {target} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
        let answer = answer(&raw(address, request.as_bytes())).unwrap();
        assert!(answer.body == exported(root), "{name}");
    }
    runtime.block_on(server.stop());
}

#[test]
fn a_record_is_that_of_the_nearest_capture_as_it_is_stored() {
    let running = archive();
    for (asked, date, uri) in [
        ("2020/https://h.test/a", "2020-01-01T00:00:00Z", URL),
        (
            "20210101000000/https://h.test/a",
            "2022-01-01T00:00:00Z",
            URL,
        ),
        (
            "20210101000000/http://h.test/a",
            "2021-01-01T00:00:00Z",
            "http://h.test/a",
        ),
        ("20300101/https://h.test/a", "2022-01-01T00:00:00Z", URL),
        ("https://h.test/a", "2022-01-01T00:00:00Z", URL),
    ] {
        let answer = running.own(&format!("/record/{asked}"));
        assert_eq!(answer.status, 200, "{asked}");
        assert_eq!(answer.header("content-type"), "application/warc");
        let name = answer.header("content-disposition");
        assert!(name.ends_with("-h.test.warc.gz\""), "{name}");
        let mut text = String::new();
        let mut member = flate2::read::GzDecoder::new(answer.body.as_slice());
        std::io::Read::read_to_string(&mut member, &mut text).unwrap();
        assert!(text.starts_with("WARC/1."), "{text}");
        assert!(
            text.contains(&format!("WARC-Date: {date}")),
            "{asked}: {text}"
        );
        assert!(
            text.contains(&format!("WARC-Target-URI: {uri}\r\n")),
            "{asked}"
        );
        assert!(text.ends_with("\r\n\r\n"));
        let stored = layers(running.dir.path()).iter().any(|layer| {
            let bytes = only_file(layer);
            bytes
                .windows(answer.body.len())
                .any(|part| part == answer.body)
        });
        assert!(stored, "{asked}");
    }
    for nothing in [
        "2020/https://h.test/none",
        "2020im_/https://h.test/a",
        "*/https://h.test/a",
        "x",
    ] {
        assert_eq!(
            running.own(&format!("/record/{nothing}")).status,
            404,
            "{nothing}"
        );
    }
}

#[test]
fn a_damaged_record_is_502() {
    let dir = TempDir::new().unwrap();
    add_compressed(
        dir.path(),
        &[Saved::page(URL, &"precious".repeat(100))],
        Compression::Gzip,
    );
    let layer = layers(dir.path()).remove(0);
    let file = layer.join("archive").read_dir().unwrap().next().unwrap();
    let file = file.unwrap().path();
    let running = Running::over(dir, In::Host);
    let target = format!("/record/2026/{URL}");
    let whole = running.own(&target).body;
    let mut bytes = std::fs::read(&file).unwrap();
    let at = bytes
        .windows(whole.len())
        .position(|part| part == whole)
        .unwrap();
    bytes[at + whole.len() / 2] ^= 0x55;
    std::fs::write(&file, bytes).unwrap();
    let answer = running.own(&target);
    assert_eq!(answer.status, 502, "{}", answer.text());
    assert!(answer.text().contains("offset"), "{}", answer.text());
    let directory = running.dir.path().to_string_lossy().into_owned();
    assert!(!answer.text().contains(&directory));
}

#[test]
fn other_sites_read_what_is_for_other_tools_and_nothing_else() {
    let running = archive();
    let open = [
        wacz(&running),
        "/collections.json".to_owned(),
        "/collections/none/none.wacz".to_owned(),
        format!("/record/2020/{URL}"),
        "/record/x".to_owned(),
        "/cdx?url=h.test/a".to_owned(),
        "/cdx".to_owned(),
        format!("/timemap/link/{URL}"),
        "/openapi.json".to_owned(),
        "/.well-known/mementomap".to_owned(),
    ];
    let closed = [
        "/".to_owned(),
        "/healthz".to_owned(),
        "/metrics".to_owned(),
        format!("/web/*/{URL}"),
        format!("/web/2020/{URL}"),
        "/assets/view.js".to_owned(),
    ];
    let preflight = "Origin: https://other.test\r\nAccess-Control-Request-Method: GET\r\n\
                     Access-Control-Request-Headers: range\r\n";
    for target in &open {
        let answer = ask(&running, "GET", target, "Origin: https://other.test\r\n");
        assert_eq!(
            answer.header("access-control-allow-origin"),
            "*",
            "{target}"
        );
        assert_eq!(answer.header("access-control-allow-credentials"), "");
        let shown = answer.header("access-control-expose-headers");
        for name in ["Content-Range", "Content-Length", "Accept-Ranges", "ETag"] {
            assert!(shown.contains(name), "{shown}");
        }
        let before = ask(&running, "OPTIONS", target, preflight);
        assert_eq!(before.status, 204, "{target}");
        assert!(
            before
                .header("access-control-allow-headers")
                .contains("Range")
        );
    }
    for target in &closed {
        let answer = ask(&running, "GET", target, "Origin: https://other.test\r\n");
        assert_eq!(answer.header("access-control-allow-origin"), "", "{target}");
        assert_eq!(answer.header("cross-origin-resource-policy"), "same-origin");
        assert_eq!(ask(&running, "OPTIONS", target, preflight).status, 405);
    }
    let replayed = running.get(URL, "document");
    assert_eq!(replayed.header("access-control-allow-origin"), "");
}
