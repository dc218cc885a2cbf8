//! A copy of a collection in which something is wrong.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;
use varve_store::collection::{
    Attachment, AttachmentKind, Collection, Exchange, Known, Message, RecordOptions, Recorder,
};
use varve_store::fs::{FileSystem, Fs, OsFileSystem};
use varve_store::index::Query;
use varve_store::warc::{RecordHead, RecordType, WarcReader};
use varve_store::world::{RealWorld, World};

/// What is done to the record of a URL.
pub(crate) enum Change {
    /// It is not in the copy.
    LeftOut,
    /// It is in the copy with another status, type and body.
    Replaced(u16, &'static str, String),
    /// Bytes of it are others than were written.
    Damaged,
}

/// Copies a collection of one layer with these changes.
pub(crate) fn copy(from: &Path, to: &Path, changes: &[(String, Change)]) {
    let collection = open(from, false);
    let copied = open(to, true);
    let mut copying = Copying {
        recorder: copied.record(RecordOptions::default()).unwrap(),
        bodies: HashMap::new(),
        answered: None,
        changes,
    };
    let layer = collection.layer_dir(0);
    for file in std::fs::read_dir(layer.join("archive")).unwrap() {
        let file = OsFileSystem.open(&file.unwrap().path()).unwrap();
        let mut reader = WarcReader::new(file).unwrap();
        while let Some(head) = reader.next_head().unwrap() {
            let block = block(&mut reader);
            reader.finish().unwrap();
            copying.record(&head, block);
        }
    }
    copying.flush();
    let pages = collection.each_page(|line| {
        copying
            .recorder
            .add_page(&serde_json::from_slice(line).unwrap());
        Ok(())
    });
    pages.unwrap();
    copying.recorder.seal().unwrap();
    for (url, change) in changes {
        if matches!(change, Change::Damaged) {
            damage(to, url);
        }
    }
}

pub(crate) fn open(root: &Path, create: bool) -> Collection {
    let fs: Fs = Arc::new(OsFileSystem);
    let world: Arc<dyn World> = Arc::new(RealWorld);
    match create {
        true => Collection::open_or_create(fs, root, world).unwrap(),
        false => Collection::open(fs, root, world).unwrap(),
    }
}

fn block(reader: &mut WarcReader) -> Vec<u8> {
    let mut block = Vec::new();
    loop {
        let bytes = reader.fill_block().unwrap();
        if bytes.is_empty() {
            return block;
        }
        block.extend_from_slice(bytes);
        let length = bytes.len();
        reader.consume_block(length);
    }
}

/// A copy that is being made.
struct Copying<'a> {
    recorder: Recorder,
    /// What was saved once and is referred to, by its digest.
    bodies: HashMap<String, Vec<u8>>,
    /// The last response, if its request did not come yet.
    answered: Option<Exchange>,
    changes: &'a [(String, Change)],
}

impl Copying<'_> {
    fn record(&mut self, head: &RecordHead, block: Vec<u8>) {
        let url = head.target_uri().unwrap_or_default();
        if let (RecordType::Request, Some(exchange)) = (head.record_type(), &mut self.answered) {
            let (head, body) = split(&block);
            exchange.request = Some(Message::new(head, body));
        }
        self.flush();
        let kind = match head.record_type() {
            RecordType::Response | RecordType::Revisit => return self.response(head, &block),
            RecordType::Resource => AttachmentKind::Resource,
            RecordType::Metadata if url.starts_with("urn:") => AttachmentKind::Metadata,
            _ => return,
        };
        let attachment = Attachment {
            kind,
            uri: url,
            date: head.date().unwrap(),
            content_type: head.get("Content-Type").unwrap().into_owned(),
            body: block.into(),
        };
        self.recorder.attach(&attachment).unwrap();
    }

    fn response(&mut self, head: &RecordHead, block: &[u8]) {
        let url = head.target_uri().unwrap();
        let (http, body) = split(block);
        let digest = head.get("WARC-Payload-Digest").unwrap().into_owned();
        let body = match head.record_type() {
            RecordType::Revisit => self.bodies[&digest].clone(),
            _ => body,
        };
        self.bodies.insert(digest, body.clone());
        let change = self.changes.iter().find(|(changed, _)| *changed == url);
        let response = match change.map(|(_, change)| change) {
            Some(Change::LeftOut) => return,
            Some(Change::Replaced(status, kind, body)) => replaced(*status, kind, body),
            Some(Change::Damaged) | None => Message::new(http, body),
        };
        self.answered = Some(Exchange {
            url,
            date: head.date().unwrap(),
            peer: None,
            protocols: Vec::new(),
            request: None,
            response,
            known: Known::ByDigest,
            metadata: Vec::new(),
        });
    }

    /// Saves the last response.
    fn flush(&mut self) {
        if let Some(exchange) = self.answered.take() {
            self.recorder.append(&exchange).unwrap();
        }
    }
}

/// The head and the body of an HTTP message.
fn split(block: &[u8]) -> (Vec<u8>, Vec<u8>) {
    let end = block.windows(4).position(|it| it == b"\r\n\r\n");
    let (head, body) = block.split_at(end.map_or(block.len(), |end| end + 4));
    (head.to_vec(), body.to_vec())
}

fn replaced(status: u16, kind: &str, body: &str) -> Message {
    let head = format!("HTTP/1.1 {status} Other\r\nContent-Type: {kind}\r\n");
    let length = format!("Content-Length: {}\r\n\r\n", body.len());
    Message::new(head + &length, body.as_bytes().to_vec())
}

/// Changes bytes in the record of a URL.
fn damage(root: &Path, url: &str) {
    let collection = open(root, false);
    let query = Query {
        url: url.to_owned(),
        ..Query::default()
    };
    let mut hits = collection.index().unwrap().query(&query).unwrap();
    let capture = hits.next().unwrap().unwrap().capture;
    let file = collection
        .layer_dir(0)
        .join("archive")
        .join(&capture.filename);
    let mut bytes = std::fs::read(&file).unwrap();
    let middle = (capture.offset + capture.length / 2) as usize;
    for byte in &mut bytes[middle..middle + 8] {
        *byte ^= 0x55;
    }
    std::fs::write(file, bytes).unwrap();
}
