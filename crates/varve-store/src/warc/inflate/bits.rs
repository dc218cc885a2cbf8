//! The bits of a stream, lowest first.

use super::Stop;

/// How many bytes must follow the input, so that eight can be loaded wherever it ends.
pub(crate) const PADDING: usize = 16;

/// A place in the input, and the bits from there on.
#[derive(Clone, Copy, Default)]
pub(super) struct Bits {
    /// The next byte to load.
    next: usize,
    /// The bits at hand. Above the counted ones may be more of what comes next: loading it again
    /// changes nothing.
    held: u64,
    /// How many bits are held, in the lowest six bits; the others are noise, which spares cutting
    /// it off.
    count: u32,
}

impl Bits {
    /// The place of a whole byte.
    pub(super) fn at(next: usize) -> Bits {
        Bits {
            next,
            held: 0,
            count: 0,
        }
    }

    /// Loads bytes until at least 56 bits are held.
    #[inline(always)]
    pub(super) fn refill(&mut self, padded: &[u8]) -> Result<(), Stop> {
        let eight = padded.get(self.next..).and_then(|rest| rest.first_chunk());
        let Some(eight) = eight else {
            return Err(Stop::Input);
        };
        self.held |= u64::from_le_bytes(*eight) << (self.count & 63);
        // The whole bytes that fit above the bits held.
        self.next += (!self.count as usize >> 3) & 7;
        self.count |= 56;
        Ok(())
    }

    /// The bits held.
    #[inline(always)]
    pub(super) fn peek(&self) -> u64 {
        self.held
    }

    /// Drops as many bits as the lowest six bits of `entry` say.
    #[inline(always)]
    pub(super) fn skip(&mut self, entry: u32) {
        self.held >>= entry & 63;
        self.count = self.count.wrapping_sub(entry);
    }

    /// The next few bits as a number.
    #[inline(always)]
    pub(super) fn take(&mut self, count: u32) -> u32 {
        let value = self.held as u32 & ((1 << count) - 1);
        self.skip(count);
        value
    }

    /// How many bytes of the input have been used, the last perhaps in part.
    pub(super) fn read(&self) -> usize {
        self.next - ((self.count & 63) >> 3) as usize
    }

    /// Whether bits may have been used from behind the first `input` bytes.
    pub(super) fn have_passed(&self, input: usize) -> bool {
        self.next > input
    }

    /// Gives whole bytes that are held back to the input.
    pub(super) fn unload(&mut self) {
        self.next = self.read();
        self.count &= 7;
        self.held &= (1 << self.count) - 1;
    }
}
