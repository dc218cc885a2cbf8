//! Writes a small website as a WARC file, to have something to import:
//! `cargo run --example sample -- DIR`.

use anyhow::{Context, Result};
use std::path::Path;
use varve_model::{Digest, DigestAlgorithm, Timestamp};
use varve_store::fs::{FileSystem, OsFileSystem};
use varve_store::warc::{Compression, Compressor, NewRecord, Payload, RecordType, WarcWriter};
use varve_store::world::record_id;

const STYLE: &str =
    "body { font-family: serif; max-width: 40em; margin: auto }\nh1 { color: #2a6 }\n";
const SCRIPT: &str =
    "document.querySelector('h1').addEventListener('click', () => alert('Hello'))\n";
/// A green pixel.
const PIXEL: &[u8] = b"GIF89a\x01\x00\x01\x00\x80\x00\x00\x2a\xa6\x66\x00\x00\x00!\xf9\x04\x00\x00\x00\x00\x00,\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02D\x01\x00;";

fn main() -> Result<()> {
    let dir = std::env::args().nth(1).context("usage: sample DIR")?;
    let path = Path::new(&dir).join("garden.warc.gz");
    std::fs::create_dir_all(&dir)?;
    let _ = std::fs::remove_file(&path);
    let file = OsFileSystem.create(&path)?;
    let mut site = Site {
        writer: WarcWriter::new(file, Compressor::new(Compression::Gzip))?,
        number: 0,
    };
    for (year, weather) in [
        (2024, "It rained all spring."),
        (2025, "The pears were early."),
    ] {
        let page = page(&format!("The garden in {year}"), weather);
        site.response(year, "/", 200, "text/html; charset=utf-8", page.as_bytes())?;
        site.response(year, "/style.css", 200, "text/css", STYLE.as_bytes())?;
        site.response(
            year,
            "/garden.js",
            200,
            "text/javascript",
            SCRIPT.as_bytes(),
        )?;
    }
    site.response(2024, "/pear.gif", 200, "image/gif", PIXEL)?;
    site.revisit(2025, "/pear.gif", PIXEL)?;
    site.response(2025, "/apples", 404, "text/html", b"<h1>Not found</h1>")?;
    site.writer.sync()?;
    println!("wrote {}", path.display());
    Ok(())
}

fn page(title: &str, text: &str) -> String {
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<title>{title}</title>\n<link rel=\"stylesheet\" href=\"/style.css\">\n\
         <h1>{title}</h1>\n<p>{text}</p>\n<img src=\"/pear.gif\" alt=\"A pear\">\n<script src=\"/garden.js\"></script>\n"
    )
}

struct Site {
    writer: WarcWriter,
    number: u8,
}

impl Site {
    fn response(
        &mut self,
        year: u32,
        path: &str,
        status: u16,
        mime: &str,
        body: &[u8],
    ) -> Result<()> {
        let head = format!(
            "HTTP/1.1 {status} OK\r\nContent-Type: {mime}\r\nContent-Length: {}\r\n\r\n",
            body.len()
        );
        let record = self.record(RecordType::Response, year, path, head, body.to_vec())?;
        self.writer.append(&record)?;
        Ok(())
    }

    /// The same picture again: only a pointer to the first one is stored.
    fn revisit(&mut self, year: u32, path: &str, body: &[u8]) -> Result<()> {
        let head = "HTTP/1.1 200 OK\r\nContent-Type: image/gif\r\n\r\n".to_owned();
        let mut record = self.record(RecordType::Revisit, year, path, head, Vec::new())?;
        record.payload = Payload::Elsewhere(Digest::of(DigestAlgorithm::Sha1, body));
        record.fields = vec![
            (
                "WARC-Profile",
                "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest".into(),
            ),
            ("WARC-Refers-To-Target-URI", url(path)),
            ("WARC-Refers-To-Date", date(year - 1)?.w3c()),
        ];
        self.writer.append(&record)?;
        Ok(())
    }

    fn record(
        &mut self,
        record_type: RecordType,
        year: u32,
        path: &str,
        head: String,
        body: Vec<u8>,
    ) -> Result<NewRecord> {
        self.number += 1;
        Ok(NewRecord {
            record_type,
            id: record_id([self.number; 16]),
            date: date(year)?,
            target_uri: Some(url(path)),
            content_type: Some("application/http; msgtype=response".into()),
            fields: Vec::new(),
            head: head.into_bytes(),
            body: body.into(),
            payload: Payload::Body,
        })
    }
}

fn url(path: &str) -> String {
    format!("https://garden.example{path}")
}

fn date(year: u32) -> Result<Timestamp> {
    Ok(Timestamp::parse(&format!("{year}0601120000"))?)
}
