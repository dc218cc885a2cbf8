//! The three kinds of blocks: as they are, with fixed codes, with codes of their own.

use super::Stop;
use super::bits::Bits;
use super::code::{Code, Coverage, DISTANCES, END, EXCEPTION, LENGTHS, LITERAL, LITERALS};

const MAX_LITERALS: usize = 286;
const MAX_DISTANCES: usize = 30;
/// The longest run of equal lengths that one symbol gives.
const MAX_REPEAT: usize = 138;
/// The order in which the lengths of the first code are written.
const LENGTH_ORDER: [usize; 19] = [
    16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15,
];
/// Copying goes by as many bytes, whatever the length.
const CHUNK: usize = 32;
/// What one step may write: literals, then the longest match, up to a chunk too much.
const ROOM: usize = 3 + 258 + CHUNK;

/// The codes of a block.
pub(super) struct Codes {
    literals: Code<2048>,
    distances: Code<512>,
    lengths: Code<128>,
    are_fixed: bool,
}

impl Codes {
    pub(super) fn new() -> Codes {
        Codes {
            literals: Code::new(&LITERALS),
            distances: Code::new(&DISTANCES),
            lengths: Code::new(&LENGTHS),
            are_fixed: false,
        }
    }

    /// Takes the codes that the format fixes.
    pub(super) fn fix(&mut self) -> Result<(), Stop> {
        if self.are_fixed {
            return Ok(());
        }
        let mut literals = [8; 288];
        literals[144..256].fill(9);
        literals[256..280].fill(7);
        self.literals.build(&literals).ok_or(Stop::Unsure)?;
        self.distances.build(&[5; 32]).ok_or(Stop::Unsure)?;
        self.are_fixed = true;
        Ok(())
    }

    /// Reads the codes at the start of a block.
    pub(super) fn read(&mut self, bits: &mut Bits, padded: &[u8]) -> Result<(), Stop> {
        self.are_fixed = false;
        let literals = bits.take(5) as usize + 257;
        let distances = bits.take(5) as usize + 1;
        let lengths = bits.take(4) as usize + 4;
        if literals > MAX_LITERALS || distances > MAX_DISTANCES {
            return Err(Stop::Unsure);
        }
        let mut first = [0; LENGTH_ORDER.len()];
        for (number, symbol) in LENGTH_ORDER.into_iter().take(lengths).enumerate() {
            if number % 16 == 0 {
                bits.refill(padded)?;
            }
            first[symbol] = bits.take(3) as u8;
        }
        if self.lengths.build(&first) != Some(Coverage::Complete) {
            return Err(Stop::Unsure);
        }
        let mut all = [0; MAX_LITERALS + MAX_DISTANCES + MAX_REPEAT];
        self.read_lengths(bits, padded, &mut all, literals + distances)?;
        let (literals, rest) = all.split_at(literals);
        if literals[256] == 0 || self.literals.build(literals) != Some(Coverage::Complete) {
            return Err(Stop::Unsure);
        }
        let built = self.distances.build(&rest[..distances]);
        built.map(|_| ()).ok_or(Stop::Unsure)
    }

    /// Reads `wanted` lengths; there must be room for a repetition behind them.
    fn read_lengths(
        &self,
        bits: &mut Bits,
        padded: &[u8],
        all: &mut [u8],
        wanted: usize,
    ) -> Result<(), Stop> {
        let mut known = 0;
        while known < wanted {
            bits.refill(padded)?;
            let entry = self.lengths.look_up(bits.peek());
            bits.skip(entry);
            let (length, count) = match entry >> 16 {
                16 if known == 0 => return Err(Stop::Unsure),
                16 => (all[known - 1], 3 + bits.take(2)),
                17 => (0, 3 + bits.take(3)),
                18 => (0, 11 + bits.take(7)),
                length => (length as u8, 1),
            };
            all[known..known + count as usize].fill(length);
            known += count as usize;
        }
        if known > wanted {
            return Err(Stop::Unsure);
        }
        Ok(())
    }
}

/// A block that is not compressed.
pub(super) fn stored(
    bits: &mut Bits,
    padded: &[u8],
    out: &mut [u8],
    written: &mut usize,
) -> Result<(), Stop> {
    let start = bits.read() + 4;
    let Some([a, b, c, d]) = padded.get(start - 4..start) else {
        return Err(Stop::Input);
    };
    let length = u16::from_le_bytes([*a, *b]);
    if u16::from_le_bytes([*c, *d]) != !length {
        return Err(Stop::Unsure);
    }
    let end = start + usize::from(length);
    let bytes = padded.get(start..end).ok_or(Stop::Input)?;
    let room = out.get_mut(*written..*written + bytes.len());
    room.ok_or(Stop::Output)?.copy_from_slice(bytes);
    *bits = Bits::at(end);
    *written += bytes.len();
    Ok(())
}

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
pub(super) fn compressed(
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
