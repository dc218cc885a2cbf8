//! What a walk over a whole index found.

use super::MAX_LINE;

/// What a walk over a whole index counted. Faults are reported while walking.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verified {
    /// Lines, headers included.
    pub lines: u64,
    /// Bytes of the lines and their line breaks, inflated.
    pub bytes: u64,
    last: Vec<u8>,
}

impl Verified {
    /// Counts a line and compares it with the one before; what is wrong with it, if anything.
    pub(super) fn check_line(&mut self, line: &[u8]) -> Option<&'static str> {
        let first = self.lines == 0;
        let fault = match line {
            [] => Some("an empty line"),
            _ if line.len() > MAX_LINE => Some("a line is longer than 1 MiB"),
            _ if !first && line < self.last.as_slice() => {
                Some("a line is less than the one before it: the index is not sorted")
            }
            _ => None,
        };
        self.lines += 1;
        self.bytes += line.len() as u64 + 1;
        self.last.clear();
        self.last.extend_from_slice(line);
        fault
    }
}
