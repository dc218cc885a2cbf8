//! The codes of a block, fixed by the format or read from the block's start.

use super::Stop;
use super::bits::Bits;
use super::code::{Code, Coverage, DISTANCES, LENGTHS, LITERALS};

const MAX_LITERALS: usize = 286;
const MAX_DISTANCES: usize = 30;
/// The longest run of equal lengths that one symbol gives.
const MAX_REPEAT: usize = 138;
/// The order in which the lengths of the first code are written.
const LENGTH_ORDER: [usize; 19] = [
    16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15,
];

/// The codes of a block.
pub(super) struct Codes {
    pub(super) literals: Code<2048>,
    pub(super) distances: Code<512>,
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
