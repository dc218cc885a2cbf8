//! One record read back: its header, its HTTP head and its body, streamed.

use super::parted::{COLD_FIELD, MARK_FIELD, PartsKey};
use super::revisit::RefersTo;
use crate::fs::FileSystem;
use crate::http::{BodyReader, DecodeLimits};
use crate::warc::{Compression, Fault, ReadError, RecordHead, Wanted, WarcReader};
use crate::{Result, StoreError};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use varve_model::{HttpHead, Timestamp};

const MAX_HTTP_HEAD: usize = 1 << 20;

/// A record open for reading.
pub struct StoredRecord {
    path: PathBuf,
    reader: WarcReader,
    head: RecordHead,
    http: Option<HttpHead>,
    /// Bytes read while looking for the end of the HTTP head.
    ahead: Vec<u8>,
    taken: usize,
}

impl StoredRecord {
    /// Opens the record at `offset` of an archive file.
    pub fn open(
        fs: &dyn FileSystem,
        path: &Path,
        offset: u64,
        wanted: Wanted,
    ) -> Result<StoredRecord> {
        let file = fs.open(path).map_err(StoreError::io(path, "open"))?;
        let mut reader = WarcReader::one(file, offset, wanted).map_err(|error| error.at(path))?;
        let no_record = || StoreError::Damaged {
            path: path.to_owned(),
            offset,
            fault: Fault::NotARecord {
                found: "the end of the file".into(),
            },
        };
        let head = reader
            .next_head()
            .map_err(|error| error.at(path))?
            .ok_or_else(no_record)?;
        let mut record = StoredRecord {
            path: path.to_owned(),
            reader,
            head,
            http: None,
            ahead: Vec::new(),
            taken: 0,
        };
        if crate::warc::may_hold_http(&record.head) {
            record.read_http().map_err(|error| error.at(path))?;
        }
        Ok(record)
    }

    /// The record's header.
    pub fn head(&self) -> &RecordHead {
        &self.head
    }

    /// The head of the HTTP message in it.
    pub fn http(&self) -> Option<&HttpHead> {
        self.http.as_ref()
    }

    /// The file it stands in.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Where parts of its body are, if it has not all of it.
    pub fn parts_key(&self) -> Option<PartsKey> {
        PartsKey::of_urn(&self.head.get(COLD_FIELD)?)
    }

    /// What stands in its body for each of those parts, if it says so.
    pub fn mark(&self) -> Option<String> {
        Some(self.head.get(MARK_FIELD)?.into_owned())
    }

    /// What a revisit says about its original.
    pub fn refers_to(&self) -> RefersTo {
        let date = self.head.get("WARC-Refers-To-Date");
        RefersTo {
            url: self
                .head
                .get("WARC-Refers-To-Target-URI")
                .map(|url| url.into_owned()),
            date: date.and_then(|date| Timestamp::parse_w3c(&date).ok()),
        }
    }

    /// The body as it was meant: chunk framing and content codings taken off.
    pub fn decoded(self, limits: DecodeLimits) -> BodyReader<'static> {
        match self.http.clone() {
            Some(http) => BodyReader::new(&http, self, limits),
            None => BodyReader::new(
                &HttpHead::from_parts("HTTP/1.1 200 OK", &[] as &[(&str, &str)]),
                self,
                limits,
            ),
        }
    }

    /// Goes to the record's end, where the checksums of compressed files are: an error if the
    /// record is damaged.
    pub fn finish(&mut self) -> Result<()> {
        if self.reader.compression() == Compression::None {
            return Ok(());
        }
        let end = self.reader.finish();
        end.map(|_| ()).map_err(|error| error.at(&self.path))
    }

    fn read_http(&mut self) -> Result<(), ReadError> {
        // Nearly always the first bytes hold all of it; then nothing needs to be kept aside.
        if let Some((head, length)) = HttpHead::parse(self.reader.fill_block()?) {
            self.http = Some(head);
            self.reader.consume_block(length);
            return Ok(());
        }
        let mut bytes = Vec::new();
        while bytes.len() < MAX_HTTP_HEAD {
            let chunk = self.reader.fill_block()?;
            if chunk.is_empty() {
                break;
            }
            let length = chunk.len();
            bytes.extend_from_slice(chunk);
            self.reader.consume_block(length);
            if let Some((head, length)) = HttpHead::parse(&bytes) {
                self.http = Some(head);
                self.taken = length;
                break;
            }
        }
        self.ahead = bytes;
        Ok(())
    }
}

/// Reads the body as it is stored.
impl Read for StoredRecord {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        if self.taken < self.ahead.len() {
            let count = buf.len().min(self.ahead.len() - self.taken);
            buf[..count].copy_from_slice(&self.ahead[self.taken..self.taken + count]);
            self.taken += count;
            return Ok(count);
        }
        let chunk = match self.reader.fill_block() {
            Ok(chunk) => chunk,
            Err(ReadError::Io(error)) => return Err(error),
            Err(damaged) => return Err(io::Error::other(damaged.at(&self.path))),
        };
        let count = buf.len().min(chunk.len());
        buf[..count].copy_from_slice(&chunk[..count]);
        self.reader.consume_block(count);
        Ok(count)
    }
}
