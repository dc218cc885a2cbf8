//! Layers made anew, with bodies of which parts are elsewhere.

use crate::fixture::{body_of, captures_of, collection, exchange, sim, world};
use crate::recording::faults_of;
use std::io::{Read, Write};
use std::path::Path;
use std::sync::Arc;
use varve_store::Result;
use varve_store::collection::{
    Altered, Attachment, Collection, Content, Exchange, Message, Needed, Packing, Part, Parts,
    PartsKey, RecordOptions, Remaking, Shelf, Stubs, WholeDigest, head_for,
};
use varve_store::fs::Fs;
use varve_store::fs::sim::{FaultError, FaultOp, FaultPlan, Loss, SimDisk};
use varve_store::warc::Scanned;
use varve_store::world::World;

const SCRIPT: &str = "http://a.example/a.js";
const PAGE: &str = "http://a.example/";
const WHOLE: &[u8] = b"first MIDDLE last";
const STORED: &str = "first - last";

/// Takes the middle out of scripts.
struct Middle;

impl Remaking for Middle {
    fn instead_of(&mut self, record: &Scanned, content: Content<'_>) -> Result<Option<Altered>> {
        let url = record.head.target_uri().unwrap_or_default();
        let Some(head) = record.http.as_ref().filter(|head| head.is_response()) else {
            return Ok(None);
        };
        if url != SCRIPT || record.head.get("Varve-Cold").is_some() {
            return Ok(None);
        }
        let mut body = Vec::new();
        content.open()?.read_to_end(&mut body).unwrap();
        assert_eq!(body, WHOLE);
        let whole = WholeDigest::of(&body);
        let key = PartsKey::of(&whole, std::iter::once(6..12));
        let parts = Parts {
            whole,
            url,
            date: record.head.date().unwrap(),
            parts: vec![Part {
                stub: 6..7,
                bytes: b"MIDDLE".to_vec(),
                note: String::new(),
            }],
        };
        Ok(Some(Altered {
            head: head_for(head, STORED.len()),
            body: STORED.into(),
            parts: Some(Shelf::default().record(&key, &parts)),
            stubs: Some(Stubs {
                key,
                mark: "-".to_owned(),
            }),
            uncoded: None,
            recoded: None,
            revisited: None,
        }))
    }

    fn advanced(&mut self, _: u64) {}
}

fn record(fs: &Fs, world: &dyn World, urls: &[&str]) {
    let mut recorder = collection(fs).record(RecordOptions::default()).unwrap();
    for url in urls {
        let body = if *url == SCRIPT { WHOLE } else { b"a page" };
        recorder.append(&exchange(world, url, body)).unwrap();
        let page = serde_json::json!({"url": url, "ts": "2026-01-02T03:04:05Z"});
        recorder.add_page(&page);
    }
    recorder.add_log(&serde_json::json!({"url": PAGE}));
    recorder.seal().unwrap();
}

fn pages(collection: &Collection) -> usize {
    let mut pages = 0;
    collection
        .each_page(|_| {
            pages += 1;
            Ok(())
        })
        .unwrap();
    pages
}

/// What the script's capture gives when its parts are put back.
fn joined(collection: &Collection) -> Vec<u8> {
    let hit = captures_of(collection, SCRIPT).remove(0);
    let mut record = collection.read(&hit).unwrap();
    let key = record.parts_key().unwrap();
    let mut stored = Vec::new();
    record.read_to_end(&mut stored).unwrap();
    let parts = collection.parts(&collection.index().unwrap(), &key);
    parts.unwrap().unwrap().join(&stored).unwrap()
}

