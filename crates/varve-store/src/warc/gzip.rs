//! One gzip member at a time (RFC 1952), every byte of it checked.
//!
//! The header and the trailer are read by hand rather than by the library because damage must be
//! told apart: a cut file, a flipped bit and a file that was never gzip call for different advice.

use super::fault::Fault;
use super::member::{Broken, Progress};
use super::window::Window;
use flate2::{Decompress, FlushDecompress, Status};

pub(crate) const FLAG_TEXT: u8 = 1;
const FLAG_HEADER_CRC: u8 = 2;
pub(crate) const FLAG_EXTRA: u8 = 4;
const FLAG_NAME: u8 = 8;
const FLAG_COMMENT: u8 = 16;
const RESERVED_FLAGS: u8 = 0xe0;
/// Names and comments in the header are unbounded in the format; nobody needs more than this.
const MAX_HEADER: usize = 64 * 1024;

/// The state of inflating one member.
pub(crate) struct Gzip {
    /// Large, and not needed by members that are inflated in one go.
    inflate: Option<Decompress>,
    crc: crc32fast::Hasher,
    length: u64,
}

impl Gzip {
    pub(crate) fn new() -> Gzip {
        Gzip {
            inflate: None,
            crc: crc32fast::Hasher::new(),
            length: 0,
        }
    }

    /// Reads the header of the member that starts at the window's position.
    pub(crate) fn begin(&mut self, source: &mut Window) -> Result<(), Broken> {
        if let Some(inflate) = &mut self.inflate {
            inflate.reset(false);
        }
        self.crc.reset();
        self.length = 0;
        Header {
            source,
            crc: crc32fast::Hasher::new(),
            read: 0,
        }
        .check()
    }

    /// Inflates the next bytes into `out`; at the end of the member its trailer is checked.
    pub(crate) fn read(&mut self, source: &mut Window, out: &mut [u8]) -> Result<Progress, Broken> {
        let inflate = self.inflate.get_or_insert_with(|| Decompress::new(false));
        loop {
            let input = source.fill()?;
            if input.is_empty() {
                return Err(Fault::TruncatedMember.into());
            }
            let (in_before, out_before) = (inflate.total_in(), inflate.total_out());
            let status = inflate
                .decompress(input, out, FlushDecompress::None)
                .map_err(|_| Fault::BadDeflate)?;
            let consumed = (inflate.total_in() - in_before) as usize;
            let produced = (inflate.total_out() - out_before) as usize;
            source.consume(consumed);
            self.crc.update(&out[..produced]);
            self.length += produced as u64;
            if status == Status::StreamEnd {
                self.check_trailer(source)?;
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
                return Err(Fault::BadDeflate.into());
            }
        }
    }

    fn check_trailer(&mut self, source: &mut Window) -> Result<(), Broken> {
        let trailer = source.peek(8)?;
        let Some(trailer) = trailer.first_chunk::<8>() else {
            return Err(Fault::TruncatedMember.into());
        };
        let (crc, length) = trailer.split_at(4);
        if crc != self.crc.clone().finalize().to_le_bytes() {
            return Err(Fault::WrongCrc.into());
        }
        // The format keeps the length modulo 2^32.
        if length != (self.length as u32).to_le_bytes() {
            return Err(Fault::WrongMemberLength.into());
        }
        source.consume(8);
        Ok(())
    }
}

/// Whether these bytes can start a gzip member: magic, method, no reserved flags.
pub(crate) fn looks_like_member(bytes: &[u8]) -> bool {
    matches!(bytes, [0x1f, 0x8b, 8, flags, ..] if flags & RESERVED_FLAGS == 0)
}

struct Header<'a> {
    source: &'a mut Window,
    crc: crc32fast::Hasher,
    read: usize,
}

impl Header<'_> {
    fn check(mut self) -> Result<(), Broken> {
        if !looks_like_member(self.source.peek(4)?) {
            return Err(Fault::BadGzipHeader.into());
        }
        let fixed: [u8; 10] = self.take()?;
        let flags = fixed[3];
        if flags & FLAG_EXTRA != 0 {
            let length: [u8; 2] = self.take()?;
            for _ in 0..u16::from_le_bytes(length) {
                self.take::<1>()?;
            }
        }
        for text in [FLAG_NAME, FLAG_COMMENT] {
            if flags & text != 0 {
                while self.take::<1>()? != [0] {}
            }
        }
        if flags & FLAG_HEADER_CRC != 0 {
            let expected = (self.crc.clone().finalize() as u16).to_le_bytes();
            if self.take::<2>()? != expected {
                return Err(Fault::WrongCrc.into());
            }
        }
        Ok(())
    }

    fn take<const N: usize>(&mut self) -> Result<[u8; N], Broken> {
        self.read += N;
        if self.read > MAX_HEADER * 2 {
            return Err(Fault::BadGzipHeader.into());
        }
        let bytes = *self
            .source
            .peek(N)?
            .first_chunk::<N>()
            .ok_or(Fault::TruncatedMember)?;
        self.source.consume(N);
        self.crc.update(&bytes);
        Ok(bytes)
    }
}
