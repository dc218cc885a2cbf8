//! Inputs of strangers, which may be no longer than they are allowed to be.

use super::Input;
use std::io::{self, Read};

impl Input {
    /// The same, of which no more than so many bytes are read, unpacked: what is longer is an error.
    pub fn at_most(mut self, bytes: u64) -> Input {
        self.reader = Box::new(AtMost {
            reader: self.reader,
            left: bytes,
        });
        self
    }
}

/// Something that must not be longer than it is allowed to be.
struct AtMost {
    reader: Box<dyn Read + Send>,
    left: u64,
}

impl Read for AtMost {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        // One byte more, to see whether there is one.
        let room = usize::try_from(self.left + 1).unwrap_or(usize::MAX);
        let room = room.min(into.len());
        let got = self.reader.read(&mut into[..room])?;
        match self.left.checked_sub(got as u64) {
            Some(left) => self.left = left,
            None => return Err(io::Error::other("longer than it may be")),
        }
        Ok(got)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::MapError;

    #[test]
    fn what_is_longer_than_it_may_be_is_an_error_and_not_the_beginning_of_it() {
        let within = |most: u64| {
            let input = Input::new("test", io::Cursor::new("a\nb\n")).unwrap();
            let mut lines = input.at_most(most).lines();
            let mut count = 0;
            while lines.next_line()?.is_some() {
                count += 1;
            }
            Ok::<_, MapError>(count)
        };
        assert_eq!(within(4).unwrap(), 2);
        assert!(within(3).is_err() && within(0).is_err());
    }
}
