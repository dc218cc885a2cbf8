//! Walking a file record by record, checking each and taking what the index needs of it.

use super::digests::{ChunkedPayload, RecordDigests, Verdict, Verify};
use super::fault::{Fault, ReadError};
use super::head::{RecordHead, RecordType};
use super::member::Compression;
use super::reader::{MAX_HEAD, Place, WarcReader};
use crate::collection::ORIGINAL_FIELD;
use crate::fs::ReadAt;
use std::sync::Arc;
use varve_model::{Capture, Digest, HttpHead, Surt};

/// A file with more damaged places than this is given up where it has them.
const MAX_DAMAGES: u32 = 10_000;

/// One record, read to its end.
#[derive(Debug)]
pub struct Scanned {
    /// The record's header.
    pub head: RecordHead,
    /// The head of the HTTP message in its block, if it holds one.
    pub http: Option<HttpHead>,
    /// Where the record stands.
    pub place: Place,
    /// Where the next one starts.
    pub next: u64,
    /// The payload's digest, where it was computed.
    pub payload_digest: Option<Digest>,
    /// What is wrong or odd about it.
    pub faults: Vec<Fault>,
    /// It shares its compressed member with others.
    pub shares_member: bool,
}

/// What a walk comes across.
#[derive(Debug)]
pub enum Step {
    /// A whole record.
    Record(Box<Scanned>),
    /// Bytes that are no record.
    Damage {
        /// Where they start.
        from: u64,
        /// Where reading can go on (or the file's end).
        until: u64,
        /// What is wrong.
        fault: Fault,
    },
}

/// Walks a file to its end, whatever stands in it.
pub struct Scanner {
    reader: WarcReader,
    verify: Verify,
    chunked: ChunkedPayload,
    end: u64,
    damages: u32,
}

impl Scanner {
    /// Walks `file` from its start.
    pub fn new(file: Arc<dyn ReadAt>, verify: Verify) -> Result<Scanner, ReadError> {
        Scanner::from(file, 0, verify)
    }

    /// Walks `file` from `offset`, where a record starts.
    pub fn from(file: Arc<dyn ReadAt>, offset: u64, verify: Verify) -> Result<Scanner, ReadError> {
        let end = file.len()?;
        Ok(Scanner {
            reader: WarcReader::within(file, offset, end)?,
            verify,
            chunked: ChunkedPayload::Received,
            end,
            damages: 0,
        })
    }

    /// How the file is compressed.
    pub fn compression(&self) -> Compression {
        self.reader.compression()
    }

    /// How far in the file the walk has come.
    pub fn position(&self) -> u64 {
        self.reader.position()
    }

    /// The next record or damage; `None` at the end of the file. Errors are the disk's alone.
    pub fn next_step(&mut self) -> Result<Option<Step>, std::io::Error> {
        match self.scan() {
            Ok(None) => Ok(None),
            Ok(Some(scanned)) => Ok(Some(Step::Record(Box::new(scanned)))),
            Err(ReadError::Io(error)) => Err(error),
            Err(ReadError::Damaged { offset, fault }) => self.skip_damage(offset, fault).map(Some),
        }
    }

    fn skip_damage(&mut self, from: u64, fault: Fault) -> Result<Step, std::io::Error> {
        self.damages += 1;
        let next = match self.damages < MAX_DAMAGES {
            true => self
                .reader
                .resync(search_from(self.compression(), from, &fault)),
            false => Ok(None),
        };
        let until = match next {
            Ok(Some(until)) => until,
            Err(ReadError::Io(error)) => return Err(error),
            Ok(None) | Err(ReadError::Damaged { .. }) => {
                self.reader.give_up(self.end);
                self.end
            }
        };
        Ok(Step::Damage { from, until, fault })
    }

