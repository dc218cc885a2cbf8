//! One zstd frame being written, with a dictionary or without.

use std::io::{self, Write};
use zstd::dict::EncoderDictionary;

/// What frames may refer to.
pub(super) struct Dictionary {
    bytes: Vec<u8>,
    level: i32,
    /// For what is not longer than itself: how it is searched is chosen for that.
    prepared: EncoderDictionary<'static>,
}

impl Dictionary {
    pub(super) fn new(bytes: Vec<u8>, level: i32) -> Dictionary {
        Dictionary {
            prepared: EncoderDictionary::copy(&bytes, level),
            bytes,
            level,
        }
    }

    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}

/// A frame with a dictionary. Which way of using that is best is known when there is enough of it.
pub(super) enum Frame<'a> {
    Short(&'a mut dyn Write, Vec<u8>, &'a Dictionary),
    Long(zstd::stream::write::Encoder<'a, &'a mut dyn Write>),
    /// After an error.
    Broken,
}

impl<'a> Frame<'a> {
    pub(super) fn begin(sink: &'a mut dyn Write, dictionary: &'a Dictionary) -> Frame<'a> {
        Frame::Short(sink, Vec::new(), dictionary)
    }

    /// Ends it.
    pub(super) fn finish(self) -> io::Result<()> {
        match self {
            Frame::Short(sink, bytes, dictionary) => {
                let prepared = &dictionary.prepared;
                let encoder =
                    zstd::stream::write::Encoder::with_prepared_dictionary(sink, prepared);
                finish_zstd(encoder?, |out| out.write_all(&bytes))
            }
            Frame::Long(encoder) => encoder.finish().map(drop),
            Frame::Broken => Err(io::ErrorKind::BrokenPipe.into()),
        }
    }
}

impl Write for Frame<'_> {
    fn write(&mut self, more: &[u8]) -> io::Result<usize> {
        match self {
            Frame::Short(_, bytes, dictionary) if bytes.len() <= dictionary.bytes.len() => {
                bytes.extend_from_slice(more);
                Ok(more.len())
            }
            Frame::Long(encoder) => encoder.write(more),
            Frame::Short(..) | Frame::Broken => {
                let Frame::Short(sink, bytes, dictionary) = std::mem::replace(self, Frame::Broken)
                else {
                    return Err(io::ErrorKind::BrokenPipe.into());
                };
                let Dictionary {
                    bytes: content,
                    level,
                    ..
                } = dictionary;
                let mut encoder =
                    zstd::stream::write::Encoder::with_dictionary(sink, *level, content)?;
                encoder.include_checksum(true)?;
                encoder.write_all(&bytes)?;
                let written = encoder.write(more)?;
                *self = Frame::Long(encoder);
                Ok(written)
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Has a frame written, and ends it.
pub(super) fn finish_zstd<'a, W: Write>(
    mut encoder: zstd::stream::write::Encoder<'a, W>,
    produce: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    encoder.include_checksum(true)?;
    produce(&mut encoder)?;
    encoder.finish().map(drop)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn short_and_long_frames_are_read_with_the_dictionary() {
        let words: Vec<u8> = (0..4_000_u32)
            .flat_map(|n| (n * n).to_string().into_bytes())
            .collect();
        let dictionary = Dictionary::new(words[..5_000].to_vec(), 19);
        for length in [0, 1, 4_000, 5_000, 5_001, words.len()] {
            let mut packed = Vec::new();
            let mut frame = Frame::begin(&mut packed, &dictionary);
            words[..length]
                .chunks(999)
                .try_for_each(|piece| frame.write_all(piece))
                .unwrap();
            frame.finish().unwrap();
            let mut reader = zstd::bulk::Decompressor::with_dictionary(dictionary.bytes()).unwrap();
            let read = reader.decompress(&packed, words.len()).unwrap();
            assert_eq!(read, words[..length], "{length}");
        }
    }
}
