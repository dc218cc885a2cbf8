//! What is written can be read back, whole and record by record.

use crate::fixture::{damage, file, gzip_warc, records, response, walk, warc, world};
use proptest::prelude::*;
use std::io::Read;
use std::path::Path;
use varve_model::{Digest, DigestAlgorithm, HttpHead};
use varve_store::fs::FileSystem;
use varve_store::fs::sim::SimDisk;
use varve_store::http::{BodyReader, DecodeLimits};
use varve_store::warc::{
    Body, Compression, Compressor, NewRecord, Place, RecordType, Version, Wanted, WarcReader,
    WarcWriter,
};

fn compressors() -> Vec<(&'static str, Compressor)> {
    let dictionary = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n".repeat(40);
    vec![
        ("plain", Compressor::new(Compression::None)),
        ("gzip", Compressor::new(Compression::Gzip)),
        ("zstd", Compressor::new(Compression::Zstd)),
        (
            "zstd with a dictionary",
            Compressor::zstd_with_dictionary(dictionary),
        ),
    ]
}

#[test]
fn records_read_back_as_they_were_written_in_every_compression() {
    let bodies: [&[u8]; 4] = [b"one", b"", &[7; 300_000], b"\r\n\r\nWARC/1.1\r\n\r\n"];
    for (name, compressor) in compressors() {
        let bytes = warc(compressor, &bodies);
        let steps = walk(&bytes);
        assert_eq!(damage(&steps), [], "{name}");
        let read: Vec<u64> = records(&steps)
            .iter()
            .map(|r| r.head.content_length())
            .collect();
        let world = world();
        let block =
            |body: &&[u8]| response(world.as_ref(), "http://example.org/", body).block_len();
        let written: Vec<u64> = bodies.iter().map(block).collect();
        assert_eq!(read, written, "{name}");
    }
}

#[test]
fn a_record_is_the_same_whatever_is_thought_of_its_length() {
    let picture = noise(200_000);
    let bodies: [&[u8]; 3] = [b"one", &[7; 300_000], &picture];
    for (name, compressor) in compressors() {
        let bytes = warc(compressor, &bodies);
        for record in records(&walk(&bytes)) {
            let Place { offset, length } = record.place;
            let read = |wanted| one_block(&bytes, offset, wanted);
            let block = read(Wanted::Whole(length));
            assert_eq!(block.len() as u64, record.head.content_length(), "{name}");
            for other in [
                0,
                1,
                length / 2,
                length - 1,
                length + 1,
                length * 3,
                u64::MAX,
            ] {
                assert_eq!(read(Wanted::Whole(other)), block, "{name}: {other}");
            }
            assert_eq!(read(Wanted::Start), block, "{name}");
        }
    }
}

/// The block of the record at this place.
fn one_block(bytes: &[u8], offset: u64, wanted: Wanted) -> Vec<u8> {
    let mut reader = WarcReader::one(file(bytes), offset, wanted).unwrap();
    reader.next_head().unwrap().unwrap();
    let mut block = Vec::new();
    loop {
        let piece = reader.fill_block().unwrap();
        if piece.is_empty() {
            break;
        }
        block.extend_from_slice(piece);
        let length = piece.len();
        reader.consume_block(length);
    }
    reader.finish().unwrap();
    block
}

/// Bytes as a picture or a compressed body has them.
fn noise(length: usize) -> Vec<u8> {
    let mut state = 1_u64;
    let mut next = || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (state >> 56) as u8
    };
    (0..length).map(|_| next()).collect()
}

