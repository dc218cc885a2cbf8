//! The lexer that counts. It sees brackets, operators and words; the rest it skips.

use self::text::Space;
use super::{Unsure, is_word};

mod text;

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
}

pub(super) struct Lexer<'a> {
    source: &'a [u8],
    at: usize,
    levels: Vec<Level>,
    /// Sum over all open levels.
    current: usize,
    deepest: usize,
    limit: usize,
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
        };
        Lexer {
            source,
            at: 0,
            levels: vec![ground],
            current: 0,
            deepest: 0,
            limit,
            groups: 0,
            read_again: 0,
            counted_to: 0,
            before: Before::Statement,
            function: None,
            line_start: true,
        }
    }

    pub(super) fn deepest(&self) -> usize {
        self.deepest
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
            if self.deepest > self.limit {
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
        self.current += 1;
        self.deepest = self.deepest.max(self.current);
    }

    fn end_of_chain(&mut self) {
        if let Some(level) = self.levels.last_mut() {
            self.current -= level.chain;
            level.chain = 0;
        }
    }

    /// A bracket counts as a link of the chain it stands in and as a level of its own.
    fn open(&mut self, bracket: u8, after: Before, group: bool) {
        self.count();
        if group {
            self.count_groups();
            self.groups += 1;
        }
        self.levels.push(Level {
            bracket,
            chain: 0,
            statements: 1,
            after,
            group,
        });
        self.current += 1;
        self.deepest = self.deepest.max(self.current);
    }

    fn parenthesis(&mut self) {
        let (after, group) = match self.before {
            _ if self.function.is_some() => {
                (self.function.take().unwrap_or(Before::Unknown), false)
            }
            Before::HeadWord => (Before::Statement, false),
            Before::Value | Before::Dot => (Before::Value, false),
            _ => (Before::Value, true),
        };
        self.open(b'(', after, group);
        self.advance(1, Before::Operator);
    }

    fn brace(&mut self) {
        let after = match self.before {
            Before::Statement | Before::Arrow | Before::Declared => Before::Statement,
            Before::Operator | Before::Return | Before::Default | Before::Made => Before::Value,
            // The body of a method or class, which may be a value or not.
            _ => Before::Body,
        };
        self.open(b'{', after, false);
        self.advance(1, Before::Statement);
    }

    fn close(&mut self, byte: u8) -> Result<(), Unsure> {
        let Some(level) = self.levels.pop_if(|level| level.bracket != 0) else {
            return Err(Unsure);
        };
        self.current -= level.chain + level.statements;
        if level.group {
            self.count_groups();
            self.groups -= 1;
        }
        self.at += 1;
        match (level.bracket, byte) {
            (b'(', b')') | (b'[', b']') | (b'{', b'}') => self.before = level.after,
            (b'$', b'}') => self.template()?,
            _ => return Err(Unsure),
        }
        Ok(())
    }

    fn word(&mut self) {
        let length = self.word_length();
        let word = &self.source[self.at..self.at + length];
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
                    self.current += 1;
                    self.deepest = self.deepest.max(self.current);
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

    fn operator(&mut self, byte: u8, line_start: bool) -> Result<(), Unsure> {
        let rest = self.rest();
        if line_start && (rest.starts_with(b"<!--") || rest.starts_with(b"-->")) {
            // A comment in scripts, a syntax error in modules.
            self.skip_line();
            return Ok(());
        }
        if rest.starts_with(b"<!--") {
            return Err(Unsure);
        }
        self.count();
        let double = matches!(byte, b'+' | b'-') && self.source.get(self.at + 1) == Some(&byte);
        match byte {
            _ if double => self.advance(2, Before::Unknown),
            // The block of an arrow function is not a value that something could follow.
            b'=' if rest.starts_with(b"=>") => self.advance(2, Before::Arrow),
            b':' => self.advance(1, Before::Colon),
            b'.' => self.advance(1, Before::Dot),
            _ => self.advance(1, Before::Operator),
        }
        Ok(())
    }
}
