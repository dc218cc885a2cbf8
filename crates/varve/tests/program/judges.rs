//! Other people's tools agree with us: on keys, on indexes, and on the files we write.

use crate::setup::{files, judge, only_layer, root, run, sample, shared, succeed};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use varve_model::{Capture, Surt};

fn compare_keys(urls: &[u8], python: &[u8]) -> usize {
    let mut keys = python.split(|byte| *byte == b'\n');
    let mut compared = 0;
    for url in urls.split(|byte| *byte == b'\n') {
        let theirs = String::from_utf8_lossy(keys.next().unwrap());
        let ours = Surt::from_url_bytes(url);
        assert_eq!(ours.as_str(), theirs, "{}", String::from_utf8_lossy(url));
        compared += 1;
    }
    compared
}

#[test]
fn surt_gives_the_same_keys_for_our_list_of_urls() {
    let path = root().join("crates/varve-model/tests/urls.txt");
    let python = judge("python")
        .args(["-W", "ignore"])
        .arg(root().join("tests/judges/surt_keys.py"))
        .stdin(Stdio::from(std::fs::File::open(&path).unwrap()))
        .output()
        .unwrap();
    assert!(python.status.success());
    assert!(compare_keys(&std::fs::read(path).unwrap(), &python.stdout) > 800);
}

#[test]
fn surt_gives_the_same_keys_for_real_urls() {
    let Some(list) = shared("urls/gov.public.txt.xz") else {
        return;
    };
    let python = judge("python")
        .args(["-W", "ignore"])
        .arg(root().join("tests/judges/surt_keys.py"))
        .arg(&list)
        .output()
        .unwrap();
    assert!(python.status.success());
    let urls = Command::new("xz")
        .args(["-dc"])
        .arg(&list)
        .output()
        .unwrap()
        .stdout;
    assert!(compare_keys(&urls, &python.stdout) > 190_000);
}

/// What must be the same in both indexes.
fn facts(line: &str) -> String {
    let capture = Capture::parse(line).unwrap_or_else(|error| panic!("{error}: {line}"));
    format!(
        "{} {} {} {:?} {:?} {:?} {} {}",
        capture.key,
        capture.timestamp,
        capture.url,
        capture.mime,
        capture.status,
        capture.digest,
        capture.offset,
        capture.length
    )
}

fn facts_of(lines: &str) -> BTreeSet<String> {
    lines
        .lines()
        .filter(|line| !line.is_empty())
        .map(facts)
        .collect()
}

/// Compares `varve import` with cdxj-indexer; `None` where cdxj-indexer cannot read the file.
pub(crate) fn compare_index(warc: &Path) -> Option<usize> {
    let theirs = judge("cdxj-indexer")
        .arg("--sort")
        .arg(warc)
        .output()
        .unwrap();
    if !theirs.status.success() {
        return None;
    }
    let theirs = facts_of(&String::from_utf8_lossy(&theirs.stdout));
    let dir = tempfile::tempdir().unwrap();
    let collection = dir.path().join("c");
    let imported = crate::setup::varve()
        .arg("import")
        .arg(warc)
        .arg("-c")
        .arg(&collection)
        .output()
        .unwrap();
    if theirs.is_empty()
        && !collection
            .join("layers")
            .read_dir()
            .is_ok_and(|mut layers| layers.next().is_some())
    {
        return Some(0);
    }
    let index = only_layer(&collection).join("indexes/index.cdxj");
    let ours =
        facts_of(&std::fs::read_to_string(&index).unwrap_or_else(|_| panic!("{imported:?}")));
    assert_eq!(ours, theirs, "{}", warc.display());
    Some(ours.len())
}

#[test]
fn cdxj_indexer_finds_the_same_captures_in_our_sample() {
    let dir = tempfile::tempdir().unwrap();
    assert_eq!(compare_index(&sample(dir.path())), Some(9));
}

/// Samples that cdxj-indexer reads in another way than we do, and why.
const READ_DIFFERENTLY: [(&str, &str); 1] = [(
    "example-space-in-url.arc",
    "its only record is cut short: cdxj-indexer takes what is there, we set it aside",
)];