#[test]
fn what_cannot_be_deflated_is_stored_and_what_can_is_deflated() {
    let (picture, text) = (noise(200_000), b"words and words ".repeat(10_000));
    let alone = |body: &[u8]| gzip_warc(&[body]).len();
    let empty = alone(b"");
    // The head is deflated all the same: the blocks of the body are all that is added.
    let longer = alone(&picture) - empty - picture.len();
    assert!(longer < 100, "{longer}");
    assert!(alone(&text) - empty < text.len() / 50);

    let bytes = gzip_warc(&[&picture, &text, &picture[..1_500]]);
    let steps = walk(&bytes);
    assert_eq!(damage(&steps), []);
    let mut file = flate2::bufread::MultiGzDecoder::new(&bytes[..]);
    let mut unpacked = Vec::new();
    file.read_to_end(&mut unpacked).unwrap();
    let holds = |body: &[u8]| unpacked.windows(body.len()).any(|window| window == body);
    assert!(holds(&picture) && holds(&text));
}

#[test]
fn any_record_can_be_read_alone_by_its_offset() {
    for (name, compressor) in compressors() {
        let bytes = warc(compressor, &[b"first", b"second", b"third"]);
        for record in records(&walk(&bytes)) {
            let mut reader = WarcReader::at(file(&bytes), record.place.offset).unwrap();
            let head = reader.next_head().unwrap().unwrap();
            assert_eq!(head.record_id(), record.head.record_id(), "{name}");
        }
    }
}

#[test]
fn a_record_of_gigabytes_needs_no_memory_to_write_and_read() {
    // A sparse source: 3 GiB of zeros that are nowhere stored.
    #[derive(Debug)]
    struct Zeros;
    impl varve_store::fs::ReadAt for Zeros {
        fn read_at(&self, buf: &mut [u8], _: u64) -> std::io::Result<usize> {
            buf.fill(0);
            Ok(buf.len())
        }
        fn len(&self) -> std::io::Result<u64> {
            Ok(3 << 30)
        }
    }
    let disk = SimDisk::new();
    let path = Path::new("big.warc.gz");
    let mut writer = WarcWriter::new(
        disk.create(path).unwrap(),
        Compressor::new(Compression::Gzip),
    )
    .unwrap();
    let world = world();
    let mut record = response(world.as_ref(), "http://example.org/big", b"");
    record.body = Body::File {
        file: std::sync::Arc::new(Zeros),
        offset: 0,
        length: 3 << 30,
    };
    writer.append(&record).unwrap();
    assert!(writer.len() < 10 << 20);
    let mut reader = WarcReader::new(disk.open(path).unwrap()).unwrap();
    let head = reader.next_head().unwrap().unwrap();
    assert_eq!(head.content_length(), (3 << 30) + record.head.len() as u64);
    assert_eq!(reader.finish().unwrap().place.length, writer.len());
}

#[test]
fn arc_records_read_like_responses() {
    let arc = "filedesc://x.arc 0.0.0.0 20140102030405 text/plain 64\n1 0 Test\nURL IP-address Archive-date Content-type Archive-length\n\n\
        http://example.org/a b 10.0.0.1 20140102030406 text/html 46\nHTTP/1.0 200 OK\r\nContent-Type: text/html\r\n\r\nhi\n\n";
    let steps = walk(arc.as_bytes());
    let records = records(&steps);
    assert_eq!(records.len(), 2, "{steps:?}");
    assert_eq!(records[0].head.record_type(), RecordType::Warcinfo);
    assert_eq!(records[1].head.version(), Version::Arc);
    let capture = records[1].capture("x.arc").unwrap();
    assert_eq!(capture.url, "http://example.org/a%20b");
    assert_eq!(capture.timestamp.digits14(), "20140102030406");
    assert_eq!(
        (capture.status.as_deref(), capture.mime.as_deref()),
        (Some("200"), Some("text/html"))
    );
}

#[test]
fn all_record_types_keep_their_type() {
    use RecordType::*;
    let all = [
        Warcinfo,
        Response,
        Resource,
        Request,
        Metadata,
        Revisit,
        Conversion,
        Continuation,
    ];
    let disk = SimDisk::new();
    let world = world();
    let path = Path::new("all.warc");
    let mut writer = WarcWriter::new(
        disk.create(path).unwrap(),
        Compressor::new(Compression::None),
    )
    .unwrap();
    for record_type in all {
        let record = NewRecord {
            record_type,
            ..response(world.as_ref(), "urn:x", b"x")
        };
        writer.append(&record).unwrap();
    }
    let mut reader = WarcReader::new(disk.open(path).unwrap()).unwrap();
    for record_type in all {
        assert_eq!(
            reader.next_head().unwrap().unwrap().record_type(),
            record_type
        );
    }
}

