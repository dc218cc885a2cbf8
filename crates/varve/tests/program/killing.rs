//! kill -9 at random moments: what the program said was saved is there, and the next command
//! puts everything else in order by itself.

use crate::setup::{run, stdout, succeed, varve};
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};
use varve_model::{Digest, DigestAlgorithm, Surt};
use varve_store::collection::Collection;
use varve_store::fs::{FileSystem, Fs, OsFileSystem};
use varve_store::warc::{Compression, Compressor, NewRecord, Payload, RecordType, WarcWriter};
use varve_store::world::{RealWorld, World, record_id};

fn rounds() -> u64 {
    if std::env::var_os("VARVE_SOAK").is_some() {
        500
    } else {
        25
    }
}

/// A random delay below `limit`.
fn random_delay(limit: Duration) -> Duration {
    let random = u64::from_le_bytes(*RealWorld.random().first_chunk::<8>().unwrap());
    limit.mul_f64(random as f64 / u64::MAX as f64)
}

/// Starts a command, kills it after a random while, and returns the lines it had printed.
fn kill_after(command: &mut Command, limit: Duration) -> Vec<String> {
    let mut child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let err = BufReader::new(child.stderr.take().unwrap());
    let out = BufReader::new(child.stdout.take().unwrap());
    let readers = [
        std::thread::spawn(move || err.lines().map_while(Result::ok).collect::<Vec<_>>()),
        std::thread::spawn(move || out.lines().map_while(Result::ok).collect::<Vec<_>>()),
    ];
    std::thread::sleep(random_delay(limit));
    child.kill().unwrap();
    child.wait().unwrap();
    readers
        .into_iter()
        .flat_map(|reader| reader.join().unwrap())
        .collect()
}

/// A WARC with a few hundred kilobytes that do not compress.
fn write_warc(path: &Path, word: &str) {
    let file = OsFileSystem.create(path).unwrap();
    let mut writer = WarcWriter::new(file, Compressor::new(Compression::Gzip)).unwrap();
    for number in 0..20 {
        let body: Vec<u8> = (0..1_000).flat_map(|_| RealWorld.random()).collect();
        let record = NewRecord {
            record_type: RecordType::Response,
            id: record_id(RealWorld.random()),
            date: RealWorld.now(),
            target_uri: Some(format!("http://{word}.example/{number}")),
            content_type: Some("application/http; msgtype=response".into()),
            fields: Vec::new(),
            head: b"HTTP/1.1 200 OK\r\n\r\n".to_vec(),
            body: body.into(),
            payload: Payload::Body,
        };
        writer.append(&record).unwrap();
    }
}

fn archives(collection: &Path) -> BTreeMap<String, PathBuf> {
    let layers = std::fs::read_dir(collection.join("layers"))
        .into_iter()
        .flatten();
    let files =
        layers.flat_map(|layer| std::fs::read_dir(layer.unwrap().path().join("archive")).unwrap());
    files
        .map(|file| file.unwrap())
        .map(|file| (file.file_name().to_string_lossy().into_owned(), file.path()))
        .collect()
}

#[test]
fn a_killed_import_loses_nothing_it_reported_and_finishes_when_run_again() {
    let dir = tempfile::tempdir().unwrap();
    let sources: Vec<PathBuf> = (0..8)
        .map(|n| dir.path().join(format!("s{n}.warc.gz")))
        .collect();
    for (number, source) in sources.iter().enumerate() {
        write_warc(source, &format!("s{number}"));
    }
    let started = Instant::now();
    run(
        &[&"import", &dir.path(), &"-c", &dir.path().join("whole")],
        0,
    );
    let whole = started.elapsed();
    for round in 0..rounds() {
        let collection = dir.path().join(format!("killed{round}"));
        let import = || {
            let mut command = varve();
            command
                .arg("import")
                .args(&sources)
                .arg("-c")
                .arg(&collection);
            command
        };
        let said = kill_after(&mut import(), whole);
        let saved: Vec<&String> = said
            .iter()
            .filter(|line| line.contains(": saved,"))
            .collect();
        if collection.join("collection.json").exists() {
            run(&[&"audit", &collection], 0);
        }
        let stored = archives(&collection);
        for line in saved {
            let source = Path::new(line.split(": saved,").next().unwrap());
            let name = source.file_name().unwrap().to_string_lossy().into_owned();
            assert_eq!(
                std::fs::read(&stored[&name]).unwrap(),
                std::fs::read(source).unwrap(),
                "round {round}"
            );
        }
        succeed(&mut import());
        let found = run(&[&"find", &collection, &"*.example"], 0);
        assert_eq!(stdout(&found).lines().count(), 160, "round {round}");
        run(&[&"audit", &collection], 0);
        for path in archives(&collection).values() {
            succeed(Command::new("gzip").arg("-t").arg(path));
        }
        std::fs::remove_dir_all(collection).unwrap();
    }
}

#[test]
fn a_killed_recorder_loses_nothing_it_reported() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().join("collection");
    let program = Path::new(env!("CARGO_BIN_EXE_varve"))
        .with_file_name("examples")
        .join("record_many");
    let mut saved = Vec::new();
    for round in 0..rounds() {
        let mut command = Command::new(&program);
        command.arg(&root).arg(format!("r{round}"));
        let said = kill_after(&mut command, Duration::from_millis(400));
        saved.extend(said.into_iter().filter(|line| line.starts_with("saved ")));
    }
    assert!(
        saved.len() > 100,
        "only {} were saved: the test proves nothing",
        saved.len()
    );
    let fs: Fs = Arc::new(OsFileSystem);
    let collection = Collection::open(fs, &root, Arc::new(RealWorld)).unwrap();
    let index = collection.index().unwrap();
    for line in &saved {
        let [_, url, digest] = line.split(' ').collect::<Vec<_>>()[..] else {
            panic!("{line}")
        };
        let hit = index
            .closest(&Surt::from_url(url), RealWorld.now())
            .unwrap();
        let hit = hit.unwrap_or_else(|| panic!("{url} was saved and is lost"));
        let mut body = Vec::new();
        collection
            .read(&hit)
            .unwrap()
            .read_to_end(&mut body)
            .unwrap();
        assert_eq!(
            Digest::of(DigestAlgorithm::Sha1, &body).to_string(),
            digest,
            "{url}"
        );
    }
    run(&[&"audit", &root], 0);
    for path in archives(&root).values() {
        succeed(Command::new("gzip").arg("-t").arg(path));
        succeed(crate::setup::judge("warcio").arg("check").arg(path));
    }
}
