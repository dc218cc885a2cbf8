//! Records one after the other from an archive file, with constant memory.
//!
//! Reading is lenient: wild files give the record plus notes. What cannot be read is a
//! [`ReadError::Damaged`] with its place, after which [`WarcReader::resync`] finds the next record.

use super::fault::{Fault, ReadError, printable};
use super::head::{RecordHead, RecordType, Version};
use super::member::{Compression, Members, Wanted};
use crate::fs::ReadAt;
use std::sync::Arc;

/// No honest header is longer; what reads as a longer one is damage or an attack.
pub(crate) const MAX_HEAD: usize = 1024 * 1024;
const MAX_ARC_LINE: usize = 64 * 1024;
/// Headers are short: copying more than this at a time would copy bodies.
const HEAD_CHUNK: usize = 4096;
/// Bytes behind a block that are taken for the rest of it.
const MAX_LEFTOVER: usize = 64 * 1024;

/// Where a record stands in its file: for compressed files its whole member, else header and
/// block without the line ends that follow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// File offset of the first byte.
    pub offset: u64,
    /// Length in bytes.
    pub length: u64,
}

impl Place {
    /// The offset behind the last byte.
    pub fn end(self) -> u64 {
        self.offset + self.length
    }
}

/// What is known of a record when all of it was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordEnd {
    /// Where the record stands.
    pub place: Place,
    /// The offset where the next record starts: line ends included.
    pub next: u64,
    /// Oddities found at its end.
    pub notes: Vec<Fault>,
    /// The record shares its compressed member with others and cannot be read alone.
    pub shares_member: bool,
}

/// Reads the records of a WARC or ARC file in order.
pub struct WarcReader {
    pub(super) members: Members,
    record_start: u64,
    version: Version,
    bare_line_feeds: bool,
    /// Block bytes not read yet; `None` between records.
    pub(super) left: Option<u64>,
    declared: u64,
    shared: bool,
    /// Places that looked like a record and were none.
    pub(super) false_starts: u32,
}

impl WarcReader {
    /// Reads from the start of the file.
    pub fn new(file: Arc<dyn ReadAt>) -> Result<WarcReader, ReadError> {
        WarcReader::at(file, 0)
    }

    /// Reads from `offset`, where a record must start.
    pub fn at(file: Arc<dyn ReadAt>, offset: u64) -> Result<WarcReader, ReadError> {
        let end = file.len()?;
        WarcReader::within(file, offset, end)
    }

    /// Reads from `offset` no further than `end`.
    pub fn within(file: Arc<dyn ReadAt>, offset: u64, end: u64) -> Result<WarcReader, ReadError> {
        Ok(WarcReader::over(Members::open(file, offset, end)?))
    }

    /// Reads the record that starts at `offset`.
    pub fn one(
        file: Arc<dyn ReadAt>,
        offset: u64,
        wanted: Wanted,
    ) -> Result<WarcReader, ReadError> {
        let end = file.len()?;
        let members = Members::open_one(file, offset, end, wanted)?;
        Ok(WarcReader::over(members))
    }

    fn over(members: Members) -> WarcReader {
        WarcReader {
            record_start: members.member_start(),
            members,
            version: Version::Warc10,
            bare_line_feeds: false,
            left: None,
            declared: 0,
            shared: false,
            false_starts: 0,
        }
    }

    /// The file it reads.
    pub(super) fn file(&self) -> Arc<dyn ReadAt> {
        self.members.file().clone()
    }

    /// How the file is compressed.
    pub fn compression(&self) -> Compression {
        self.members.compression()
    }

    /// Where the current record starts in the file.
    pub fn record_start(&self) -> u64 {
        self.record_start
    }

    /// How far in the file reading has come.
    pub fn position(&self) -> u64 {
        self.members.position()
    }

    /// The next record's header; `None` at the end of the file.
    pub fn next_head(&mut self) -> Result<Option<RecordHead>, ReadError> {
        if self.left.is_some() {
            self.finish()?;
        }
        loop {
            self.shared = self.compression() != Compression::None && self.members.inside();
            if !self.members.inside() && !self.members.begin()? {
                return Ok(None);
            }
            if let Some(head) = self.read_head()? {
                self.version = head.version();
                self.bare_line_feeds = head.notes().contains(&Fault::BareLineFeeds);
                self.declared = head.content_length();
                self.left = Some(self.declared);
                return Ok(Some(head));
            }
            if self.compression() == Compression::None {
                return Ok(None);
            }
        }
    }

