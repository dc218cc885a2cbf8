//! The symbols of a block: literals, and matches with what came before. Nearly all the time of
//! inflating is spent here.

use super::Stop;
use super::bits::Bits;
use super::code::{END, EXCEPTION, LITERAL};
use super::codes::Codes;

/// Copying goes by as many bytes, whatever the length.
const CHUNK: usize = 32;
/// What one step may write: literals, then the longest match, up to a chunk too much.
const ROOM: usize = 3 + 258 + CHUNK;

/// What a step came to, if not to the next one.
enum Halt {
    End,
    Stop(Stop),
}

impl From<Stop> for Halt {
    fn from(stop: Stop) -> Halt {
        Halt::Stop(stop)
    }
}

/// The symbols of a block whose codes are known.
pub(super) fn inflate(
    codes: &Codes,
    bits: &mut Bits,
    padded: &[u8],
    out: &mut [u8],
    written: &mut usize,
) -> Result<(), Stop> {
    // Copies, which can live in registers: what a reference leads to is in memory.
    let (mut here, mut at) = (*bits, *written);
    let result = here.refill(padded).and_then(|()| {
        let mut entry = codes.literals.look_up(here.peek());
        loop {
            match step(codes, &mut here, padded, out, &mut at, entry) {
                Ok(next) => entry = next,
                Err(Halt::End) => return Ok(()),
                Err(Halt::Stop(stop)) => return Err(stop),
            }
        }
    });
    (*bits, *written) = (here, at);
    result
}

/// Writes up to three literals, or up to two and a match, and gives the entry that follows. The
/// entry is looked up before the match is copied, so that waiting for memory and copying overlap.
#[inline(always)]
fn step(
    codes: &Codes,
    bits: &mut Bits,
    padded: &[u8],
    out: &mut [u8],
    at: &mut usize,
    mut entry: u32,
) -> Result<u32, Halt> {
    let rest = out.get_mut(*at..);
    let room = rest.and_then(|rest| rest.first_chunk_mut::<ROOM>());
    let Some(room) = room else {
        return Err(Stop::Output.into());
    };
    if entry & LITERAL != 0 {
        entry = literal(codes, bits, &mut room[0], entry);
        *at += 1;
        if entry & LITERAL != 0 {
            entry = literal(codes, bits, &mut room[1], entry);
            *at += 1;
            if entry & LITERAL != 0 {
                room[2] = (entry >> 16) as u8;
                bits.skip(entry);
                *at += 1;
                return next(codes, bits, padded);
            }
        }
        bits.refill(padded)?;
    }
    if entry & EXCEPTION != 0 {
        entry = exception(codes, bits, entry)?;
        if entry & LITERAL != 0 {
            out[*at] = (entry >> 16) as u8;
            bits.skip(entry);
            *at += 1;
            return next(codes, bits, padded);
        }
    }
    let length = value(bits, entry);
    let mut entry = codes.distances.look_up(bits.peek());
    if entry & EXCEPTION != 0 {
        entry = rare_distance(codes, bits)?;
    }
    let distance = value(bits, entry);
    let following = next(codes, bits, padded)?;
    copy(out, *at, distance, length)?;
    *at += length;
    Ok(following)
}

#[inline(always)]
fn next(codes: &Codes, bits: &mut Bits, padded: &[u8]) -> Result<u32, Halt> {
    bits.refill(padded)?;
    Ok(codes.literals.look_up(bits.peek()))
}

#[inline(always)]
fn literal(codes: &Codes, bits: &mut Bits, place: &mut u8, entry: u32) -> u32 {
    *place = (entry >> 16) as u8;
    bits.skip(entry);
    codes.literals.look_up(bits.peek())
}

/// The value of a length or distance: that of its codeword and its extra bits.
#[inline(always)]
fn value(bits: &mut Bits, entry: u32) -> usize {
    let word_and_extra = bits.peek() & !(u64::MAX << (entry & 63));
    let extra = word_and_extra >> (entry >> 8 & 15);
    bits.skip(entry);
    (entry >> 16) as usize + extra as usize
}

/// A literal or length that the table has not, or the end of the block.
#[inline(always)]
fn exception(codes: &Codes, bits: &mut Bits, mut entry: u32) -> Result<u32, Halt> {
    if entry & END == 0 {
        entry = codes.literals.rare(bits.peek()).ok_or(Stop::Unsure)?;
    }
    if entry & END != 0 {
        bits.skip(entry);
        return Err(Halt::End);
    }
    if entry & EXCEPTION != 0 {
        return Err(Stop::Unsure.into());
    }
    Ok(entry)
}

#[inline(always)]
fn rare_distance(codes: &Codes, bits: &Bits) -> Result<u32, Stop> {
    match codes.distances.rare(bits.peek()) {
        Some(entry) if entry & EXCEPTION == 0 => Ok(entry),
        _ => Err(Stop::Unsure),
    }
}

/// Repeats `length` of the bytes `distance` before `at`. Writes whole chunks: what is too much
/// will be written over.
#[inline(always)]
fn copy(out: &mut [u8], at: usize, distance: usize, length: usize) -> Result<(), Stop> {
    let from = at.checked_sub(distance).ok_or(Stop::Unsure)?;
    let (before, after) = out.split_at_mut(at);
    let chunk = before[from..].first_chunk::<CHUNK>();
    let (Some(chunk), Some(room)) = (chunk, after.first_chunk_mut::<CHUNK>()) else {
        copy_near(&mut out[from..at + length], distance);
        return Ok(());
    };
    *room = *chunk;
    let mut done = CHUNK;
    while done < length {
        out.copy_within(from + done..from + done + CHUNK, at + done);
        done += CHUNK;
    }
    Ok(())
}

/// Continues what repeats every `distance` bytes.
#[cold]
#[inline(never)]
fn copy_near(bytes: &mut [u8], distance: usize) {
    let mut known = distance;
    while known < bytes.len() {
        let count = known.min(bytes.len() - known);
        bytes.copy_within(..count, known);
        known += count;
    }
}
