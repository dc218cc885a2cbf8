//! A collection as files for other tools, written or not.

use crate::fixture::{captures_of, gzip_warc, warc, world};
use std::fs;
use std::path::Path;
use std::sync::Arc;
use tempfile::TempDir;
use varve_store::collection::Collection;
use varve_store::export::{Checksums, Member, export_wacz, member_of, view_wacz, write_member};
use varve_store::fs::{Fs, OsFileSystem, ReadAt, read_full_at};
use varve_store::warc::{Compression, Compressor, WarcReader};

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
