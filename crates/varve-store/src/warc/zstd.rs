//! One zstd frame at a time, with the dictionary that a `.warc.zst` file may carry.
//!
//! The dictionary stands at the start of the file in a skippable frame, raw or itself compressed
//! (the `.warc.zst` convention of the Internet Archive's crawlers).

use super::fault::Fault;
use super::member::{Broken, Progress};
use super::window::Window;
use crate::fs::{ReadAt, read_full_at};
use std::io::Read;
use std::sync::Arc;
use zstd::stream::raw::{DParameter, Decoder, InBuffer, Operation, OutBuffer};

pub(crate) const FRAME_MAGIC: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];
/// The skippable frame that holds a dictionary.
pub(crate) const DICTIONARY_MAGIC: [u8; 4] = [0x5d, 0x2a, 0x4d, 0x18];
/// Dictionaries are about 100 KB; a larger one than this is an attack on memory.
const MAX_DICTIONARY: usize = 16 * 1024 * 1024;
/// Frames may ask for windows up to 2 GB; 64 MB is what the strongest common setting uses.
const MAX_WINDOW_LOG: u32 = 26;

/// The length of the dictionary frame at the start of a file; 0 when there is none.
pub(crate) fn dictionary_length(file: &Arc<dyn ReadAt>) -> std::io::Result<u64> {
    let mut header = [0; 8];
    let read = read_full_at(file.as_ref(), &mut header, 0)?;
    if read < header.len() || !header.starts_with(&DICTIONARY_MAGIC) {
        return Ok(0);
    }
    let length = u32::from_le_bytes([header[4], header[5], header[6], header[7]]);
    Ok(8 + u64::from(length))
}

/// The state of decompressing one frame.
pub(crate) struct Zstd {
    decoder: Decoder<'static>,
}

impl Zstd {
    /// A decoder for the file that the window stands at the start of; consumes the dictionary.
    pub(crate) fn open(source: &mut Window) -> Result<Zstd, Broken> {
        let dictionary = match source.peek(4)? {
            magic if magic.starts_with(&DICTIONARY_MAGIC) => read_dictionary(source)?,
            _ => Vec::new(),
        };
        Zstd::with_dictionary(&dictionary)
    }

    fn with_dictionary(dictionary: &[u8]) -> Result<Zstd, Broken> {
        let bad = |error: std::io::Error| Fault::BadDictionary(error.to_string());
        let mut decoder = Decoder::with_dictionary(dictionary).map_err(bad)?;
        decoder
            .set_parameter(DParameter::WindowLogMax(MAX_WINDOW_LOG))
            .map_err(bad)?;
        Ok(Zstd { decoder })
    }

    /// Starts the frame at the window's position; skippable frames before it are skipped.
    pub(crate) fn begin(&mut self, source: &mut Window) -> Result<(), Broken> {
        self.decoder
            .reinit()
            .map_err(|error| Fault::BadZstd(error.to_string()))?;
        match source.peek(4)? {
            magic if magic.starts_with(&FRAME_MAGIC) => Ok(()),
            magic if magic.len() < 4 => Err(Fault::TruncatedMember.into()),
            _ => Err(Fault::BadZstd("no frame starts here".into()).into()),
        }
    }

    pub(crate) fn read(&mut self, source: &mut Window, out: &mut [u8]) -> Result<Progress, Broken> {
        loop {
            let input = source.fill()?;
            if input.is_empty() {
                return Err(Fault::TruncatedMember.into());
            }
            let mut input = InBuffer::around(input);
            let mut output = OutBuffer::around(&mut *out);
            let hint = self
                .decoder
                .run(&mut input, &mut output)
                .map_err(|error| Fault::BadZstd(error.to_string()))?;
            let (consumed, produced) = (input.pos(), output.pos());
            source.consume(consumed);
            if hint == 0 {
                return Ok(Progress {
                    produced,
                    ended: true,
                });
            }
            if produced > 0 {
                return Ok(Progress {
                    produced,
                    ended: false,
                });
            }
            if consumed == 0 {
                return Err(Fault::BadZstd("no progress".into()).into());
            }
        }
    }
}

/// The dictionary as the file stores it, decompressed where needed.
fn read_dictionary(source: &mut Window) -> Result<Vec<u8>, Broken> {
    let header = *source
        .peek(8)?
        .first_chunk::<8>()
        .ok_or(Fault::TruncatedMember)?;
    let length = u32::from_le_bytes([header[4], header[5], header[6], header[7]]) as usize;
    if length > MAX_DICTIONARY {
        return Err(Fault::BadDictionary(format!("it is {length} bytes long")).into());
    }
    source.consume(8);
    let mut stored = Vec::with_capacity(length);
    while stored.len() < length {
        let bytes = source.fill()?;
        if bytes.is_empty() {
            return Err(Fault::TruncatedMember.into());
        }
        let take = bytes.len().min(length - stored.len());
        stored.extend_from_slice(&bytes[..take]);
        source.consume(take);
    }
    if !stored.starts_with(&FRAME_MAGIC) {
        return Ok(stored);
    }
    let bad = |error: std::io::Error| Fault::BadDictionary(error.to_string());
    let mut decoder = zstd::stream::read::Decoder::new(&stored[..]).map_err(bad)?;
    decoder.window_log_max(MAX_WINDOW_LOG).map_err(bad)?;
    let mut dictionary = Vec::new();
    let limit = MAX_DICTIONARY as u64;
    decoder
        .take(limit + 1)
        .read_to_end(&mut dictionary)
        .map_err(bad)?;
    if dictionary.len() > MAX_DICTIONARY {
        return Err(Fault::BadDictionary("it inflates without end".into()).into());
    }
    Ok(dictionary)
}
