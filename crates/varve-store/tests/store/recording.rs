//! What recording into a collection promises.

use crate::fixture::{body_of, captures_of, collection, exchange, sim, world};
use std::io::Read;
use varve_store::audit::{AuditObserver, Finding, audit_collection};
use varve_store::collection::{
    Attachment, AttachmentKind, Collection, Message, RecordOptions, SharedRecorder, is_revisit,
};
use varve_store::fs::Fs;
use varve_store::warc::{Compression, Compressor, RecordType};
use varve_store::world::World;

#[test]
fn a_payload_is_stored_once_and_replays_for_every_url() {
    let (_, fs) = sim();
    let world = world();
    let mut recorder = collection(&fs).record(RecordOptions::default()).unwrap();
    for url in [
        "http://a.example/",
        "http://b.example/",
        "http://a.example/",
    ] {
        recorder
            .append(&exchange(world.as_ref(), url, b"the same body"))
            .unwrap();
    }
    recorder.seal().unwrap();
    let collection = collection(&fs);
    let of_b = captures_of(&collection, "http://b.example/");
    assert!(is_revisit(&of_b[0].capture));
    assert_eq!(body_of(&collection, "http://b.example/"), "the same body");
    let of_a = captures_of(&collection, "http://a.example/");
    assert_eq!(
        of_a.iter().filter(|hit| is_revisit(&hit.capture)).count(),
        1
    );
}

#[test]
fn a_payload_of_an_earlier_layer_is_not_stored_again() {
    let (_, fs) = sim();
    let world = world();
    for _ in 0..2 {
        let mut recorder = collection(&fs).record(RecordOptions::default()).unwrap();
        recorder
            .append(&exchange(world.as_ref(), "http://a.example/", b"unchanged"))
            .unwrap();
        recorder.seal().unwrap();
    }
    let collection = collection(&fs);
    let hits = captures_of(&collection, "http://a.example/");
    let revisits: Vec<bool> = hits.iter().map(|hit| is_revisit(&hit.capture)).collect();
    assert_eq!(revisits, [false, true]);
    assert_eq!(body_of(&collection, "http://a.example/"), "unchanged");
}

#[test]
fn empty_bodies_are_not_revisits() {
    let (_, fs) = sim();
    let world = world();
    let mut recorder = collection(&fs).record(RecordOptions::default()).unwrap();
    for url in ["http://a.example/", "http://b.example/"] {
        recorder
            .append(&exchange(world.as_ref(), url, b""))
            .unwrap();
    }
    recorder.seal().unwrap();
    assert!(!is_revisit(
        &captures_of(&collection(&fs), "http://b.example/")[0].capture
    ));
}

#[test]
fn the_request_of_a_capture_is_found_beside_it() {
    for compression in [Compression::None, Compression::Gzip, Compression::Zstd] {
        let (_, fs) = sim();
        let world = world();
        let options = RecordOptions {
            compressor: Compressor::new(compression),
            ..RecordOptions::default()
        };
        let mut recorder = collection(&fs).record(options).unwrap();
        let mut posted = exchange(world.as_ref(), "http://a.example/", b"answer");
        posted.request = Some(Message::new("POST / HTTP/1.1\r\n\r\n", b"a=1".to_vec()));
        recorder.append(&posted).unwrap();
        let mut alone = exchange(world.as_ref(), "http://b.example/", b"nobody knows");
        alone.request = None;
        recorder.append(&alone).unwrap();
        recorder
            .append(&exchange(world.as_ref(), "http://c.example/", b"c"))
            .unwrap();
        recorder.seal().unwrap();
        let collection = collection(&fs);
        let request = |url: &str| collection.request_of(&captures_of(&collection, url)[0]);
        let mut found = request("http://a.example/").unwrap();
        assert_eq!(found.http().unwrap().method(), Some(&b"POST"[..]));
        let mut sent = String::new();
        found.read_to_string(&mut sent).unwrap();
        assert_eq!(sent, "a=1");
        assert!(request("http://b.example/").is_none());
        assert!(request("http://c.example/").is_some());
    }
}