#[test]
fn a_layer_made_anew_takes_the_place_of_the_old_one() {
    let (_, fs) = sim();
    let world = world();
    record(&fs, world.as_ref(), &[PAGE, SCRIPT]);
    record(&fs, world.as_ref(), &["http://b.example/"]);
    let before = collection(&fs);
    let digest = captures_of(&before, SCRIPT)[0].capture.digest.clone();
    let mut draft = before.draft().unwrap();
    let made = draft.remake(&before, 0, &mut Middle).unwrap().unwrap();
    assert_eq!(draft.remake(&before, 1, &mut Middle).unwrap(), None);
    // Until it is adopted, it is a collection of its own.
    assert_eq!(body_of(&before, SCRIPT).as_bytes(), WHOLE);
    assert_eq!(joined(draft.collection()), WHOLE);
    before.adopt(draft, false).unwrap();

    let after = collection(&fs);
    let ids: Vec<&str> = after.layers().iter().map(|it| it.id.as_str()).collect();
    assert_eq!(ids, [made.id.as_str(), before.layers()[1].id.as_str()]);
    assert_eq!(body_of(&after, SCRIPT), STORED);
    assert_eq!(joined(&after), WHOLE);
    assert_eq!(body_of(&after, PAGE), "a page");
    // It stands for what was captured.
    assert_eq!(captures_of(&after, SCRIPT)[0].capture.digest, digest);
    assert_eq!(pages(&after), 3);
    assert_eq!(faults_of(&after), Vec::<String>::new());
    let old = Path::new("archive/layers").join(&before.layers()[0].id);
    assert!(fs.kind(&old).unwrap().is_none());
}

#[test]
fn a_script_that_did_not_change_since_is_not_stored_again() {
    let (_, fs) = sim();
    let world = world();
    record(&fs, world.as_ref(), &[SCRIPT]);
    let before = collection(&fs);
    let mut draft = before.draft().unwrap();
    draft.remake(&before, 0, &mut Middle).unwrap();
    before.adopt(draft, false).unwrap();
    record(&fs, world.as_ref(), &[SCRIPT]);
    let after = collection(&fs);
    let captures = captures_of(&after, SCRIPT);
    assert!(varve_store::collection::is_revisit(&captures[1].capture));
    let index = after.index().unwrap();
    let holder = after.payload_of(&index, &captures[1]).unwrap().unwrap();
    assert_eq!(holder, captures[0]);
}

/// Leaves records as they are, and adds some.
struct More(Vec<Attachment>);

impl Remaking for More {
    fn instead_of(&mut self, _: &Scanned, _: Content<'_>) -> Result<Option<Altered>> {
        Ok(None)
    }

    fn in_addition(&mut self) -> Vec<Attachment> {
        std::mem::take(&mut self.0)
    }

    fn advanced(&mut self, _: u64) {}
}

#[test]
fn parts_that_turn_out_to_be_needed_are_in_a_later_layer() {
    let (_, fs) = sim();
    let world = world();
    record(&fs, world.as_ref(), &[SCRIPT]);
    let first = collection(&fs);
    let mut draft = first.draft().unwrap();
    draft.remake(&first, 0, &mut Middle).unwrap();
    first.adopt(draft, false).unwrap();
    record(&fs, world.as_ref(), &[PAGE]);

    let before = collection(&fs);
    let index = before.index().unwrap();
    let shelf = before.shelf(&index).unwrap();
    let (whole, key) = shelf.stored().next().unwrap();
    assert_eq!(*whole, WholeDigest::of(WHOLE));
    assert_eq!(before.hot_parts(&index, key).unwrap(), None);
    let needed = before.parts(&index, key).unwrap().unwrap();
    let mut more = More(vec![needed.hot_record(key)]);
    let mut draft = before.draft().unwrap();
    draft.borrow(&before, 0).unwrap();
    draft.remake(&before, 1, &mut more).unwrap().unwrap();
    before.adopt(draft, false).unwrap();

    let after = collection(&fs);
    let index = after.index().unwrap();
    let hot = after.hot_parts(&index, key).unwrap().unwrap();
    let parted = after.parted(&index, key).unwrap().unwrap();
    assert_eq!(parted.stored, STORED.as_bytes());
    assert_eq!(hot.fill(&parted.stored).as_deref(), Some(WHOLE));
    assert_eq!(body_of(&after, PAGE), "a page");
    assert_eq!(faults_of(&after), Vec::<String>::new());
}

#[test]
fn what_replay_asked_for_is_remembered() {
    let (_, fs) = sim();
    record(&fs, world().as_ref(), &[PAGE]);
    let collection = collection(&fs);
    assert!(collection.needed().is_empty());
    let key = |body: &[u8]| PartsKey::of(&WholeDigest::of(body), []);
    let needed =
        |key: PartsKey, parts: &[usize]| Needed::from([(key, parts.iter().copied().collect())]);
    for (script, parts) in [(b"a", &[1, 2][..]), (b"b", &[7]), (b"a", &[2, 3])] {
        let needed = needed(key(script), parts);
        collection.remember_needed(needed).unwrap();
    }
    let mut all = needed(key(b"a"), &[1, 2, 3]);
    all.extend(needed(key(b"b"), &[7]));
    assert_eq!(collection.needed(), all);
    assert_eq!(faults_of(&collection), Vec::<String>::new());
}

