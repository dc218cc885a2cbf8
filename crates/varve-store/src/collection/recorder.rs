//! Recording exchanges into a new layer of a collection.
//!
//! The ladder: [`Recorder::append`] writes records; [`Recorder::commit`] syncs them, then the
//! journal that names them: from then on they are *saved* and survive kill -9 and power loss;
//! [`Recorder::seal`] makes the layer part of the collection.

use super::aside::Unfinished;
use super::attachment::{self, Attachment};
use super::dedupe::Payloads;
use super::exchange::{self, Exchange, Known, Original, Recognised};
use super::journal::{Entry, JournalReader, LayerKind};
use super::layout::{Layout, OPEN};
use super::manifest::LayerEntry;
use super::not_modified::NotModified;
use super::open_layer::OpenLayer;
use super::seal::{self, Adopted};
use crate::fs::Fs;
use crate::index::MergedIndex;
use crate::warc::{Compression, Compressor, NewRecord, Payload, RecordType, WarcWriter, Written};
use crate::world::{World, record_id};
use crate::{Result, StoreError};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use varve_model::{Capture, Digest, HttpHead, Surt, Timestamp};

/// Longer URLs would make index lines that no tool reads.
const MAX_URL: usize = 64 * 1024;

/// How a layer is recorded.
#[derive(Clone)]
pub struct RecordOptions {
    /// An archive file is closed when it is longer than this.
    pub rotate_at: u64,
    /// How records are compressed.
    pub compressor: Compressor,
    /// How many payloads are remembered, to store each once.
    pub remember: usize,
}

impl Default for RecordOptions {
    fn default() -> Self {
        RecordOptions {
            rotate_at: 1 << 30,
            compressor: Compressor::new(Compression::Gzip),
            remember: 1_000_000,
        }
    }
}

/// An archive file being written.
struct Segment {
    name: String,
    writer: WarcWriter,
    committed: u64,
}

/// Records exchanges into an open layer.
pub struct Recorder {
    layer: OpenLayer,
    world: Arc<dyn World>,
    options: RecordOptions,
    segment: Option<Segment>,
    segments: u32,
    /// Files that an I/O error ended: name and how much of them is saved.
    broken: Vec<(String, u64)>,
    pending: Vec<Capture>,
    pages: Vec<String>,
    log: Vec<String>,
    payloads: Payloads,
    journal: JournalReader,
    earlier: MergedIndex,
    names: HashSet<String>,
}

impl Recorder {
    pub(crate) fn create(
        fs: &Fs,
        layout: &Layout,
        world: Arc<dyn World>,
        earlier: MergedIndex,
        options: RecordOptions,
    ) -> Result<Recorder> {
        let layer = OpenLayer::create(fs, layout, world.as_ref(), LayerKind::Record)?;
        Ok(Recorder {
            journal: layer.journal_reader()?,
            layer,
            world,
            segment: None,
            segments: 0,
            broken: Vec::new(),
            pending: Vec::new(),
            pages: Vec::new(),
            log: Vec::new(),
            payloads: Payloads::new(options.remember),
            earlier,
            names: HashSet::new(),
            options,
        })
    }

    /// The name of the layer being recorded.
    pub fn layer_id(&self) -> &str {
        &self.layer.id
    }

    /// Writes the records of an exchange. They are saved by the next [`Self::commit`]. After an
    /// error everything since the last commit is not saved; the next call starts a new file.
    pub fn append(&mut self, exchange: &Exchange) -> Result<Capture> {
        check_url(&exchange.url)?;
        if let Known::NotModified(earlier) = &exchange.known {
            return self.append_unchanged(exchange, earlier);
        }
        let digest = exchange::payload_digest(&exchange.response)
            .map_err(StoreError::io(exchange.url.as_ref(), "read the body of"))?;
        let original = self.find_original(exchange, &digest)?;
        let is_new = original.is_none();
        let payload = Some(Recognised { digest, original });
        let records = exchange::records(exchange, payload, self.world.as_ref());
        let written = self.write(&records)?;
        let capture = self.capture(exchange, &records[0], &written);
        if is_new && !exchange.response.body.is_empty() {
            let record_id = Some(records[0].id.clone());
            let original = Original {
                url: exchange.url.clone(),
                date: exchange.date,
                record_id,
            };
            self.payloads.remember(digest, original);
        }
        self.pending.push(capture.clone());
        Ok(capture)
    }

    /// The payload is in an earlier layer, which others with the same one may refer to as well.
    fn append_unchanged(&mut self, exchange: &Exchange, earlier: &NotModified) -> Result<Capture> {
        let records = exchange::records(exchange, None, self.world.as_ref());
        let written = self.write(&records)?;
        let capture = self.capture(exchange, &records[0], &written);
        self.payloads
            .remember(earlier.digest, earlier.original.clone());
        self.pending.push(capture.clone());
        Ok(capture)
    }

