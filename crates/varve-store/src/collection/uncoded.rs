//! Bodies without the codings that servers put on them for the way.
//!
//! What is compressed cannot be compressed again. A body that came with gzip is packed much smaller
//! by itself, with a dictionary of what others of its kind look like. What is stored then is what
//! the server meant, and its record says what was taken off and what the digest of the bytes on the
//! wire was.

use super::altered::{Altered, head_for};
use super::packing::Packs;
use super::parted::COLD_FIELD;
use super::recoding::RECODED_FIELD;
use super::remake::Content;
use crate::Result;
use crate::http::{DecodeLimits, content_codings, is_chunked};
use crate::warc::{RecordType, Scanned};
use std::io::Read;
use varve_model::HttpHead;

/// Longer bodies stay as they are.
pub(super) const LIMITS: DecodeLimits = DecodeLimits {
    bytes: 32 << 20,
    ratio: 1_000,
    ratio_free: 16 << 20,
};

/// The field of a record whose body came with codings that were taken off.
pub(super) const UNCODED_FIELD: &str = "Varve-Uncoded";

/// What is stored of a response instead of what came, if that is smaller.
pub(super) fn uncoded(
    record: &Scanned,
    content: Content<'_>,
    packs: &Packs,
) -> Result<Option<Altered>> {
    without_codings(record, content, |body, coded| {
        coded.is_weak || packs.packed_length(record, body) < coded.bytes
    })
}

/// A body as it came.
#[derive(Clone, Copy, Debug)]
pub struct Coded {
    /// Its bytes.
    pub bytes: u64,
    /// Whether its codings never pack better than we do.
    pub is_weak: bool,
}

/// What is stored of a response instead of what came, if it came with codings, and if its body
/// without them is wanted.
pub fn without_codings(
    record: &Scanned,
    content: Content<'_>,
    is_wanted: impl FnOnce(&[u8], Coded) -> bool,
) -> Result<Option<Altered>> {
    let Some(head) = record.http.as_ref().filter(|_| is_whole(record)) else {
        return Ok(None);
    };
    let codings = content_codings(head);
    if codings.is_empty() {
        return Ok(None);
    }
    let mut reader = content.open()?.decoded(LIMITS);
    let mut body = Vec::new();
    // What cannot be decoded is kept for whoever can.
    if reader.unknown_coding().is_some() || reader.read_to_end(&mut body).is_err() {
        return Ok(None);
    }
    let head_length = head.as_bytes().len() as u64;
    let coded = Coded {
        bytes: record.head.content_length().saturating_sub(head_length),
        is_weak: codings.iter().all(|coding| is_weak(coding)),
    };
    if !is_wanted(&body, coded) {
        return Ok(None);
    }
    Ok(Some(Altered {
        stubs: None,
        uncoded: Some(codings_of(head).join(", ")),
        recoded: None,
        head: head_for(head, body.len()),
        body,
        parts: None,
        revisited: None,
    }))
}

/// All that a body was put into for the way, chunks among it.
pub(super) fn codings_of(head: &HttpHead) -> Vec<String> {
    let mut codings = content_codings(head);
    if is_chunked(head) {
        codings.push("chunked".to_owned());
    }
    codings
}

/// Whether a coding never packs better than we do.
fn is_weak(coding: &str) -> bool {
    matches!(coding, "gzip" | "x-gzip" | "deflate")
}

pub(super) fn is_whole(record: &Scanned) -> bool {
    let lacks = |field: &str| record.head.get(field).is_none();
    record.head.record_type() == RecordType::Response
        && lacks("WARC-Truncated")
        // What we have stored in another way is so for good.
        && lacks(COLD_FIELD)
        && lacks(RECODED_FIELD)
}