#[test]
fn cdxj_indexer_finds_the_same_captures_in_other_tools_files() {
    let Some(samples) = shared("warcs") else {
        return;
    };
    let is_archive = |path: &PathBuf| {
        let name = path.to_string_lossy();
        [".warc", ".warc.gz", ".arc", ".arc.gz"]
            .iter()
            .any(|ending| name.ends_with(ending))
    };
    let mut compared = 0;
    for path in files(&samples).into_iter().filter(is_archive) {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if READ_DIFFERENTLY.iter().all(|(known, _)| *known != name) {
            compared += usize::from(compare_index(&path).is_some());
        }
    }
    assert!(compared > 25, "only {compared} files were compared");
}

/// Imports the sample and records on top of it by exporting and importing again.
fn collection(dir: &Path) -> PathBuf {
    let collection = dir.join("collection");
    run(&[&"import", &sample(dir), &"-c", &collection], 0);
    collection
}

#[test]
fn gzip_and_warcio_find_our_files_sound() {
    let dir = tempfile::tempdir().unwrap();
    let collection = collection(dir.path());
    let out = dir.path().join("out.warc.gz");
    run(&[&"export", &collection, &out], 0);
    for warc in [only_layer(&collection).join("archive/garden.warc.gz"), out] {
        succeed(Command::new("gzip").arg("-t").arg(&warc));
        succeed(judge("warcio").arg("check").arg(&warc));
        let listed = succeed(judge("warcio").arg("index").arg(&warc));
        assert_eq!(listed.lines().count(), 9);
    }
}

#[test]
fn wacz_finds_our_export_valid() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("out.wacz");
    run(&[&"export", &collection(dir.path()), &out], 0);
    let words = succeed(judge("wacz").args(["validate", "-f"]).arg(&out));
    assert!(words.contains("is valid"), "{words}");
}

#[test]
fn pywb_serves_pages_of_our_export_byte_for_byte() {
    let dir = tempfile::tempdir().unwrap();
    let collection = collection(dir.path());
    let warc = dir.path().join("out.warc.gz");
    run(&[&"export", &collection, &warc], 0);
    let wanted = [
        ("20240601120000", "https://garden.example/"),
        ("20250601120000", "https://garden.example/"),
        ("20240601120000", "https://garden.example/pear.gif"),
        ("20250601120000", "https://garden.example/pear.gif"),
    ];
    let out = dir.path().join("bodies");
    std::fs::create_dir(&out).unwrap();
    let mut command = judge("python");
    command
        .arg(root().join("tests/judges/serve_with_pywb.py"))
        .arg(dir.path().join("pywb"))
        .arg(&warc)
        .arg(&out);
    succeed(
        command.args(
            wanted
                .iter()
                .flat_map(|(timestamp, url)| [*timestamp, *url]),
        ),
    );
    for (number, (timestamp, url)) in wanted.iter().enumerate() {
        let served = std::fs::read(out.join(number.to_string())).unwrap();
        assert_eq!(
            served,
            stored_body(&collection, url, timestamp),
            "{timestamp} {url}"
        );
    }
}

/// The body as the collection holds it, revisits resolved.
fn stored_body(collection: &Path, url: &str, timestamp: &str) -> Vec<u8> {
    use std::io::Read;
    use std::sync::Arc;
    let fs: varve_store::fs::Fs = Arc::new(varve_store::fs::OsFileSystem);
    let world = Arc::new(varve_store::world::RealWorld);
    let collection = varve_store::collection::Collection::open(fs, collection, world).unwrap();
    let index = collection.index().unwrap();
    let at = varve_model::Timestamp::parse(timestamp).unwrap();
    let hit = index.closest(&Surt::from_url(url), at).unwrap().unwrap();
    let holder = collection.payload_of(&index, &hit).unwrap().unwrap();
    let mut body = Vec::new();
    collection
        .read(&holder)
        .unwrap()
        .read_to_end(&mut body)
        .unwrap();
    assert!(!body.is_empty());
    body
}