    fn scan(&mut self) -> Result<Option<Scanned>, ReadError> {
        let Some(head) = self.reader.next_head()? else {
            return Ok(None);
        };
        let mut digests = RecordDigests::new(&head, self.verify, self.chunked);
        let http = if may_hold_http(&head) {
            self.read_http(&mut digests)?
        } else {
            None
        };
        loop {
            let bytes = self.reader.fill_block()?;
            if bytes.is_empty() {
                break;
            }
            let length = bytes.len();
            digests.payload(bytes);
            self.reader.consume_block(length);
        }
        let end = self.reader.finish()?;
        let (payload_digest, mut faults) = match digests.finish() {
            Verdict::Decided(payload_digest, faults) => (payload_digest, faults),
            Verdict::AskDechunked => return self.scan_dechunked(&head, end.place.offset),
        };
        faults.extend_from_slice(head.notes());
        faults.extend(end.notes);
        Ok(Some(Scanned {
            head,
            http,
            place: end.place,
            next: end.next,
            payload_digest,
            faults,
            shares_member: end.shares_member,
        }))
    }

    /// Reads a record that was read once more, its payload both ways, as all that follow it are:
    /// so this happens once in a file.
    fn scan_dechunked(
        &mut self,
        head: &RecordHead,
        member: u64,
    ) -> Result<Option<Scanned>, ReadError> {
        self.chunked = ChunkedPayload::Both;
        let mut again = Scanner {
            reader: WarcReader::within(self.reader.file(), member, self.end)?,
            verify: self.verify,
            chunked: self.chunked,
            end: self.end,
            damages: 0,
        };
        // The member may hold others before it.
        loop {
            match again.scan()? {
                Some(scanned) if scanned.head.as_bytes() != head.as_bytes() => {}
                scanned => return Ok(scanned),
            }
        }
    }

    /// A block that begins with its blank line has no head, and the payload starts behind it.
    fn skip_blank_head(&mut self, digests: &mut RecordDigests) -> Result<bool, ReadError> {
        let length = match self.reader.fill_block()? {
            [b'\n', ..] => 1,
            [b'\r', b'\n', ..] => 2,
            _ => return Ok(false),
        };
        digests.block_only(&b"\r\n"[2 - length..]);
        self.reader.consume_block(length);
        Ok(true)
    }

    /// Takes the HTTP head off the block. A block without a whole head is all head, if it begins
    /// like one, and all payload if not.
    fn read_http(&mut self, digests: &mut RecordDigests) -> Result<Option<HttpHead>, ReadError> {
        if let Some((head, length)) = HttpHead::parse(self.reader.fill_block()?) {
            self.reader.consume_block(length);
            digests.http_head(&head);
            return Ok(Some(head));
        }
        if self.skip_blank_head(digests)? {
            return Ok(None);
        }
        let mut bytes: Vec<u8> = Vec::new();
        let mut try_at = 0;
        let parsed = loop {
            let chunk = self.reader.fill_block()?;
            if chunk.is_empty() || bytes.len() > MAX_HEAD {
                break None;
            }
            let length = chunk.len();
            bytes.extend_from_slice(chunk);
            self.reader.consume_block(length);
            // Trying at doubled lengths only keeps the whole linear.
            if bytes.len() >= try_at {
                try_at = bytes.len() * 2;
                if let Some(parsed) = HttpHead::parse(&bytes) {
                    break Some(parsed);
                }
            }
        };
        let parsed = parsed
            .or_else(|| HttpHead::parse(&bytes))
            .or_else(|| headless(&bytes));
        let Some((head, length)) = parsed else {
            digests.payload(&bytes);
            return Ok(None);
        };
        let length = length.min(bytes.len());
        if head.as_bytes() == &bytes[..length] {
            digests.http_head(&head);
        } else {
            // The head was completed: digest what is really there.
            digests.block_only(&bytes[..length]);
        }
        digests.payload(&bytes[length..]);
        Ok(Some(head))
    }
}

