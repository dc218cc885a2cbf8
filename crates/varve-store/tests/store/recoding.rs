//! Texts that are stored in another way than they came, in the coding that packs them best.

use crate::fixture::{captures_of, collection, exchange, sim, world};
use crate::recording::faults_of;
use crate::remaking::{Packed, gzipped};
use std::io::Read;
use std::sync::Arc;
use tempfile::TempDir;
use varve_store::Result;
use varve_store::collection::{
    Altered, Collection, Content, Exchange, Message, Packing, RecordOptions, Remaking,
    without_codings,
};
use varve_store::export::export_warc;
use varve_store::fs::{Fs, OsFileSystem};
use varve_store::http::DecodeLimits;
use varve_store::warc::Scanned;

const URL: &str = "http://a.example/a.js";

/// Takes off the codings of servers, for readers that know ours.
struct Plain(Packing);

impl Remaking for Plain {
    fn instead_of(&mut self, record: &Scanned, content: Content<'_>) -> Result<Option<Altered>> {
        without_codings(record, content, |_, _| true)
    }

    fn packing(&self) -> Packing {
        self.0
    }

    fn is_for_us_alone(&self) -> bool {
        true
    }

    fn advanced(&mut self, _: u64) {}
}

fn script() -> Vec<u8> {
    let line = |number: u32| {
        let mixed = number.wrapping_mul(2_654_435_761);
        format!("export function plant{mixed:x}(garden) {{ return garden.bed({mixed}) }}\n")
    };
    (0..400).map(line).collect::<String>().into_bytes()
}

fn record(collection: &Collection, kind: &str, body: &[u8]) {
    let head = format!(
        "HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nContent-Encoding: gzip\r\n\
         Content-Length: {}\r\n\r\n",
        body.len()
    );
    let coded = Exchange {
        response: Message::new(head, body.to_vec()),
        ..exchange(world().as_ref(), URL, b"")
    };
    let mut recorder = collection.record(RecordOptions::default()).unwrap();
    recorder.append(&coded).unwrap();
    recorder.seal().unwrap();
}

fn remake(collection: &Collection, remaking: &mut dyn Remaking) {
    let mut draft = collection.draft().unwrap();
    draft.remake(collection, 0, remaking).unwrap();
    collection.adopt(draft, false).unwrap();
}

/// What a reader gets, and what codings it came in.
fn read(collection: &Collection) -> (Vec<u8>, Option<String>) {
    let hit = captures_of(collection, URL).remove(0);
    let record = collection.read(&hit).unwrap();
    let coding = record.http().unwrap().get("Content-Encoding");
    let coding = coding.map(|it| String::from_utf8_lossy(&it).into_owned());
    let mut body = Vec::new();
    let mut reader = record.decoded(DecodeLimits::default());
    reader.read_to_end(&mut body).unwrap();
    (body, coding)
}

#[test]
fn scripts_are_packed_with_brotli_if_that_is_smaller() {
    for packing in [Packing::AsItIs, Packing::Zstd] {
        let (_, fs) = sim();
        record(&collection(&fs), "text/javascript", &gzipped(&script()));
        let capture = |collection: &Collection| captures_of(collection, URL).remove(0).capture;
        let before = capture(&collection(&fs));
        remake(&collection(&fs), &mut Plain(packing));
        let after = collection(&fs);
        assert_eq!(read(&after), (script(), Some("br".to_owned())));
        assert!(capture(&after).length < before.length);
        // It stands for what was captured.
        assert_eq!(capture(&after).digest, before.digest);
        assert_eq!(faults_of(&after), Vec::<String>::new());
        // And stays so.
        remake(&after, &mut Packed(Packing::Zstd));
        assert_eq!(read(&collection(&fs)), (script(), Some("br".to_owned())));
    }
}

#[test]
fn what_is_no_script_style_or_data_is_not() {
    let (_, fs) = sim();
    record(&collection(&fs), "text/html", &gzipped(&script()));
    remake(&collection(&fs), &mut Plain(Packing::AsItIs));
    assert_eq!(read(&collection(&fs)), (script(), None));
}

#[test]
fn others_get_texts_without_codings_of_ours() {
    let dir = TempDir::new().unwrap();
    let os: Fs = Arc::new(OsFileSystem);
    let open = |name: &str| {
        let root = dir.path().join(name);
        Collection::open_or_create(os.clone(), &root, world()).unwrap()
    };
    record(&open("packed"), "text/javascript", &gzipped(&script()));
    remake(&open("packed"), &mut Plain(Packing::AsItIs));
    let warc = dir.path().join("out.warc.gz");
    export_warc(&open("packed"), &warc, &mut ()).unwrap();
    let mut importer = open("again").import().unwrap();
    importer.import(&warc, &mut ()).unwrap();
    importer.finish().unwrap();
    assert_eq!(read(&open("again")), (script(), None));
    assert_eq!(faults_of(&open("again")), Vec::<String>::new());
}