    /// The next bytes of the current record's block; empty at its end.
    pub fn fill_block(&mut self) -> Result<&[u8], ReadError> {
        let left = self.left.unwrap_or(0);
        if left == 0 {
            return Ok(&[]);
        }
        let (offset, declared) = (self.record_start, self.declared);
        let bytes = self.members.fill()?;
        if bytes.is_empty() {
            let fault = Fault::TruncatedBlock {
                declared,
                found: declared - left,
            };
            return Err(ReadError::Damaged { offset, fault });
        }
        let length = bytes.len().min(usize::try_from(left).unwrap_or(usize::MAX));
        Ok(&bytes[..length])
    }

    /// Marks block bytes as read.
    pub fn consume_block(&mut self, count: usize) {
        let left = self.left.unwrap_or(0);
        let count = count.min(usize::try_from(left).unwrap_or(usize::MAX));
        self.members.consume(count);
        self.left = Some(left - count as u64);
    }

    /// Reads what is left of the current record and checks how it ends.
    pub fn finish(&mut self) -> Result<RecordEnd, ReadError> {
        loop {
            let length = self.fill_block()?.len();
            if length == 0 {
                break;
            }
            self.consume_block(length);
        }
        self.left = None;
        match self.compression() {
            Compression::None => self.finish_plain(),
            _ => self.finish_member(),
        }
    }

    fn finish_plain(&mut self) -> Result<RecordEnd, ReadError> {
        let place = self.place();
        let line_ends = self.skip_line_ends()?;
        let next = self.members.fill()?;
        let at_record = next.is_empty() || next[0] == b'W' || self.version == Version::Arc;
        let mut notes = Vec::new();
        if !at_record {
            self.skip_to_line(b"WARC/")?;
            notes.push(Fault::BytesAfterBlock);
        } else if !self.is_record_end(&line_ends) {
            notes.push(Fault::MissingRecordEnd);
        }
        Ok(RecordEnd {
            place,
            next: self.members.position(),
            notes,
            shares_member: false,
        })
    }

    fn finish_member(&mut self) -> Result<RecordEnd, ReadError> {
        let line_ends = self.skip_line_ends()?;
        let next = self.members.fill()?;
        let mut ended = next.is_empty();
        let mut notes = Vec::new();
        if !ended && next[0] != b'W' && self.version != Version::Arc {
            self.skip_to_member_end()?;
            notes.push(Fault::BytesAfterBlock);
            ended = true;
        }
        let shares_member = self.shared || !ended;
        if shares_member {
            notes.push(Fault::SharedMember);
        } else if !self.is_record_end(&line_ends) && notes.is_empty() {
            notes.push(Fault::MissingRecordEnd);
        }
        // Inside a member there is no place in the file to go on from but its start.
        let next = match ended {
            true => self.members.position(),
            false => self.members.member_start(),
        };
        Ok(RecordEnd {
            place: self.place(),
            next,
            notes,
            shares_member,
        })
    }

    /// A `Content-Length` that is too small leaves bytes behind: a few are skipped.
    fn skip_to_line(&mut self, start: &[u8]) -> Result<(), ReadError> {
        let mut skipped = 0;
        while skipped < MAX_LEFTOVER {
            let bytes = self.members.fill()?;
            let line = memchr::memchr(b'\n', bytes).map_or(bytes.len(), |at| at + 1);
            let whole = line > 0 && bytes[line - 1] == b'\n';
            skipped += line;
            self.members.consume(line);
            if (whole || line == 0) && self.members.plain_goes_on_with(start)? {
                return Ok(());
            }
        }
        Err(self.damaged(Fault::BytesAfterBlock))
    }

    fn skip_to_member_end(&mut self) -> Result<(), ReadError> {
        let mut skipped = 0;
        while skipped < MAX_LEFTOVER {
            let length = self.members.fill()?.len();
            if length == 0 {
                return Ok(());
            }
            skipped += length;
            self.members.consume(length);
        }
        Err(self.damaged(Fault::BytesAfterBlock))
    }

    fn place(&self) -> Place {
        let offset = self.record_start;
        Place {
            offset,
            length: self.members.position().saturating_sub(offset),
        }
    }

