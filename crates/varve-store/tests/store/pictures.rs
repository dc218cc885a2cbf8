//! JPEG pictures that are packed without loss.

use crate::fixture::{captures_of, collection, exchange, sim, world};
use crate::recording::faults_of;
use crate::remaking::{Packed, gzipped};
use std::io::Read;
use std::sync::Arc;
use tempfile::TempDir;
use varve_store::collection::{Collection, Exchange, Message, Packing, RecordOptions};
use varve_store::export::export_warc;
use varve_store::fs::{Fs, OsFileSystem};
use varve_store::http::DecodeLimits;

const URL: &str = "http://a.example/picture.jpg";
const PICTURE: &[u8] =
    include_bytes!("../../../../examples/site/web/static.garden.example/img/poppy-poster.jpg");

fn record(collection: &Collection, fields: &str, body: &[u8]) {
    let head = format!(
        "HTTP/1.1 200 OK\r\nContent-Type: image/jpeg\r\n{fields}Content-Length: {}\r\n\r\n",
        body.len()
    );
    let picture = Exchange {
        response: Message::new(head, body.to_vec()),
        ..exchange(world().as_ref(), URL, b"")
    };
    let mut recorder = collection.record(RecordOptions::default()).unwrap();
    recorder.append(&picture).unwrap();
    recorder.seal().unwrap();
}

fn pack(collection: &Collection, packing: Packing) {
    let mut draft = collection.draft().unwrap();
    draft.remake(collection, 0, &mut Packed(packing)).unwrap();
    collection.adopt(draft, false).unwrap();
}

/// What a reader gets, and what the record says was done.
fn read(collection: &Collection) -> (Vec<u8>, Option<String>) {
    let hit = captures_of(collection, URL).remove(0);
    let record = collection.read(&hit).unwrap();
    let done = record.head().get("Varve-Recoded").map(|it| it.into_owned());
    let mut body = Vec::new();
    record
        .decoded(DecodeLimits::default())
        .read_to_end(&mut body)
        .unwrap();
    (body, done)
}

fn length(collection: &Collection) -> u64 {
    captures_of(collection, URL)[0].capture.length
}

#[test]
fn pictures_take_less_and_come_back_byte_for_byte() {
    let (_, fs) = sim();
    record(&collection(&fs), "", PICTURE);
    let capture = |collection: &Collection| captures_of(collection, URL).remove(0).capture;
    let before = capture(&collection(&fs));
    pack(&collection(&fs), Packing::Smallest);
    let after = collection(&fs);
    assert_eq!(
        read(&after),
        (PICTURE.to_vec(), Some("x-lepton".to_owned()))
    );
    assert!(capture(&after).length * 100 < before.length * 90);
    // It stands for what was captured.
    assert_eq!(capture(&after).digest, before.digest);
    assert_eq!(faults_of(&after), Vec::<String>::new());
}

#[test]
fn pictures_that_are_packed_stay_so() {
    let (_, fs) = sim();
    record(&collection(&fs), "", PICTURE);
    pack(&collection(&fs), Packing::Smallest);
    let once = length(&collection(&fs));
    for packing in [Packing::Smallest, Packing::Zstd] {
        pack(&collection(&fs), packing);
        let after = collection(&fs);
        assert!(length(&after).abs_diff(once) < 100, "{packing:?}");
        assert_eq!(read(&after).0, PICTURE, "{packing:?}");
        assert_eq!(faults_of(&after), Vec::<String>::new());
    }
}

#[test]
fn pictures_in_codings_of_servers_are_packed_without_these() {
    let (_, fs) = sim();
    record(
        &collection(&fs),
        "Content-Encoding: gzip\r\n",
        &gzipped(PICTURE),
    );
    pack(&collection(&fs), Packing::Smallest);
    let after = collection(&fs);
    assert_eq!(
        read(&after),
        (PICTURE.to_vec(), Some("x-lepton".to_owned()))
    );
    let hit = captures_of(&after, URL).remove(0);
    let head = after.read(&hit).unwrap().head().clone();
    assert_eq!(head.get("Varve-Uncoded").as_deref(), Some("gzip"));
}

#[test]
fn only_who_asks_for_the_smallest_gets_a_coding_of_ours() {
    let (_, fs) = sim();
    record(&collection(&fs), "", PICTURE);
    pack(&collection(&fs), Packing::Zstd);
    assert_eq!(read(&collection(&fs)), (PICTURE.to_vec(), None));
}

#[test]
fn what_is_no_sound_picture_stays_as_it_came() {
    let mut broken = PICTURE.to_vec();
    broken[200..400].fill(0xff);
    for body in [
        &PICTURE[..3],
        &PICTURE[..100],
        b"\xff\xd8\xff no picture",
        &broken,
    ] {
        let (_, fs) = sim();
        record(&collection(&fs), "", body);
        pack(&collection(&fs), Packing::Smallest);
        let after = collection(&fs);
        assert_eq!(read(&after).0, body);
        assert_eq!(faults_of(&after), Vec::<String>::new());
    }
}

#[test]
fn others_get_pictures_as_they_came() {
    let dir = TempDir::new().unwrap();
    let os: Fs = Arc::new(OsFileSystem);
    let open = |name: &str| {
        let root = dir.path().join(name);
        Collection::open_or_create(os.clone(), &root, world()).unwrap()
    };
    record(&open("packed"), "X-Said: yes\r\n", PICTURE);
    pack(&open("packed"), Packing::Smallest);
    let warc = dir.path().join("out.warc.gz");
    export_warc(&open("packed"), &warc, &mut ()).unwrap();
    let mut importer = open("again").import().unwrap();
    importer.import(&warc, &mut ()).unwrap();
    importer.finish().unwrap();
    let again = open("again");
    let hit = captures_of(&again, URL).remove(0);
    let mut record = again.read(&hit).unwrap();
    let head = record.http().unwrap().clone();
    assert!(head.get("Content-Encoding").is_none());
    assert_eq!(head.get("X-Said").as_deref(), Some(b"yes".as_slice()));
    assert_eq!(record.head().get("Varve-Recoded"), None);
    let mut stored = Vec::new();
    record.read_to_end(&mut stored).unwrap();
    assert!(stored == PICTURE);
    let was = captures_of(&open("packed"), URL).remove(0).capture.digest;
    assert_eq!(hit.capture.digest, was);
    assert_eq!(faults_of(&again), Vec::<String>::new());
}
