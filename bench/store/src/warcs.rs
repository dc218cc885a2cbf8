//! WARC files of a made-up crawl: a request and a response record per URL, one gzip member each.

use crate::boilerplate::Site;
use crate::dice::Dice;
use crate::headers::{self, Coding};
use crate::language::Language;
use crate::media::Kind;
use anyhow::Result;
use flate2::write::GzEncoder;
use serde_json::{Value, json};
use std::io::Write;
use std::path::Path;
use varve_model::Timestamp;
use varve_store::fs::{FileSystem, OsFileSystem};
use varve_store::warc::{Compression, Compressor, NewRecord, Payload, RecordType, WarcWriter};
use varve_store::world::record_id;

const SITES: u64 = 60;
/// The largest responses as stored; real ones go on for ever.
const LARGEST: f64 = 8_000_000.0;
/// What a record costs beyond its body.
const OVERHEAD: f64 = 650.0;
/// 2025-01-01, when the crawl began.
const START_MILLIS: i64 = 1_735_689_600_000;

/// How large the response records are, compressed: log-normal.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sizes {
    pub(crate) median: f64,
    pub(crate) sigma: f64,
}

/// Writes `files` WARC files of `bytes` in all, on two threads, and says what is in them.
pub(crate) fn write(dir: &Path, files: u64, bytes: u64, sizes: Sizes) -> Result<Value> {
    let language = Language::new();
    let write_file = |number: u64| -> Result<Crawl> {
        let mut crawl = Crawl::begin(dir, number, &language)?;
        while crawl.writer.len() < bytes / files {
            crawl.visit(&language, sizes)?;
        }
        crawl.writer.sync()?;
        Ok(crawl)
    };
    let crawls = std::thread::scope(|scope| -> Result<Vec<Crawl>> {
        let write_half = |half: u64| {
            (half..files)
                .step_by(2)
                .map(write_file)
                .collect::<Result<Vec<_>>>()
        };
        let odd = scope.spawn(move || write_half(1));
        let mut crawls = write_half(0)?;
        crawls.extend(odd.join().expect("the other thread does not panic")?);
        Ok(crawls)
    })?;
    Ok(facts(&crawls))
}

fn facts(crawls: &[Crawl]) -> Value {
    let mut stored: Vec<u64> = crawls
        .iter()
        .flat_map(|crawl| crawl.stored.iter().copied())
        .collect();
    stored.sort_unstable();
    json!({
        "files": crawls.len(),
        "bytes": crawls.iter().map(|crawl| crawl.writer.len()).sum::<u64>(),
        "block_bytes": crawls.iter().map(|crawl| crawl.block_bytes).sum::<u64>(),
        "records": crawls.iter().map(|crawl| crawl.records).sum::<u64>(),
        "responses": stored.len(),
        "stored_p10": stored[stored.len() / 10],
        "stored_median": stored[stored.len() / 2],
        "stored_p99": stored[stored.len() * 99 / 100],
        "stored_max": stored.last(),
    })
}

/// One file being written.
struct Crawl {
    writer: WarcWriter,
    dice: Dice,
    sites: Vec<Site>,
    records: u64,
    block_bytes: u64,
    /// The stored lengths of the responses.
    stored: Vec<u64>,
}

impl Crawl {
    fn begin(dir: &Path, number: u64, language: &Language) -> Result<Crawl> {
        let file = OsFileSystem.create(&dir.join(format!("crawl-{number:03}.warc.gz")))?;
        let mut dice = Dice::new(1000 + number);
        let sites = (0..SITES).map(|_| Site::new(language, &mut dice)).collect();
        let writer = WarcWriter::new(file, Compressor::new(Compression::Gzip))?;
        let mut crawl = Crawl {
            writer,
            dice,
            sites,
            records: 0,
            block_bytes: 0,
            stored: Vec::new(),
        };
        let mut about = crawl.record(RecordType::Warcinfo, None, "application/warc-fields");
        about.body = b"software: varve-bench-store\r\nformat: WARC File Format 1.1\r\n"
            .to_vec()
            .into();
        about.payload = Payload::None;
        crawl.append(&about)?;
        Ok(crawl)
    }

    /// Asks for one URL and stores the answer.
    fn visit(&mut self, language: &Language, sizes: Sizes) -> Result<()> {
        let (kind, at) = (Kind::any(&mut self.dice), self.dice.below(SITES) as usize);
        let (path, coding, body) = self.answer(kind, at, language, sizes);
        let host = self.sites[at].host.clone();
        let url = format!("https://{host}{path}");
        let mut response = self.record(
            RecordType::Response,
            Some(url.clone()),
            "application/http; msgtype=response",
        );
        response.head = headers::response(
            &mut self.dice,
            kind.mime(),
            body.len(),
            coding,
            response.date,
        );
        response
            .fields
            .push(("WARC-IP-Address", format!("192.0.2.{}", at + 1)));
        response.body = body.into();
        let mut request = self.record(
            RecordType::Request,
            Some(url),
            "application/http; msgtype=request",
        );
        request.head = headers::request(&host, &path);
        request
            .fields
            .push(("WARC-Concurrent-To", format!("<{}>", response.id)));
        request.payload = Payload::None;
        let stored = self.append(&response)?;
        self.stored.push(stored);
        self.append(&request)?;
        Ok(())
    }

    /// A path on a site, and the body that stands there.
    fn answer(
        &mut self,
        kind: Kind,
        at: usize,
        language: &Language,
        sizes: Sizes,
    ) -> (String, Coding, Vec<u8>) {
        let (site, dice) = (&self.sites[at], &mut self.dice);
        let mut path = format!("/{}/", site.name(dice)).into_bytes();
        language.slug(&mut path, dice, 3);
        let path = format!(
            "{}-{}.{}",
            String::from_utf8_lossy(&path),
            self.records,
            kind.extension()
        );
        let stored = (dice.log_normal(sizes.median, sizes.sigma).min(LARGEST) - OVERHEAD).max(40.0);
        let mut body = kind.body((stored * kind.ratio()) as usize, site, language, dice);
        let coding = Coding {
            gzip: kind.is_text() && dice.percent(40),
            chunked: kind.is_text() && dice.percent(35),
        };
        if coding.gzip {
            body = gzipped(&body);
        }
        if coding.chunked {
            body = headers::chunked(&body, dice);
        }
        (path, coding, body)
    }

    fn record(
        &mut self,
        record_type: RecordType,
        target_uri: Option<String>,
        content_type: &str,
    ) -> NewRecord {
        let mut id = [0; 16];
        self.dice.fill(&mut id);
        let date = Timestamp::from_unix_millis(START_MILLIS + self.records as i64 * 700).unwrap();
        NewRecord {
            record_type,
            id: record_id(id),
            date: date.to_seconds(),
            target_uri,
            content_type: Some(content_type.to_owned()),
            fields: Vec::new(),
            head: Vec::new(),
            body: Vec::new().into(),
            payload: Payload::Body,
        }
    }

    /// Appends a record and returns its stored length.
    fn append(&mut self, record: &NewRecord) -> Result<u64> {
        self.records += 1;
        self.block_bytes += record.block_len();
        Ok(self.writer.append(record)?.place.length)
    }
}

fn gzipped(body: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), flate2::Compression::new(6));
    encoder.write_all(body).unwrap();
    encoder.finish().unwrap()
}
