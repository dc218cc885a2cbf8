//! JPEG pictures, packed without loss: a content coding of our own, `x-lepton`.
//!
//! A JPEG file is compressed already, with the means of 1992. Lepton takes these off and packs what
//! is under them by what is known of the pixels around: a fifth less, and every byte comes back. Its
//! format is that of Dropbox's program, which other programs read as well.
//!
//! What is packed here was unpacked and compared; what is unpacked here may be of anybody, so its
//! picture must not be larger than what we would have packed.

use lepton_jpeg::{EnabledFeatures, SingleThreadPool, decode_lepton, encode_lepton};
use std::io::{self, Cursor, Read};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The name of the coding.
pub const LEPTON: &str = "x-lepton";

/// Longer files stay as they are.
const MAX_BYTES: usize = 24 << 20;
/// Larger pictures, too: their samples are in memory, two bytes each.
const MAX_SAMPLES: u64 = 100_000_000;
/// Heads of files that are packed, and of packed ones, unpacked.
const MAX_HEAD: u64 = 8 << 20;

/// Where the head of a packed file says how long its packed part is, and where that begins.
const LENGTH_AT: usize = 24;
const HEAD_AT: usize = 28;
const PACKED_MAGIC: &[u8] = &[0xcf, 0x84, 1];
const HEAD_MAGIC: &[u8] = b"HDR";

/// A file packed, if it is a JPEG picture, comes back as it is, and is smaller so.
pub fn pack(jpeg: &[u8]) -> Option<Vec<u8>> {
    let segments = jpeg.strip_prefix(&[0xff, 0xd8])?;
    if jpeg.len() > MAX_BYTES || !is_of_sensible_size(segments) {
        return None;
    }
    let features = features(EnabledFeatures::compat_lepton_vector_write());
    let mut packed = Cursor::new(Vec::new());
    let threads = SingleThreadPool::default();
    let encoded = caught(|| {
        let metrics = encode_lepton(&mut Cursor::new(jpeg), &mut packed, &features, &threads);
        metrics.map(drop).map_err(io::Error::other)
    });
    let packed = encoded.ok().map(|()| packed.into_inner())?;
    let is_good = packed.len() < jpeg.len() && unpack(&packed).is_ok_and(|back| back == jpeg);
    is_good.then_some(packed)
}

/// The file that was packed.
pub fn unpack(packed: &[u8]) -> io::Result<Vec<u8>> {
    let head = head_of(packed)?;
    if !is_of_sensible_size(&head) {
        return Err(damaged("a picture without a size, or too large"));
    }
    let features = features(EnabledFeatures::compat_lepton_vector_read());
    let mut jpeg = Limited(Vec::new());
    let threads = SingleThreadPool::default();
    caught(|| {
        let metrics = decode_lepton(&mut Cursor::new(packed), &mut jpeg, &features, &threads);
        metrics.map(drop).map_err(io::Error::other)
    })?;
    Ok(jpeg.0)
}

/// Whether bytes begin as packed files do.
pub(super) fn is_packed(first: &[u8]) -> bool {
    first.starts_with(PACKED_MAGIC)
}

/// Reads what was packed: all at once, when it is first asked for.
pub(super) struct Unpacking<R> {
    packed: Option<R>,
    jpeg: Cursor<Vec<u8>>,
}

impl<R: Read> Unpacking<R> {
    pub(super) fn new(packed: R) -> Unpacking<R> {
        Unpacking {
            packed: Some(packed),
            jpeg: Cursor::default(),
        }
    }
}

impl<R: Read> Read for Unpacking<R> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        if let Some(reader) = self.packed.take() {
            let mut packed = Vec::new();
            reader.take(MAX_BYTES as u64).read_to_end(&mut packed)?;
            self.jpeg = Cursor::new(unpack(&packed)?);
        }
        self.jpeg.read(buf)
    }
}

/// One thread and one part: parts could be unpacked at once, but each begins to learn anew.
fn features(features: EnabledFeatures) -> EnabledFeatures {
    EnabledFeatures {
        max_partitions: 1,
        max_processor_threads: 1,
        max_jpeg_file_size: MAX_BYTES as u32,
        ..features
    }
}

/// The library means not to panic. If it does, that is a file which cannot be read.
fn caught(work: impl FnOnce() -> io::Result<()>) -> io::Result<()> {
    let outcome = catch_unwind(AssertUnwindSafe(work));
    outcome.unwrap_or_else(|_| Err(damaged("a packed picture that makes no sense")))
}

/// The segments of a picture as they stand in the head of a packed file.
fn head_of(packed: &[u8]) -> io::Result<Vec<u8>> {
    let no_head = || damaged("no packed picture");
    let length = packed.get(LENGTH_AT..HEAD_AT).ok_or_else(no_head)?;
    let length = length.try_into().map(u32::from_le_bytes);
    let end = HEAD_AT.saturating_add(length.map_err(|_| no_head())? as usize);
    let head = packed.get(HEAD_AT..end).ok_or_else(no_head)?;
    let mut unpacked = Vec::new();
    let mut decoder = flate2::read::ZlibDecoder::new(head).take(MAX_HEAD);
    decoder.read_to_end(&mut unpacked)?;
    if decoder.limit() == 0 {
        return Err(damaged("a packed picture with too long a head"));
    }
    let segments = unpacked.strip_prefix(HEAD_MAGIC).ok_or_else(no_head)?;
    Ok(segments.get(4..).ok_or_else(no_head)?.to_vec())
}

