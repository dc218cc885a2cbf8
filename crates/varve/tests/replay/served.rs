//! A collection of given responses, and the archive that serves it.

use crate::stage::In;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use tempfile::TempDir;
use tokio::runtime::Runtime;
use varve_model::Timestamp;
use varve_page::Use;
use varve_serve::{Layout, LayoutChoice, ProxyFacts, ProxyOptions, ServeOptions, Server};
use varve_store::collection::{
    Attachment, AttachmentKind, Collection, Exchange, Known, Message, RecordOptions,
};
use varve_store::fs::{Fs, OsFileSystem};
use varve_store::world::{TestWorld, World};

/// When everything was captured.
pub(crate) const TIME: &str = "20260101000000";

/// A response to be saved.
#[derive(Clone, Debug)]
pub(crate) struct Saved {
    pub(crate) url: String,
    pub(crate) time: String,
    pub(crate) status: u16,
    pub(crate) fields: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
    pub(crate) title: Option<String>,
    /// The type and the bytes of what was sent for it.
    pub(crate) sent: Option<(String, String)>,
}

impl Saved {
    pub(crate) fn page(url: &str, html: &str) -> Saved {
        Saved::new(url, "text/html; charset=utf-8", html)
    }

    pub(crate) fn new(url: &str, kind: &str, body: &str) -> Saved {
        Saved {
            url: url.to_owned(),
            time: TIME.to_owned(),
            status: 200,
            fields: vec![("Content-Type".to_owned(), kind.to_owned())],
            body: body.as_bytes().to_vec(),
            title: None,
            sent: None,
        }
    }

    /// The same as the answer to something that was posted.
    pub(crate) fn posted(mut self, kind: &str, body: &str) -> Saved {
        self.sent = Some((kind.to_owned(), body.to_owned()));
        self
    }

    /// The same, captured at another time.
    pub(crate) fn at(mut self, time: &str) -> Saved {
        self.time = time.to_owned();
        self
    }

    /// The same as a page with this title in the list of pages.
    pub(crate) fn titled(mut self, title: &str) -> Saved {
        self.title = Some(title.to_owned());
        self
    }

    pub(crate) fn field(mut self, name: &str, value: &str) -> Saved {
        self.fields.push((name.to_owned(), value.to_owned()));
        self
    }

    fn exchange(&self) -> Exchange {
        let mut head = format!("HTTP/1.1 {} Status\r\n", self.status);
        for (name, value) in &self.fields {
            head += &format!("{name}: {value}\r\n");
        }
        head += &format!("Content-Length: {}\r\n\r\n", self.body.len());
        let request = match &self.sent {
            None => Message::new("GET / HTTP/1.1\r\nHost: h\r\n\r\n", Vec::new()),
            Some((kind, body)) => Message::new(
                format!("POST / HTTP/1.1\r\nHost: h\r\nContent-Type: {kind}\r\n\r\n"),
                body.as_bytes().to_vec(),
            ),
        };
        Exchange {
            url: self.url.clone(),
            date: Timestamp::parse(&self.time).unwrap(),
            peer: None,
            protocols: Vec::new(),
            request: Some(request),
            response: Message::new(head, self.body.clone()),
            known: Known::ByDigest,
            metadata: Vec::new(),
        }
    }
}

/// Saves responses as a collection.
pub(crate) fn save(root: &Path, saved: &[Saved]) {
    save_crawl(root, saved, &[], &[]);
}

/// Adds responses to a collection, with the log of a crawl and pictures by their names.
pub(crate) fn save_crawl(
    root: &Path,
    saved: &[Saved],
    log: &[serde_json::Value],
    pictures: &[(String, Vec<u8>, &str)],
) {
    let fs: Fs = Arc::new(OsFileSystem);
    let world: Arc<dyn World> = TestWorld::new(Timestamp::parse("20270101000000").unwrap());
    let collection = Collection::open_or_create(fs, root, world).unwrap();
    let mut recorder = collection.record(RecordOptions::default()).unwrap();
    for one in saved {
        let exchange = one.exchange();
        recorder.append(&exchange).unwrap();
        if let Some(title) = &one.title {
            recorder.add_page(&serde_json::json!({
                "id": one.url, "url": one.url, "ts": exchange.date.w3c(), "title": title,
            }));
        }
    }
    for (name, bytes, time) in pictures {
        let attachment = Attachment {
            kind: AttachmentKind::Resource,
            uri: name.clone(),
            date: Timestamp::parse(time).unwrap(),
            content_type: "image/png".into(),
            body: bytes.clone().into(),
        };
        recorder.attach(&attachment).unwrap();
    }
    for line in log {
        recorder.add_log(line);
    }
    recorder.seal().unwrap();
}

