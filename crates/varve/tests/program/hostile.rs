//! Files made to do harm: refused with a word about what and where, within 256 MB of memory, and
//! without a byte written outside the collection.

use crate::setup::{files, run, stderr, stdout, varve};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::{Duration, Instant};
use zip::write::SimpleFileOptions;

/// Runs an import that may use 256 MB, and checks that nothing appeared beside the collection.
#[track_caller]
fn import(dir: &Path, file: &Path, code: i32) -> Output {
    let before = files(dir);
    let started = Instant::now();
    let output = Command::new("sh")
        .args(["-c", "ulimit -v 262144; exec \"$@\"", "sh"])
        .arg(varve().get_program())
        .arg("import")
        .arg(file)
        .arg("-c")
        .arg(dir.join("collection"))
        .output()
        .unwrap();
    assert!(
        started.elapsed() < Duration::from_secs(30),
        "took {:?}",
        started.elapsed()
    );
    let words = format!("{}{}", stdout(&output), stderr(&output));
    assert_eq!(output.status.code(), Some(code), "{words}");
    let outside: Vec<PathBuf> = files(dir)
        .into_iter()
        .filter(|path| !path.starts_with(dir.join("collection")))
        .collect();
    assert_eq!(
        outside, before,
        "something was written outside the collection"
    );
    output
}

/// An import that must fail with these words.
#[track_caller]
fn refuse(name: &str, bytes: &[u8], words: &[&str]) {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join(name);
    std::fs::write(&path, bytes).unwrap();
    let output = import(dir.path(), &path, 1);
    let said = stderr(&output);
    assert!(said.contains(name), "the file is not named: {said}");
    for word in words {
        assert!(said.contains(word), "{name}: no \"{word}\" in: {said}");
    }
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut out = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    out.write_all(bytes).unwrap();
    out.finish().unwrap()
}

fn zip_of(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
    for (name, bytes) in members {
        zip.start_file(*name, options).unwrap();
        zip.write_all(bytes).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

fn replace(bytes: &[u8], from: &[u8], to: &[u8]) -> Vec<u8> {
    assert_eq!(from.len(), to.len());
    let mut out = bytes.to_vec();
    let places: Vec<usize> = (0..=bytes.len() - from.len())
        .filter(|at| bytes[*at..].starts_with(from))
        .collect();
    assert!(!places.is_empty());
    for at in places {
        out[at..at + from.len()].copy_from_slice(to);
    }
    out
}

const RECORD: &[u8] = b"WARC/1.0\r\nWARC-Type: resource\r\nWARC-Record-ID: <urn:x>\r\nWARC-Date: 2020-01-01T00:00:00Z\r\nWARC-Target-URI: http://a.example/\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n\r\nhi\r\n\r\n";
const DATAPACKAGE: &[u8] = br#"{"profile": "data-package", "resources": []}"#;

#[test]
fn paths_that_lead_out_of_a_wacz_are_refused() {
    for path in [
        "../../../escape",
        "/tmp/escape000000",
        "..\\..\\escape000",
        "C:\\escape0000000",
    ] {
        let good = zip_of(&[
            ("archive/a.warc", RECORD),
            (&"x".repeat(path.len()), b"boo"),
            ("datapackage.json", DATAPACKAGE),
        ]);
        let bad = replace(&good, "x".repeat(path.len()).as_bytes(), path.as_bytes());
        refuse("slip.wacz", &bad, &["leads out", "refused"]);
    }
}

#[test]
fn symbolic_links_in_a_wacz_are_refused() {
    let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    zip.add_symlink(
        "archive/a.warc",
        "/etc/passwd",
        SimpleFileOptions::default(),
    )
    .unwrap();
    refuse(
        "link.wacz",
        &zip.finish().unwrap().into_inner(),
        &["symbolic link"],
    );
}

#[test]
fn a_wacz_that_lies_about_sizes_is_refused() {
    let good = zip_of(&[
        ("archive/a.warc", RECORD),
        ("datapackage.json", DATAPACKAGE),
    ]);
    let length = (RECORD.len() as u32).to_le_bytes();
    let both = [length, length].concat();
    let lie = [length, (4_000_000_000_u32).to_le_bytes()].concat();
    refuse("lie.wacz", &replace(&good, &both, &lie), &["size"]);
}

#[test]
fn a_zip_of_zips_is_no_wacz() {
    let inner = zip_of(&[("zeros", &[0; 1000])]);
    refuse(
        "42.zip",
        &zip_of(&[("lib 0.zip", &inner), ("lib 1.zip", &inner)]),
        &["not a WACZ"],
    );
}

#[test]
fn a_compressed_bomb_inside_a_wacz_is_refused() {
    let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default().compression_method(zip::CompressionMethod::Deflated);
    zip.start_file("archive/a.warc", options).unwrap();
    for _ in 0..1024 {
        zip.write_all(&vec![0; 1 << 20]).unwrap();
    }
    refuse(
        "bomb.wacz",
        &zip.finish().unwrap().into_inner(),
        &["bomb.wacz"],
    );
}

#[test]
fn archive_files_made_to_harm_are_refused_with_their_offset() {
    refuse("empty.warc", b"", &["empty"]);
    refuse(
        "nul.warc.gz",
        &[0; 100_000],
        &["offset 0", "no WARC or ARC record"],
    );
    refuse(
        "text.warc",
        b"once upon a time\n",
        &["offset 0", "once upon"],
    );
    let header = [b"WARC/1.0\r\nX: ".to_vec(), vec![b'a'; 100 << 20]].concat();
    refuse(
        "header.warc",
        &header,
        &["offset 0", "longer than 1048576 bytes"],
    );
    refuse(
        "header.warc.gz",
        &gzip(&header),
        &["offset 0", "longer than 1048576 bytes"],
    );
    drop(header);
    let gigabyte = [RECORD.to_vec(), vec![b'x'; 1 << 30]].concat();
    refuse("behind.warc.gz", &gzip(&gigabyte), &["offset 0"]);
}

#[test]
fn a_gigabyte_in_a_megabyte_is_imported_when_it_is_honest() {
    let dir = tempfile::tempdir().unwrap();
    let header = b"WARC/1.0\r\nWARC-Type: resource\r\nWARC-Record-ID: <urn:x>\r\nWARC-Date: 2020-01-01T00:00:00Z\r\nWARC-Target-URI: http://a.example/\r\nContent-Length: 1073741824\r\n\r\n";
    let bytes = gzip(&[header.to_vec(), vec![0; 1 << 30], b"\r\n\r\n".to_vec()].concat());
    let path = dir.path().join("zeros.warc.gz");
    std::fs::write(&path, bytes).unwrap();
    import(dir.path(), &path, 0);
}

#[test]
fn a_truncated_file_gives_its_offset_and_what_is_before_it() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("cut.warc.gz");
    let member = gzip(RECORD);
    std::fs::write(
        &path,
        [&member[..], &member[..], &member[..member.len() - 9]].concat(),
    )
    .unwrap();
    let said = stderr(&import(dir.path(), &path, 1));
    assert!(
        said.contains(&format!(
            "cut.warc.gz: offset {}: the file ends inside",
            member.len() * 2
        )),
        "{said}"
    );
    let found = run(
        &[
            &"find",
            &dir.path().join("collection"),
            &"http://a.example/",
        ],
        0,
    );
    assert_eq!(stdout(&found).lines().count(), 2);
    run(&[&"audit", &dir.path().join("collection")], 0);
}

#[test]
fn a_wrong_digest_is_named_and_the_record_kept() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("wrong.warc");
    let wrong = String::from_utf8_lossy(RECORD).replace(
        "Content-Type",
        "WARC-Block-Digest: sha1:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\r\nContent-Type",
    );
    std::fs::write(&path, wrong).unwrap();
    let said = stderr(&import(dir.path(), &path, 1));
    assert!(
        said.contains("wrong.warc: offset 0: WARC-Block-Digest is sha1:AAAA"),
        "{said}"
    );
    run(&[&"audit", &dir.path().join("collection")], 5);
    run(&[&"audit", &path], 5);
}

