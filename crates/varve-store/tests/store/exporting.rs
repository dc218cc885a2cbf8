//! A collection as files for other tools, written or not.

use crate::fixture::{body_of, captures_of, exchange, gzip_warc, records, walk, warc, world};
use crate::recording::faults_of;
use crate::remaking::{Packed, gzipped};
use std::fs;
use std::path::Path;
use std::sync::Arc;
use tempfile::TempDir;
use varve_store::collection::{Collection, Exchange, Message, Packing, RecordOptions};
use varve_store::export::{
    Checksums, Member, export_wacz, export_warc, member_of, view_wacz, write_member,
};
use varve_store::fs::{Fs, OsFileSystem, ReadAt, read_full_at};
use varve_store::warc::{Compression, Compressor, RecordType, Scanned, WarcReader};

/// A collection with a layer for each of these WARC files, all of one name.
fn collection(dir: &Path, files: &[Vec<u8>]) -> Collection {
    let (os, root): (Fs, _) = (Arc::new(OsFileSystem), dir.join("archive"));
    let world = world();
    let open = || Collection::open_or_create(os.clone(), &root, world.clone()).unwrap();
    let file = dir.join("x.warc.gz");
    for bytes in files {
        fs::write(&file, bytes).unwrap();
        let mut importer = open().import().unwrap();
        importer.import(&file, &mut ()).unwrap();
        importer.finish().unwrap();
    }
    open()
}

fn all(file: &dyn ReadAt) -> Vec<u8> {
    let mut bytes = vec![0; file.len().unwrap() as usize];
    let mut read = 0;
    while read < bytes.len() {
        let end = bytes.len().min(read + 1000);
        let more = read_full_at(file, &mut bytes[read..end], read as u64).unwrap();
        assert!(more > 0, "it ends at {read}");
        read += more;
    }
    bytes
}

#[test]
fn a_wacz_that_is_not_written_is_the_one_that_would_be() {
    let dir = TempDir::new().unwrap();
    let collection = collection(
        dir.path(),
        &[gzip_warc(&[b"one", b"two"]), gzip_warc(&[b"3"])],
    );
    assert_eq!(collection.layers().len(), 2);
    let written = dir.path().join("out.wacz");
    export_wacz(&collection, &written, &mut ()).unwrap();
    let checksums = Checksums::default();
    let scratch = TempDir::new().unwrap();
    let view = view_wacz(&collection, scratch.path(), &checksums).unwrap();
    drop(scratch);
    // The clock of this test stands still for a second, so the files say the same time.
    assert!(all(&view) == fs::read(&written).unwrap());
}

#[test]
fn a_record_is_had_by_itself_however_its_file_is_compressed() {
    for compression in [Compression::None, Compression::Gzip, Compression::Zstd] {
        let dir = TempDir::new().unwrap();
        let bytes = warc(Compressor::new(compression), &[b"one", b"two"]);
        let collection = collection(dir.path(), &[bytes]);
        let hit = captures_of(&collection, "http://example.org/1").remove(0);
        let member: Arc<dyn ReadAt> = match member_of(&collection, &hit).unwrap() {
            Member::Stored(slice) => Arc::new(slice),
            Member::Otherwise => {
                write_member(&collection, &hit, &dir.path().join("record")).unwrap()
            }
        };
        let mut reader = WarcReader::new(member).unwrap();
        assert_eq!(reader.compression(), Compression::Gzip, "{compression:?}");
        let head = reader.next_head().unwrap().unwrap();
        assert_eq!(head.target_uri().unwrap(), "http://example.org/1");
        assert!(reader.next_head().unwrap().is_none());
    }
}

#[test]
fn a_damaged_record_is_not_given_out() {
    let dir = TempDir::new().unwrap();
    let collection = collection(dir.path(), &[gzip_warc(&[b"one", b"two"])]);
    let hit = captures_of(&collection, "http://example.org/1").remove(0);
    let path = collection.layer_dir(0).join("archive/x.warc.gz");
    let mut bytes = fs::read(&path).unwrap();
    let middle = (hit.capture.offset + hit.capture.length / 2) as usize;
    bytes[middle] ^= 0x55;
    fs::write(&path, bytes).unwrap();
    assert!(member_of(&collection, &hit).is_err());
}