#[test]
fn request_and_metadata_are_linked_to_the_response() {
    let (_, fs) = sim();
    let world = world();
    let mut recorder = collection(&fs).record(RecordOptions::default()).unwrap();
    let mut exchange = exchange(world.as_ref(), "http://a.example/", b"x");
    exchange.metadata = vec![("outlink".into(), "http://b.example/\r\nX: y".into())];
    recorder.append(&exchange).unwrap();
    recorder.seal().unwrap();
    let collection = collection(&fs);
    let archive = collection.layer_dir(0).join("archive");
    let name = fs.list(&archive).unwrap().remove(0).name;
    let mut reader =
        varve_store::warc::WarcReader::new(fs.open(&archive.join(name)).unwrap()).unwrap();
    let mut heads = Vec::new();
    while let Some(head) = reader.next_head().unwrap() {
        heads.push(head);
    }
    let types: Vec<RecordType> = heads.iter().map(|head| head.record_type()).collect();
    assert_eq!(
        types,
        [
            RecordType::Warcinfo,
            RecordType::Response,
            RecordType::Request,
            RecordType::Metadata
        ]
    );
    for head in &heads[2..] {
        let linked = head.get("WARC-Concurrent-To").unwrap();
        assert_eq!(
            linked.trim_matches(['<', '>']),
            heads[1].record_id().unwrap()
        );
    }
}

#[test]
fn archive_files_rotate_by_size() {
    let (_, fs) = sim();
    let world = world();
    let options = RecordOptions {
        rotate_at: 1_000,
        ..RecordOptions::default()
    };
    let mut recorder = collection(&fs).record(options).unwrap();
    for number in 0..6 {
        let body = format!("{number}").repeat(100);
        recorder
            .append(&exchange(
                world.as_ref(),
                &format!("http://a.example/{number}"),
                body.as_bytes(),
            ))
            .unwrap();
        recorder.commit().unwrap();
    }
    recorder.seal().unwrap();
    let archive = collection(&fs).layer_dir(0).join("archive");
    assert!(fs.list(&archive).unwrap().len() > 2);
}

#[test]
fn many_threads_save_at_once() {
    let (_, fs) = sim();
    let recorder = SharedRecorder::new(collection(&fs).record(RecordOptions::default()).unwrap());
    std::thread::scope(|scope| {
        for thread in 0..8 {
            let recorder = &recorder;
            scope.spawn(move || {
                let world = world();
                for number in 0..20 {
                    let url = format!("http://t{thread}.example/{number}");
                    let saved = recorder
                        .save(&exchange(world.as_ref(), &url, url.as_bytes()))
                        .unwrap();
                    assert_eq!(saved.url, url);
                }
            });
        }
    });
    let layer = recorder.seal().unwrap().unwrap();
    assert_eq!(layer.captures, 160);
}

#[test]
fn a_truncated_response_says_so_and_is_no_original() {
    use varve_store::collection::Truncation;
    let (_, fs) = sim();
    let world = world();
    let mut recorder = collection(&fs).record(RecordOptions::default()).unwrap();
    let mut cut = exchange(world.as_ref(), "http://a.example/", b"the beginning of");
    cut.response.truncated = Some(Truncation::Disconnect);
    recorder.append(&cut).unwrap();
    cut.url = "http://b.example/".into();
    recorder.append(&cut).unwrap();
    recorder.seal().unwrap();
    let collection = collection(&fs);
    for url in ["http://a.example/", "http://b.example/"] {
        let hit = captures_of(&collection, url).remove(0);
        assert!(!is_revisit(&hit.capture), "{url}");
        let record = collection.read(&hit).unwrap();
        assert_eq!(
            record.head().get("WARC-Truncated").as_deref(),
            Some("disconnect")
        );
    }
}

