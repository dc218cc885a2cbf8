//! Responses that are stored in another way than they were: their records, true for what they hold.

use super::attachment::Attachment;
use super::parted::{COLD_FIELD, MARK_FIELD, ORIGINAL_FIELD, PartsKey};
use super::recoding::{RECODED_FIELD, brotli};
use super::uncoded::UNCODED_FIELD;
use crate::warc::{Compression, Compressor, RecordHead, Scanned, WarcWriter};
use varve_model::{Digest, DigestAlgorithm, HttpHead};

/// Fields that an altered record says anew.
const SAID_ANEW: [&str; 8] = [
    "content-length",
    "warc-block-digest",
    "warc-payload-digest",
    "varve-cold",
    "varve-mark",
    "varve-uncoded",
    "varve-recoded",
    "varve-original-payload-digest",
];

/// A response that is stored in another way.
#[derive(Clone, Debug)]
pub struct Altered {
    /// What stands in its body in place of parts that are elsewhere; none if it is whole.
    pub stubs: Option<Stubs>,
    /// The codings that were taken off its body, if it is whole.
    pub uncoded: Option<String>,
    /// The coding that was put on its body.
    pub recoded: Option<String>,
    /// The head of the message: as it was, but for what is no longer true ([`head_for`]).
    pub head: Vec<u8>,
    /// The body, with stubs for what is elsewhere.
    pub body: Vec<u8>,
    /// The parts, unless they are stored already.
    pub parts: Option<Attachment>,
    /// What it refers to, if it is a revisit: then it has no body.
    pub revisited: Option<Revisited>,
}

/// The payload that a revisit refers to, as it is stored now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Revisited {
    /// Its digest.
    pub digest: String,
    /// Whether its record says what the digest was.
    pub says_original: bool,
}

/// What stands in the place of parts that are elsewhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stubs {
    /// Where they are.
    pub key: PartsKey,
    /// What those who show the body have to look for, to put something better there: once for each
    /// part, in their order, and nowhere else. Empty if there is nothing to be put there.
    pub mark: String,
}

/// Writes the record of a response that is altered.
pub(super) fn append(
    writer: &mut WarcWriter,
    record: &Scanned,
    altered: &Altered,
) -> std::io::Result<()> {
    let header = header(&record.head, record.digest(), altered);
    let place = writer.append_member(|out| {
        out.write_all(&header)?;
        out.write_all(&altered.head)?;
        out.write_all(&altered.body)
    });
    place.map(drop)
}

/// Whether a body takes fewer bytes than these on disk, compressed as altered texts are.
pub fn packs_below(body: &[u8], bytes: u64) -> bool {
    let packed = Compressor::hard(Compression::Gzip).packed_length(body);
    packed.is_ok_and(|length| length < bytes)
        || brotli(body).is_some_and(|packed| (packed.len() as u64) < bytes)
}

/// Fields that are not true of a body without its codings, or with stubs.
const UNTRUE: [&str; 4] = [
    "content-encoding",
    "content-length",
    "transfer-encoding",
    "trailer",
];

/// The head of a message whose body is stored plain, and so long.
pub fn head_for(head: &HttpHead, length: usize) -> Vec<u8> {
    head_with(head, length, None)
}

/// The same of a body that is stored in a coding.
pub(super) fn coded_head_for(head: &HttpHead, length: usize, coding: &str) -> Vec<u8> {
    head_with(head, length, Some(coding))
}

fn head_with(head: &HttpHead, length: usize, coding: Option<&str>) -> Vec<u8> {
    let mut out = head.start_line().to_vec();
    out.extend_from_slice(b"\r\n");
    let mut field = |name: &[u8], value: &[u8]| {
        out.extend_from_slice(name);
        out.extend_from_slice(b": ");
        out.extend_from_slice(value.trim_ascii());
        out.extend_from_slice(b"\r\n");
    };
    for (name, value) in head.fields() {
        let lower = name.to_ascii_lowercase();
        if !UNTRUE.iter().any(|untrue| untrue.as_bytes() == lower) {
            field(name, &value);
        }
    }
    if let Some(coding) = coding {
        field(b"Content-Encoding", coding.as_bytes());
    }
    field(b"Content-Length", length.to_string().as_bytes());
    out.extend_from_slice(b"\r\n");
    out
}

/// The header of a record, true for what is altered in it.
fn header(head: &RecordHead, original: Option<String>, altered: &Altered) -> Vec<u8> {
    let mut out = b"WARC/1.1\r\n".to_vec();
    for (name, value) in head.fields() {
        let lower = name.to_ascii_lowercase();
        if SAID_ANEW.iter().any(|anew| anew.as_bytes() == lower) {
            continue;
        }
        out.extend_from_slice(name);
        out.extend_from_slice(b": ");
        out.extend_from_slice(value.trim_ascii());
        out.extend_from_slice(b"\r\n");
    }
    let payload = match &altered.revisited {
        Some(revisited) => revisited.digest.clone(),
        None => Digest::of(DigestAlgorithm::Sha1, &altered.body).to_string(),
    };
    let block = [altered.head.as_slice(), &altered.body].concat();
    let mut push = |name: &str, value: &str| {
        out.extend_from_slice(format!("{name}: {value}\r\n").as_bytes());
    };
    if let Some(Stubs { key, mark }) = &altered.stubs {
        push(COLD_FIELD, &key.urn());
        if !mark.is_empty() {
            push(MARK_FIELD, mark);
        }
    }
    if let Some(codings) = &altered.uncoded {
        push(UNCODED_FIELD, codings);
    }
    if let Some(coding) = &altered.recoded {
        push(RECODED_FIELD, coding);
    }
    let revisited = altered.revisited.as_ref();
    let is_ours = altered.stubs.is_some()
        || altered.uncoded.is_some()
        || altered.recoded.is_some()
        || revisited.is_some_and(|it| it.says_original);
    if let Some(original) = original.filter(|_| is_ours) {
        push(ORIGINAL_FIELD, &original);
    }
    push("WARC-Payload-Digest", &payload);
    let digest = Digest::of(DigestAlgorithm::Sha1, &block);
    push("WARC-Block-Digest", &digest.to_string());
    push("Content-Length", &block.len().to_string());
    out.extend_from_slice(b"\r\n");
    out
}
