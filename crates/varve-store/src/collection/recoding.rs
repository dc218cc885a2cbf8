//! Texts that are stored in another way than they came anyway, in the coding that packs them best.
//!
//! Brotli makes a tenth less of scripts than gzip does, and every browser and archive tool takes it
//! off. So a body that nobody would get as it came may as well be stored in it; records that are as
//! they came stay so.

use super::altered::{Altered, coded_head_for};
use super::packing::Kind;
use crate::warc::Scanned;
use brotli::enc::BrotliEncoderParams;

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
