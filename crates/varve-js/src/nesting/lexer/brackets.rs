//! Brackets: levels that open and close, and the bodies of functions among them.

use super::{Before, Body, Level, Lexer};
use crate::nesting::Unsure;

/// Shortest body that is worth leaving out.
const MIN_QUIET: usize = 16;

impl Lexer<'_> {
    /// A bracket counts as a link of the chain it stands in and as a level of its own.
    pub(super) fn open(&mut self, bracket: u8, after: Before, group: bool) {
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
            body: None,
        });
        self.deeper();
    }

    /// The body of a function, from its `{` on.
    fn open_body(&mut self) {
        let body = Body {
            start: self.at + 1,
            words: self.words,
            kept_deepest: self.kept_deepest,
        };
        if let Some(level) = self.levels.last_mut() {
            level.body = Some(body);
        }
    }

    /// The end of a body: it is quiet if there was no word in it that matters. The quiet bodies in
    /// it are part of it then.
    fn close_body(&mut self, body: Body) {
        if self.words != body.words || self.at - body.start < MIN_QUIET {
            return;
        }
        while self
            .quiet
            .pop_if(|inner| inner.start > body.start)
            .is_some()
        {}
        self.quiet.push(body.start..self.at);
        self.quiet_deepest = self.quiet_deepest.max(self.kept_deepest);
        self.kept_deepest = body.kept_deepest;
    }

    pub(super) fn parenthesis(&mut self) {
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

    pub(super) fn brace(&mut self) {
        let (after, body) = match self.before {
            Before::Statement => (Before::Statement, false),
            Before::Arrow | Before::Declared => (Before::Statement, true),
            Before::Made => (Before::Value, true),
            Before::Operator | Before::Return | Before::Default => (Before::Value, false),
            // The body of a method or class, which may be a value or not.
            Before::Value => (Before::Body, self.follows_parameters()),
            _ => (Before::Body, false),
        };
        self.open(b'{', after, false);
        if body {
            self.open_body();
        }
        self.advance(1, Before::Statement);
    }

    /// Whether parameters end right before this: then a method follows, or the body of a class
    /// after `extends f()`. After a line break it may be a block.
    fn follows_parameters(&self) -> bool {
        let between = self.source.get(self.parameters_end..self.at);
        between.is_some_and(|between| between.iter().all(|byte| matches!(byte, b' ' | b'\t')))
    }

    pub(super) fn close(&mut self, byte: u8) -> Result<(), Unsure> {
        let Some(level) = self.levels.pop_if(|level| level.bracket != 0) else {
            return Err(Unsure);
        };
        self.current -= level.chain + level.statements;
        if let Some(body) = level.body {
            self.close_body(body);
        }
        if level.group {
            self.count_groups();
            self.groups -= 1;
        }
        self.at += 1;
        match (level.bracket, byte) {
            (b'(', b')') => {
                self.parameters_end = self.at;
                self.before = level.after;
            }
            (b'[', b']') | (b'{', b'}') => self.before = level.after,
            (b'$', b'}') => self.template()?,
            _ => return Err(Unsure),
        }
        Ok(())
    }
}
