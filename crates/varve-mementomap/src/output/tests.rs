#![allow(clippy::unwrap_used)]
use super::*;
use crate::Map;

#[test]
fn pages_name_each_other_and_are_one_map() {
    let dir = tempfile::tempdir().unwrap();
    for file in ["map.ukvs", "map.ukvs.gz", "map.zst"] {
        let path = dir.path().join(file);
        let mut out =
            MapOutput::create(Some(&path), &["!meta {\"a\": 1}".to_owned()], Some(10)).unwrap();
        for number in 0..25 {
            writeln!(out, "com,a{number:02}) {number}").unwrap();
        }
        out.finish().unwrap();
        let map = Map::open(&path).unwrap();
        assert_eq!(map.headers()[0], "!meta {\"a\": 1}");
        for number in 0..25 {
            let key = format!("com,a{number:02})");
            let answer = map.answer(&key).unwrap().unwrap();
            assert_eq!(answer.frequency.to_string(), number.to_string(), "{file}");
        }
        assert_eq!(map.answer("com,a09)/x").unwrap(), None);
    }
    let middle = std::fs::read_to_string(dir.path().join("map-2.ukvs")).unwrap();
    assert!(
        middle.contains(r#"!meta {"next":"map-3.ukvs","page":2,"prev":"map.ukvs"}"#),
        "{middle}"
    );
    assert_eq!(middle.lines().count(), 12);
    assert!(!dir.path().join("map-4.ukvs").exists());
}

#[test]
fn a_page_that_leads_elsewhere_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("map");
    for next in ["../map", "/etc/passwd", ".hidden"] {
        std::fs::write(&path, format!("!meta {{\"page\":1,\"next\":\"{next}\"}}\n")).unwrap();
        let error = Map::open(&path).err().unwrap().to_string();
        assert!(error.contains("cannot be its next page"), "{error}");
    }
    std::fs::write(&path, "!meta {\"page\":1,\"next\":\"map\"}\n").unwrap();
    assert!(Map::open(&path).is_err(), "a circle has an end");
}

#[test]
fn a_device_is_written_to_and_not_replaced() {
    let dir = tempfile::tempdir().unwrap();
    let link = dir.path().join("null");
    std::os::unix::fs::symlink("/dev/null", &link).unwrap();
    let mut out = Output::create(Some(&link)).unwrap();
    out.write_all(b"com,a) 1\n").unwrap();
    out.finish().unwrap();
    assert!(link.is_symlink());
}

#[test]
fn a_file_that_is_not_finished_is_not_there() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("map");
    let mut out = Output::create(Some(&path)).unwrap();
    out.write_all(b"com,a) 1\n").unwrap();
    drop(out);
    assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 0);
}
