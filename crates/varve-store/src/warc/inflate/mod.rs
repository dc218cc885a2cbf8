//! Deflate (RFC 1951) from one buffer into another, for streams that fit into memory.
//!
//! Checking an archive is mostly inflating and hashing, and most members are small. With all of a
//! member at hand there is no window to keep and hardly ever a reason to stop between two symbols,
//! which makes this a good deal faster than a decoder that can be interrupted anywhere.
//!
//! It only ever says yes. A stream that it takes to its end is one that the streaming decoder
//! takes too, with the same bytes and the same end. Whatever is wrong, odd or too large is left to
//! that decoder, which alone judges damage: so this one may be narrow (it knows no incomplete
//! literal codes), but never lenient.

mod bits;
mod code;
mod codes;
mod symbols;
#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;

use bits::Bits;
pub(crate) use bits::PADDING;
use codes::Codes;

/// Why inflating did not come to the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    /// The stream goes on behind the input.
    Input,
    /// The output does not fit.
    Output,
    /// This may be no deflate stream; the streaming decoder will know.
    Unsure,
}

/// A stream that was inflated to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Inflated {
    /// How many bytes of input it has.
    pub(crate) read: usize,
    /// How many bytes it inflates to.
    pub(crate) written: usize,
}

/// The state between two blocks of a stream.
#[derive(Clone, Copy, Default)]
struct Mark {
    bits: Bits,
    written: usize,
}

/// Inflates one stream after the other.
pub(crate) struct Inflate {
    codes: Codes,
    mark: Mark,
}

impl Inflate {
    pub(crate) fn new() -> Inflate {
        Inflate {
            codes: Codes::new(),
            mark: Mark::default(),
        }
    }

    /// Forgets the stream before.
    pub(crate) fn start(&mut self) {
        self.mark = Mark::default();
    }

    /// Inflates the stream at the start of `padded`, of which all but the last [`PADDING`] bytes
    /// are input; what the padding holds does not matter. After a stop for want of input or
    /// output it can be called with more of either, the rest unchanged, and goes on with the
    /// block in which it stopped.
    pub(crate) fn run(&mut self, padded: &[u8], out: &mut [u8]) -> Result<Inflated, Stop> {
        let input = padded.len().saturating_sub(PADDING);
        let mut state = self.mark;
        loop {
            let last = match self.block(padded, out, &mut state) {
                // It may have gone wrong over bytes that are not there.
                Err(Stop::Unsure) if state.bits.have_passed(input) => Err(Stop::Input),
                result => result,
            }?;
            if state.bits.read() > input {
                return Err(Stop::Input);
            }
            if last {
                return Ok(Inflated {
                    read: state.bits.read(),
                    written: state.written,
                });
            }
            // What was loaded from the padding will be other bytes then.
            state.bits.unload();
            self.mark = state;
        }
    }

    /// Inflates one block and says whether it is the last.
    fn block(&mut self, padded: &[u8], out: &mut [u8], state: &mut Mark) -> Result<bool, Stop> {
        let Mark { bits, written } = state;
        bits.refill(padded)?;
        let last = bits.take(1) == 1;
        match bits.take(2) {
            0 => stored(bits, padded, out, written)?,
            1 => {
                self.codes.fix()?;
                symbols::inflate(&self.codes, bits, padded, out, written)?;
            }
            2 => {
                self.codes.read(bits, padded)?;
                symbols::inflate(&self.codes, bits, padded, out, written)?;
            }
            _ => return Err(Stop::Unsure),
        }
        Ok(last)
    }
}

/// A block that is not compressed.
fn stored(bits: &mut Bits, padded: &[u8], out: &mut [u8], written: &mut usize) -> Result<(), Stop> {
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