/// An archive that is served.
pub(crate) struct Served {
    runtime: Runtime,
    server: Option<Server>,
    dir: TempDir,
}

fn in_place(options: &mut ServeOptions, place: In) {
    if place == In::Path {
        options.layout = LayoutChoice::Path(options.listen);
    }
}

impl Served {
    /// Serves these responses.
    pub(crate) fn new(saved: &[Saved], place: In) -> Served {
        Served::start(&[saved], |options| in_place(options, place))
    }

    /// Serves these layers, with a proxy.
    pub(crate) fn with_proxy(layers: &[&[Saved]]) -> Served {
        Served::start(layers, |options| {
            options.proxy = Some(ProxyOptions::new(options.listen));
        })
    }

    fn start(layers: &[&[Saved]], choose: impl FnOnce(&mut ServeOptions)) -> Served {
        let dir = tempfile::tempdir().unwrap();
        for layer in layers {
            save(dir.path(), layer);
        }
        Served::begin(dir, choose)
    }

    /// Serves the collection in a directory.
    pub(crate) fn over(dir: TempDir, place: In) -> Served {
        Served::begin(dir, |options| in_place(options, place))
    }

    /// Serves the collection in a directory, with whatever else is chosen.
    pub(crate) fn begin(dir: TempDir, choose: impl FnOnce(&mut ServeOptions)) -> Served {
        let anywhere = ([127, 0, 0, 1], 0).into();
        let mut options = ServeOptions::new(vec![dir.path().to_owned()], anywhere);
        choose(&mut options);
        let runtime = Runtime::new().unwrap();
        let server = runtime.block_on(Server::start(options)).unwrap();
        Served {
            runtime,
            server: Some(server),
            dir,
        }
    }

    fn server(&self) -> &Server {
        self.server.as_ref().unwrap()
    }

    /// The proxy.
    pub(crate) fn proxy(&self) -> &ProxyFacts {
        self.server().proxy().unwrap()
    }

    /// Where the collection is as a WACZ.
    pub(crate) fn wacz(&self) -> String {
        let root = self.dir.path().file_name().unwrap().to_string_lossy();
        let name = root.replace(
            |letter: char| !letter.is_ascii_alphanumeric() && letter != '.',
            "-",
        );
        format!("{}/collections/{name}/{name}.wacz", self.ui())
    }

    /// Where an archived URL is replayed by itself.
    pub(crate) fn url(&self, archived: &str) -> String {
        self.url_at(archived, TIME)
    }

    /// The same for a capture of another time.
    pub(crate) fn url_at(&self, archived: &str, time: &str) -> String {
        let (url, time) = (archived.parse().unwrap(), Timestamp::parse(time).unwrap());
        self.layout().url(&url, time, Use::Navigate).unwrap()
    }

    pub(crate) fn layout(&self) -> &Layout {
        self.server().layout()
    }

    /// Where the server listens for requests to archived content.
    pub(crate) fn replay_address(&self) -> SocketAddr {
        match self.layout() {
            Layout::Host(_) => self.server().address(),
            Layout::Path(layout) => {
                let origin = layout.origin().trim_start_matches("http://");
                origin.parse().unwrap()
            }
        }
    }

    /// Where the archive's own pages are, without a slash at the end.
    pub(crate) fn ui(&self) -> String {
        format!("http://{}", self.server().address())
    }

    /// The page of the collection.
    pub(crate) fn collection(&self) -> String {
        let name = self.dir.path().file_name().unwrap();
        format!("{}/collections/{}", self.ui(), name.to_str().unwrap())
    }

    /// Where an archived URL is shown in our frame.
    pub(crate) fn framed_url(&self, archived: &str) -> String {
        format!("{}/web/{TIME}/{archived}", self.ui())
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        if let Some(server) = self.server.take() {
            self.runtime.block_on(server.stop());
        }
    }
}