#[test]
fn a_full_disk_ends_with_exit_3_and_the_import_can_be_run_again() {
    let may_mount = Command::new("unshare")
        .args(["-rm", "true"])
        .status()
        .is_ok_and(|status| status.success());
    if !may_mount {
        // The simulated disk of the store's tests covers the same; this is the real thing on top.
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let noise: Vec<u8> = (0_u64..700_000)
        .flat_map(|n| n.wrapping_mul(0x9e37_79b9_7f4a_7c15).to_le_bytes())
        .collect();
    for name in ["a", "b", "c"] {
        let mut record = format!("WARC/1.0\r\nWARC-Type: resource\r\nWARC-Record-ID: <urn:{name}>\r\nWARC-Date: 2020-01-01T00:00:00Z\r\nWARC-Target-URI: http://{name}.example/\r\nContent-Length: {}\r\n\r\n", noise.len()).into_bytes();
        record.extend_from_slice(&noise);
        record.extend_from_slice(b"\r\n\r\n");
        std::fs::write(dir.path().join(format!("{name}.warc")), record).unwrap();
    }
    std::fs::create_dir(dir.path().join("disk")).unwrap();
    let script = r#"
        cd "$1" && mount -t tmpfs -o size=8m tmpfs disk || exit 77
        "$0" import a.warc b.warc c.warc -c disk/c; echo "first $?"
        "$0" audit disk/c; echo "audit $?"
        mount -o remount,size=64m disk
        "$0" import a.warc b.warc c.warc -c disk/c; echo "second $?"
        "$0" find disk/c '*.example' --fields url; echo "find $?"
        "$0" audit disk/c; echo "audit $?"
    "#;
    let output = Command::new("unshare")
        .args(["-rm", "sh", "-c", script])
        .arg(varve().get_program())
        .arg(dir.path())
        .output()
        .unwrap();
    let said = stdout(&output);
    let codes: Vec<&str> = said
        .lines()
        .filter(|line| {
            ["first", "second", "audit", "find"].contains(&line.split(' ').next().unwrap())
        })
        .collect();
    assert_eq!(
        codes,
        ["first 3", "audit 0", "second 0", "find 0", "audit 0"],
        "{said}{}",
        stderr(&output)
    );
    for name in ["a", "b", "c"] {
        assert!(said.contains(&format!("http://{name}.example/")), "{said}");
    }
}