#[test]
fn layers_that_are_damaged_are_exported_beside_packed_ones() {
    let dir = TempDir::new().unwrap();
    let (os, root): (Fs, _) = (Arc::new(OsFileSystem), dir.path().join("archive"));
    let open = || Collection::open_or_create(os.clone(), &root, world()).unwrap();
    let urls = ["http://a.example/", "http://b.example/"];
    for url in urls {
        let mut recorder = open().record(RecordOptions::default()).unwrap();
        recorder
            .append(&exchange(world().as_ref(), url, b"a page of its own"))
            .unwrap();
        recorder.seal().unwrap();
    }
    let before = open();
    let mut draft = before.draft().unwrap();
    let mut packed = Packed(Packing::Zstd);
    draft.remake(&before, 0, &mut packed).unwrap().unwrap();
    draft.borrow(&before, 1).unwrap();
    before.adopt(draft, false).unwrap();
    let archive = root
        .join("layers")
        .join(&open().layers()[1].id)
        .join("archive");
    let file = fs::read_dir(archive).unwrap().next().unwrap().unwrap();
    let mut bytes = fs::read(file.path()).unwrap();
    let last = bytes.len() - 20;
    bytes[last] ^= 0x55;
    fs::write(file.path(), bytes).unwrap();

    let wacz = dir.path().join("out.wacz");
    export_wacz(&open(), &wacz, &mut ()).unwrap();
    assert!(fs::metadata(wacz).unwrap().len() > 1_000);
}

/// What a WARC file says of a URL: the type of each record, the digest of its payload, and whether
/// that is coded.
fn told(warc: &Path, url: &str) -> Vec<(RecordType, String, bool)> {
    let steps = walk(&fs::read(warc).unwrap());
    let of_url = |record: &&Scanned| record.head.target_uri().as_deref() == Some(url);
    let answers = records(&steps).into_iter().filter(of_url);
    answers
        .filter(|record| record.head.record_type() != RecordType::Request)
        .map(|record| {
            let digest = record.head.get("WARC-Payload-Digest").unwrap();
            let is_coded = record.http.as_ref().unwrap().get("Content-Encoding");
            let kind = record.head.record_type();
            (kind, digest.into_owned(), is_coded.is_some())
        })
        .collect()
}

#[test]
fn revisits_refer_to_what_is_exported_not_to_what_came() {
    let dir = TempDir::new().unwrap();
    let (os, root): (Fs, _) = (Arc::new(OsFileSystem), dir.path().join("archive"));
    let open = || Collection::open_or_create(os.clone(), &root, world()).unwrap();
    let body = gzipped(&b"<p>a row of a page</p>".repeat(100));
    let record = |urls: &[&str]| {
        let mut recorder = open().record(RecordOptions::default()).unwrap();
        for url in urls {
            let head = format!(
                "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: gzip\r\n\
                 Content-Length: {}\r\n\r\n",
                body.len()
            );
            let coded = Exchange {
                response: Message::new(head, body.clone()),
                ..exchange(world().as_ref(), url, b"")
            };
            recorder.append(&coded).unwrap();
        }
        recorder.seal().unwrap();
    };
    let (page, same) = ("http://a.example/", "http://b.example/");
    record(&[page, same]);
    record(&[page]);
    let before = open();
    let mut draft = before.draft().unwrap();
    let mut packed = Packed(Packing::Zstd);
    draft.remake(&before, 0, &mut packed).unwrap().unwrap();
    draft.borrow(&before, 1).unwrap();
    before.adopt(draft, false).unwrap();

    let warc = dir.path().join("out.warc.gz");
    export_warc(&open(), &warc, &mut ()).unwrap();
    let told_of_page = told(&warc, page);
    let (kind, digest, is_coded) = told_of_page[0].clone();
    assert_eq!((kind, is_coded), (RecordType::Response, false));
    let revisit = (RecordType::Revisit, digest, false);
    assert_eq!(&told_of_page[1..], std::slice::from_ref(&revisit));
    assert_eq!(told(&warc, same), [revisit]);
    // Whoever imports it finds the payload, too.
    let again = TempDir::new().unwrap();
    let root = again.path().join("archive");
    let open = || Collection::open_or_create(os.clone(), &root, world()).unwrap();
    let mut importer = open().import().unwrap();
    importer.import(&warc, &mut ()).unwrap();
    importer.finish().unwrap();
    assert_eq!(faults_of(&open()), Vec::<String>::new());
    for url in [page, same] {
        assert!(body_of(&open(), url).starts_with("<p>a row"), "{url}");
    }
}
