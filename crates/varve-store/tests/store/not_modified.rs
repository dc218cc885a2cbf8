//! What becomes of a 304: a revisit that replays as the response it stands for.

use crate::fixture::{body_of, captures_of, collection, exchange, sim, world};
use crate::recording::faults_of;
use varve_model::Digest;
use varve_store::collection::{
    Collection, Exchange, Known, Message, NotModified, Original, RecordOptions, is_revisit,
};
use varve_store::fs::Fs;
use varve_store::world::World;

const URL: &str = "http://a.example/";
const ANSWER: &str = "HTTP/1.1 304 Not Modified\r\nETag: \"x\"\r\n\r\n";

fn record(fs: &Fs, exchanges: &[Exchange]) -> Collection {
    let mut recorder = collection(fs).record(RecordOptions::default()).unwrap();
    for exchange in exchanges {
        recorder.append(exchange).unwrap();
    }
    recorder.seal().unwrap();
    collection(fs)
}

/// The first capture of the URL, and the exchange of a server that says it is still good.
fn unchanged(collection: &Collection, world: &dyn World) -> Exchange {
    let capture = captures_of(collection, URL).remove(0).capture;
    Exchange {
        response: Message::new(ANSWER, Vec::new()),
        known: Known::NotModified(NotModified {
            digest: Digest::parse(&capture.digest.unwrap()).unwrap(),
            original: Original {
                url: capture.url,
                date: capture.timestamp,
                record_id: None,
            },
        }),
        ..exchange(world, URL, b"")
    }
}

#[test]
fn an_unchanged_response_replays_as_the_one_it_stands_for() {
    let (_, fs) = sim();
    let world = world();
    let first = record(&fs, &[exchange(world.as_ref(), URL, b"still here")]);
    let again = unchanged(&first, world.as_ref());
    let collection = record(&fs, std::slice::from_ref(&again));
    let hits = captures_of(&collection, URL);
    let revisit = &hits[1];
    assert!(is_revisit(&revisit.capture));
    assert_eq!(revisit.capture.status, None);
    assert_eq!(revisit.capture.digest, hits[0].capture.digest);
    let index = collection.index().unwrap();
    let holder = collection.payload_of(&index, revisit).unwrap().unwrap();
    assert_eq!(holder, hits[0]);
    assert_eq!(body_of(&collection, URL), "still here");
    assert_eq!(faults_of(&collection), Vec::<String>::new());
}

#[test]
fn its_record_refers_to_the_original_and_keeps_the_answer_beside_it() {
    let (_, fs) = sim();
    let world = world();
    let first = record(&fs, &[exchange(world.as_ref(), URL, b"still here")]);
    let again = unchanged(&first, world.as_ref());
    let collection = record(&fs, std::slice::from_ref(&again));
    let hits = captures_of(&collection, URL);
    let revisit = collection.read(&hits[1]).unwrap();
    let field = |name: &str| revisit.head().get(name).unwrap().into_owned();
    let profile = "http://netpreserve.org/warc/1.1/revisit/server-not-modified";
    assert_eq!(field("WARC-Profile"), profile);
    assert_eq!(field("WARC-Refers-To-Target-URI"), URL);
    let original = hits[0].capture.timestamp.w3c();
    assert_eq!(field("WARC-Refers-To-Date"), original);
    assert_eq!(field("Content-Length"), "0");
    assert!(revisit.http().is_none());
    let layer = collection.layer_dir(1).join("archive");
    let name = fs.list(&layer).unwrap().remove(0).name;
    let file = fs.open(&layer.join(name)).unwrap();
    let mut reader = varve_store::warc::WarcReader::new(file).unwrap();
    let mut metadata = None;
    while let Some(head) = reader.next_head().unwrap() {
        if head.record_type() == varve_store::warc::RecordType::Metadata {
            metadata = Some(String::from_utf8(reader.fill_block().unwrap().to_vec()).unwrap());
        }
    }
    let expected = format!("not-modified: {}\r\n", serde_json::Value::from(ANSWER));
    assert_eq!(metadata.unwrap(), expected);
}

#[test]
fn the_same_payload_elsewhere_refers_to_it_too() {
    let (_, fs) = sim();
    let world = world();
    let first = record(&fs, &[exchange(world.as_ref(), URL, b"still here")]);
    let again = unchanged(&first, world.as_ref());
    let other = exchange(world.as_ref(), "http://b.example/", b"still here");
    let collection = record(&fs, &[again, other]);
    let hits = captures_of(&collection, "http://b.example/");
    assert!(is_revisit(&hits[0].capture));
    assert_eq!(body_of(&collection, "http://b.example/"), "still here");
    assert_eq!(faults_of(&collection), Vec::<String>::new());
}

#[test]
fn what_cannot_be_read_any_more_is_stored_again() {
    let (_, fs) = sim();
    let world = world();
    record(&fs, &[exchange(world.as_ref(), URL, b"still here")]);
    let mut again = exchange(world.as_ref(), URL, b"still here");
    again.known = Known::Unreadable;
    let collection = record(&fs, &[again.clone(), again]);
    let hits = captures_of(&collection, URL);
    let revisits: Vec<bool> = hits.iter().map(|hit| is_revisit(&hit.capture)).collect();
    assert_eq!(revisits, [false, false, true]);
}
