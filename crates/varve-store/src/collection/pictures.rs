//! JPEG pictures, packed by a fifth without loss.
//!
//! Pictures are most of what an archive holds, and dictionaries do nothing for them. What is stored
//! is a response like any other whose body has a content coding, `x-lepton`; so whoever takes
//! codings off bodies gets the picture, byte for byte. Only we know this coding: exports are without.

use super::altered::{Altered, coded_head_for};
use super::remake::Content;
use super::uncoded::{LIMITS, codings_of, is_whole};
use crate::Result;
use crate::http::{LEPTON, pack_picture};
use crate::warc::Scanned;
use std::io::Read;

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