#[test]
fn a_draft_that_nobody_adopts_changes_nothing() {
    let (_, fs) = sim();
    let world = world();
    record(&fs, world.as_ref(), &[PAGE, SCRIPT]);
    let before = collection(&fs);
    let mut draft = before.draft().unwrap();
    draft.remake(&before, 0, &mut Middle).unwrap();
    drop(draft);
    let again = collection(&fs);
    assert_eq!(again.layers(), before.layers());
    assert_eq!(body_of(&again, SCRIPT).as_bytes(), WHOLE);
    assert_eq!(faults_of(&again), Vec::<String>::new());
}

#[test]
fn there_is_one_draft_at_a_time() {
    let (_, fs) = sim();
    record(&fs, world().as_ref(), &[PAGE]);
    let draft = collection(&fs).draft().unwrap();
    let error = collection(&fs).draft().err().unwrap();
    assert!(error.to_string().contains("another process"), "{error}");
    drop(draft);
    assert!(collection(&fs).draft().is_ok());
    collection(&fs).discard_draft().unwrap();
    let left = fs.kind(Path::new("archive/state/draft")).unwrap();
    assert!(left.is_none());
}

/// Whether the script is there, in one way or the other, and nothing is wrong.
fn check_sound(disk: &SimDisk, context: &str) {
    let fs: Fs = Arc::new(disk.clone());
    let collection = collection(&fs);
    assert_eq!(faults_of(&collection), Vec::<String>::new(), "{context}");
    let hit = captures_of(&collection, SCRIPT).remove(0);
    let is_parted = collection.read(&hit).unwrap().parts_key().is_some();
    match is_parted {
        true => assert_eq!(joined(&collection), WHOLE, "{context}"),
        false => assert_eq!(body_of(&collection, SCRIPT).as_bytes(), WHOLE, "{context}"),
    }
    assert_eq!(body_of(&collection, PAGE), "a page", "{context}");
}

fn remake(disk: &SimDisk) -> Result<()> {
    let fs: Fs = Arc::new(disk.clone());
    let before = collection(&fs);
    let mut draft = before.draft()?;
    draft.remake(&before, 0, &mut Middle)?;
    before.adopt(draft, false)
}

fn recorded() -> SimDisk {
    let (disk, fs) = sim();
    record(&fs, world().as_ref(), &[PAGE, SCRIPT]);
    disk.fork()
}

#[test]
fn power_loss_at_any_moment_leaves_the_old_layer_or_the_new() {
    let disk = recorded();
    remake(&disk).unwrap();
    for position in disk.sync_points() {
        for loss in Loss::ALL {
            let image = disk.crash_image(position, loss, position as u64);
            check_sound(&image, &format!("position {position}, {loss:?}"));
            // Nobody minds what was left behind.
            remake(&image).unwrap_or_else(|error| panic!("position {position}: {error}"));
        }
    }
}

#[test]
fn a_full_or_failing_disk_leaves_the_old_layer_or_the_new() {
    let clean = recorded();
    remake(&clean).unwrap();
    let mut failed = 0;
    for op in FaultOp::ALL {
        for nth in 1..=clean.op_count(op) {
            for error in [FaultError::NoSpace, FaultError::Hardware] {
                let disk = recorded();
                disk.fail(FaultPlan::once(op, nth, error));
                failed += usize::from(remake(&disk).is_err());
                disk.clear_faults();
                check_sound(&disk, &format!("{op:?} {nth} {error:?}"));
            }
        }
    }
    assert!(failed > 20, "{failed}");
}

/// Packs everything anew.
pub(crate) struct Packed(pub(crate) Packing);

impl Remaking for Packed {
    fn instead_of(&mut self, _: &Scanned, _: Content<'_>) -> Result<Option<Altered>> {
        Ok(None)
    }

    fn packing(&self) -> Packing {
        self.0
    }

    fn advanced(&mut self, _: u64) {}
}

