//! What pages get without a browser is what Chromium loads for them with scripts switched off.
//!
//! There are exceptions, all of them wanted: scripts, which Chromium does not load then; icons
//! and manifests, which this Chromium does not load at all, but others do; and what is meant for
//! browsers without scripts (`<noscript>`), which those with scripts do not load.

mod chromium;

use self::chromium::{Chromium, Loaded};
use crate::support::archive::records;
use crate::support::server::{Asked, server};
use crate::support::stage::Stage;
use crate::web::crawl;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use url::Url;
use varve_model::HttpHead;
use varve_page::{Document, Need, Viewport, analyse};
use varve_store::http::{BodyReader, DecodeLimits};
use varve_store::warc::RecordType;

/// Two accounts of what a page needs.
struct Compared {
    /// What Chromium loaded.
    loaded: Loaded,
    /// Of it, what was not fetched.
    missed: Loaded,
    /// What was fetched and Chromium did not load.
    extra: Loaded,
}

/// Compares for one page whose host is at this address; if it leads elsewhere, for the page there.
fn compare(chromium: &Chromium, url: &str, server: SocketAddr) -> Compared {
    let (mut loaded, at) = chromium.load(url);
    if at.as_str() != url {
        loaded = chromium.load(at.as_str()).0;
    }
    let url = at.as_str();
    let dir = tempfile::tempdir().unwrap();
    let archive = dir.path().join("archive");
    let (mapping, words) = (format!("*={server}"), archive.to_str().unwrap());
    crawl(&[
        url,
        "--tier",
        "http",
        "--no-filter",
        "--no-sitemaps",
        "--map-host",
        &mapping,
        "--accept-invalid-certificates",
        "--viewport",
        "1280x800",
        "-c",
        words,
    ]);
    let fetched = fetched(&archive);
    loaded.retain(|url, _| !fetched.noscript.contains(url));
    let pick = |from: &Loaded, keep: &dyn Fn(&String) -> bool| {
        let kept = from.iter().filter(|(url, _)| keep(url));
        kept.map(|(url, bytes)| (url.clone(), *bytes)).collect()
    };
    Compared {
        missed: pick(&loaded, &|url| !fetched.all.contains_key(url)),
        extra: pick(&fetched.all, &|url| {
            !loaded.contains_key(url) && !fetched.beyond.contains(url)
        }),
        loaded,
    }
}

/// What an archive holds.
#[derive(Default)]
struct Fetched {
    all: Loaded,
    /// Scripts, icons and manifests.
    beyond: BTreeSet<String>,
    /// What is only mentioned for browsers without scripts.
    noscript: BTreeSet<String>,
}

fn fetched(archive: &std::path::Path) -> Fetched {
    let mut fetched = Fetched::default();
    for record in records(archive) {
        let Some((head, length)) = HttpHead::parse(&record.block) else {
            continue;
        };
        // What is the same as something else is stored once.
        if !matches!(record.kind, RecordType::Response | RecordType::Revisit) {
            continue;
        }
        let kind = head.get("Content-Type").unwrap_or_default();
        let kind = String::from_utf8_lossy(&kind).into_owned();
        if kind.contains("javascript") {
            fetched.beyond.insert(record.url.clone());
        }
        let mut body = Vec::new();
        let wire = &record.block[length..];
        let mut reader = BodyReader::new(&head, wire, DecodeLimits::default());
        let _ = reader.read_to_end(&mut body);
        fetched.look_into(&record.url, &kind, &body);
        let bytes = (record.block.len() - length) as u64;
        fetched.all.insert(record.url, bytes);
    }
    fetched
}

impl Fetched {
    /// Finds out what a document mentions that the exceptions are about.
    fn look_into(&mut self, url: &str, kind: &str, bytes: &[u8]) {
        let Ok(url) = Url::parse(url) else { return };
        let document = Document {
            content_type: Some(kind),
            ..Document::new(&url, bytes)
        };
        if !kind.contains("html") && !kind.contains("manifest") {
            return;
        }
        for reference in analyse(&document, &Viewport::default()).references {
            let url = reference.url.to_string();
            match reference.context {
                "link@icon" | "link@manifest" | "script@src" => self.beyond.insert(url),
                _ if kind.contains("manifest") => self.beyond.insert(url),
                "link@stylesheet" | "img@src" if reference.need == Need::Weak => {
                    self.noscript.insert(url)
                }
                _ => false,
            };
        }
    }
}

#[track_caller]
fn assert_alike(url: &str, compared: &Compared) {
    let Compared {
        loaded,
        missed,
        extra,
    } = compared;
    assert!(loaded.contains_key(url), "{url} was not loaded: {loaded:?}");
    assert!(missed.is_empty(), "{url}: only Chromium loads {missed:#?}");
    assert!(extra.is_empty(), "{url}: Chromium does not load {extra:#?}");
}