    /// Writes something about a page, such as its picture. Saved by the next [`Self::commit`].
    pub fn attach(&mut self, attachment: &Attachment) -> Result<Capture> {
        check_url(&attachment.uri)?;
        let record = attachment::record(attachment, self.world.as_ref());
        let written = self.write(std::slice::from_ref(&record))?;
        let capture = Capture {
            mime: Some(crate::warc::mime(&attachment.content_type)),
            ..self.place(&attachment.uri, attachment.date, &written)
        };
        self.pending.push(capture.clone());
        Ok(capture)
    }

    /// Adds a line (a JSON object) to the layer's log, saved by the next commit.
    pub fn add_log(&mut self, line: &serde_json::Value) {
        self.log.push(line.to_string());
    }

    /// Adds a page to the layer's page list (one JSON object of json-pages-1.0), saved by the
    /// next commit.
    pub fn add_page(&mut self, page: &serde_json::Value) {
        self.pages.push(page.to_string());
    }

    /// How many bytes of records wait for a commit.
    pub fn uncommitted(&self) -> u64 {
        self.segment
            .as_ref()
            .map_or(0, |segment| segment.writer.len() - segment.committed)
    }

    /// Saves everything appended so far, and tells what that was.
    pub fn commit(&mut self) -> Result<Vec<Capture>> {
        if self.segment.is_none() {
            if self.pages.is_empty() && self.log.is_empty() {
                return Ok(Vec::new());
            }
            self.open_segment()?;
        }
        let Some(segment) = &mut self.segment else {
            unreachable!("just opened")
        };
        let path = self
            .layer
            .archive_dir()
            .join(format!("{}{OPEN}", segment.name));
        if let Err(error) = segment.writer.sync() {
            self.give_up_segment();
            return Err(StoreError::io(&path, "sync")(error));
        }
        let (file, length) = (segment.name.clone(), segment.writer.len());
        for capture in &self.pending {
            self.layer.push(&Entry::Capture(capture.to_line()))?;
        }
        for page in self.pages.drain(..) {
            self.layer.push(&Entry::Page {
                file: String::new(),
                line: page,
            })?;
        }
        for line in self.log.drain(..) {
            self.layer.push(&Entry::Log(line))?;
        }
        let mut payloads = Vec::new();
        for (digest, entry) in self.payloads.unsaved() {
            payloads.push((digest, self.layer.push(&entry)?));
        }
        self.layer.push(&Entry::Commit { file, length })?;
        self.layer.sync()?;
        self.payloads.saved(payloads.into_iter());
        segment.committed = length;
        let saved = std::mem::take(&mut self.pending);
        if length >= self.options.rotate_at {
            self.close_segment()?;
        }
        Ok(saved)
    }

    /// Saves everything and makes the layer part of the collection; `None` when it is empty.
    pub fn seal(mut self) -> Result<Option<LayerEntry>> {
        self.commit()?;
        self.close_segment()?;
        for (name, committed) in std::mem::take(&mut self.broken) {
            self.mend(&name, committed)?;
        }
        let OpenLayer { fs, layout, id, .. } = &self.layer;
        if self.names.is_empty() {
            let dir = layout.open_layer(id);
            fs.remove_dir_all(&dir)
                .map_err(StoreError::io(&dir, "remove"))?;
            seal::clean_up(fs.as_ref(), layout, id)?;
            return Ok(None);
        }
        let adopted = Adopted {
            journaled: self.names,
            entries: u64::MAX,
            found: Vec::new(),
            sources: Vec::new(),
            is_altered: false,
            hashes: HashMap::new(),
        };
        seal::seal(fs, layout, self.world.as_ref(), id, adopted).map(Some)
    }

    fn find_original(&self, exchange: &Exchange, digest: &Digest) -> Result<Option<Original>> {
        if exchange.response.body.is_empty() || exchange.response.truncated.is_some() {
            return Ok(None);
        }
        if let Some(original) = self.payloads.find(digest, &self.journal) {
            return Ok(Some(original));
        }
        if exchange.known == Known::Unreadable {
            return Ok(None);
        }
        let found =
            super::revisit::find_payload(&self.earlier, &exchange.url, &digest.to_string())?;
        Ok(found.map(|capture| Original {
            url: capture.url,
            date: capture.timestamp,
            record_id: None,
        }))
    }

