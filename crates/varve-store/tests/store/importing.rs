//! What becomes of files that are brought into a collection.

use crate::fixture::{body_of, captures_of, collection, gzip_warc, put, sim, warc};
use std::path::Path;
use varve_model::Capture;
use varve_store::warc::{Compression, Compressor};

#[test]
fn importing_a_file_twice_adds_nothing() {
    let (disk, fs) = sim();
    put(&disk, "x.warc.gz", &gzip_warc(&[b"one", b"two"]));
    put(&disk, "renamed.warc.gz", &gzip_warc(&[b"one", b"two"]));
    for (name, known) in [
        ("x.warc.gz", false),
        ("x.warc.gz", true),
        ("renamed.warc.gz", true),
    ] {
        let mut importer = collection(&fs).import().unwrap();
        let imported = importer.import(Path::new(name), &mut ()).unwrap();
        assert_eq!(imported.known, known, "{name}");
        importer.finish().unwrap();
    }
    assert_eq!(collection(&fs).layers().len(), 1);
}

#[test]
fn an_imported_file_is_kept_byte_for_byte() {
    for compression in [Compression::None, Compression::Gzip, Compression::Zstd] {
        let (disk, fs) = sim();
        let bytes = warc(Compressor::new(compression), &[b"one", b"two"]);
        put(&disk, "x.warc", &bytes);
        let mut importer = collection(&fs).import().unwrap();
        importer.import(Path::new("x.warc"), &mut ()).unwrap();
        importer.finish().unwrap();
        let stored = collection(&fs).layer_dir(0).join("archive/x.warc");
        assert_eq!(
            varve_store::fs::read_small(&disk, &stored, u64::MAX).unwrap(),
            bytes
        );
    }
}

#[test]
fn what_is_readable_of_a_damaged_file_is_kept_and_the_rest_set_aside() {
    let (disk, fs) = sim();
    let whole = gzip_warc(&[b"one", b"two", b"three"]);
    let cut = &whole[..whole.len() - 7];
    put(&disk, "cut.warc.gz", cut);
    let mut importer = collection(&fs).import().unwrap();
    let imported = importer.import(Path::new("cut.warc.gz"), &mut ()).unwrap();
    assert_eq!((imported.records, imported.is_damaged()), (2, true));
    importer.finish().unwrap();
    let layer = collection(&fs).layer_dir(0);
    let read =
        |path: &str| varve_store::fs::read_small(&disk, &layer.join(path), u64::MAX).unwrap();
    let together = [read("archive/cut.warc.gz"), read("tails/cut.warc.gz.tail")].concat();
    assert_eq!(together, cut, "not a byte is lost");
}

#[test]
fn records_in_one_gzip_member_get_members_of_their_own() {
    use std::io::Write;
    let (disk, fs) = sim();
    let plain = warc(
        Compressor::new(Compression::None),
        &[b"one", b"two", b"three"],
    );
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packed.write_all(&plain).unwrap();
    put(&disk, "shared.warc.gz", &packed.finish().unwrap());
    let mut importer = collection(&fs).import().unwrap();
    importer
        .import(Path::new("shared.warc.gz"), &mut ())
        .unwrap();
    importer.finish().unwrap();
    assert_eq!(body_of(&collection(&fs), "http://example.org/1"), "two");
}

#[test]
fn a_revisit_loop_ends() {
    let (disk, fs) = sim();
    let revisit = |url: &str, to: &str| {
        format!(
            "WARC/1.0\r\nWARC-Type: revisit\r\nWARC-Record-ID: <urn:x:{url}>\r\nWARC-Date: 2020-01-01T00:00:00Z\r\n\
             WARC-Target-URI: {url}\r\nWARC-Refers-To-Target-URI: {to}\r\nWARC-Refers-To-Date: 2020-01-01T00:00:00Z\r\n\
             WARC-Payload-Digest: sha1:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\r\nContent-Length: 0\r\n\r\n\r\n\r\n"
        )
    };
    let bytes = revisit("http://a.example/", "http://b.example/")
        + &revisit("http://b.example/", "http://a.example/");
    put(&disk, "loop.warc", bytes.as_bytes());
    let mut importer = collection(&fs).import().unwrap();
    importer.import(Path::new("loop.warc"), &mut ()).unwrap();
    importer.finish().unwrap();
    let collection = collection(&fs);
    let index = collection.index().unwrap();
    let hit = captures_of(&collection, "http://a.example/").remove(0);
    assert_eq!(collection.payload_of(&index, &hit).unwrap(), None);
}

#[test]
fn the_index_can_be_rebuilt_bit_by_bit() {
    let (disk, fs) = sim();
    put(&disk, "x.warc.gz", &gzip_warc(&[b"one", b"two", b"three"]));
    let mut importer = collection(&fs).import().unwrap();
    importer.import(Path::new("x.warc.gz"), &mut ()).unwrap();
    importer.finish().unwrap();
    let before = collection(&fs);
    assert!(
        !varve_store::audit::rebuild_index(&before, 0).unwrap(),
        "nothing to mend"
    );
    let path = before.layer_dir(0).join("indexes/index.cdxj");
    let bytes = varve_store::fs::read_small(&disk, &path, u64::MAX).unwrap();
    fs.remove_file(&path).unwrap();
    let line = String::from_utf8(bytes.clone())
        .unwrap()
        .lines()
        .next()
        .unwrap()
        .to_owned();
    put(
        &disk,
        path.to_str().unwrap(),
        format!("{line}\n").as_bytes(),
    );
    assert!(varve_store::audit::rebuild_index(&before, 0).unwrap());
    assert_eq!(
        varve_store::fs::read_small(&disk, &path, u64::MAX).unwrap(),
        bytes
    );
    let again = Capture::parse(&line).unwrap();
    assert_eq!(captures_of(&collection(&fs), &again.url).len(), 1);
}