/// Whether segments of a JPEG file say a size, and one that fits into memory.
fn is_of_sensible_size(segments: &[u8]) -> bool {
    let mut sizes = Vec::new();
    let mut rest = segments;
    while let [0xff, marker, after @ ..] = rest {
        match marker {
            // Fill bytes, and segments that are nothing but their marker.
            0xff => rest = &rest[1..],
            0x01 | 0xd0..=0xd8 => rest = after,
            // The picture itself.
            0xd9 | 0xda => break,
            _ => {
                let Some((segment, next)) = segment(after) else {
                    break;
                };
                if matches!(marker, 0xc0..=0xcf) && !matches!(marker, 0xc4 | 0xc8 | 0xcc) {
                    sizes.push(samples(segment));
                }
                rest = next;
            }
        }
    }
    !sizes.is_empty() && sizes.iter().all(|size| *size <= MAX_SAMPLES)
}

/// A segment behind its marker and its length, and what follows it.
fn segment(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let length = usize::from(u16::from_be_bytes([*bytes.first()?, *bytes.get(1)?]));
    let segment = bytes.get(2..length)?;
    Some((segment, &bytes[length..]))
}

/// How many samples a frame has, at most; too many if it does not say.
fn samples(frame: &[u8]) -> u64 {
    let [_, h1, h2, w1, w2, components, ..] = *frame else {
        return u64::MAX;
    };
    let sides = [[h1, h2], [w1, w2]].map(|side| u64::from(u16::from_be_bytes(side)));
    // Blocks are whole, and there are at least as many of them as the coarsest component has.
    let [high, wide] = sides.map(|side| side.next_multiple_of(32));
    high * wide * u64::from(components)
}

fn damaged(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}

/// No more than a file that would have been packed.
struct Limited(Vec<u8>);

impl io::Write for Limited {
    fn write(&mut self, buf: &[u8]) -> io::Result<usize> {
        if self.0.len() + buf.len() > MAX_BYTES {
            return Err(damaged("a packed picture that is too long"));
        }
        self.0.extend_from_slice(buf);
        Ok(buf.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use proptest::prelude::*;

    const PICTURE: &[u8] =
        include_bytes!("../../../../examples/site/web/garden.example/everything/picture.jpg");

    /// Says of the frame in some bytes that it has very many rows and columns.
    fn made_huge(bytes: &mut [u8]) {
        let frame = bytes.windows(2).position(|it| it == [0xff, 0xc0]);
        bytes[frame.unwrap()..][5..9].fill(0xfd);
    }

    #[test]
    fn a_picture_comes_back() {
        let packed = pack(PICTURE).unwrap();
        assert!(packed.len() < PICTURE.len());
        assert!(is_packed(&packed));
        assert!(unpack(&packed).unwrap() == PICTURE);
    }

    #[test]
    fn what_would_fill_memory_is_neither_packed_nor_unpacked() {
        let mut huge = PICTURE.to_vec();
        made_huge(&mut huge);
        assert_eq!(pack(&huge), None);

        let packed = pack(PICTURE).unwrap();
        let length = packed[LENGTH_AT..HEAD_AT].try_into().unwrap();
        let end = HEAD_AT + u32::from_le_bytes(length) as usize;
        let mut head = Vec::new();
        let mut decoder = flate2::read::ZlibDecoder::new(&packed[HEAD_AT..end]);
        decoder.read_to_end(&mut head).unwrap();
        made_huge(&mut head);
        let mut encoder = flate2::read::ZlibEncoder::new(&head[..], flate2::Compression::fast());
        let mut again = Vec::new();
        encoder.read_to_end(&mut again).unwrap();
        let length = (again.len() as u32).to_le_bytes();
        let huge = [&packed[..LENGTH_AT], &length, &again, &packed[end..]].concat();
        let why = unpack(&huge).unwrap_err().to_string();
        assert!(why.contains("too large"), "{why}");
    }

    #[test]
    fn what_is_left_of_a_packed_picture_is_an_error_or_the_picture() {
        let packed = pack(PICTURE).unwrap();
        for length in (0..packed.len()).step_by(97) {
            assert!(unpack(&packed[..length]).is_err(), "{length}");
        }
    }

    proptest! {
        #[test]
        fn whatever_is_unpacked_ends(
            changes in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..20),
        ) {
            let mut packed = pack(PICTURE).unwrap();
            for (at, byte) in changes {
                let length = packed.len();
                packed[at.index(length)] = byte;
            }
            let _ = unpack(&packed);
        }

        #[test]
        fn whatever_is_packed_comes_back(
            changes in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..5),
        ) {
            let mut picture = PICTURE.to_vec();
            for (at, byte) in changes {
                picture[at.index(PICTURE.len())] = byte;
            }
            if let Some(packed) = pack(&picture) {
                prop_assert!(unpack(&packed).unwrap() == picture);
            }
        }
    }
}