#[test]
fn a_field_cannot_break_out_of_its_line() {
    let disk = SimDisk::new();
    let world = world();
    let path = Path::new("x.warc");
    let mut writer = WarcWriter::new(
        disk.create(path).unwrap(),
        Compressor::new(Compression::None),
    )
    .unwrap();
    let mut record = response(
        world.as_ref(),
        "http://example.org/\r\nWARC-Type: warcinfo",
        b"x",
    );
    record
        .fields
        .push(("WARC-Truncated", "length\r\nContent-Length: 0".into()));
    writer.append(&record).unwrap();
    let mut reader = WarcReader::new(disk.open(path).unwrap()).unwrap();
    let head = reader.next_head().unwrap().unwrap();
    assert_eq!(head.record_type(), RecordType::Response);
    assert_eq!(head.get_all("Content-Length").count(), 1);
}

fn coded(coding: &str, body: &[u8]) -> Vec<u8> {
    use std::io::Write;
    match coding {
        "gzip" => {
            let mut out = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
            out.write_all(body).unwrap();
            out.finish().unwrap()
        }
        "deflate" => {
            let mut out = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::fast());
            out.write_all(body).unwrap();
            out.finish().unwrap()
        }
        "raw deflate" => {
            let mut out =
                flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::fast());
            out.write_all(body).unwrap();
            out.finish().unwrap()
        }
        "br" => {
            let mut out = Vec::new();
            brotli::BrotliCompress(&mut &body[..], &mut out, &Default::default()).unwrap();
            out
        }
        "zstd" => zstd::encode_all(body, 3).unwrap(),
        other => panic!("{other}"),
    }
}

fn decode(
    fields: &[(&str, &str)],
    stored: &[u8],
    limits: DecodeLimits,
) -> std::io::Result<Vec<u8>> {
    let head = HttpHead::from_parts("HTTP/1.1 200 OK", fields);
    let mut body = Vec::new();
    BodyReader::new(&head, stored, limits).read_to_end(&mut body)?;
    Ok(body)
}

#[test]
fn content_codings_are_taken_off_on_demand() {
    let body = b"the same words again and again ".repeat(1000);
    for coding in ["gzip", "deflate", "raw deflate", "br", "zstd"] {
        let header = coding.trim_start_matches("raw ");
        let stored = coded(coding, &body);
        let plain = decode(
            &[("Content-Encoding", header)],
            &stored,
            DecodeLimits::default(),
        )
        .unwrap();
        assert_eq!(plain, body, "{coding}");
        let mut chunked = format!("{:x}\r\n", stored.len()).into_bytes();
        chunked.extend_from_slice(&stored);
        chunked.extend_from_slice(b"\r\n0\r\n\r\n");
        let fields = [
            ("Transfer-Encoding", "chunked"),
            ("Content-Encoding", header),
        ];
        assert_eq!(
            decode(&fields, &chunked, DecodeLimits::default()).unwrap(),
            body,
            "{coding}, chunked"
        );
    }
    let twice = coded("gzip", &coded("br", &body));
    assert_eq!(
        decode(
            &[("Content-Encoding", "br, gzip")],
            &twice,
            DecodeLimits::default()
        )
        .unwrap(),
        body
    );
    assert_eq!(
        decode(
            &[("Content-Encoding", "gzip")],
            b"not gzip",
            DecodeLimits::default()
        )
        .unwrap(),
        b"not gzip"
    );
}