    fn write(&mut self, records: &[NewRecord]) -> Result<Written> {
        self.open_segment()?;
        let Some(segment) = &mut self.segment else {
            unreachable!("just opened")
        };
        let path = self
            .layer
            .archive_dir()
            .join(format!("{}{OPEN}", segment.name));
        let written: std::io::Result<Vec<Written>> = records
            .iter()
            .map(|record| segment.writer.append(record))
            .collect();
        match written {
            Ok(mut written) => Ok(written.swap_remove(0)),
            Err(error) => {
                self.give_up_segment();
                Err(StoreError::io(&path, "write")(error))
            }
        }
    }

    fn capture(&self, exchange: &Exchange, record: &NewRecord, written: &Written) -> Capture {
        let head = HttpHead::parse(&record.head).map(|(head, _)| head);
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let mime = match record.record_type {
            RecordType::Revisit => Some("warc/revisit".to_owned()),
            _ => head
                .as_ref()
                .and_then(|head| head.get("Content-Type"))
                .map(|value| crate::warc::mime(&text(&value))),
        };
        Capture {
            mime,
            status: head.as_ref().and_then(|head| head.status_text()).map(text),
            ..self.place(&exchange.url, exchange.date, written)
        }
    }

    /// What the place of a record says about it.
    fn place(&self, url: &str, date: Timestamp, written: &Written) -> Capture {
        let url = url.replace(' ', "%20");
        Capture {
            key: Surt::from_url(&url),
            timestamp: date.to_seconds(),
            mime: None,
            status: None,
            digest: written.payload_digest.as_ref().map(Digest::to_string),
            length: written.place.length,
            offset: written.place.offset,
            filename: self
                .segment
                .as_ref()
                .map_or_else(String::new, |segment| segment.name.clone()),
            extra: Vec::new(),
            url,
        }
    }

    fn open_segment(&mut self) -> Result<()> {
        if self.segment.is_some() {
            return Ok(());
        }
        let extension = self.options.compressor.extension();
        let name = format!("varve-{}-{:05}.{extension}", self.layer.id, self.segments);
        let file = self.layer.create_archive(&name)?;
        self.segments += 1;
        let path = self.layer.archive_dir().join(&name);
        let mut writer = WarcWriter::new(file, self.options.compressor.clone())
            .map_err(StoreError::io(&path, "write"))?;
        let started = writer.append(&warcinfo(&name, self.world.as_ref()));
        self.segment = Some(Segment {
            name,
            writer,
            committed: 0,
        });
        if let Err(error) = started {
            self.give_up_segment();
            return Err(StoreError::io(&path, "write")(error));
        }
        Ok(())
    }

    /// A file whose write or sync failed is never touched again: what of it was committed is
    /// safe, what was not may be anywhere.
    fn give_up_segment(&mut self) {
        if let Some(segment) = self.segment.take() {
            self.pending.clear();
            self.payloads.forget_fresh();
            self.broken.push((segment.name, segment.committed));
        }
    }

    fn close_segment(&mut self) -> Result<()> {
        let Some(segment) = self.segment.take() else {
            return Ok(());
        };
        if segment.committed == 0 {
            self.broken.push((segment.name, 0));
            return Ok(());
        }
        self.layer.finish_archive(&segment.name)?;
        self.names.insert(segment.name);
        Ok(())
    }

    /// Cuts a file that an error ended to what was committed; the rest is set aside.
    fn mend(&mut self, name: &str, committed: u64) -> Result<()> {
        let (fs, layer) = (self.layer.fs.clone(), self.layer.dir());
        let file = Unfinished {
            fs: fs.as_ref(),
            layer: &layer,
            name,
        };
        let (bytes, length) = file.open()?;
        if length > committed {
            file.set_aside(&bytes, committed..length)?;
        }
        file.cut(committed)?;
        if committed > 0 {
            self.names.insert(name.to_owned());
        }
        Ok(())
    }
}

fn check_url(url: &str) -> Result<()> {
    if url.len() <= MAX_URL {
        return Ok(());
    }
    Err(StoreError::UrlTooLong {
        url: url.chars().take(100).collect(),
        limit: MAX_URL,
    })
}

/// The record that each file starts with.
pub(super) fn warcinfo(name: &str, world: &dyn World) -> NewRecord {
    let software = concat!(
        "software: varve/",
        env!("CARGO_PKG_VERSION"),
        "\r\nformat: WARC File Format 1.1\r\n"
    );
    NewRecord {
        record_type: RecordType::Warcinfo,
        id: record_id(world.random()),
        date: world.now(),
        target_uri: None,
        content_type: Some("application/warc-fields".into()),
        fields: vec![("WARC-Filename", name.to_owned())],
        head: Vec::new(),
        body: software.as_bytes().to_vec().into(),
        payload: Payload::None,
    }
}
