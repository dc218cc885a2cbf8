//! Damaged and hostile archive files: what is wrong is named with its place, what is readable is
//! kept, and nothing panics, hangs or fills memory.

use crate::fixture::{damage, gzip_warc, records, walk, warc};
use std::io::Write;
use varve_store::warc::{Compression, Compressor};

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut out = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    out.write_all(bytes).unwrap();
    out.finish().unwrap()
}

/// Where the second of three records starts.
fn second(bytes: &[u8]) -> usize {
    records(&walk(bytes))[1].place.offset as usize
}

#[track_caller]
fn check(name: &str, bytes: &[u8], readable: usize, expected: &[(u64, &str)]) {
    let steps = walk(bytes);
    let found = damage(&steps);
    assert_eq!(found.len(), expected.len(), "{name}: {found:?}");
    for ((offset, fault), (at, words)) in found.iter().zip(expected) {
        assert_eq!(offset, at, "{name}: {fault}");
        assert!(fault.contains(words), "{name}: {fault}");
    }
    assert_eq!(records(&steps).len(), readable, "{name}");
}

#[test]
fn damage_is_named_with_its_place_and_the_rest_is_read() {
    let whole = gzip_warc(&[b"first", b"second", b"third"]);
    let middle = second(&whole);
    let third = records(&walk(&whole))[2].place.offset as usize;

    check(
        "cut in the last member",
        &whole[..whole.len() - 5],
        2,
        &[(third as u64, "ends inside")],
    );
    check(
        "cut after the first byte of a member",
        &whole[..third + 1],
        2,
        &[(third as u64, "gzip")],
    );
    let mut flipped = whole.clone();
    flipped[middle + 40] ^= 0x10;
    let steps = walk(&flipped);
    assert_eq!(damage(&steps)[0].0, middle as u64);
    assert_eq!(
        records(&steps).len(),
        2,
        "the records before and after the damage are read"
    );
    let mut crc = whole.clone();
    crc[third - 8] ^= 1;
    check("wrong CRC", &crc, 2, &[(middle as u64, "CRC")]);
    let mut length = whole.clone();
    length[third - 1] ^= 1;
    check(
        "wrong length",
        &length,
        2,
        &[(middle as u64, "length field")],
    );
    let garbage = [&whole[..], b"garbage"].concat();
    check(
        "garbage at the end",
        &garbage,
        3,
        &[(whole.len() as u64, "no gzip member")],
    );
    let zeros = [&whole[..], &[0; 512]].concat();
    check(
        "zeros at the end",
        &zeros,
        3,
        &[(whole.len() as u64, "no gzip member")],
    );
    let between = [&whole[..middle], b"xx", &whole[middle..]].concat();
    check(
        "bytes between members",
        &between,
        3,
        &[(middle as u64, "no gzip member")],
    );
    let twice = [&whole[..], &whole[..]].concat();
    check("concatenated", &twice, 6, &[]);
    check("empty", b"", 0, &[]);
    check(
        "a text",
        b"Dear archive,\nplease keep this.\n",
        0,
        &[(0, "no WARC or ARC record")],
    );
}

#[test]
fn plain_files_are_walked_as_strictly() {
    let whole = warc(
        Compressor::new(Compression::None),
        &[b"first", b"second", b"third"],
    );
    let middle = second(&whole);
    let third = records(&walk(&whole))[2].place.offset as usize;

    check(
        "cut in a block",
        &whole[..whole.len() - 6],
        2,
        &[(third as u64, "ends after")],
    );
    check(
        "cut in a header",
        &whole[..third + 30],
        2,
        &[(third as u64, "inside a record's header")],
    );
    check(
        "cut before the line ends",
        &whole[..whole.len() - 4],
        3,
        &[(third as u64, "line ends")],
    );
    let text = String::from_utf8(whole.clone()).unwrap();
    let wrong = text.replacen("second", "sEcond", 1);
    check(
        "a changed body",
        wrong.as_bytes(),
        3,
        &[
            (middle as u64, "Block-Digest"),
            (middle as u64, "Payload-Digest"),
        ],
    );
    let negative = text.replacen("Content-Length: 8", "Content-Length: -8", 1);
    assert!(
        damage(&walk(negative.as_bytes()))[0]
            .1
            .contains("is no length")
    );
    let huge = text.replacen("Content-Length: ", "Content-Length: 9", 1);
    assert_eq!(damage(&walk(huge.as_bytes()))[0].0, 0);
    let nul = text.replacen("first", "f\0rst", 1);
    assert_eq!(damage(&walk(nul.as_bytes())).len(), 2);
}

