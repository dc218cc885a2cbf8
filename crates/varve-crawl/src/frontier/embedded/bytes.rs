//! Small numbers in few bytes, and how to read them back without trust.
//!
//! Numbers are written in groups of seven bits, lowest first; texts as their length and their
//! bytes. [`Reader`] gives `None` instead of reading past the end.

use std::str;

/// Appends a number.
pub(super) fn put(out: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// Appends a text.
pub(super) fn put_text(out: &mut Vec<u8>, text: &str) {
    put(out, text.len() as u64);
    out.extend_from_slice(text.as_bytes());
}

/// Reads what was appended, in the same order.
pub(super) struct Reader<'a>(pub(super) &'a [u8]);

impl<'a> Reader<'a> {
    /// The next number.
    pub(super) fn number(&mut self) -> Option<u64> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Some(number);
            }
        }
        None
    }

    /// The next number, if it is not too large.
    pub(super) fn small(&mut self) -> Option<u32> {
        self.number()?.try_into().ok()
    }

    /// The next byte.
    pub(super) fn byte(&mut self) -> Option<u8> {
        self.bytes(1).map(|bytes| bytes[0])
    }

    /// The next bytes.
    pub(super) fn bytes(&mut self, count: usize) -> Option<&'a [u8]> {
        let (bytes, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(bytes)
    }

    /// The next bytes, as many as an array has.
    pub(super) fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        self.bytes(N)?.try_into().ok()
    }

    /// The next text.
    pub(super) fn text(&mut self) -> Option<&'a str> {
        let length = usize::try_from(self.number()?).ok()?;
        str::from_utf8(self.bytes(length)?).ok()
    }

    /// Everything that is left, as text.
    pub(super) fn rest(&mut self) -> Option<&'a str> {
        str::from_utf8(self.bytes(self.0.len())?).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(number: u64, length: usize) {
        let mut out = Vec::new();
        put(&mut out, number);
        assert_eq!(out.len(), length, "{number}");
        assert_eq!(Reader(&out).number(), Some(number));
        assert_eq!(Reader(&out[..length - 1]).number(), None);
    }

    #[test]
    fn numbers_come_back() {
        check(0, 1);
        check(127, 1);
        check(128, 2);
        check(1_700_000_000_000, 6);
        check(u64::MAX, 10);
        assert_eq!(Reader(&[0x80; 12]).number(), None);
    }

    #[test]
    fn texts_come_back() {
        let mut out = Vec::new();
        put_text(&mut out, "ä");
        out.extend_from_slice(b"rest");
        let mut reader = Reader(&out);
        assert_eq!(reader.text(), Some("ä"));
        assert_eq!(reader.rest(), Some("rest"));
        assert_eq!(Reader(&[200, 1, b'a']).text(), None);
        assert_eq!(Reader(&[1, 0xff]).text(), None);
    }
}
