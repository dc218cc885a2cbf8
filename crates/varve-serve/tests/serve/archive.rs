//! Small collections to be served.

use std::path::Path;
use std::sync::Arc;
use varve_model::Timestamp;
use varve_store::collection::{
    Attachment, AttachmentKind, Collection, Exchange, Known, Message, RecordOptions,
};
use varve_store::fs::{Fs, OsFileSystem};
use varve_store::warc::{Compression, Compressor};
use varve_store::world::{TestWorld, World};

/// When most things of these tests were captured.
pub(crate) const TIME: &str = "20260101000000";

/// A response to be saved.
#[derive(Clone, Debug)]
pub(crate) struct Saved {
    url: String,
    time: String,
    status: u16,
    fields: Vec<(String, String)>,
    body: Vec<u8>,
    method: &'static str,
    sent: (String, Vec<u8>),
}

impl Saved {
    pub(crate) fn new(url: &str, content_type: &str, body: impl AsRef<[u8]>) -> Saved {
        Saved {
            url: url.into(),
            time: TIME.into(),
            status: 200,
            fields: vec![("Content-Type".into(), content_type.into())],
            body: body.as_ref().to_vec(),
            method: "GET",
            sent: Default::default(),
        }
    }

    pub(crate) fn page(url: &str, body: &str) -> Saved {
        Saved::new(url, "text/html; charset=utf-8", body)
    }

    pub(crate) fn redirect(url: &str, status: u16, to: &str) -> Saved {
        Saved::page(url, "moved")
            .status(status)
            .field("Location", to)
    }

    pub(crate) fn at(mut self, time: &str) -> Saved {
        self.time = time.into();
        self
    }

    pub(crate) fn status(mut self, status: u16) -> Saved {
        self.status = status;
        self
    }

    pub(crate) fn field(mut self, name: &str, value: &str) -> Saved {
        self.fields.push((name.into(), value.into()));
        self
    }

    pub(crate) fn asked_by(mut self, method: &'static str, kind: &str, body: &str) -> Saved {
        self.method = method;
        self.sent = (kind.into(), body.into());
        self
    }

    fn exchange(&self) -> Exchange {
        let mut head = format!("HTTP/1.1 {} Status\r\n", self.status);
        for (name, value) in &self.fields {
            head += &format!("{name}: {value}\r\n");
        }
        head += &format!("Content-Length: {}\r\n\r\n", self.body.len());
        let (kind, sent) = &self.sent;
        let request = format!(
            "{} / HTTP/1.1\r\nHost: h\r\nContent-Type: {kind}\r\n\r\n",
            self.method
        );
        Exchange {
            url: self.url.clone(),
            date: Timestamp::parse(&self.time).unwrap(),
            peer: None,
            protocols: Vec::new(),
            request: Some(Message::new(request, sent.clone())),
            response: Message::new(head, self.body.clone()),
            known: Known::ByDigest,
            metadata: Vec::new(),
        }
    }
}

fn collection(root: &Path) -> Collection {
    let fs: Fs = Arc::new(OsFileSystem);
    let world: Arc<dyn World> = TestWorld::new(Timestamp::parse("20270101000000").unwrap());
    Collection::open_or_create(fs, root, world).unwrap()
}

/// Adds a layer with these responses. Those that are HTML are in its page list.
pub(crate) fn add_layer(root: &Path, saved: &[Saved]) {
    add_compressed(root, saved, Compression::Gzip);
}

pub(crate) fn add_compressed(root: &Path, saved: &[Saved], compression: Compression) {
    let options = RecordOptions {
        compressor: Compressor::new(compression),
        ..RecordOptions::default()
    };
    let mut recorder = collection(root).record(options).unwrap();
    for one in saved {
        let exchange = one.exchange();
        recorder.append(&exchange).unwrap();
        let is_page = one.fields[0].1.starts_with("text/html");
        if is_page {
            recorder.add_page(&serde_json::json!({
                "id": one.url, "url": one.url, "ts": exchange.date.w3c(), "title": "A <page>",
            }));
        }
    }
    recorder.seal().unwrap();
}

/// Adds a layer with the log of a visit.
pub(crate) fn add_visit(root: &Path, url: &str, client: &serde_json::Value) {
    add_page_with(root, url, &format!("urn:varve:visit:{url}"), client);
}

/// Adds a layer in which a page was fetched by a crawl that says who it is.
pub(crate) fn add_fetched(root: &Path, url: &str, client: &serde_json::Value) {
    add_page_with(root, url, "urn:varve:client", client);
}

fn add_page_with(root: &Path, url: &str, name: &str, client: &serde_json::Value) {
    let log = serde_json::json!({"requested": url, "client": client});
    add_logged(root, &Saved::page(url, "<p>visited"), name, &log);
}

/// Adds a layer with a response and a log of this name.
pub(crate) fn add_logged(root: &Path, saved: &Saved, name: &str, log: &serde_json::Value) {
    let mut recorder = collection(root).record(RecordOptions::default()).unwrap();
    recorder.append(&saved.exchange()).unwrap();
    let attachment = Attachment {
        kind: AttachmentKind::Metadata,
        uri: name.to_owned(),
        date: Timestamp::parse(TIME).unwrap(),
        content_type: "application/json".into(),
        body: log.to_string().into_bytes().into(),
    };
    recorder.attach(&attachment).unwrap();
    recorder.seal().unwrap();
}

/// Adds a layer as crawls make them: responses, a log, and pictures by their names.
pub(crate) fn add_crawl(
    root: &Path,
    saved: &[Saved],
    log: &[serde_json::Value],
    pictures: &[(&str, &[u8])],
) {
    let mut recorder = collection(root).record(RecordOptions::default()).unwrap();
    for one in saved {
        let exchange = one.exchange();
        recorder.append(&exchange).unwrap();
        recorder.add_page(&serde_json::json!({
            "id": one.url, "url": one.url, "ts": exchange.date.w3c(), "title": "A <page>",
        }));
    }
    for (name, bytes) in pictures {
        let attachment = Attachment {
            kind: AttachmentKind::Resource,
            uri: (*name).to_owned(),
            date: Timestamp::parse(TIME).unwrap(),
            content_type: "text/html".into(),
            body: bytes.to_vec().into(),
        };
        recorder.attach(&attachment).unwrap();
    }
    for line in log {
        recorder.add_log(line);
    }
    recorder.seal().unwrap();
}
