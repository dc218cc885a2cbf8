//! One gzip member being written: deflated, or as it is where deflating would be in vain.
//!
//! Most bytes of the web are pictures, films, fonts and bodies that their server compressed. To
//! deflate them again costs most of a crawl's time and saves next to nothing. They go into stored
//! blocks of the same member, between the deflated head before and what comes after: any reader of
//! gzip reads them, and their member is longer by a few bytes.

use flate2::{Compress, Compression, FlushCompress, Status};
use std::io::{self, Write};

const LEVEL: u32 = 6;
/// The longest stored block.
const STORED: usize = 65_535;
/// Compressed bytes are gathered up to about so many.
const PIECE: usize = 32 * 1024;
/// No name, no time, no system (RFC 1952).
const HEADER: [u8; 10] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255];
const STORED_BLOCK: u8 = 0;

/// Bytes as one member, as small as it gets. It takes its time.
pub(super) fn deflated_hard(bytes: &[u8]) -> io::Result<Vec<u8>> {
    let mut compressor = libdeflater::Compressor::new(libdeflater::CompressionLvl::best());
    let mut out = vec![0; compressor.gzip_compress_bound(bytes.len())];
    let length = compressor.gzip_compress(bytes, &mut out);
    out.truncate(length.map_err(io::Error::other)?);
    Ok(out)
}

/// What deflating needs, kept from one member to the next.
pub(super) struct Deflater {
    state: Compress,
    out: Vec<u8>,
}

impl Default for Deflater {
    fn default() -> Deflater {
        Deflater {
            state: Compress::new(Compression::new(LEVEL), false),
            out: Vec::with_capacity(2 * PIECE),
        }
    }
}

/// A member; [`Member::finish`] must follow. What is written is deflated.
pub(super) struct Member<'a> {
    deflater: &'a mut Deflater,
    sink: &'a mut dyn Write,
    crc: crc32fast::Hasher,
    /// How many bytes it holds, as far as gzip counts.
    length: u32,
    /// Whether deflated bytes wait for the end of their block.
    within: bool,
}

impl<'a> Member<'a> {
    /// Begins a member.
    pub(super) fn begin(deflater: &'a mut Deflater, sink: &'a mut dyn Write) -> Member<'a> {
        deflater.state.reset();
        deflater.out.clear();
        deflater.out.extend_from_slice(&HEADER);
        Member {
            deflater,
            sink,
            crc: crc32fast::Hasher::new(),
            length: 0,
            within: false,
        }
    }

    /// Adds bytes as they are.
    pub(super) fn store(&mut self, bytes: &[u8]) -> io::Result<()> {
        if self.within {
            // Nothing that is deflated later may refer to what was before: the deflater does not
            // know of the bytes in between.
            self.deflate(&[], FlushCompress::Full)?;
            self.within = false;
        }
        self.drain()?;
        for block in bytes.chunks(STORED) {
            let length = block.len() as u16;
            let mut head = [STORED_BLOCK; 5];
            head[1..3].copy_from_slice(&length.to_le_bytes());
            head[3..5].copy_from_slice(&(!length).to_le_bytes());
            self.sink.write_all(&head)?;
            self.sink.write_all(block)?;
        }
        self.count(bytes);
        Ok(())
    }

    /// Ends the member.
    pub(super) fn finish(mut self) -> io::Result<()> {
        self.deflate(&[], FlushCompress::Finish)?;
        let out = &mut self.deflater.out;
        out.extend_from_slice(&self.crc.clone().finalize().to_le_bytes());
        out.extend_from_slice(&self.length.to_le_bytes());
        self.drain()
    }

    /// Deflates bytes; with a flush, everything so far.
    fn deflate(&mut self, mut bytes: &[u8], flush: FlushCompress) -> io::Result<()> {
        loop {
            let Deflater { state, out } = &mut *self.deflater;
            out.reserve(PIECE);
            let before = state.total_in();
            let status = state
                .compress_vec(bytes, out, flush)
                .map_err(io::Error::other)?;
            bytes = &bytes[(state.total_in() - before) as usize..];
            let has_room = out.len() < out.capacity();
            if out.len() >= PIECE {
                self.drain()?;
            }
            // With room left, the deflater has given all that it was asked for.
            if status == Status::StreamEnd || (has_room && bytes.is_empty()) {
                return Ok(());
            }
        }
    }

    fn count(&mut self, bytes: &[u8]) {
        self.crc.update(bytes);
        self.length = self.length.wrapping_add(bytes.len() as u32);
    }

    fn drain(&mut self) -> io::Result<()> {
        self.sink.write_all(&self.deflater.out)?;
        self.deflater.out.clear();
        Ok(())
    }
}

impl Write for Member<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.deflate(bytes, FlushCompress::None)?;
        self.count(bytes);
        self.within = true;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::io::Read;

    fn read_back(file: &[u8]) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut reader = flate2::bufread::GzDecoder::new(file);
        reader.read_to_end(&mut bytes).unwrap();
        assert_eq!(reader.into_inner(), b"", "nothing follows the member");
        bytes
    }

    /// Writes pieces, each deflated or stored, with a deflater that was used before.
    fn written(deflater: &mut Deflater, pieces: &[(bool, Vec<u8>)]) -> Vec<u8> {
        let mut file = Vec::new();
        let mut member = Member::begin(deflater, &mut file);
        for (store, bytes) in pieces {
            match store {
                true => member.store(bytes).unwrap(),
                false => member.write_all(bytes).unwrap(),
            }
        }
        member.finish().unwrap();
        file
    }

    #[test]
    fn bytes_between_stored_ones_do_not_refer_across_them() {
        let text = b"the same words, the same words, the same words".to_vec();
        let pieces = [
            (false, text.clone()),
            (true, vec![7; 70_000]),
            (false, text.clone()),
        ];
        let file = written(&mut Deflater::default(), &pieces);
        assert_eq!(read_back(&file), pieces.map(|(_, bytes)| bytes).concat());
    }

    #[test]
    fn a_member_without_bytes_is_a_member() {
        let file = written(&mut Deflater::default(), &[]);
        assert_eq!(read_back(&file), b"");
    }

    #[test]
    fn much_text_becomes_little() {
        let text = "all work and no play ".repeat(100_000).into_bytes();
        let file = written(&mut Deflater::default(), &[(false, text.clone())]);
        assert!(file.len() < text.len() / 100);
        assert_eq!(read_back(&file), text);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn what_is_written_is_read(
            pieces in proptest::collection::vec((any::<bool>(), 1..5_usize, 0..150_000_usize), 0..6),
        ) {
            let pattern = |step, length| (0..length).map(|at| (at * at / step) as u8).collect();
            let pieces = pieces.into_iter();
            let pieces: Vec<(bool, Vec<u8>)> = pieces
                .map(|(store, step, length)| (store, pattern(step, length)))
                .collect();
            let mut deflater = Deflater::default();
            let _ = written(&mut deflater, &[(false, b"a member before".to_vec())]);
            let file = written(&mut deflater, &pieces);
            let all: Vec<u8> = pieces.into_iter().flat_map(|(_, bytes)| bytes).collect();
            prop_assert_eq!(read_back(&file), all);
        }
    }
}