#[test]
fn a_revisit_in_one_file_finds_its_original_in_another() {
    let (disk, fs) = sim();
    let original = warc(Compressor::new(Compression::Gzip), &[b"the payload"]);
    let digest = varve_model::Digest::of(varve_model::DigestAlgorithm::Sha1, b"the payload");
    let revisit = format!(
        "WARC/1.0\r\nWARC-Type: revisit\r\nWARC-Record-ID: <urn:x>\r\nWARC-Date: 2027-01-01T00:00:00Z\r\n\
         WARC-Target-URI: http://other.example/\r\nWARC-Refers-To-Target-URI: http://example.org/0\r\n\
         WARC-Refers-To-Date: 2026-01-02T03:04:05Z\r\nWARC-Payload-Digest: {digest}\r\nContent-Length: 19\r\n\r\n\
         HTTP/1.1 200 OK\r\n\r\n\r\n\r\n"
    );
    put(&disk, "original.warc.gz", &original);
    put(&disk, "revisit.warc", revisit.as_bytes());
    for name in ["revisit.warc", "original.warc.gz"] {
        let mut importer = collection(&fs).import().unwrap();
        importer.import(Path::new(name), &mut ()).unwrap();
        importer.finish().unwrap();
    }
    assert_eq!(
        body_of(&collection(&fs), "http://other.example/"),
        "the payload"
    );
}

#[test]
fn a_file_that_is_no_archive_leaves_nothing_behind() {
    let (disk, fs) = sim();
    put(&disk, "good.warc.gz", &gzip_warc(&[b"one"]));
    put(&disk, "bad.warc", b"this is no archive");
    let mut importer = collection(&fs).import().unwrap();
    assert!(importer.import(Path::new("bad.warc"), &mut ()).is_err());
    importer.import(Path::new("good.warc.gz"), &mut ()).unwrap();
    assert!(importer.import(Path::new("bad.warc"), &mut ()).is_err());
    importer.finish().unwrap();
    let collection = collection(&fs);
    let left: Vec<String> = disk
        .snapshot_paths()
        .into_iter()
        .filter(|path| path.contains("bad"))
        .collect();
    assert_eq!(left, ["bad.warc"]);
    assert_eq!(collection.layers()[0].captures, 1);
}

#[test]
fn a_url_too_long_for_the_index_does_not_stop_the_import() {
    let (disk, fs) = sim();
    let long = format!("http://a.example/{}", "x".repeat(900_000));
    let record = |url: &str| {
        format!(
            "WARC/1.0\r\nWARC-Type: resource\r\nWARC-Record-ID: <urn:x>\r\nWARC-Date: 2020-01-01T00:00:00Z\r\n\
             WARC-Target-URI: {url}\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n\r\nhi\r\n\r\n"
        )
    };
    let bytes = record(&long) + &record("!x:99999/") + &record("http://b.example/");
    put(&disk, "long.warc", bytes.as_bytes());
    let mut importer = collection(&fs).import().unwrap();
    let imported = importer.import(Path::new("long.warc"), &mut ()).unwrap();
    assert_eq!((imported.records, imported.captures), (3, 2));
    importer.finish().unwrap();
    assert_eq!(body_of(&collection(&fs), "http://b.example/"), "hi");
    assert_eq!(body_of(&collection(&fs), "!x:99999/"), "hi");
}

#[test]
fn repacking_goes_on_after_damage() {
    use std::io::Write;
    let (disk, fs) = sim();
    let packed = |bodies: &[&[u8]]| {
        let mut out = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        out.write_all(&warc(Compressor::new(Compression::None), bodies))
            .unwrap();
        out.finish().unwrap()
    };
    let mut broken = packed(&[b"lost", b"too"]);
    let middle = broken.len() / 2;
    broken[middle..middle + 20].fill(0xff);
    let bytes = [
        packed(&[b"first", b"second"]),
        broken,
        gzip_warc(&[b"a", b"b", b"the last"]),
    ]
    .concat();
    put(&disk, "shared.warc.gz", &bytes);
    let mut importer = collection(&fs).import().unwrap();
    let imported = importer
        .import(Path::new("shared.warc.gz"), &mut ())
        .unwrap();
    assert!(imported.is_damaged());
    importer.finish().unwrap();
    assert_eq!(
        body_of(&collection(&fs), "http://example.org/2"),
        "the last"
    );
    assert!(
        disk.snapshot_paths()
            .iter()
            .any(|path| path.contains("tails/")),
        "the damaged part is kept"
    );
}

#[test]
fn a_name_that_was_given_up_is_not_used_again() {
    let (disk, fs) = sim();
    let record = gzip_warc(&[b"one"]);
    let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    zip.start_file(
        "archive/a.warc.gz",
        zip::write::SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored),
    )
    .unwrap();
    std::io::Write::write_all(&mut zip, &record).unwrap();
    put(
        &disk,
        "no-datapackage.wacz",
        &zip.finish().unwrap().into_inner(),
    );
    put(&disk, "a.warc.gz", &gzip_warc(&[b"two", b"three"]));
    let mut importer = collection(&fs).import().unwrap();
    assert!(
        importer
            .import(Path::new("no-datapackage.wacz"), &mut ())
            .is_err()
    );
    importer.import(Path::new("a.warc.gz"), &mut ()).unwrap();
    importer.finish().unwrap();
    assert_eq!(collection(&fs).layers()[0].captures, 2);
    assert_eq!(
        captures_of(&collection(&fs), "http://example.org/0").len(),
        1
    );
}
