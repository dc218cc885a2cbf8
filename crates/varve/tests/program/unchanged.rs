//! What a server said has not changed replays in other people's tools as what it stands for.

use crate::judges::compare_index;
use crate::setup::{judge, root, run, succeed};
use std::path::Path;
use std::sync::Arc;
use varve_model::{Digest, DigestAlgorithm, Timestamp};
use varve_store::collection::{
    Collection, Exchange, Known, Message, NotModified, Original, RecordOptions,
};
use varve_store::fs::OsFileSystem;
use varve_store::world::RealWorld;

const URL: &str = "https://garden.example/";
const BODY: &str = "<!doctype html><title>Garden</title><p>As it was.";
const FIRST: &str = "20260101000000";
const SECOND: &str = "20260201000000";

fn exchange(date: &str, response: Message, known: Known) -> Exchange {
    Exchange {
        url: URL.into(),
        date: Timestamp::parse(date).unwrap(),
        peer: None,
        protocols: Vec::new(),
        request: Some(Message::new("GET / HTTP/1.1\r\n\r\n", Vec::new())),
        response,
        known,
        metadata: Vec::new(),
    }
}

fn record(root: &Path, exchange: &Exchange) {
    let fs = Arc::new(OsFileSystem);
    let collection = Collection::open_or_create(fs, root, Arc::new(RealWorld)).unwrap();
    let mut recorder = collection.record(RecordOptions::default()).unwrap();
    recorder.append(exchange).unwrap();
    recorder.seal().unwrap();
}

/// A page, and a server's word a month later that it is still the same.
fn collection(root: &Path) {
    let head = format!(
        "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nETag: \"x\"\r\nContent-Length: {}\r\n\r\n",
        BODY.len()
    );
    let page = Message::new(head, BODY.as_bytes().to_vec());
    record(root, &exchange(FIRST, page, Known::ByDigest));
    let answer = Message::new(
        "HTTP/1.1 304 Not Modified\r\nETag: \"x\"\r\n\r\n",
        Vec::new(),
    );
    let earlier = NotModified {
        original: Original {
            url: URL.into(),
            date: Timestamp::parse(FIRST).unwrap(),
            record_id: None,
        },
        digest: Digest::of(DigestAlgorithm::Sha1, BODY.as_bytes()),
    };
    record(root, &exchange(SECOND, answer, Known::NotModified(earlier)));
}

#[test]
fn pywb_serves_the_original_for_what_has_not_changed() {
    let dir = tempfile::tempdir().unwrap();
    let (archive, warc) = (dir.path().join("archive"), dir.path().join("out.warc.gz"));
    collection(&archive);
    run(&[&"audit", &archive], 0);
    run(&[&"export", &archive, &warc], 0);
    succeed(judge("warcio").arg("check").arg(&warc));
    assert_eq!(compare_index(&warc), Some(2));
    let out = dir.path().join("bodies");
    std::fs::create_dir(&out).unwrap();
    // It fails when the answer is not a 200.
    succeed(
        judge("python")
            .arg(root().join("tests/judges/serve_with_pywb.py"))
            .arg(dir.path().join("pywb"))
            .arg(&warc)
            .arg(&out)
            .args([FIRST, URL, SECOND, URL]),
    );
    for number in ["0", "1"] {
        let served = std::fs::read_to_string(out.join(number)).unwrap();
        assert_eq!(served, BODY);
    }
}
