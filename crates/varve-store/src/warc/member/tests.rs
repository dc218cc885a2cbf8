//! Members inflated as a whole and members streamed are the same members.

use super::*;
use crate::fs::FileSystem;
use crate::fs::sim::SimDisk;
use flate2::write::GzEncoder;
use flate2::{Compression, GzBuilder};
use proptest::prelude::*;
use std::io::Write;
use std::path::Path;

/// What a walk comes across: where it starts, what could be read, and where it ends or the fault.
type Seen = (u64, Vec<u8>, Result<u64, String>);

fn file_of(bytes: &[u8]) -> Arc<dyn ReadAt> {
    let disk = SimDisk::new();
    let mut file = disk.create(Path::new("file")).unwrap();
    file.append(bytes).unwrap();
    disk.open(Path::new("file")).unwrap()
}

/// Walks over all members; after damage goes on at the next place that looks like one.
fn walk(bytes: &[u8], walk: Walk) -> Vec<Seen> {
    let mut members = Members::open(file_of(bytes), 0, bytes.len() as u64).unwrap();
    members.walk = walk;
    let mut seen = Vec::new();
    loop {
        let mut read = Vec::new();
        let end = match read_member(&mut members, &mut read) {
            Ok(false) => return seen,
            Ok(true) => Ok(members.position()),
            Err(error) => Err(format!("{error:?}")),
        };
        let start = members.member_start();
        let is_sound = end.is_ok();
        seen.push((start, read, end));
        if !is_sound {
            let from = start as usize + 1;
            let next = memchr::memmem::find(&bytes[from..], &[0x1f, 0x8b, 8]);
            members.jump(next.map_or(bytes.len(), |at| from + at) as u64);
        }
    }
}

fn read_member(members: &mut Members, read: &mut Vec<u8>) -> Result<bool, ReadError> {
    if !members.begin()? {
        return Ok(false);
    }
    loop {
        let bytes = members.fill()?;
        let length = bytes.len();
        if length == 0 {
            return Ok(true);
        }
        read.extend_from_slice(bytes);
        members.consume(length);
    }
}

fn whole() -> Walk {
    Walk::GoesOn(Box::new(Inflate::new()))
}

/// Both ways see the same. How much is given of a damaged member before its fault depends on what
/// happens to be buffered, so of those one way may have more.
fn same(bytes: &[u8]) -> Vec<Seen> {
    let (seen, streamed) = (walk(bytes, whole()), walk(bytes, Walk::Streams));
    assert_eq!(seen.len(), streamed.len());
    for ((start, read, end), (other_start, other_read, other_end)) in seen.iter().zip(&streamed) {
        assert_eq!((start, end), (other_start, other_end));
        let common = match end {
            Ok(_) => read.len().max(other_read.len()),
            Err(_) => read.len().min(other_read.len()),
        };
        assert!(
            read.get(..common) == other_read.get(..common),
            "the member at {start} differs"
        );
    }
    seen
}

fn gzip(content: &[u8], level: u32, header: GzBuilder) -> Vec<u8> {
    let mut encoder: GzEncoder<Vec<u8>> = header.write(Vec::new(), Compression::new(level));
    encoder.write_all(content).unwrap();
    encoder.finish().unwrap()
}

/// Bytes that do not compress, the same for the same seed.
fn noise(length: usize, seed: u64) -> Vec<u8> {
    let mut state = seed | 1;
    let step = |_| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (state >> 56) as u8
    };
    (0..length).map(step).collect()
}

#[test]
fn members_of_all_sizes_are_the_same_in_both_ways() {
    let text = b"<p>some text that is not so short</p>\n";
    let contents = [
        vec![],
        b"WARC/1.1\r\n".to_vec(),
        noise(300_000, 1),    // more than is buffered at first
        text.repeat(30_000),  // inflates to more than there is room for at first
        noise(1_000_000, 2),  // barely fits
        noise(1_500_000, 3),  // too long
        text.repeat(150_000), // inflates to too much
        b"the last".to_vec(),
    ];
    let file: Vec<u8> = contents
        .iter()
        .flat_map(|content| gzip(content, 6, GzBuilder::new()))
        .collect();
    let seen = same(&file);
    assert_eq!(seen.len(), contents.len());
    for ((_, read, end), content) in seen.iter().zip(&contents) {
        assert!(read == content && end.is_ok());
    }
}

