//! A gzip member that fits into memory, inflated in one go.
//!
//! For speed alone: a member that this takes is one that [`Gzip`](super::gzip::Gzip) takes, with
//! the same bytes and the same end, since
//! - its header has only parts in which nothing can be wrong: no checksum of its own, and no texts
//!   that could be without end;
//! - its deflate stream is one by the strictest reading ([`Inflate`]);
//! - its checksum and length are those of the trailer that follows the stream.
//!
//! Of anything else nothing is taken and nothing said, and the member is streamed from its start.
//! So the work done in vain is at most about what streaming does anyway.

use super::gzip::{FLAG_EXTRA, FLAG_TEXT, looks_like_member};
use super::inflate::{Inflate, Stop};
use super::window::Window;
use std::io;

const MAX_COMPRESSED: usize = 1024 * 1024;
const MAX_INFLATED: usize = 4 * 1024 * 1024;
const TRAILER: usize = 8;

/// Inflates the member at the window's position into `out` and consumes it. Returns its inflated
/// length, or `None` when it must be streamed.
pub(crate) fn inflate_member(
    inflate: &mut Inflate,
    source: &mut Window,
    out: &mut Vec<u8>,
) -> io::Result<Option<usize>> {
    let Some(header) = header_length(source.peek(12)?) else {
        return Ok(None);
    };
    inflate.start();
    loop {
        let stop = match source.padded().get(header..) {
            Some(body) if source.held() > header => match inflate.run(body, out) {
                Ok(stream) if header + stream.read + TRAILER <= source.held() => {
                    let trailer = header + stream.read;
                    return Ok(finish(source, trailer, &out[..stream.written]));
                }
                Ok(_) => Stop::Input,
                Err(stop) => stop,
            },
            _ => Stop::Input,
        };
        let can_go_on = match stop {
            Stop::Input => source.extend(MAX_COMPRESSED)?,
            Stop::Output => grow(out),
            Stop::Unsure => false,
        };
        if !can_go_on {
            return Ok(None);
        }
    }
}

/// The length of a header that has only fixed fields and perhaps an extra one.
fn header_length(start: &[u8]) -> Option<usize> {
    if !looks_like_member(start) {
        return None;
    }
    match start {
        [_, _, _, flags, ..] if flags & !FLAG_TEXT == 0 => Some(10),
        [_, _, _, flags, _, _, _, _, _, _, low, high, ..]
            if flags & !(FLAG_TEXT | FLAG_EXTRA) == 0 =>
        {
            Some(12 + usize::from(u16::from_le_bytes([*low, *high])))
        }
        _ => None,
    }
}

fn finish(source: &mut Window, trailer: usize, inflated: &[u8]) -> Option<usize> {
    let found = source.padded().get(trailer..)?.first_chunk::<TRAILER>()?;
    let (crc, length) = found.split_at(4);
    let is_sound = crc == crc32fast::hash(inflated).to_le_bytes()
        && length == (inflated.len() as u32).to_le_bytes();
    is_sound.then(|| {
        source.consume(trailer + TRAILER);
        inflated.len()
    })
}

fn grow(out: &mut Vec<u8>) -> bool {
    let may_grow = out.len() < MAX_INFLATED;
    if may_grow {
        out.resize((out.len() * 2).min(MAX_INFLATED), 0);
    }
    may_grow
}
