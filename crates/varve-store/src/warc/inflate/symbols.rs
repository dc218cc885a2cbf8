//! The symbols of a block: literals, and matches with what came before. Nearly all the time of
//! inflating is spent here.

use super::Stop;
use super::bits::Bits;
use super::code::{END, EXCEPTION, LITERAL};
use super::codes::Codes;

/// Most matches are copied as so many bytes, whatever their length: what is too much will be
/// written over.
const CHUNK: usize = 32;
/// How many literals are written in one turn: their codewords, of at most 11 bits but for the
/// first with 15, must be held at once.
const RUN: usize = 4;
/// What one turn may write: literals, then the longest match, up to a chunk too much.
const ROOM: usize = RUN + 258 + CHUNK;

/// Inflates a block whose codes are known.
pub(super) fn inflate(
    codes: &Codes,
    bits: &mut Bits,
    padded: &[u8],
    out: &mut [u8],
    written: &mut usize,
) -> Result<(), Stop> {
    // Copies, which can live in registers: what a reference leads to is in memory.
    let (mut here, mut at) = (*bits, *written);
    let result = decode(codes, &mut here, padded, out, &mut at);
    (*bits, *written) = (here, at);
    result
}

/// Each turn writes a run of literals, a match, or a short run and a match. The entry that follows
/// is looked up before the match is copied: the one waits while the other works.
#[inline(always)]
fn decode(
    codes: &Codes,
    bits: &mut Bits,
    padded: &[u8],
    out: &mut [u8],
    at: &mut usize,
) -> Result<(), Stop> {
    bits.refill(padded)?;
    let mut entry = codes.literals.look_up(bits.peek());
    loop {
        let Some((before, room)) = out.split_at_mut_checked(*at) else {
            return Err(Stop::Output);
        };
        let Some(room) = room.first_chunk_mut::<ROOM>() else {
            return Err(Stop::Output);
        };
        let mut count = 0;
        if entry & LITERAL != 0 {
            count = literals(codes, bits, room, &mut entry);
            *at += count;
            bits.refill(padded)?;
            if count == RUN {
                entry = codes.literals.look_up(bits.peek());
                continue;
            }
        }
        if entry & EXCEPTION != 0 {
            entry = exception(codes, bits, entry)?;
            if entry & END != 0 {
                return Ok(());
            }
            if entry & LITERAL != 0 {
                continue;
            }
        }
        let length = value(bits, entry);
        entry = codes.distances.look_up(bits.peek());
        if entry & EXCEPTION != 0 {
            entry = rare_distance(codes, bits)?;
        }
        let distance = value(bits, entry);
        bits.refill(padded)?;
        entry = codes.literals.look_up(bits.peek());
        let Some(from) = at.checked_sub(distance) else {
            return Err(Stop::Unsure);
        };
        let chunk = before
            .get(from..)
            .and_then(|bytes| bytes.first_chunk::<CHUNK>());
        match (chunk, room[count..].first_chunk_mut::<CHUNK>()) {
            (Some(chunk), Some(place)) if length <= CHUNK => *place = *chunk,
            _ => copy(&mut out[from..*at + length], distance),
        }
        *at += length;
    }
}

/// Writes the literal of `entry` and those that follow, up to [`RUN`], and says how many they are.
/// `entry` is then the one after them, if they are fewer.
#[inline(always)]
fn literals(codes: &Codes, bits: &mut Bits, room: &mut [u8; ROOM], entry: &mut u32) -> usize {
    for (before, place) in room[..RUN].iter_mut().enumerate() {
        if *entry & LITERAL == 0 {
            return before;
        }
        *place = (*entry >> 16) as u8;
        bits.skip(*entry);
        *entry = codes.literals.look_up(bits.peek());
    }
    RUN
}

/// The value of a length or distance: that of its codeword and its extra bits.
#[inline(always)]
fn value(bits: &mut Bits, entry: u32) -> usize {
    let word_and_extra = bits.peek() & !(u64::MAX << (entry & 63));
    let extra = word_and_extra >> (entry >> 8 & 15);
    bits.skip(entry);
    (entry >> 16) as usize + extra as usize
}

/// A literal or length that the table has not, or the end of the block, which is then left.
#[inline(always)]
fn exception(codes: &Codes, bits: &mut Bits, mut entry: u32) -> Result<u32, Stop> {
    if entry & END == 0 {
        entry = codes.literals.rare(bits.peek()).ok_or(Stop::Unsure)?;
    }
    match entry & (END | EXCEPTION) {
        EXCEPTION => return Err(Stop::Unsure),
        0 => {}
        _ => bits.skip(entry),
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

/// Fills `bytes` with what its first `distance` bytes begin.
#[inline(never)]
fn copy(bytes: &mut [u8], distance: usize) {
    let mut known = distance;
    while known < bytes.len() {
        let count = known.min(bytes.len() - known);
        bytes.copy_within(..count, known);
        known += count;
    }
}