#[test]
fn members_are_inflated_as_a_whole() {
    let check = |content: &[u8], header: GzBuilder, expected: bool| {
        let file = gzip(content, 6, header);
        let mut source = Window::new(file_of(&file), 0, file.len() as u64);
        let mut out = vec![0; OUTPUT];
        let whole = whole::inflate_member(&mut Inflate::new(), &mut source, &mut out).unwrap();
        assert_eq!(whole, expected.then_some(content.len()));
        // Nothing is taken of what is not.
        assert_eq!(
            source.position(),
            if expected { file.len() as u64 } else { 0 }
        );
    };
    check(b"", GzBuilder::new(), true);
    check(b"some text", GzBuilder::new(), true);
    check(b"some text", GzBuilder::new().extra(vec![7; 300]), true);
    check(b"some text", GzBuilder::new().filename("name"), false);
    check(b"some text", GzBuilder::new().comment("comment"), false);
    check(&noise(1_000_000, 4), GzBuilder::new(), true);
    check(&noise(1_500_000, 5), GzBuilder::new(), false);
    check(&[b'a'; 4_000_000], GzBuilder::new(), true);
    check(&[b'a'; 5_000_000], GzBuilder::new(), false);
}

#[derive(Clone, Debug)]
enum Part {
    Member {
        content: Vec<u8>,
        level: u32,
        header: u8,
    },
    /// A member that is sound but for its trailer, which is here after some more bytes.
    LateTrailer {
        content: Vec<u8>,
        between: Vec<u8>,
    },
    /// A stored member that holds its own trailer, and what looks like another member.
    HoldsTrailer {
        content: Vec<u8>,
    },
    Garbage(Vec<u8>),
    FalseMagic(Vec<u8>),
}

impl Part {
    fn bytes(&self) -> Vec<u8> {
        match self {
            Part::Member {
                content,
                level,
                header,
            } => gzip(content, *level, header_of(*header)),
            Part::LateTrailer { content, between } => {
                let mut member = gzip(content, 6, GzBuilder::new());
                let trailer = member.split_off(member.len() - 8);
                [member, between.clone(), trailer].concat()
            }
            Part::HoldsTrailer { content } => {
                let length = (content.len() as u32 + 12).to_le_bytes();
                let held = [&[0x1f, 0x8b, 8, 0][..], &length, &length, content].concat();
                gzip(&held, 0, GzBuilder::new())
            }
            Part::Garbage(bytes) => bytes.clone(),
            Part::FalseMagic(bytes) => [&[0x1f, 0x8b, 8, 0][..], bytes].concat(),
        }
    }
}

fn header_of(kind: u8) -> GzBuilder {
    match kind {
        0 => GzBuilder::new().filename("a name"),
        1 => GzBuilder::new()
            .extra(vec![0x1f, 0x8b, 8])
            .comment("a comment"),
        2 => GzBuilder::new().extra(vec![1; 70]),
        _ => GzBuilder::new(),
    }
}

fn content() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        4 => "(WARC/1\\.1\r\n[a-z: \r\n]{0,300}){0,4}".prop_map(String::into_bytes),
        2 => prop::collection::vec(any::<u8>(), 0..600),
        1 => (any::<u64>(), 0..400_000_usize).prop_map(|(seed, length)| noise(length, seed)),
        1 => (any::<u8>(), 0..700_000_usize).prop_map(|(byte, length)| vec![byte; length]),
    ]
}

fn part() -> impl Strategy<Value = Part> {
    let few = || prop::collection::vec(any::<u8>(), 0..40);
    prop_oneof![
        8 => (content(), 0..10_u32, 0..8_u8)
            .prop_map(|(content, level, header)| Part::Member { content, level, header }),
        1 => (content(), few()).prop_map(|(content, between)| Part::LateTrailer { content, between }),
        1 => few().prop_map(|content| Part::HoldsTrailer { content }),
        1 => few().prop_map(Part::Garbage),
        1 => few().prop_map(Part::FalseMagic),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]
    #[test]
    fn both_ways_see_the_same(
        parts in prop::collection::vec(part(), 1..8),
        cut in prop::option::of(any::<prop::sample::Index>()),
        flips in prop::collection::vec((any::<prop::sample::Index>(), 0..8_u8), 0..4),
    ) {
        let mut bytes = gzip(b"the first, by which the file is known", 6, GzBuilder::new());
        bytes.extend(parts.iter().flat_map(Part::bytes));
        for (at, bit) in flips {
            let at = at.index(bytes.len());
            bytes[at] ^= 1_u8 << bit;
        }
        bytes.truncate(cut.map_or(bytes.len(), |cut| cut.index(bytes.len())));
        prop_assume!(detect(&bytes) == super::Compression::Gzip);
        same(&bytes);
    }
}
