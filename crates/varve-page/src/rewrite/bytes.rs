//! Edits of a text, made in the bytes that it was decoded from. What does not change stays byte
//! for byte as it was, in any charset; what is new is written in the charset of the document.

use std::borrow::Cow;

use encoding_rs::{CoderResult, Decoder, Encoding, ISO_2022_JP, UTF_8, UTF_16BE, UTF_16LE};

use super::edits::Edits;
use crate::Note;

/// Makes the edits of `text` in `bytes`, which it was decoded from, byte order mark aside.
pub(super) fn apply<'b>(
    bytes: &'b [u8],
    encoding: &'static Encoding,
    text: &str,
    edits: Edits,
) -> (Cow<'b, [u8]>, Option<Note>) {
    if edits.is_empty() {
        return (Cow::Borrowed(bytes), None);
    }
    let mark = Encoding::for_bom(bytes).map_or(0, |(_, length)| length);
    let (mark, body) = bytes.split_at(mark);
    let mut out = Vec::with_capacity(bytes.len() + edits.grown());
    out.extend_from_slice(mark);
    let list: Vec<_> = edits.in_order().collect();
    let mut place = Place::new(body, encoding, is_same(text, body));
    let mut done = 0;
    for edit in &list {
        let Some((start, end)) = place.of(edit.range.start).zip(place.of(edit.range.end)) else {
            return (
                Cow::Owned(encoded(mark, encoding, text, &list)),
                Some(Note::Reencoded),
            );
        };
        out.extend_from_slice(body.get(done..start).unwrap_or_default());
        write(&edit.text, encoding, &mut out);
        done = end;
    }
    out.extend_from_slice(body.get(done..).unwrap_or_default());
    (Cow::Owned(out), None)
}

/// Whether the text is these very bytes: it was decoded by looking at them.
fn is_same(text: &str, bytes: &[u8]) -> bool {
    std::ptr::eq(text.as_bytes(), bytes)
}

/// The whole text with its edits, encoded anew: for what cannot be placed in the bytes.
fn encoded(
    mark: &[u8],
    encoding: &'static Encoding,
    text: &str,
    edits: &[super::edits::Edit],
) -> Vec<u8> {
    let mut new = String::with_capacity(text.len());
    let mut done = 0;
    for edit in edits {
        new.push_str(text.get(done..edit.range.start).unwrap_or_default());
        new.push_str(&edit.text);
        done = edit.range.end;
    }
    new.push_str(text.get(done..).unwrap_or_default());
    let mut out = mark.to_vec();
    write(&new, encoding, &mut out);
    out
}

/// Writes a text in a charset. Characters that it does not have become references of HTML.
fn write(text: &str, encoding: &'static Encoding, out: &mut Vec<u8>) {
    if encoding == UTF_16LE {
        out.extend(text.encode_utf16().flat_map(u16::to_le_bytes));
    } else if encoding == UTF_16BE {
        out.extend(text.encode_utf16().flat_map(u16::to_be_bytes));
    } else if encoding == UTF_8 || text.is_ascii() {
        out.extend_from_slice(text.as_bytes());
    } else {
        out.extend_from_slice(&encoding.encode(text).0);
    }
}

/// Finds places of the text in the bytes, going forward.
struct Place<'b> {
    bytes: &'b [u8],
    steps: Steps,
    byte_at: usize,
    text_at: usize,
}

/// How bytes and text are related.
enum Steps {
    /// They are the same.
    Same,
    /// UTF-8 with mistakes in it, each of which became one character.
    Utf8,
    /// Anything else, as the decoder says.
    Decoded {
        decoder: Decoder,
        /// Whether bytes below 128 mean what they mean in ASCII.
        ascii: bool,
    },
    /// Places cannot be told: what bytes mean depends on what came long before.
    Unknown,
}

impl<'b> Place<'b> {
    fn new(bytes: &'b [u8], encoding: &'static Encoding, same: bool) -> Place<'b> {
        let steps = if same {
            Steps::Same
        } else if encoding == UTF_8 {
            Steps::Utf8
        } else if encoding == ISO_2022_JP {
            Steps::Unknown
        } else {
            Steps::Decoded {
                decoder: encoding.new_decoder_without_bom_handling(),
                ascii: encoding.is_ascii_compatible(),
            }
        };
        Place {
            bytes,
            steps,
            byte_at: 0,
            text_at: 0,
        }
    }

    /// Where a place of the text is in the bytes.
    fn of(&mut self, text_at: usize) -> Option<usize> {
        if matches!(self.steps, Steps::Same) {
            return Some(text_at);
        }
        while self.text_at < text_at {
            let (bytes, text) = self.step(text_at - self.text_at)?;
            self.byte_at += bytes;
            self.text_at += text;
        }
        (self.text_at == text_at).then_some(self.byte_at)
    }

    /// One step of at most `most` in the text where the two are alike: the lengths of a step in
    /// bytes and in text.
    fn step(&mut self, most: usize) -> Option<(usize, usize)> {
        let rest = self
            .bytes
            .get(self.byte_at..)
            .filter(|rest| !rest.is_empty())?;
        let near = &rest[..rest.len().min(most)];
        match &mut self.steps {
            Steps::Same | Steps::Unknown => None,
            Steps::Utf8 => {
                let window = &rest[..rest.len().min(most + 4)];
                let chunk = window.utf8_chunks().next()?;
                match chunk.valid().len() {
                    0 => Some((chunk.invalid().len(), '\u{fffd}'.len_utf8())),
                    valid => Some((valid.min(most), valid.min(most))),
                }
            }
            Steps::Decoded { decoder, ascii } => {
                let plain = match ascii {
                    true => Encoding::ascii_valid_up_to(near),
                    false => 0,
                };
                match plain {
                    0 => character(decoder, rest),
                    plain => Some((plain, plain)),
                }
            }
        }
    }
}

/// One character: as many bytes as the decoder wants before it gives something.
fn character(decoder: &mut Decoder, rest: &[u8]) -> Option<(usize, usize)> {
    let mut buffer = [0; 32];
    for (index, byte) in rest.iter().enumerate() {
        let last = index + 1 == rest.len();
        let (result, _, written, _) = decoder.decode_to_utf8(&[*byte], &mut buffer, last);
        if result == CoderResult::OutputFull {
            return None;
        }
        if written > 0 {
            return Some((index + 1, written));
        }
    }
    None
}
