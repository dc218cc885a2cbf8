//! What is passed as one piece: comments, strings, escapes and URLs without quotes.

use memchr::memmem;

use super::Skim;

impl Skim<'_> {
    /// After the `)` of a URL without quotes.
    pub(super) fn unquoted_url_end(&self) -> usize {
        let mut at = self.at + 1;
        while let Some(byte) = self.bytes.get(at) {
            match byte {
                b')' => return at + 1,
                b'\\' => at += 2,
                _ => at += 1,
            }
        }
        self.bytes.len()
    }

    pub(super) fn comment_end(&self) -> usize {
        match self.rest() {
            [b'/', b'*', comment @ ..] => {
                let end = memmem::find(comment, b"*/").map(|end| self.at + 2 + end + 2);
                end.unwrap_or(self.bytes.len())
            }
            _ => self.at + 1,
        }
    }

    /// After a string, or at the line break in one that has no end.
    pub(super) fn string_end(&self, quote: u8) -> usize {
        let mut at = self.at + 1;
        while let Some(&byte) = self.bytes.get(at) {
            match byte {
                b'\n' | b'\r' | b'\x0c' => return at,
                b'\\' => {
                    let line = line_break(&self.bytes[at + 1..]);
                    at = match line {
                        0 => self.escape_end(at + 1),
                        line => at + 1 + line,
                    };
                }
                _ if byte == quote => return at + 1,
                _ => at += 1,
            }
        }
        self.bytes.len()
    }

    /// A backslash outside of strings: an escape, unless a line ends.
    pub(super) fn escape(&mut self) {
        self.at += 1;
        if line_break(self.rest()) == 0 {
            self.at = self.escape_end(self.at).min(self.bytes.len());
            self.escaped = self.at;
        }
    }

    /// After an escape whose backslash stands before `at`: up to six digits and one blank, or one
    /// character, of which the first byte will do.
    fn escape_end(&self, at: usize) -> usize {
        let rest = self.bytes.get(at..).unwrap_or_default();
        let digits = rest.iter().take(6).take_while(|b| b.is_ascii_hexdigit());
        let digits = digits.count();
        match rest.get(digits) {
            _ if digits == 0 => at + 1,
            Some(b' ' | b'\t') => at + digits + 1,
            _ => at + digits + line_break(&rest[digits..]),
        }
    }
}

/// The length of the line break that a text begins with.
fn line_break(text: &[u8]) -> usize {
    match text {
        [b'\r', b'\n', ..] => 2,
        [b'\n' | b'\r' | b'\x0c', ..] => 1,
        _ => 0,
    }
}