/// Where the next record can start at the earliest. In a plain file no header ends in the bytes of
/// one that is too long or that the file ends in, so none is whole there.
fn search_from(compression: Compression, damaged_at: u64, fault: &Fault) -> u64 {
    match (compression, fault) {
        (Compression::None, Fault::HeaderTooLong { limit }) => damaged_at + *limit as u64 - 8,
        (Compression::None, Fault::TruncatedHeader) => u64::MAX,
        _ => damaged_at,
    }
}

/// A head that ends with the block, without its blank line.
fn headless(bytes: &[u8]) -> Option<(HttpHead, usize)> {
    if bytes.len() > MAX_HEAD || !bytes.starts_with(b"HTTP/") {
        return None;
    }
    let mut completed = bytes.to_vec();
    completed.extend_from_slice(b"\r\n\r\n");
    HttpHead::parse(&completed).map(|(head, _)| (head, bytes.len()))
}

/// Only these records hold HTTP messages, and only for URLs of the web.
pub(crate) fn may_hold_http(head: &RecordHead) -> bool {
    let kind = matches!(
        head.record_type(),
        RecordType::Response | RecordType::Request | RecordType::Revisit
    );
    kind && head.content_length() > 0
        && head
            .target_uri()
            .is_some_and(|uri| uri.starts_with("http:") || uri.starts_with("https:"))
}

/// A `Content-Type` without its parameters, as the index has it.
pub(crate) fn mime(value: &str) -> String {
    let end = value
        .find(|c: char| c == ';' || c.is_whitespace())
        .unwrap_or(value.len());
    value[..end].to_owned()
}

impl Scanned {
    /// The index entry of this record in the file `filename`, if records of its kind have one.
    pub fn capture(&self, filename: &str) -> Option<Capture> {
        if !self.is_indexed() {
            return None;
        }
        let url = self.head.target_uri()?;
        Some(Capture {
            key: Surt::from_url(&url),
            timestamp: self.head.date()?.to_seconds(),
            mime: self.mime(),
            status: self.status(),
            digest: self.digest(),
            length: self.place.length,
            offset: self.place.offset,
            filename: filename.to_owned(),
            extra: Vec::new(),
            url,
        })
    }

    /// The same as a line of the index. A record whose line would be too long for any reader of
    /// indexes has none.
    pub fn index_line(&self, filename: &str) -> Option<String> {
        let line = self.capture(filename)?.to_line();
        (line.len() <= varve_model::MAX_LINE).then_some(line)
    }

    /// Responses, revisits, and content that stands for itself; not what describes the file.
    fn is_indexed(&self) -> bool {
        match self.head.record_type() {
            RecordType::Response | RecordType::Revisit => true,
            RecordType::Resource | RecordType::Metadata => {
                self.head.get("Content-Type").as_deref() != Some("application/warc-fields")
            }
            _ => false,
        }
    }

    fn mime(&self) -> Option<String> {
        let value = match self.head.record_type() {
            RecordType::Revisit => return Some("warc/revisit".into()),
            RecordType::Response => {
                String::from_utf8_lossy(&self.http.as_ref()?.get("Content-Type")?).into_owned()
            }
            _ => self.head.get("Content-Type")?.into_owned(),
        };
        Some(mime(&value))
    }

    fn status(&self) -> Option<String> {
        if !matches!(
            self.head.record_type(),
            RecordType::Response | RecordType::Revisit
        ) {
            return None;
        }
        // The second word, whatever the first one claims to be.
        let line = self.http.as_ref()?.start_line();
        let status = line.split(|byte| *byte == b' ').nth(1)?;
        Some(String::from_utf8_lossy(status).into_owned())
    }

    /// The digest of what was captured, whatever of it is stored here.
    pub(crate) fn digest(&self) -> Option<String> {
        let said = |name: &str| self.head.get(name).filter(|text| !text.is_empty());
        let declared = said(ORIGINAL_FIELD).or_else(|| said("WARC-Payload-Digest"));
        declared
            .map(|text| text.into_owned())
            .or_else(|| self.payload_digest.as_ref().map(Digest::to_string))
    }
}
