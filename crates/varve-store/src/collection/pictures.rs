//! JPEG pictures, packed by a fifth without loss.
//!
//! Pictures are most of what an archive holds, and dictionaries do nothing for them. What is stored
//! is a response like any other whose body has a content coding, `x-lepton`; so whoever takes
//! codings off bodies gets the picture, byte for byte. Only we know this coding: exports are without.

use super::altered::{Altered, coded_head_for, head_for};
use super::remake::Content;
use super::uncoded::{LIMITS, UNCODED_FIELD, codings_of, is_whole};
use crate::http::{LEPTON, pack_picture};
use crate::warc::Scanned;
use crate::{Result, StoreError};
use std::io::Read;

/// The field of a record whose body has a coding that no server put there.
pub(super) const RECODED_FIELD: &str = "Varve-Recoded";

/// What a JPEG file begins with.
const JPEG: &[u8] = &[0xff, 0xd8, 0xff];

/// What is stored of a response instead of what came, if it is a picture and takes less so.
pub(super) fn recoded(record: &Scanned, content: Content<'_>) -> Result<Option<Altered>> {
    let Some(head) = record.http.as_ref().filter(|_| is_whole(record)) else {
        return Ok(None);
    };
    let codings = codings_of(head);
    if codings.iter().any(|coding| coding == LEPTON) {
        return Ok(None);
    }
    let picture = picture(content)?;
    let Some(body) = picture.and_then(|picture| pack_picture(&picture)) else {
        return Ok(None);
    };
    Ok(Some(Altered {
        stubs: None,
        uncoded: (!codings.is_empty()).then(|| codings.join(", ")),
        recoded: Some(LEPTON.to_owned()),
        head: coded_head_for(head, body.len(), LEPTON),
        body,
        parts: None,
        revisited: None,
    }))
}

/// The body, if it begins as pictures do. What cannot be read is copied, and told of there.
fn picture(content: Content<'_>) -> Result<Option<Vec<u8>>> {
    let mut reader = content.open()?.decoded(LIMITS);
    let mut body = Vec::new();
    let begun = (&mut reader).take(JPEG.len() as u64).read_to_end(&mut body);
    let is_picture = begun.is_ok() && body == JPEG && reader.read_to_end(&mut body).is_ok();
    Ok(is_picture.then_some(body))
}

/// The response as it was before its picture was packed, if that was done.
pub(super) fn as_it_was(record: &Scanned, content: Content<'_>) -> Result<Option<Altered>> {
    let is_recoded = record.head.get(RECODED_FIELD).is_some();
    let Some(head) = record.http.as_ref().filter(|_| is_recoded) else {
        return Ok(None);
    };
    let stored = content.open()?;
    let path = stored.path().to_owned();
    let mut body = Vec::new();
    let read = stored.decoded(LIMITS).read_to_end(&mut body);
    read.map_err(StoreError::io(&path, "unpack a picture of"))?;
    let uncoded = record.head.get(UNCODED_FIELD);
    Ok(Some(Altered {
        stubs: None,
        uncoded: uncoded.map(|codings| codings.into_owned()),
        recoded: None,
        head: head_for(head, body.len()),
        body,
        parts: None,
        revisited: None,
    }))
}
