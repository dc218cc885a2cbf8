//! Prefix codes: tables that turn the next bits into what they stand for.
//!
//! An *entry* is a meaning with the length of its codeword worked in:
//!
//! | bits   | of a literal | of a length or distance                       |
//! | ------ | ------------ | --------------------------------------------- |
//! | 0..6   | bits to drop | bits to drop: codeword and extra bits         |
//! | 8..12  |              | bits of the codeword                          |
//! | 14     |              | set: the end of the block                     |
//! | 15     |              | set: no value; see `END`, `rare`, or a fault  |
//! | 16..31 | the byte     | the value that the extra bits are added to    |
//! | 31     | set          | not set                                       |
//!
//! A table is indexed by as many bits as most codewords have. Longer ones are found by counting,
//! bit by bit: rare by the nature of such codes.

/// The entry is a literal.
pub(super) const LITERAL: u32 = 1 << 31;
/// The entry has no value.
pub(super) const EXCEPTION: u32 = 1 << 15;
/// The block ends.
pub(super) const END: u32 = 1 << 14;

const MAX_LENGTH: usize = 15;
/// Literals, the end, lengths, and two symbols that nothing may use.
const MAX_SYMBOLS: usize = 288;

/// What literals and lengths stand for.
pub(super) static LITERALS: [u32; MAX_SYMBOLS] = literals();
/// What distances stand for.
pub(super) static DISTANCES: [u32; 32] = distances();
/// What the lengths of codewords stand for: themselves up to 15, then three ways to repeat.
pub(super) static LENGTHS: [u32; 19] = lengths();

const fn literals() -> [u32; MAX_SYMBOLS] {
    let mut meanings = [EXCEPTION; MAX_SYMBOLS];
    let mut byte = 0;
    while byte < 256 {
        meanings[byte] = LITERAL | (byte as u32) << 16;
        byte += 1;
    }
    meanings[256] = EXCEPTION | END;
    let (mut step, mut base) = (0, 3);
    while step < 28 {
        let extra = if step < 8 { 0 } else { step / 4 - 1 };
        meanings[257 + step] = base << 16 | extra as u32;
        base += 1 << extra;
        step += 1;
    }
    meanings[285] = 258 << 16;
    meanings
}

const fn distances() -> [u32; 32] {
    let mut meanings = [EXCEPTION; 32];
    let (mut step, mut base) = (0, 1);
    while step < 30 {
        let extra = if step < 4 { 0 } else { step / 2 - 1 };
        meanings[step] = base << 16 | extra as u32;
        base += 1 << extra;
        step += 1;
    }
    meanings
}

const fn lengths() -> [u32; 19] {
    let mut meanings = [0; 19];
    let mut symbol = 0;
    while symbol < 19 {
        meanings[symbol] = (symbol as u32) << 16;
        symbol += 1;
    }
    meanings
}

/// Whether every sequence of bits has a meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Coverage {
    /// It has.
    Complete,
    /// There is one codeword, of one bit, or none at all.
    AtMostOne,
}

/// A code with a table of `SIZE` entries, which is a power of two.
pub(super) struct Code<const SIZE: usize> {
    table: [u32; SIZE],
    /// How many codewords there are of each length.
    counts: [u16; MAX_LENGTH + 1],
    /// By length of their codewords, then by number.
    symbols: [u16; MAX_SYMBOLS],
    meanings: &'static [u32],
}

impl<const SIZE: usize> Code<SIZE> {
    pub(super) fn new(meanings: &'static [u32]) -> Code<SIZE> {
        Code {
            table: [EXCEPTION; SIZE],
            counts: [0; MAX_LENGTH + 1],
            symbols: [0; MAX_SYMBOLS],
            meanings,
        }
    }

    /// The entry of the codeword at the start of these bits, if the table has it.
    #[inline(always)]
    pub(super) fn look_up(&self, bits: u64) -> u32 {
        self.table[bits as usize & (SIZE - 1)]
    }

    /// Takes the code whose codewords have these lengths, none above 15; `None` if there can be
    /// no such code, or it leaves out more than decoders agree on.
    pub(super) fn build(&mut self, lengths: &[u8]) -> Option<Coverage> {
        self.counts = [0; MAX_LENGTH + 1];
        for length in lengths {
            self.counts[usize::from(*length & 15)] += 1;
        }
        self.counts[0] = 0;
        let coverage = self.coverage()?;
        self.sort(lengths);
        self.fill();
        Some(coverage)
    }

    fn coverage(&self) -> Option<Coverage> {
        let (mut left, mut words) = (1_i32, 0);
        for count in &self.counts[1..] {
            left = left * 2 - i32::from(*count);
            words += count;
            if left < 0 {
                return None;
            }
        }
        match (left, words) {
            (0, _) => Some(Coverage::Complete),
            (_, 0) => Some(Coverage::AtMostOne),
            (_, 1) if self.counts[1] == 1 => Some(Coverage::AtMostOne),
            _ => None,
        }
    }

    fn sort(&mut self, lengths: &[u8]) {
        let mut places = [0; MAX_LENGTH + 1];
        for length in 1..MAX_LENGTH {
            places[length + 1] = places[length] + usize::from(self.counts[length]);
        }
        for (symbol, length) in lengths
            .iter()
            .enumerate()
            .filter(|(_, length)| **length > 0)
        {
            let place = &mut places[usize::from(*length & 15)];
            self.symbols[*place] = symbol as u16;
            *place += 1;
        }
    }

    /// Fills the table for codewords of one bit, then doubles it for those of two, and so on:
    /// each entry stands again wherever its codeword is the end of the index.
    fn fill(&mut self) {
        self.table[0] = EXCEPTION;
        let (mut size, mut length, mut word) = (1, 0, 0);
        let mut symbols = &self.symbols[..];
        while size < SIZE {
            self.table.copy_within(..size, size);
            size *= 2;
            length += 1;
            let (these, rest) = symbols.split_at(usize::from(self.counts[length]));
            symbols = rest;
            for symbol in these {
                let meaning = self.meanings[usize::from(*symbol)];
                self.table[word & (SIZE - 1)] = with_length(meaning, length);
                word = following(word, size);
            }
        }
    }

    /// The entry of a codeword that the table has not, if it is one.
    #[cold]
    pub(super) fn rare(&self, bits: u64) -> Option<u32> {
        let (mut word, mut first, mut shorter) = (0, 0, 0);
        for length in 1..=MAX_LENGTH {
            word = word << 1 | (bits >> (length - 1)) as usize & 1;
            let count = usize::from(self.counts[length]);
            if word < first + count {
                let symbol = self.symbols[shorter + word - first];
                return Some(with_length(self.meanings[usize::from(symbol)], length));
            }
            shorter += count;
            first = (first + count) << 1;
        }
        None
    }
}

fn with_length(meaning: u32, length: usize) -> u32 {
    meaning + (length << 8 | length) as u32
}

/// The codeword after `word`, among those of the length whose table has `size` entries. Codewords
/// count from their first bit down, which is the lowest here.
fn following(word: usize, size: usize) -> usize {
    let zeros = word ^ (size - 1);
    if zeros == 0 {
        return word;
    }
    let carry = 1 << zeros.ilog2();
    word & (carry - 1) | carry
}
