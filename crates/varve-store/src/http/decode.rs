//! The content of a body: chunk framing and content codings taken off, within limits.

use super::lepton::{LEPTON, Unpacking, is_packed};
use super::{Dechunker, content_codings, is_chunked};
use std::cell::Cell;
use std::io::{self, BufRead, BufReader, Read};
use std::rc::Rc;
use varve_model::HttpHead;

const ZSTD_WINDOW_LOG: u32 = 26;
const PIECE: usize = 32 * 1024;

/// How much a body may grow when its codings are taken off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DecodeLimits {
    /// Decoded bytes at most.
    pub bytes: u64,
    /// Decoded bytes per stored byte at most, once [`Self::ratio_free`] bytes came out.
    pub ratio: u64,
    /// Bytes that may come out whatever the ratio.
    pub ratio_free: u64,
}

impl Default for DecodeLimits {
    fn default() -> Self {
        DecodeLimits {
            bytes: 4 << 30,
            ratio: 1_000,
            ratio_free: 16 << 20,
        }
    }
}

/// A limit was reached. Found as the source of an [`io::Error`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DecodeError {
    /// More bytes came out than allowed.
    #[error("the decoded body is longer than {0} bytes")]
    TooLong(u64),
    /// The body grows implausibly.
    #[error("the body inflates more than {0} times: refused as a decompression bomb")]
    Bomb(u64),
}

/// Reads the content of a body.
pub struct BodyReader<'a> {
    decoded: Box<dyn Read + 'a>,
    stored: Rc<Cell<u64>>,
    limits: DecodeLimits,
    given: u64,
    unknown_coding: Option<String>,
}

impl<'a> BodyReader<'a> {
    /// Decodes `body` as `head` says. A coding that is not known ends the decoding there: the
    /// bytes come as they are under it ([`Self::unknown_coding`]).
    pub fn new(head: &HttpHead, body: impl Read + 'a, limits: DecodeLimits) -> BodyReader<'a> {
        let stored = Rc::new(Cell::new(0));
        let counted = Counted {
            inner: body,
            count: stored.clone(),
        };
        let mut decoded: Box<dyn Read + 'a> = match is_chunked(head) {
            true => Box::new(DechunkReader::new(counted)),
            false => Box::new(counted),
        };
        let mut unknown_coding = None;
        for coding in content_codings(head).into_iter().rev() {
            let buffered = BufReader::with_capacity(PIECE, decoded);
            match decoder(&coding, buffered) {
                Ok(next) => decoded = next,
                Err(undecoded) => {
                    decoded = undecoded;
                    unknown_coding = Some(coding);
                    break;
                }
            }
        }
        BodyReader {
            decoded,
            stored,
            limits,
            given: 0,
            unknown_coding,
        }
    }

    /// The coding that could not be taken off, if there was one.
    pub fn unknown_coding(&self) -> Option<&str> {
        self.unknown_coding.as_deref()
    }
}

impl Read for BodyReader<'_> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let read = self.decoded.read(buf)?;
        self.given += read as u64;
        if self.given > self.limits.bytes {
            return Err(io::Error::other(DecodeError::TooLong(self.limits.bytes)));
        }
        let over = self.given > self.limits.ratio_free;
        if over && self.given / self.limits.ratio.max(1) > self.stored.get() {
            return Err(io::Error::other(DecodeError::Bomb(self.limits.ratio)));
        }
        Ok(read)
    }
}

type Boxed<'a> = Box<dyn Read + 'a>;

/// The reader that takes off one coding, or the bytes back when the coding is not known or the
/// bytes are plainly not in it.
fn decoder<'a>(coding: &str, mut coded: BufReader<Boxed<'a>>) -> Result<Boxed<'a>, Boxed<'a>> {
    let first = first_bytes(&mut coded);
    match coding {
        "gzip" | "x-gzip" if first.starts_with(&[0x1f, 0x8b]) => {
            Ok(Box::new(flate2::bufread::MultiGzDecoder::new(coded)))
        }
        "deflate" if looks_like_zlib(&first) => {
            Ok(Box::new(flate2::bufread::ZlibDecoder::new(coded)))
        }
        "deflate" if !first.is_empty() => Ok(Box::new(flate2::bufread::DeflateDecoder::new(coded))),
        "br" if !first.is_empty() => Ok(Box::new(brotli_decompressor::Decompressor::new(
            coded, PIECE,
        ))),
        "zstd" if first.starts_with(&[0x28, 0xb5, 0x2f, 0xfd]) => match zstd_decoder(coded) {
            Ok(decoder) => Ok(decoder),
            Err(error) => Ok(Box::new(Failing(Some(error)))),
        },
        LEPTON if is_packed(&first) => Ok(Box::new(Unpacking::new(coded))),
        _ => Err(Box::new(coded)),
    }
}

fn zstd_decoder<'a>(coded: BufReader<Boxed<'a>>) -> io::Result<Boxed<'a>> {
    let mut decoder = zstd::stream::read::Decoder::with_buffer(coded)?;
    decoder.window_log_max(ZSTD_WINDOW_LOG)?;
    Ok(Box::new(decoder))
}

/// "deflate" means zlib by the standard, and raw deflate to some servers.
fn looks_like_zlib(first: &[u8]) -> bool {
    matches!(first, [a, b, ..] if a & 0x0f == 8 && (u16::from(*a) << 8 | u16::from(*b)) % 31 == 0)
}

fn first_bytes(coded: &mut BufReader<Boxed<'_>>) -> Vec<u8> {
    coded
        .fill_buf()
        .map(|bytes| bytes[..bytes.len().min(4)].to_vec())
        .unwrap_or_default()
}

struct Counted<R> {
    inner: R,
    count: Rc<Cell<u64>>,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buf)?;
        self.count.set(self.count.get() + read as u64);
        Ok(read)
    }
}

/// Fails once with the error that could not be told earlier.
struct Failing(Option<io::Error>);

impl Read for Failing {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        self.0.take().map_or(Ok(0), Err)
    }
}

struct DechunkReader<R> {
    inner: R,
    dechunker: Dechunker,
    ready: Vec<u8>,
    taken: usize,
}

impl<R: Read> DechunkReader<R> {
    fn new(inner: R) -> DechunkReader<R> {
        DechunkReader {
            inner,
            dechunker: Dechunker::new(),
            ready: Vec::new(),
            taken: 0,
        }
    }
}

impl<R: Read> Read for DechunkReader<R> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let mut piece = [0; PIECE];
        while self.taken == self.ready.len() {
            let read = self.inner.read(&mut piece)?;
            if read == 0 {
                return Ok(0);
            }
            self.ready.clear();
            self.taken = 0;
            let ready = &mut self.ready;
            self.dechunker
                .feed(&piece[..read], &mut |data| ready.extend_from_slice(data));
        }
        let count = buf.len().min(self.ready.len() - self.taken);
        buf[..count].copy_from_slice(&self.ready[self.taken..self.taken + count]);
        self.taken += count;
        Ok(count)
    }
}
