//! Words: keywords, which decide what may follow, and names.

use super::{Before, Lexer};
use crate::rewrite::words::matters;

impl Lexer<'_> {
    pub(super) fn word(&mut self) {
        let length = self.word_length();
        let word = &self.source[self.at..self.at + length];
        // Most names are longer or shorter than all the words below.
        if !(2..=11).contains(&length) {
            self.advance(length, Before::Value);
            return;
        }
        self.words += usize::from(matters(word, &self.source[self.at + length..]));
        let before = match (self.before, word) {
            (Before::Dot, _) => Before::Value,
            (Before::HeadWord, b"await") => Before::HeadWord,
            (_, b"return") => Before::Return,
            (
                _,
                b"typeof" | b"instanceof" | b"in" | b"new" | b"delete" | b"void" | b"throw"
                | b"case" | b"extends",
            ) => {
                self.count();
                Before::Operator
            }
            (_, b"default") => {
                self.count();
                Before::Default
            }
            (before, b"function") => {
                self.function = match before {
                    // A value that `function` follows has ended with its line.
                    Before::Statement | Before::Body | Before::Value => Some(Before::Declared),
                    Before::Operator | Before::Return | Before::Arrow => Some(Before::Made),
                    _ => None,
                };
                Before::Value
            }
            (_, b"else" | b"do") => {
                if let Some(level) = self.levels.last_mut() {
                    level.statements += 1;
                    self.deeper();
                }
                Before::Statement
            }
            (_, b"try" | b"finally") => Before::Statement,
            (_, b"if" | b"for" | b"while" | b"with" | b"switch" | b"catch") => {
                self.count();
                Before::HeadWord
            }
            (_, b"await" | b"yield" | b"of" | b"async" | b"break" | b"continue" | b"debugger") => {
                self.count();
                Before::Unknown
            }
            _ => Before::Value,
        };
        self.advance(length, before);
    }
}