    /// Reads the line ends after a block and returns the first of them.
    fn skip_line_ends(&mut self) -> Result<Vec<u8>, ReadError> {
        let mut seen = Vec::new();
        loop {
            let bytes = self.members.fill()?;
            let count = bytes
                .iter()
                .take_while(|byte| matches!(byte, b'\r' | b'\n'))
                .count();
            seen.extend(
                bytes[..count]
                    .iter()
                    .take(8_usize.saturating_sub(seen.len())),
            );
            let all = count == bytes.len();
            self.members.consume(count);
            if !all || count == 0 {
                return Ok(seen);
            }
        }
    }

    fn is_record_end(&self, line_ends: &[u8]) -> bool {
        match self.version {
            Version::Arc => true,
            _ => line_ends == b"\r\n\r\n" || (self.bare_line_feeds && line_ends == b"\n\n"),
        }
    }

    /// Reads a header from the current member; `None` when the member (or file) ends first.
    fn read_head(&mut self) -> Result<Option<RecordHead>, ReadError> {
        self.skip_line_ends()?;
        if self.compression() == Compression::None {
            self.record_start = self.members.position();
        } else {
            self.record_start = self.members.member_start();
        }
        let mut bytes = Vec::with_capacity(1024);
        loop {
            let chunk = self.members.fill()?;
            if chunk.is_empty() {
                return match bytes.is_empty() {
                    true => Ok(None),
                    false => Err(self.damaged(Fault::TruncatedHeader)),
                };
            }
            let known = bytes.len();
            bytes.extend_from_slice(&chunk[..chunk.len().min(HEAD_CHUNK)]);
            if let Some(end) = find_head_end(&bytes, known) {
                self.members.consume(end - known);
                bytes.truncate(end);
                let head = parse_head(bytes).map_err(|fault| self.damaged(fault))?;
                self.skip_unmeasured_description(&head)?;
                return Ok(Some(head));
            }
            let added = bytes.len() - known;
            self.members.consume(added);
            self.refuse_long_head(&bytes)?;
        }
    }

    /// The description at the start of an ARC whose length makes no sense still has two lines.
    fn skip_unmeasured_description(&mut self, head: &RecordHead) -> Result<(), ReadError> {
        let unmeasured = head
            .notes()
            .iter()
            .any(|note| matches!(note, Fault::BadContentLength { .. }));
        if unmeasured && head.record_type() == RecordType::Warcinfo {
            for _ in 0..2 {
                let bytes = self.members.fill()?;
                let line = memchr::memchr(b'\n', bytes).map_or(bytes.len(), |at| at + 1);
                self.members.consume(line);
            }
        }
        Ok(())
    }

    fn refuse_long_head(&self, bytes: &[u8]) -> Result<(), ReadError> {
        if !bytes.starts_with(b"WARC/") && bytes.len() > MAX_ARC_LINE {
            return Err(self.damaged(Fault::NotARecord {
                found: printable(bytes),
            }));
        }
        if bytes.len() > MAX_HEAD {
            return Err(self.damaged(Fault::HeaderTooLong { limit: MAX_HEAD }));
        }
        Ok(())
    }

    fn damaged(&self, fault: Fault) -> ReadError {
        ReadError::Damaged {
            offset: self.record_start,
            fault,
        }
    }
}

fn parse_head(bytes: Vec<u8>) -> Result<RecordHead, Fault> {
    if bytes.starts_with(b"WARC/") {
        RecordHead::parse_warc(bytes)
    } else {
        RecordHead::parse_arc(&bytes)
    }
}

/// The length of the header at the start of `bytes`, of which the first `known` bytes hold no end.
fn find_head_end(bytes: &[u8], known: usize) -> Option<usize> {
    let is_warc = b"WARC/".starts_with(&bytes[..bytes.len().min(5)]);
    let from = known.saturating_sub(4);
    if !is_warc {
        return memchr::memchr(b'\n', &bytes[from..]).map(|at| from + at + 1);
    }
    memchr::memchr_iter(b'\n', &bytes[from..]).find_map(|at| match &bytes[from + at + 1..] {
        [b'\n', ..] => Some(from + at + 2),
        [b'\r', b'\n', ..] => Some(from + at + 3),
        [b'\r', b'\r', b'\n', ..] => Some(from + at + 4),
        _ => None,
    })
}
