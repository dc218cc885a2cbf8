//! A record's header: its bytes as they stand in the file, and a view of its fields.

use super::arc;
use super::fault::{Fault, printable};
use std::borrow::Cow;
use std::ops::Range;
use varve_model::Timestamp;

/// Which format, and which version of it, a record is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Version {
    /// WARC 1.0 (and the drafts before it).
    Warc10,
    /// WARC 1.1.
    Warc11,
    /// ARC, the format before WARC.
    Arc,
}

/// What a record is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RecordType {
    /// About the file.
    Warcinfo,
    /// A response with its protocol head.
    Response,
    /// Content without a protocol head.
    Resource,
    /// A request.
    Request,
    /// About another record.
    Metadata,
    /// A response whose payload is stored elsewhere.
    Revisit,
    /// Another form of another record.
    Conversion,
    /// The further segments of a record.
    Continuation,
    /// A type of somebody's own.
    Other,
}

impl RecordType {
    /// The name in `WARC-Type`.
    pub fn name(self) -> &'static str {
        match self {
            RecordType::Warcinfo => "warcinfo",
            RecordType::Response => "response",
            RecordType::Resource => "resource",
            RecordType::Request => "request",
            RecordType::Metadata => "metadata",
            RecordType::Revisit => "revisit",
            RecordType::Conversion => "conversion",
            RecordType::Continuation => "continuation",
            RecordType::Other => "other",
        }
    }

    fn parse(name: &str) -> RecordType {
        const KNOWN: [RecordType; 8] = [
            RecordType::Warcinfo,
            RecordType::Response,
            RecordType::Resource,
            RecordType::Request,
            RecordType::Metadata,
            RecordType::Revisit,
            RecordType::Conversion,
            RecordType::Continuation,
        ];
        KNOWN
            .into_iter()
            .find(|known| known.name().eq_ignore_ascii_case(name))
            .unwrap_or(RecordType::Other)
    }
}

/// A record's header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordHead {
    bytes: Vec<u8>,
    fields: Vec<(Range<usize>, Range<usize>)>,
    version: Version,
    record_type: RecordType,
    content_length: u64,
    notes: Vec<Fault>,
}

impl RecordHead {
    /// Reads a WARC header, from the version line to the blank line.
    pub(crate) fn parse_warc(bytes: Vec<u8>) -> Result<RecordHead, Fault> {
        let mut notes = Vec::new();
        let mut lines = Lines {
            bytes: &bytes,
            position: 0,
        };
        let version = match lines.next() {
            Some(line) => parse_version(&bytes[line], &mut notes)?,
            None => {
                return Err(Fault::NotARecord {
                    found: printable(&bytes),
                });
            }
        };
        if !bytes.ends_with(b"\r\n\r\n") {
            notes.push(Fault::BareLineFeeds);
        }
        let fields = parse_fields(&bytes, lines, &mut notes);
        let mut head = RecordHead {
            bytes,
            fields,
            version,
            record_type: RecordType::Other,
            content_length: 0,
            notes,
        };
        head.content_length = head.read_content_length()?;
        head.record_type = head
            .get("WARC-Type")
            .map_or(RecordType::Other, |t| RecordType::parse(&t));
        head.note_missing_fields();
        Ok(head)
    }

    /// Reads the header line of an ARC record, as the WARC header that says the same.
    pub(crate) fn parse_arc(line: &[u8]) -> Result<RecordHead, Fault> {
        let (header, note) = arc::as_warc_header(line)?;
        let mut head = RecordHead::parse_warc(header)?;
        head.version = Version::Arc;
        head.notes = note.into_iter().collect();
        Ok(head)
    }

    /// The header's bytes, with the blank line. For an ARC record, the WARC header that says the
    /// same as its header line.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The format and its version.
    pub fn version(&self) -> Version {
        self.version
    }

    /// What the record is.
    pub fn record_type(&self) -> RecordType {
        self.record_type
    }

    /// The length of the block.
    pub fn content_length(&self) -> u64 {
        self.content_length
    }

