//! Small archives to try things on.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use varve_model::Timestamp;
use varve_store::collection::{Collection, Exchange, Known, Message};
use varve_store::fs::sim::SimDisk;
use varve_store::fs::{FileSystem, Fs, ReadAt};
use varve_store::index::{Hit, Query};
use varve_store::warc::{
    Compression, Compressor, NewRecord, Payload, RecordType, Scanned, Scanner, Step, Verify,
    WarcWriter,
};
use varve_store::world::{TestWorld, World, record_id};

pub(crate) fn world() -> Arc<TestWorld> {
    TestWorld::new(Timestamp::parse("20260102030405").unwrap())
}

/// A response record.
pub(crate) fn response(world: &dyn World, url: &str, body: &[u8]) -> NewRecord {
    let head = format!(
        "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: {}\r\n\r\n",
        body.len()
    );
    NewRecord {
        record_type: RecordType::Response,
        id: record_id(world.random()),
        date: world.now(),
        target_uri: Some(url.into()),
        content_type: Some("application/http; msgtype=response".into()),
        fields: Vec::new(),
        head: head.into_bytes(),
        body: body.to_vec().into(),
        payload: Payload::Body,
    }
}

/// An exchange whose response has this body.
pub(crate) fn exchange(world: &dyn World, url: &str, body: &[u8]) -> Exchange {
    let head = format!(
        "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: {}\r\n\r\n",
        body.len()
    );
    Exchange {
        url: url.into(),
        date: world.now(),
        peer: Some([127, 0, 0, 1].into()),
        protocols: Vec::new(),
        request: Some(Message::new(
            format!("GET {url} HTTP/1.1\r\n\r\n"),
            Vec::new(),
        )),
        response: Message::new(head, body.to_vec()),
        known: Known::ByDigest,
        metadata: Vec::new(),
    }
}

/// The bytes of a WARC with these bodies.
pub(crate) fn warc(compressor: Compressor, bodies: &[&[u8]]) -> Vec<u8> {
    let disk = SimDisk::new();
    let path = Path::new("a.warc");
    let world = world();
    let mut writer = WarcWriter::new(disk.create(path).unwrap(), compressor).unwrap();
    for (number, body) in bodies.iter().enumerate() {
        writer
            .append(&response(
                world.as_ref(),
                &format!("http://example.org/{number}"),
                body,
            ))
            .unwrap();
    }
    writer.sync().unwrap();
    drop(writer);
    varve_store::fs::read_small(&disk, path, u64::MAX).unwrap()
}

pub(crate) fn gzip_warc(bodies: &[&[u8]]) -> Vec<u8> {
    warc(Compressor::new(Compression::Gzip), bodies)
}

/// A file with these bytes.
pub(crate) fn file(bytes: &[u8]) -> Arc<dyn ReadAt> {
    let disk = SimDisk::new();
    put(&disk, "file", bytes);
    disk.open(Path::new("file")).unwrap()
}

pub(crate) fn put(disk: &dyn FileSystem, path: &str, bytes: &[u8]) -> PathBuf {
    let path = PathBuf::from(path);
    let mut out = disk.create(&path).unwrap();
    out.append(bytes).unwrap();
    out.sync().unwrap();
    path
}

/// Everything a walk comes across.
pub(crate) fn walk(bytes: &[u8]) -> Vec<Step> {
    let mut steps = Vec::new();
    let mut scanner = match Scanner::new(file(bytes), Verify::Digests) {
        Ok(scanner) => scanner,
        Err(varve_store::warc::ReadError::Damaged { offset, fault }) => {
            return vec![Step::Damage {
                from: offset,
                until: offset,
                fault,
            }];
        }
        Err(error) => panic!("{error:?}"),
    };
    while let Some(step) = scanner.next_step().unwrap() {
        steps.push(step);
    }
    steps
}

pub(crate) fn records(steps: &[Step]) -> Vec<&Scanned> {
    steps
        .iter()
        .filter_map(|step| match step {
            Step::Record(record) => Some(record.as_ref()),
            Step::Damage { .. } => None,
        })
        .collect()
}

/// The faults and their offsets, damage of records included.
pub(crate) fn damage(steps: &[Step]) -> Vec<(u64, String)> {
    let mut found = Vec::new();
    for step in steps {
        match step {
            Step::Damage { from, fault, .. } => found.push((*from, fault.to_string())),
            Step::Record(record) => found.extend(
                record
                    .faults
                    .iter()
                    .filter(|fault| fault.is_damage())
                    .map(|fault| (record.place.offset, fault.to_string())),
            ),
        }
    }
    found
}

/// All captures of a URL, in order of time.
pub(crate) fn captures_of(collection: &Collection, url: &str) -> Vec<Hit> {
    let query = Query {
        url: url.into(),
        ..Query::default()
    };
    collection
        .index()
        .unwrap()
        .query(&query)
        .unwrap()
        .map(Result::unwrap)
        .collect()
}

pub(crate) fn sim() -> (SimDisk, Fs) {
    let disk = SimDisk::new();
    let fs: Fs = Arc::new(disk.clone());
    (disk, fs)
}

/// The collection of a test.
pub(crate) fn collection(fs: &Fs) -> Collection {
    Collection::open_or_create(fs.clone(), Path::new("archive"), world()).unwrap()
}

/// The body of a URL's last capture, revisits resolved.
pub(crate) fn body_of(collection: &Collection, url: &str) -> String {
    let index = collection.index().unwrap();
    let hit = captures_of(collection, url).pop().unwrap();
    let holder = collection.payload_of(&index, &hit).unwrap().unwrap();
    let mut body = String::new();
    collection
        .read(&holder)
        .unwrap()
        .read_to_string(&mut body)
        .unwrap();
    body
}
