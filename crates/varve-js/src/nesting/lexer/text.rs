//! What is skipped or read as one piece: spaces, comments, strings, templates, regular expressions
//! and names.

use memchr::{memchr_iter, memchr2, memchr3, memmem};

use super::{Before, Lexer};
use crate::nesting::{Unsure, is_word};
use crate::rewrite::words::matters;

/// A space of more than one byte, or the end of a line, and its length.
pub(super) enum Space {
    Blank(usize),
    Line(usize),
}

impl Space {
    /// What the parser takes for a space outside ASCII.
    pub(super) fn at(text: &[u8]) -> Option<Space> {
        match text {
            [0xe2, 0x80, 0xa8 | 0xa9, ..] => Some(Space::Line(3)),
            [0xc2, 0x85 | 0xa0, ..] => Some(Space::Blank(2)),
            [0xef, 0xbb, 0xbf, ..]
            | [0xe1, 0x9a, 0x80, ..]
            | [0xe2, 0x80, 0x80..=0x8b | 0xaf, ..]
            | [0xe2, 0x81, 0x9f, ..]
            | [0xe3, 0x80, 0x80, ..] => Some(Space::Blank(3)),
            _ => None,
        }
    }
}

impl Lexer<'_> {
    /// The text of a template up to its end or to the next `${`.
    pub(super) fn template(&mut self) -> Result<(), Unsure> {
        let start = self.at;
        loop {
            let Some(skip) = memchr3(b'`', b'$', b'\\', self.rest()) else {
                self.at = self.source.len();
                return Ok(());
            };
            self.at += skip;
            match (self.source[self.at], self.source.get(self.at + 1)) {
                (b'`', _) => {
                    self.words += usize::from(matters(&self.source[start..self.at], b""));
                    if let Some(level) = self.levels.pop() {
                        self.current -= level.chain + level.statements;
                    }
                    self.advance(1, Before::Value);
                    return Ok(());
                }
                (b'$', Some(b'{')) => {
                    self.open(b'$', Before::Value, false);
                    self.advance(2, Before::Operator);
                    return Ok(());
                }
                (b'\\', next) => {
                    self.words += usize::from(may_spell(next));
                    self.at += 2;
                }
                _ => self.at += 1,
            }
        }
    }

    pub(super) fn string(&mut self, quote: u8) -> Result<(), Unsure> {
        let start = self.at + 1;
        let mut at = start;
        loop {
            match self.source.get(at) {
                None => break,
                Some(b'\\') => {
                    let crlf = self.source[at..].starts_with(b"\\\r\n");
                    self.words += usize::from(may_spell(self.source.get(at + 1)));
                    at += if crlf { 3 } else { 2 };
                }
                Some(b'\n' | b'\r') => return Err(Unsure),
                Some(&byte) if byte == quote => {
                    self.words += usize::from(matters(&self.source[start..at], b""));
                    at += 1;
                    break;
                }
                Some(_) => at += 1,
            }
        }
        self.at = at.min(self.source.len());
        self.before = Before::Value;
        Ok(())
    }

    pub(super) fn slash(&mut self) -> Result<(), Unsure> {
        match self.source.get(self.at + 1) {
            Some(b'/') => {
                self.skip_line();
                return Ok(());
            }
            Some(b'*') => {
                let end = memmem::find(&self.source[self.at + 2..], b"*/");
                let end = end.map_or(self.source.len(), |end| self.at + 2 + end + 2);
                let comment = &self.source[self.at..end];
                let separator = |at: usize| matches!(comment[at..], [0xe2, 0x80, 0xa8 | 0xa9, ..]);
                self.line_start |= memchr2(b'\n', b'\r', comment).is_some()
                    || memchr_iter(0xe2, comment).any(separator);
                self.at = end;
                return Ok(());
            }
            _ => {}
        }
        self.line_start = false;
        match self.before {
            Before::Operator
            | Before::Statement
            | Before::Colon
            | Before::Return
            | Before::HeadWord
            | Before::Arrow
            | Before::Default => self.regular_expression(),
            Before::Value => {
                self.count();
                self.advance(1, Before::Operator);
                Ok(())
            }
            Before::Dot | Before::Unknown | Before::Declared | Before::Made | Before::Body => {
                Err(Unsure)
            }
        }
    }

    fn regular_expression(&mut self) -> Result<(), Unsure> {
        let mut in_class = false;
        self.at += 1;
        while let Some(&byte) = self.source.get(self.at) {
            match byte {
                b'\n' | b'\r' => return Err(Unsure),
                b'\\' => self.at += 1,
                b'[' => in_class = true,
                b']' => in_class = false,
                b'/' if !in_class => {
                    self.advance(1, Before::Value);
                    return Ok(());
                }
                _ => {}
            }
            self.at += 1;
        }
        Ok(())
    }

    /// To the end of the line, which U+2028 and U+2029 end as well.
    pub(super) fn skip_line(&mut self) {
        while let Some(skip) = memchr3(b'\n', b'\r', 0xe2, self.rest()) {
            self.at += skip;
            let separator = matches!(self.rest(), [0xe2, 0x80, 0xa8 | 0xa9, ..]);
            if self.source[self.at] != 0xe2 || separator {
                self.line_start = true;
                return;
            }
            self.at += 1;
        }
        self.at = self.source.len();
    }

    pub(super) fn private_name(&mut self) {
        self.at += 1;
        self.at += self.word_length();
        self.before = Before::Value;
    }

    /// An identifier with an escape, or the rest of one: never a keyword, but any name.
    pub(super) fn escaped_name(&mut self) -> Result<(), Unsure> {
        self.words += 1;
        while let [b'\\', rest @ ..] = self.rest() {
            self.at += match rest {
                [b'u', b'{', code @ ..] => {
                    3 + code.iter().position(|b| *b == b'}').ok_or(Unsure)? + 1
                }
                [b'u', ..] => 2,
                _ => return Err(Unsure),
            };
            self.at += self.word_length();
        }
        self.before = Before::Value;
        Ok(())
    }

    pub(super) fn word_length(&self) -> usize {
        let rest = self.rest();
        let ends = |(at, byte): (usize, &u8)| {
            !is_word(*byte) || (*byte >= 0x80 && Space::at(&rest[at..]).is_some())
        };
        rest.iter().enumerate().position(ends).unwrap_or(rest.len())
    }
}

/// Whether an escape in a string may spell a letter, or nothing, so that the string may name
/// anything. The usual ones spell signs.
fn may_spell(escaped: Option<&u8>) -> bool {
    match escaped {
        Some(b'b' | b'f' | b'n' | b'r' | b't' | b'v') => false,
        Some(byte) => byte.is_ascii_alphanumeric() || matches!(byte, b'\n' | b'\r' | 0x80..),
        None => false,
    }
}
