//! The lexer that counts. It sees brackets, operators and words; the rest it skips.

use std::ops::Range;

use self::text::Space;
use super::{Look, Unsure, is_word};

mod brackets;
mod text;
mod words;

/// What was read last. It decides whether a `/` divides or opens a regular expression, and
/// whether a `{` opens a block or an object.
#[derive(Clone, Copy, PartialEq)]
enum Before {
    /// A value: a `/` divides.
    Value,
    /// An operator: a value follows.
    Operator,
    /// A statement may begin here.
    Statement,
    /// A `:`, after which either may come.
    Colon,
    /// `return`, after which a line break ends the statement.
    Return,
    /// `if`, `for`, `while` and the like: the parentheses that follow are not a value.
    HeadWord,
    /// A `.`: the next word is a property, whatever it spells.
    Dot,
    /// `=>`: a block or a value follows.
    Arrow,
    /// `default`, of a `switch` or of an `export`.
    Default,
    /// The parameters of a function that is declared: its body is not a value.
    Declared,
    /// The parameters of a function that is a value.
    Made,
    /// The end of a body of which only a parser knows whether it is a value.
    Body,
    /// Only a parser knows.
    Unknown,
}

/// An open bracket.
struct Level {
    bracket: u8,
    /// Operators since the last `;` or `,`.
    chain: usize,
    /// `else` and `do`, which nest across `;`.
    statements: usize,
    /// What its end leaves behind.
    after: Before,
    /// Parentheses that the parser reads twice, because they may belong to an arrow function.
    group: bool,
    /// The body of a function that may turn out to be quiet.
    body: Option<Body>,
}

/// The body of a function while it is open.
#[derive(Clone, Copy)]
struct Body {
    /// Where its content begins.
    start: usize,
    /// How many words that matter and what depth there were before it.
    words: usize,
    kept_deepest: usize,
}

pub(super) struct Lexer<'a> {
    source: &'a [u8],
    at: usize,
    levels: Vec<Level>,
    /// Sum over all open levels.
    current: usize,
    /// The deepest of what is not in a quiet body, and of all that was in one.
    kept_deepest: usize,
    quiet_deepest: usize,
    limit: usize,
    /// The bodies that are quiet so far, and the number of words that matter.
    quiet: Vec<Range<usize>>,
    words: usize,
    /// After the last `)` that does not end the head of a statement.
    parameters_end: usize,
    /// Open parentheses that may be read twice, the bytes so read, and up to where they count.
    groups: usize,
    read_again: usize,
    counted_to: usize,
    before: Before,
    /// `function` was read, and this is what follows its parameters.
    function: Option<Before>,
    /// Nothing but spaces and comments since the line began.
    line_start: bool,
}

