//! Bodies in codings that no server put there, and the way back.
//!
//! Texts that are stored in another way than they came are in the coding that packs them best: Brotli makes a tenth less of scripts than gzip does, and every browser and archive tool takes it
//! off. Records that are as they came stay so. (Pictures have a coding of our own: `pictures.rs`.)

use super::altered::{Altered, Stubs, coded_head_for, head_for};
use super::packing::Kind;
use super::parted::{COLD_FIELD, MARK_FIELD, PartsKey};
use super::remake::Content;
use super::uncoded::{LIMITS, UNCODED_FIELD};
use crate::warc::Scanned;
use crate::{Result, StoreError};
use brotli::enc::BrotliEncoderParams;
use std::io::Read;

/// The field of a record whose body has a coding that no server put there.
pub(super) const RECODED_FIELD: &str = "Varve-Recoded";

/// The name of the coding.
const BROTLI: &str = "br";
/// What another line in the heads takes.
const LINES: u64 = 40;
/// Longer texts are packed less hard, or it would take minutes.
const HARD: usize = 4 << 20;
/// A window for nearly all of them.
const WINDOW: i32 = 22;

/// An altered response, in Brotli if that is smaller than what its file would make of it.
pub(super) fn in_brotli(
    mut altered: Altered,
    record: &Scanned,
    packed: impl FnOnce(&[u8]) -> u64,
) -> Altered {
    let is_text = matches!(
        Kind::of(record),
        Some(Kind::Script | Kind::Style | Kind::Text)
    );
    let Some(head) = record.http.as_ref().filter(|_| is_text) else {
        return altered;
    };
    if altered.recoded.is_some() || altered.revisited.is_some() {
        return altered;
    }
    let Some(body) = brotli(&altered.body) else {
        return altered;
    };
    if (body.len() as u64).saturating_add(LINES) < packed(&altered.body) {
        altered.head = coded_head_for(head, body.len(), BROTLI);
        altered.body = body;
        altered.recoded = Some(BROTLI.to_owned());
    }
    altered
}

/// A response as it was before it got a coding of ours, if it has one.
pub(super) fn without_ours(record: &Scanned, content: Content<'_>) -> Result<Option<Altered>> {
    let said = |field: &str| record.head.get(field).map(|value| value.into_owned());
    let is_ours = said(RECODED_FIELD).is_some();
    let Some(head) = record.http.as_ref().filter(|_| is_ours) else {
        return Ok(None);
    };
    let stored = content.open()?;
    let path = stored.path().to_owned();
    let mut body = Vec::new();
    let read = stored.decoded(LIMITS).read_to_end(&mut body);
    read.map_err(StoreError::io(&path, "unpack a record of"))?;
    let key = said(COLD_FIELD).and_then(|urn| PartsKey::of_urn(&urn));
    Ok(Some(Altered {
        stubs: key.map(|key| Stubs {
            key,
            mark: said(MARK_FIELD).unwrap_or_default(),
        }),
        uncoded: said(UNCODED_FIELD),
        recoded: None,
        head: head_for(head, body.len()),
        body,
        parts: None,
        revisited: None,
    }))
}

/// A text in Brotli.
pub(super) fn brotli(text: &[u8]) -> Option<Vec<u8>> {
    let parameters = BrotliEncoderParams {
        quality: if text.len() <= HARD { 11 } else { 9 },
        lgwin: WINDOW,
        size_hint: text.len(),
        ..BrotliEncoderParams::default()
    };
    let mut packed = Vec::new();
    let mut text = text;
    // Nothing fails in memory.
    brotli::BrotliCompress(&mut text, &mut packed, &parameters).ok()?;
    Some(packed)
}