#[test]
fn a_body_that_inflates_without_end_is_stopped() {
    let zeros = vec![0; 64 << 20];
    let limits = DecodeLimits {
        bytes: 1 << 30,
        ratio: 100,
        ratio_free: 1 << 20,
    };
    for coding in ["gzip", "deflate", "br", "zstd"] {
        let stored = coded(coding, &zeros);
        let error = decode(&[("Content-Encoding", coding)], &stored, limits).unwrap_err();
        assert!(error.to_string().contains("bomb"), "{coding}: {error}");
        let short = DecodeLimits {
            bytes: 1 << 20,
            ..DecodeLimits::default()
        };
        let error = decode(&[("Content-Encoding", coding)], &stored, short).unwrap_err();
        assert!(
            error.to_string().contains("longer than"),
            "{coding}: {error}"
        );
    }
}

proptest! {
    #[test]
    fn reading_any_bytes_ends_without_panic(bytes in proptest::collection::vec(any::<u8>(), 0..2000)) {
        walk(&bytes);
        walk(&[b"WARC/1.0\r\n", &bytes[..]].concat());
        walk(&[&[0x1f, 0x8b, 8, 0], &bytes[..]].concat());
        walk(&[&[0x28, 0xb5, 0x2f, 0xfd], &bytes[..]].concat());
    }

    #[test]
    fn a_flipped_bit_in_a_members_data_never_goes_unnoticed(bit in 0usize..100_000) {
        let bytes = gzip_warc(&[b"first body", b"second body", b"third body"]);
        let starts: Vec<u64> = records(&walk(&bytes)).iter().map(|record| record.place.offset).collect();
        let bit = bit % (bytes.len() * 8);
        let mut flipped = bytes.clone();
        flipped[bit / 8] ^= 1 << (bit % 8);
        // A gzip header's hint of text, time, extra flags and system say nothing about the content,
        // nor do the bits that fill up the last byte before the trailer.
        let ends = starts.iter().skip(1).copied().chain([bytes.len() as u64]);
        let says_nothing = starts.iter().zip(ends).any(|(start, end)| {
            (start + 3..start + 10).contains(&(bit as u64 / 8)) || bit as u64 / 8 == end - 9
        });
        if !says_nothing {
            prop_assert!(!damage(&walk(&flipped)).is_empty(), "bit {bit}");
        }
    }
}

/// Four chunked responses, of which the first two may share a gzip member.
fn chunked_records(payload_digest_of: &[u8], join_first: bool) -> Vec<u8> {
    let digest = Digest::of(DigestAlgorithm::Sha1, payload_digest_of).to_string();
    let http = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nbody\r\n0\r\n\r\n";
    let records: Vec<Vec<u8>> = (0..4)
        .map(|number| {
            let head = format!(
                "WARC/1.1\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:{number}>\r\n\
                 WARC-Date: 2026-01-02T03:04:05Z\r\nWARC-Target-URI: http://example.org/{number}\r\n\
                 WARC-Payload-Digest: {digest}\r\nContent-Length: {}\r\n\r\n",
                http.len()
            );
            [head.as_bytes(), http, b"\r\n\r\n"].concat()
        })
        .collect();
    let members = match join_first {
        true => vec![records[..2].concat(), records[2..].concat()],
        false => records,
    };
    members.iter().flat_map(|member| gzip(member)).collect()
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    use std::io::Write;
    let mut out = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    out.write_all(bytes).unwrap();
    out.finish().unwrap()
}

#[test]
fn the_payload_of_a_chunked_response_may_be_digested_with_or_without_its_framing() {
    let as_received = b"4\r\nbody\r\n0\r\n\r\n";
    for (payload, wrong) in [(&as_received[..], 0), (b"body", 0), (b"other", 4)] {
        for join in [false, true] {
            let steps = walk(&chunked_records(payload, join));
            let digests = damage(&steps);
            assert_eq!(records(&steps).len(), 4);
            assert_eq!(digests.len(), wrong, "{digests:?}");
        }
    }
}