    /// The first value of a field, whatever the case of its name; bytes that are no UTF-8 replaced.
    pub fn get(&self, name: &str) -> Option<Cow<'_, str>> {
        self.get_all(name).next()
    }

    /// All values of a field.
    pub fn get_all(&self, name: &str) -> impl Iterator<Item = Cow<'_, str>> {
        self.fields()
            .filter(move |(field, _)| field.eq_ignore_ascii_case(name.as_bytes()))
            .map(|(_, value)| unfold(value))
    }

    /// All fields in order: name and raw value.
    pub fn fields(&self) -> impl Iterator<Item = (&[u8], &[u8])> {
        self.fields
            .iter()
            .map(|(name, value)| (&self.bytes[name.clone()], &self.bytes[value.clone()]))
    }

    /// `WARC-Target-URI`, without the angle brackets that some tools put around it and with
    /// spaces escaped.
    pub fn target_uri(&self) -> Option<String> {
        let uri = self.get("WARC-Target-URI")?;
        let uri = uri
            .strip_prefix('<')
            .and_then(|uri| uri.strip_suffix('>'))
            .unwrap_or(&uri);
        Some(uri.replace(' ', "%20"))
    }

    /// `WARC-Date`, read leniently.
    pub fn date(&self) -> Option<Timestamp> {
        let date = self.get("WARC-Date")?;
        Timestamp::parse_w3c(&date)
            .ok()
            .or_else(|| Timestamp::parse_lenient(&date))
    }

    /// `WARC-Record-ID`, without angle brackets.
    pub fn record_id(&self) -> Option<String> {
        self.get("WARC-Record-ID")
            .map(|id| id.trim_matches(['<', '>']).to_owned())
    }

    /// Oddities that do no harm.
    pub fn notes(&self) -> &[Fault] {
        &self.notes
    }

    fn read_content_length(&self) -> Result<u64, Fault> {
        let value = self.get("Content-Length");
        match &value {
            Some(text) if !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit()) => {
                text.parse().ok()
            }
            _ => None,
        }
        .ok_or_else(|| Fault::BadContentLength {
            value: value.map(|v| printable(v.as_bytes())),
        })
    }

    fn note_missing_fields(&mut self) {
        for name in ["WARC-Type", "WARC-Record-ID", "WARC-Date"] {
            if self.get(name).is_none() {
                self.notes.push(Fault::MissingField(name));
            }
        }
        if let Some(date) = self.get("WARC-Date")
            && Timestamp::parse_w3c(&date).is_err()
        {
            let value = printable(date.as_bytes());
            self.notes.push(Fault::BadField {
                field: "WARC-Date",
                value,
            });
        }
    }
}

fn parse_version(line: &[u8], notes: &mut Vec<Fault>) -> Result<Version, Fault> {
    match line {
        b"WARC/1.1" => Ok(Version::Warc11),
        b"WARC/1.0" => Ok(Version::Warc10),
        _ if line.starts_with(b"WARC/") => {
            notes.push(Fault::UnknownVersion(printable(line)));
            Ok(Version::Warc10)
        }
        _ => Err(Fault::NotARecord {
            found: printable(line),
        }),
    }
}

/// The ranges of names and values; a folded line belongs to the value before it.
fn parse_fields(
    bytes: &[u8],
    lines: Lines<'_>,
    notes: &mut Vec<Fault>,
) -> Vec<(Range<usize>, Range<usize>)> {
    let mut fields: Vec<(Range<usize>, Range<usize>)> = Vec::with_capacity(12);
    for line in lines {
        let text = &bytes[line.clone()];
        if text.is_empty() {
            continue;
        }
        if matches!(text[0], b' ' | b'\t') {
            if let Some((_, value)) = fields.last_mut() {
                value.end = line.end;
            }
            continue;
        }
        let Some(colon) = text.iter().position(|byte| *byte == b':') else {
            notes.push(Fault::StrayHeaderLine);
            continue;
        };
        let name = trimmed(bytes, line.start..line.start + colon);
        let value = trimmed(bytes, line.start + colon + 1..line.end);
        fields.push((name, value));
    }
    fields
}

fn trimmed(bytes: &[u8], range: Range<usize>) -> Range<usize> {
    let text = &bytes[range.clone()];
    let start = range.start + (text.len() - text.trim_ascii_start().len());
    start..start + text.trim_ascii().len()
}

fn unfold(value: &[u8]) -> Cow<'_, str> {
    let text = String::from_utf8_lossy(value);
    if !text.contains('\n') {
        return text;
    }
    Cow::Owned(text.lines().map(str::trim).collect::<Vec<_>>().join(" "))
}

/// The lines of a header without their ends.
struct Lines<'a> {
    bytes: &'a [u8],
    position: usize,
}

impl Iterator for Lines<'_> {
    type Item = Range<usize>;

    fn next(&mut self) -> Option<Range<usize>> {
        let rest = &self.bytes[self.position..];
        if rest.is_empty() {
            return None;
        }
        let length = rest
            .iter()
            .position(|byte| *byte == b'\n')
            .unwrap_or(rest.len());
        let start = self.position;
        self.position = (start + length + 1).min(self.bytes.len());
        let line = &rest[..length];
        let carriage_returns = line.iter().rev().take_while(|byte| **byte == b'\r').count();
        Some(start..start + length - carriage_returns)
    }
}