#[test]
fn records_are_packed_by_kind_and_are_the_same() {
    let (_, fs) = sim();
    let world = world();
    let url = |number: usize| format!("http://a.example/{number}");
    // Alike, but not the same: pages of one site.
    let frame = (0..400).map(|word| format!("<p>the {word}th row of every page</p>"));
    let frame: String = frame.collect();
    let body = |number: usize| format!("<h1>Bed {number}</h1>{frame}");
    let mut recorder = collection(&fs).record(RecordOptions::default()).unwrap();
    for number in 0..60 {
        let page = exchange(world.as_ref(), &url(number), body(number).as_bytes());
        recorder.append(&page).unwrap();
    }
    recorder.seal().unwrap();
    let before = collection(&fs);
    let mut draft = before.draft().unwrap();
    let mut packed = Packed(Packing::Zstd);
    let made = draft.remake(&before, 0, &mut packed).unwrap().unwrap();
    assert!(made.bytes * 2 < before.layers()[0].bytes, "{}", made.bytes);
    before.adopt(draft, false).unwrap();
    let after = collection(&fs);
    assert_eq!(faults_of(&after), Vec::<String>::new());
    for number in 0..60 {
        assert_eq!(body_of(&after, &url(number)), body(number));
        let hit = captures_of(&after, &url(number)).remove(0);
        let name = &hit.capture.filename;
        assert!(name.ends_with("-page-00000.warc.zst"), "{name}");
        // A request stays with its response.
        assert!(after.request_of(&hit).is_some());
    }
}

pub(crate) fn gzipped(body: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(body).unwrap();
    encoder.finish().unwrap()
}

/// Records a page as a server sent it: its body, coded in this way.
fn record_coded(fs: &Fs, coding: &str, body: Vec<u8>) {
    let head = format!(
        "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: {coding}\r\n\
         Content-Length: {}\r\nX-Said: yes\r\n\r\n",
        body.len()
    );
    let coded = Exchange {
        response: Message::new(head, body),
        ..exchange(world().as_ref(), PAGE, b"")
    };
    let mut recorder = collection(fs).record(RecordOptions::default()).unwrap();
    recorder.append(&coded).unwrap();
    recorder.seal().unwrap();
}

/// The collection, packed.
fn packed(fs: &Fs) -> Collection {
    let before = collection(fs);
    let mut draft = before.draft().unwrap();
    let mut packing = Packed(Packing::Zstd);
    draft.remake(&before, 0, &mut packing).unwrap();
    before.adopt(draft, false).unwrap();
    let after = collection(fs);
    assert_eq!(faults_of(&after), Vec::<String>::new());
    after
}

#[test]
fn codings_of_servers_are_taken_off_before_bodies_are_packed() {
    let (_, fs) = sim();
    let body = b"<p>a row of a page</p>".repeat(100);
    record_coded(&fs, "gzip", gzipped(&body));
    let digest = captures_of(&collection(&fs), PAGE)[0]
        .capture
        .digest
        .clone();
    let after = packed(&fs);
    assert_eq!(body_of(&after, PAGE).as_bytes(), body);
    let hit = captures_of(&after, PAGE).remove(0);
    // It stands for what came over the wire, and says so.
    assert_eq!(hit.capture.digest, digest);
    let record = after.read(&hit).unwrap();
    assert_eq!(record.head().get("Varve-Uncoded").as_deref(), Some("gzip"));
    let head = record.http().unwrap();
    assert!(head.get("Content-Encoding").is_none());
    assert_eq!(head.get("X-Said").as_deref(), Some(b"yes".as_slice()));
}

#[test]
fn bodies_that_are_not_what_they_say_stay_as_they_came() {
    for (coding, body) in [
        ("gzip", b"no gzip at all".to_vec()),
        ("gzip", gzipped(b"a body that was cut short")[..20].to_vec()),
        ("sdch", b"who knows".to_vec()),
    ] {
        let (_, fs) = sim();
        record_coded(&fs, coding, body.clone());
        let after = packed(&fs);
        let hit = captures_of(&after, PAGE).remove(0);
        let mut record = after.read(&hit).unwrap();
        assert_eq!(record.head().get("Varve-Uncoded"), None, "{coding}");
        let mut stored = Vec::new();
        record.read_to_end(&mut stored).unwrap();
        assert_eq!(stored, body, "{coding}");
    }
}