#[test]
fn records_after_the_last_commit_are_adopted_with_their_dictionary() {
    let (disk, fs) = sim();
    let world = world();
    let dictionary = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n".repeat(40);
    let options = RecordOptions {
        compressor: Compressor::zstd_with_dictionary(dictionary),
        ..RecordOptions::default()
    };
    let mut recorder = collection(&fs).record(options).unwrap();
    recorder
        .append(&exchange(world.as_ref(), "http://a.example/", b"committed"))
        .unwrap();
    recorder.commit().unwrap();
    recorder
        .append(&exchange(
            world.as_ref(),
            "http://b.example/",
            b"only appended",
        ))
        .unwrap();
    let crashed = disk.crash_image(disk.log_len(), varve_store::fs::sim::Loss::Process, 1);
    let fs: Fs = std::sync::Arc::new(crashed);
    let recovered = collection(&fs);
    assert_eq!(recovered.recovered().len(), 1);
    assert_eq!(body_of(&recovered, "http://a.example/"), "committed");
    assert_eq!(body_of(&recovered, "http://b.example/"), "only appended");
}

#[test]
fn a_full_disk_does_not_keep_anyone_from_reading() {
    let (disk, fs) = sim();
    let world = world();
    let mut recorder = collection(&fs).record(RecordOptions::default()).unwrap();
    recorder
        .append(&exchange(world.as_ref(), "http://a.example/", b"sealed"))
        .unwrap();
    recorder.seal().unwrap();
    let mut recorder = collection(&fs).record(RecordOptions::default()).unwrap();
    recorder
        .append(&exchange(world.as_ref(), "http://b.example/", b"saved"))
        .unwrap();
    recorder.commit().unwrap();
    let crashed = disk.crash_image(disk.log_len(), varve_store::fs::sim::Loss::Process, 1);
    crashed.set_capacity(Some(crashed.total_bytes()));
    let fs: Fs = std::sync::Arc::new(crashed.clone());
    let full = collection(&fs);
    assert!(
        full.unrecovered()
            .is_some_and(varve_store::StoreError::is_disk_full)
    );
    assert_eq!(body_of(&full, "http://a.example/"), "sealed");
    crashed.set_capacity(None);
    assert_eq!(body_of(&collection(&fs), "http://b.example/"), "saved");
}

#[test]
fn attachments_are_found_by_their_names_and_agree_with_their_records() {
    let (_, fs) = sim();
    let world = world();
    let mut recorder = collection(&fs).record(RecordOptions::default()).unwrap();
    for (kind, uri) in [
        (
            AttachmentKind::Resource,
            "urn:view:http://a.example/a page?b=1",
        ),
        (
            AttachmentKind::Metadata,
            "urn:varve:visit:http://a.example/",
        ),
    ] {
        let attachment = Attachment {
            kind,
            uri: uri.into(),
            date: world.now(),
            content_type: "application/json; charset=utf-8".into(),
            body: b"{}".to_vec().into(),
        };
        recorder.attach(&attachment).unwrap();
    }
    recorder.seal().unwrap();
    let collection = collection(&fs);
    let hits = captures_of(&collection, "urn:varve:visit:http://a.example/");
    assert_eq!(hits[0].capture.mime.as_deref(), Some("application/json"));
    assert_eq!(
        captures_of(&collection, "urn:view:http://a.example/a page?b=1").len(),
        1
    );
    assert_eq!(faults_of(&collection), Vec::<String>::new());
}

#[test]
fn a_layer_in_which_nothing_was_received_keeps_its_log() {
    let (_, fs) = sim();
    let mut recorder = collection(&fs).record(RecordOptions::default()).unwrap();
    recorder.add_log(&serde_json::json!({"url": "http://gone.example/", "reason": "dns.nxdomain"}));
    let layer = recorder.seal().unwrap().expect("a layer");
    let log = std::path::Path::new("archive/layers")
        .join(&layer.id)
        .join("logs/crawl.jsonl");
    let text = varve_store::fs::read_small(fs.as_ref(), &log, 1 << 20).unwrap();
    assert!(String::from_utf8(text).unwrap().contains("dns.nxdomain"));
}

#[derive(Default)]
struct Findings(Vec<String>);

impl AuditObserver for Findings {
    fn found(&mut self, finding: &Finding) {
        self.0.push(finding.what.clone());
    }
}

pub(crate) fn faults_of(collection: &Collection) -> Vec<String> {
    let mut findings = Findings::default();
    audit_collection(collection, &mut findings).unwrap();
    findings.0
}