#[test]
fn bombs_and_endless_headers_are_refused_quickly() {
    let endless_header = [b"WARC/1.0\r\nX: ".to_vec(), vec![b'a'; 100 << 20]].concat();
    check(
        "a header line of 100 MB",
        &endless_header,
        0,
        &[(0, "longer than 1048576 bytes")],
    );
    let packed = gzip(&endless_header);
    assert!(packed.len() < 200_000);
    check(
        "the same in 100 KB of gzip",
        &packed,
        0,
        &[(0, "longer than 1048576 bytes")],
    );
    let mut lying = b"WARC/1.0\r\nContent-Length: 5\r\n\r\nhello\r\n\r\n".to_vec();
    lying.extend(vec![b'z'; 1 << 30]);
    let packed = gzip(&lying);
    drop(lying);
    check(
        "a gigabyte behind a record",
        &packed,
        0,
        &[(0, "between the record's block")],
    );
    let honest = [
        b"WARC/1.0\r\nContent-Length: 1073741824\r\n\r\n".to_vec(),
        vec![0; 1 << 30],
        b"\r\n\r\n".to_vec(),
    ]
    .concat();
    let packed = gzip(&honest);
    drop(honest);
    check("a gigabyte of zeros that is one", &packed, 1, &[]);
}

#[test]
fn a_zstd_bomb_is_refused() {
    // A frame of run-length blocks: 4 bytes give 128 KiB, so 256 KiB give 8 GiB.
    let mut frame = vec![0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x58];
    let header = b"WARC/1.0\r\nContent-Length: 99999999999\r\n\r\n";
    frame.extend(&(((header.len() as u32) << 3).to_le_bytes()[..3]));
    frame.extend(header);
    let block = (128u32 << 10 << 3) | (1 << 1);
    for _ in 0..65_536 {
        frame.extend(&block.to_le_bytes()[..3]);
        frame.push(b'x');
    }
    check("zstd bomb", &frame, 0, &[(0, "bomb")]);
}

#[test]
fn records_that_share_a_member_are_read_and_noted() {
    let plain = warc(
        Compressor::new(Compression::None),
        &[b"first", b"second", b"third"],
    );
    let steps = walk(&gzip(&plain));
    assert_eq!(records(&steps).len(), 3);
    assert!(records(&steps).iter().all(|record| record.shares_member));
    assert_eq!(damage(&steps), []);
}

#[test]
fn wild_headers_are_read_with_notes() {
    let wild = b"WARC/0.18\nWARC-Type: resource\nwarc-target-uri: <http://example.org/a b>\nX-Folded: one\n two\nno colon here\nWARC-Date: 2014-01-02T03:04:05Z\nContent-Type: text/plain\nContent-Length: 2\n\nhi\n\n";
    let steps = walk(wild);
    assert_eq!(damage(&steps), []);
    let record = records(&steps)[0];
    assert_eq!(
        record.head.target_uri().as_deref(),
        Some("http://example.org/a%20b")
    );
    assert_eq!(record.head.get("x-folded").as_deref(), Some("one two"));
    let notes: Vec<String> = record.faults.iter().map(ToString::to_string).collect();
    assert_eq!(notes.len(), 4, "{notes:?}");
}

#[test]
fn files_made_of_false_starts_are_given_up() {
    let started = std::time::Instant::now();
    let magic = [b"\x1f\x8b\x08\x00".repeat(1 << 20), gzip_warc(&[b"hidden"])].concat();
    assert_eq!(damage(&walk(&magic)).len(), 1);
    let versions = b"\nWARC/1.".repeat(1 << 20);
    assert!(damage(&walk(&versions)).len() < 10, "headers without end");
    let headers = b"WARC/1.0\r\n\r\n".repeat(1 << 18);
    assert_eq!(damage(&walk(&headers)).len(), 10_000);
    let frames = b"\x28\xb5\x2f\xfd\x00".repeat(1 << 20);
    assert_eq!(damage(&walk(&frames)).len(), 1);
    assert!(
        started.elapsed().as_secs() < 60,
        "took {:?}",
        started.elapsed()
    );
}
