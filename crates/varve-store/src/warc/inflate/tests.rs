use super::*;
use flate2::{Compress, Compression, Decompress, FlushCompress, FlushDecompress, Status};
use proptest::prelude::*;

const OUT: usize = 512 * 1024;

fn padded(input: &[u8]) -> Vec<u8> {
    [input, &[0xa5; PADDING]].concat()
}

fn ours(input: &[u8]) -> Result<(usize, Vec<u8>), Stop> {
    let mut out = vec![0; OUT];
    let done = Inflate::new().run(&padded(input), &mut out)?;
    out.truncate(done.written);
    Ok((done.read, out))
}

/// What the streaming decoder makes of it, if it comes to an end.
fn streamed(input: &[u8]) -> Option<(usize, Vec<u8>)> {
    let mut inflate = Decompress::new(false);
    let mut out = vec![0; OUT];
    let status = inflate.decompress(input, &mut out, FlushDecompress::None);
    out.truncate(inflate.total_out() as usize);
    (status.ok()? == Status::StreamEnd).then_some((inflate.total_in() as usize, out))
}

/// Whatever we take, the streaming decoder takes in the same way.
fn never_lenient(input: &[u8]) {
    if let Ok(taken) = ours(input) {
        assert_eq!(Some(taken), streamed(input), "{input:02x?}");
    }
}

/// Deflates in pieces, each ended by a flush of its own.
fn deflate(pieces: &[Vec<u8>], level: u32) -> Vec<u8> {
    let mut compress = Compress::new(Compression::new(level), false);
    let mut out = Vec::with_capacity(OUT * 2);
    for (number, piece) in pieces.iter().enumerate() {
        let flush = match (number + 1 == pieces.len(), number % 3) {
            (true, _) => FlushCompress::Finish,
            (_, 0) => FlushCompress::Sync,
            (_, 1) => FlushCompress::Full,
            (_, _) => FlushCompress::Partial,
        };
        compress.compress_vec(piece, &mut out, flush).unwrap();
    }
    out
}

fn content() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        prop::collection::vec(any::<u8>(), 0..3000),
        "[a-d]{0,3000}".prop_map(String::into_bytes),
        "(<li class=\"[a-z]{1,9}\">[a-zA-Z ,.]{0,30}</li>\n){0,60}".prop_map(String::into_bytes),
        (any::<u8>(), 0..60_000_usize).prop_map(|(byte, count)| vec![byte; count]),
        (prop::collection::vec(any::<u8>(), 1..40), 1..900_usize)
            .prop_map(|(unit, count)| unit.repeat(count)),
    ]
}

fn stream() -> impl Strategy<Value = Vec<u8>> {
    (prop::collection::vec(content(), 1..4), 0..10_u32)
        .prop_map(|(pieces, level)| deflate(&pieces, level))
}

proptest! {
    #[test]
    fn sound_streams_are_taken(stream in stream(), behind in prop::collection::vec(any::<u8>(), 0..20)) {
        let expected = streamed(&stream);
        prop_assert!(expected.is_some());
        prop_assert_eq!(ours(&[stream, behind].concat()).ok(), expected);
    }

    #[test]
    fn streams_come_in_parts(stream in stream(), cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..4)) {
        let mut cuts: Vec<_> = cuts.iter().map(|cut| cut.index(stream.len())).collect();
        cuts.sort_unstable();
        let (mut inflate, mut out) = (Inflate::new(), vec![0; 300]);
        cuts.push(stream.len());
        let mut done = Err(Stop::Input);
        for cut in cuts {
            loop {
                done = inflate.run(&padded(&stream[..cut]), &mut out);
                if done != Err(Stop::Output) {
                    break;
                }
                out.resize(out.len() * 2, 0);
            }
            prop_assert!(cut == stream.len() || done == Err(Stop::Input), "{:?} at {}", done, cut);
        }
        let (read, bytes) = streamed(&stream).unwrap();
        prop_assert_eq!(done, Ok(Inflated { read, written: bytes.len() }));
        prop_assert_eq!(&out[..bytes.len()], &bytes[..]);
    }

    #[test]
    fn damaged_streams_are_not_taken_for_sound(
        mut stream in stream(),
        flips in prop::collection::vec((any::<prop::sample::Index>(), 0..8_u8), 1..4),
    ) {
        for (at, bit) in flips {
            let at = at.index(stream.len());
            stream[at] ^= 1_u8 << bit;
        }
        never_lenient(&stream);
    }

    #[test]
    fn noise_is_not_taken_for_sound(mut noise in prop::collection::vec(any::<u8>(), 1..200), kind in 0..3_u8) {
        noise[0] = noise[0] & !7 | kind << 1 | 1;
        never_lenient(&noise);
    }

    #[test]
    fn odd_codes_are_not_taken_for_sound(
        counts in (0..32_u32, 0..32_u32),
        first in prop::collection::vec(prop_oneof![Just(0_u32), 1..4_u32], 19),
        noise in prop::collection::vec(any::<u8>(), 0..300),
    ) {
        let mut bits = Written::default();
        bits.put(&[(1, 1), (2, 2), (counts.0, 5), (counts.1, 5), (15, 4)]);
        for length in first {
            bits.put(&[(length, 3)]);
        }
        never_lenient(&[bits.finish(), noise].concat());
    }
}

