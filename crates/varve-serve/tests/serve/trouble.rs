//! What cannot be shown, and why.

use crate::archive::{Saved, TIME, add_compressed};
use crate::asking::{In, Running, start};
use std::path::{Path, PathBuf};
use tempfile::TempDir;
use varve_serve::{ServeError, ServeOptions, Server};
use varve_store::StoreError;
use varve_store::warc::Compression;

fn files_below(dir: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => files_below(&path, found),
            false => found.push(path),
        }
    }
}

/// Changes bytes in the middle of the last record of the only archive file.
fn damage(root: &Path, find: impl Fn(&[u8]) -> usize) {
    let mut files = Vec::new();
    files_below(root, &mut files);
    let is_archive = |path: &&PathBuf| path.parent().unwrap().ends_with("archive");
    let file = files.iter().find(is_archive).unwrap();
    let mut bytes = std::fs::read(file).unwrap();
    let at = find(&bytes);
    bytes[at] ^= 1;
    std::fs::write(file, bytes).unwrap();
}

#[test]
fn a_damaged_record_is_502_and_never_other_content() {
    let text = "<p>precious content that somebody may rely on";
    for compression in [Compression::None, Compression::Gzip] {
        let dir = TempDir::new().unwrap();
        // So that compression leaves bytes to be found.
        let mut state = 1u32;
        let mut next = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            char::from(35 + (state >> 24) as u8 % 90)
        };
        let noise: String = (0..2000).map(|_| next()).collect();
        let page = Saved::page("https://h/", &format!("{text}{noise}"));
        add_compressed(dir.path(), &[page], compression);
        damage(dir.path(), |bytes| match compression {
            Compression::None => bytes.windows(8).position(|it| it == b"precious").unwrap(),
            _ => {
                // The second member is the response's.
                let starts: Vec<usize> = (0..bytes.len() - 3)
                    .filter(|at| bytes[*at..].starts_with(&[0x1f, 0x8b, 8]))
                    .collect();
                starts[1] + 600
            }
        });
        let running = Running::over(dir, In::Host);
        for purpose in ["document", "empty"] {
            let answer = running.get("https://h/", purpose);
            assert_eq!(answer.status, 502, "{compression:?} {}", answer.text());
            assert!(answer.text().contains("damaged"), "{}", answer.text());
            assert!(!answer.text().contains("content that somebody"));
            let root = running.dir.path().to_string_lossy().into_owned();
            assert!(!answer.text().contains(&root), "{}", answer.text());
        }
    }
}

#[test]
fn what_is_missing_is_named() {
    let running = Running::host(&[Saved::page("https://h/", "x")]);
    let answer = running.get("https://h/<missing>?a&b", "document");
    assert_eq!(answer.status, 404);
    assert!(
        answer.text().contains("https://h/%3Cmissing%3E?a&amp;b"),
        "{}",
        answer.text()
    );
    assert!(answer.text().contains("Thu, 01 Jan 2026 00:00:00 GMT"));
    assert_eq!(answer.header("x-varve-notice"), "1");
    let line = running.get("https://h/missing.js", "script");
    assert_eq!(
        (line.status, line.header("content-type")),
        (404, "text/plain; charset=utf-8")
    );
}

#[test]
fn a_bomb_is_refused() {
    use std::io::Write;
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    let zeros = vec![b' '; 1 << 20];
    for _ in 0..64 {
        encoder.write_all(&zeros).unwrap();
    }
    let bomb = encoder.finish().unwrap();
    let page = Saved::new("https://h/", "text/html", bomb).field("Content-Encoding", "gzip");
    let answer = Running::host(&[page]).get("https://h/", "document");
    assert_eq!(answer.status, 502, "{}", answer.text());
}

#[test]
fn what_keeps_a_server_from_starting_is_said() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let dir = TempDir::new().unwrap();
    let error = runtime.block_on(start(dir.path(), In::Host)).err().unwrap();
    assert!(
        matches!(error, ServeError::Store(StoreError::NotACollection { .. })),
        "{error}"
    );
    let running = Running::host(&[Saved::page("https://h/", TIME)]);
    let options = ServeOptions::new(vec![running.dir.path().to_owned()], running.ui());
    let error = runtime
        .block_on(Server::start(options))
        .err()
        .unwrap()
        .to_string();
    assert!(error.contains("--listen"), "{error}");
    let mut options = ServeOptions::new(
        vec![running.dir.path().to_owned()],
        "127.0.0.1:0".parse().unwrap(),
    );
    options.layout = varve_serve::LayoutChoice::Host("not a host;".into());
    let error = runtime
        .block_on(Server::start(options))
        .err()
        .unwrap()
        .to_string();
    assert!(error.contains("replay.localhost"), "{error}");
}