impl<'a> Lexer<'a> {
    pub(super) fn new(source: &'a [u8], limit: usize) -> Lexer<'a> {
        let ground = Level {
            bracket: 0,
            chain: 0,
            statements: 0,
            after: Before::Statement,
            group: false,
            body: None,
        };
        Lexer {
            source,
            at: 0,
            levels: vec![ground],
            current: 0,
            kept_deepest: 0,
            quiet_deepest: 0,
            limit,
            quiet: Vec::new(),
            words: 0,
            parameters_end: 0,
            groups: 0,
            read_again: 0,
            counted_to: 0,
            before: Before::Statement,
            function: None,
            line_start: true,
        }
    }

    pub(super) fn into_look(self) -> Look {
        Look {
            depth: self.kept_deepest.max(self.quiet_deepest),
            outline_depth: self.kept_deepest,
            quiet: self.quiet,
        }
    }

    /// How many bytes the parser reads again, counted once for each time.
    pub(super) fn read_again(&self) -> usize {
        self.read_again
    }

    /// Reads to the end, or until the limit is passed.
    pub(super) fn run(&mut self) -> Result<(), Unsure> {
        if self.source.starts_with(b"#!") {
            self.skip_line();
        }
        while let Some(&byte) = self.source.get(self.at) {
            if self.kept_deepest > self.limit {
                return Ok(());
            }
            self.step(byte)?;
        }
        self.count_groups();
        Ok(())
    }

    /// Nested groups are read once more for every group around them.
    fn count_groups(&mut self) {
        self.read_again += self.groups * (self.at - self.counted_to);
        self.counted_to = self.at;
    }

    fn step(&mut self, byte: u8) -> Result<(), Unsure> {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' | b'$' => {
                self.line_start = false;
                self.word();
                return Ok(());
            }
            b'\n' | b'\r' => {
                self.space(&Space::Line(1));
                return Ok(());
            }
            b' ' | b'\t' | 0x0b | 0x0c => {
                // Indentation comes in runs.
                let run = self.rest().iter().position(|next| *next != byte);
                self.at += run.unwrap_or(self.rest().len());
                return Ok(());
            }
            b'/' => return self.slash(),
            0x80.. => {
                if let Some(space) = Space::at(self.rest()) {
                    self.space(&space);
                    return Ok(());
                }
            }
            _ => {}
        }
        let line_start = std::mem::replace(&mut self.line_start, false);
        if !matches!(byte, b'*' | b'(') && !is_word(byte) {
            self.function = None;
        }
        match byte {
            b'"' | b'\'' => self.string(byte)?,
            b'`' => {
                self.open(b'`', Before::Value, false);
                self.at += 1;
                self.template()?;
            }
            b'(' => self.parenthesis(),
            b'[' => {
                self.open(byte, Before::Value, false);
                self.advance(1, Before::Operator);
            }
            b'{' => self.brace(),
            b')' | b']' | b'}' => self.close(byte)?,
            b';' | b',' => {
                self.end_of_chain();
                let in_head = self
                    .levels
                    .last()
                    .is_some_and(|level| level.bracket == b'(');
                let ends = byte == b';' && !in_head;
                self.advance(
                    1,
                    if ends {
                        Before::Statement
                    } else {
                        Before::Operator
                    },
                );
            }
            b'\\' => self.escaped_name()?,
            b'#' => self.private_name(),
            _ if is_word(byte) => self.word(),
            _ => self.operator(byte, line_start)?,
        }
        Ok(())
    }

    fn space(&mut self, space: &Space) {
        match space {
            Space::Line(length) => {
                self.line_start = true;
                if self.before == Before::Return {
                    self.before = Before::Statement;
                }
                self.at += length;
            }
            Space::Blank(length) => self.at += length,
        }
    }

    fn advance(&mut self, bytes: usize, before: Before) {
        self.at += bytes;
        self.before = before;
    }

    fn rest(&self) -> &'a [u8] {
        &self.source[self.at.min(self.source.len())..]
    }

    fn count(&mut self) {
        if let Some(level) = self.levels.last_mut() {
            level.chain += 1;
        }
        self.deeper();
    }

    fn deeper(&mut self) {
        self.current += 1;
        self.kept_deepest = self.kept_deepest.max(self.current);
    }

    fn end_of_chain(&mut self) {
        if let Some(level) = self.levels.last_mut() {
            self.current -= level.chain;
            level.chain = 0;
        }
    }

    fn operator(&mut self, byte: u8, line_start: bool) -> Result<(), Unsure> {
        if matches!(byte, b'<' | b'-') {
            let opens = self.rest().starts_with(b"<!--");
            if line_start && (opens || self.rest().starts_with(b"-->")) {
                // A comment in scripts, a syntax error in modules.
                self.skip_line();
                return Ok(());
            }
            if opens {
                return Err(Unsure);
            }
        }
        self.count();
        let next = self.source.get(self.at + 1).copied();
        match byte {
            b'+' | b'-' if next == Some(byte) => self.advance(2, Before::Unknown),
            // The block of an arrow function is not a value that something could follow.
            b'=' if next == Some(b'>') => self.advance(2, Before::Arrow),
            b':' => self.advance(1, Before::Colon),
            b'.' => self.advance(1, Before::Dot),
            _ => self.advance(1, Before::Operator),
        }
        Ok(())
    }
}