/// Bits as deflate writes them; codewords come with their bits in reverse.
#[derive(Default)]
struct Written {
    bytes: Vec<u8>,
    used: usize,
}

impl Written {
    fn put(&mut self, fields: &[(u32, u32)]) {
        for (value, count) in fields {
            for bit in 0..*count {
                if self.used.is_multiple_of(8) {
                    self.bytes.push(0);
                }
                let last = self.bytes.len() - 1;
                self.bytes[last] |= ((value >> bit & 1) as u8) << (self.used % 8);
                self.used += 1;
            }
        }
    }

    fn finish(self) -> Vec<u8> {
        self.bytes
    }
}

/// A last block with codes of its own: the literal `a` (0), the end (10), a length of 3 (11), and
/// one distance of one bit, or none.
fn one_distance(has_distance: bool, body: &[(u32, u32)]) -> Vec<u8> {
    let mut bits = Written::default();
    bits.put(&[(1, 1), (2, 2), (1, 5), (0, 5), (14, 4)]);
    // Lengths 0 and 1 by two bits, 2 by two, 18 by two: every symbol of the first code has two.
    for symbol in [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1] {
        bits.put(&[(
            if [0, 1, 2, 18].contains(&symbol) {
                2
            } else {
                0
            },
            3,
        )]);
    }
    let (none, one, two, zeros) = ((0b00, 2), (0b10, 2), (0b01, 2), (0b11, 2));
    bits.put(&[
        zeros,
        (97 - 11, 7),
        one,
        zeros,
        (127, 7),
        zeros,
        (20 - 11, 7),
        two,
        two,
    ]);
    bits.put(&[if has_distance { one } else { none }]);
    bits.put(body);
    bits.finish()
}

#[test]
fn incomplete_codes_are_read_as_zlib_does() {
    let (a, end, again) = ((0, 1), (0b01, 2), (0b11, 2));
    let check = |has_distance, body: &[(u32, u32)], expected: Option<&[u8]>| {
        let stream = one_distance(has_distance, body);
        let taken = ours(&stream).ok().map(|(_, bytes)| bytes);
        assert_eq!(taken.as_deref(), expected, "{body:?}");
        let other = streamed(&stream).map(|(_, bytes)| bytes);
        assert_eq!(other.as_deref(), expected, "{body:?}");
    };
    check(true, &[a, a, end], Some(b"aa"));
    check(true, &[a, again, (0, 1), end], Some(b"aaaa"));
    check(true, &[a, again, (1, 1), end], None);
    check(false, &[a, end], Some(b"a"));
    check(false, &[a, again, (0, 1), end], None);
}

#[test]
fn what_the_format_forbids_is_not_taken() {
    let fixed = |fields: &[(u32, u32)]| {
        let mut bits = Written::default();
        bits.put(&[(1, 1), (1, 2), (0b0000_1100, 8)]);
        bits.put(fields);
        bits.finish()
    };
    // The end, and lengths of 3 and of the symbols 286 and 287, in fixed codes.
    let (end, three, symbol_286, symbol_287) = ((0, 7), (64, 7), (0x63, 8), (0xe3, 8));
    let check = |stream: Vec<u8>, expected: Option<usize>| {
        never_lenient(&stream);
        assert_eq!(ours(&stream).ok().map(|(_, bytes)| bytes.len()), expected);
    };
    check(fixed(&[end]), Some(1));
    check(fixed(&[three, (0, 5), end]), Some(4));
    check(fixed(&[three, (16, 5), end]), None); // further back than the start
    check(fixed(&[three, (0b01111, 5), end, (0, 20)]), None); // distance symbol 30
    check(fixed(&[three, (0b11111, 5), end, (0, 20)]), None); // distance symbol 31
    check(fixed(&[symbol_286, (0, 5), end]), None);
    check(fixed(&[symbol_287, (0, 5), end]), None);
    check(vec![0b111, 0, 0, 0], None); // the fourth kind of block
    check(vec![1, 2, 0, 0xfd, 0xff, b'a', b'b'], Some(2));
    check(vec![1, 2, 0, 0xfd, 0xfe, b'a', b'b'], None);
}