#[test]
fn pages_of_the_example_web_get_what_chromium_loads() {
    let web = Stage::new();
    let server = web.web.address();
    let chromium = Chromium::start(server);
    for page in [
        "",
        "tabs/",
        "plants/",
        "plants/ginkgo/",
        "journal/",
        "menus/",
        "carousel/",
        "visit/",
        "friends/",
    ] {
        let url = format!("https://garden.example/{page}");
        assert_alike(&url, &compare(&chromium, &url, server));
    }
    let old = "https://old.garden.example/1998/";
    assert_alike(old, &compare(&chromium, old, server));
}

#[test]
fn a_page_with_everything_gets_what_chromium_loads() {
    let port = server(answer);
    let server = SocketAddr::from(([127, 0, 0, 1], port));
    let chromium = Chromium::start(server);
    let url = "http://hard.example/";
    assert_alike(url, &compare(&chromium, url, server));
}

/// The server of the page with everything: whatever is asked for is there.
fn answer(asked: &Asked, stream: &mut TcpStream) {
    const FONT: &[u8] = include_bytes!(
        "../../../../examples/site/web/static.garden.example/fonts/orrin-icons.woff2"
    );
    const PICTURE: &str = "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'>\
        <image href='/in-a-picture.svg'/><rect id='x' width='9' height='9'/></svg>";
    let path = asked.path.as_str();
    let (kind, body): (&str, &[u8]) = match path.rsplit('.').next() {
        _ if path == "/" => (
            "text/html; charset=utf-8",
            include_bytes!("requisites/hard.html"),
        ),
        Some("css") if path == "/hard.css" => ("text/css", include_bytes!("requisites/hard.css")),
        Some("css") => ("text/css", b""),
        Some("woff2") => ("font/woff2", FONT),
        Some("js") => ("text/javascript", b""),
        Some("html") => (
            "text/html",
            b"<link rel=stylesheet href=/frame.css><p style='background:url(/in-frame.svg)'>x",
        ),
        _ => ("image/svg+xml", PICTURE.as_bytes()),
    };
    let length = body.len();
    let head = format!(
        "HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n"
    );
    let _ = stream.write_all(&[head.as_bytes(), body].concat());
}

/// Pages of other sites. `scripts/check-requisites.sh` says which, and serves them.
#[test]
#[ignore = "needs a corpus of real websites"]
fn other_pages_get_what_chromium_loads() {
    let urls = std::fs::read_to_string(std::env::var("VARVE_REQUISITES").unwrap()).unwrap();
    let server: SocketAddr = std::env::var("VARVE_REQUISITES_SERVER")
        .unwrap()
        .parse()
        .unwrap();
    let chromium = Chromium::start(server);
    let mut sites: BTreeMap<String, Site> = BTreeMap::new();
    for url in urls.lines() {
        let compared = compare(&chromium, url, server);
        let host = Url::parse(url)
            .unwrap()
            .host_str()
            .unwrap_or_default()
            .to_owned();
        sites.entry(host).or_default().add(url, &compared);
    }
    let mut all = Site::default();
    for (name, site) in &sites {
        site.print(name);
        all.loaded += site.loaded;
        all.missed += site.missed;
        all.extra += site.extra;
        all.pages += site.pages;
    }
    all.print("all");
    assert!(all.recall() >= 0.995 && all.beyond() <= 0.02);
}

/// Bytes of a site's pages.
#[derive(Default)]
struct Site {
    pages: usize,
    loaded: u64,
    missed: u64,
    extra: u64,
}

impl Site {
    fn add(&mut self, page: &str, compared: &Compared) {
        self.pages += 1;
        self.loaded += compared.loaded.values().sum::<u64>();
        self.missed += compared.missed.values().sum::<u64>();
        self.extra += compared.extra.values().sum::<u64>();
        for (url, bytes) in &compared.missed {
            println!("missed {bytes} {url} of {page}");
        }
        for (url, bytes) in &compared.extra {
            println!("extra {bytes} {url} of {page}");
        }
    }

    fn recall(&self) -> f64 {
        1.0 - self.missed as f64 / self.loaded.max(1) as f64
    }

    fn beyond(&self) -> f64 {
        self.extra as f64 / self.loaded.max(1) as f64
    }

    fn print(&self, name: &str) {
        let (recall, beyond) = (100.0 * self.recall(), 100.0 * self.beyond());
        println!(
            "{name}: {} pages, {} bytes, {recall:.3}% found, {beyond:.3}% extra",
            self.pages, self.loaded
        );
    }
}
