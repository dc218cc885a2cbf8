//! A script in two: what ran, and the bodies of functions, and branches of others, that never did.
//!
//! Of most scripts a page runs a part. [`split`] is told which functions ran and finds the bodies
//! that can be taken out, so that the rest is still a script: in the place of each stands a stub
//! that fetches the body when it is called after all, and evaluates it where it stood
//! ([`restored`]). Direct `eval` sees the scopes around, `this`, `arguments`, `super` and
//! `new.target`; so nothing can go silently wrong.
//!
//! Branches that never ran of functions that did are taken out as well, where that can be done
//! ([`branches`]). Some bodies are left in: see [`Why`]. Comments go with the bodies; nobody misses them.

use std::ops::Range;

use oxc_allocator::Allocator;
use oxc_parser::{ParseOptions, Parser};
use oxc_span::SourceType;

use self::functions::Functions;
use self::ran::Map;
use crate::requests::Note;
use crate::rewrite::{Form, MAX_SOURCE};
use crate::stack::with_stack_for;

mod branches;
mod comments;
mod found;
mod functions;
mod mark;
mod ran;

pub use mark::{Mark, restoring};

/// Shorter bodies are not worth a stub.
const MIN_BODY: usize = 32;

/// A function that ran, in UTF-16 code units of the script's text, as V8 tells it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ran {
    /// Where the function begins.
    pub start: u32,
    /// Where it ends.
    pub end: u32,
    /// What of it never ran.
    pub idle: Vec<(u32, u32)>,
}

/// A body or branch that never ran, or a comment, that can be taken out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cold {
    /// Its bytes in the source, without the braces.
    pub body: Range<usize>,
    /// How it stands there.
    pub manner: Manner,
    /// What stands in its place.
    stub: Stub,
}

/// What stands in the place of what was taken out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stub {
    /// What restores it.
    Body,
    /// The same, after directives, which stay.
    AfterDirectives,
    /// The value of what restores it.
    Value,
    /// What restores it, as a statement.
    Statement,
    /// What restores it, and leaves the function.
    Return,
    /// What keeps the tokens before and after a comment apart.
    Comment(&'static str),
}

/// How a body stands in its function.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Manner {
    /// Whether the function is asynchronous, and waits for something itself.
    pub is_async: bool,
    /// Whether it is the expression of an arrow function, without braces.
    pub is_expression: bool,
    /// Whether it is a generator's.
    pub is_generator: bool,
}

/// Why a body that never ran is left in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Why {
    /// It is short.
    Tiny,
    /// It is a generator's, and asynchronous, or says `arguments` or `super`: only functions of
    /// their own can give what `yield` gives, and those have others.
    Generator,
    /// It declares a parameter, or `arguments`, again with `var` or `function`: what is evaluated
    /// would have a variable of its own.
    Redeclares,
    /// It says `import.meta`, which cannot be evaluated, or is a module's and has an `import()`,
    /// which is rewritten to say it, or what begins a comment outside of modules.
    ImportMeta,
    /// The line after it would go on with its stub.
    Unended,
    /// It has a template with a tag, which is given the same array each time as long as it is not
    /// evaluated anew. Libraries know by it what they have drawn already.
    Template,
}

/// A script in two.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Split {
    /// What can be taken out, in order.
    pub cold: Vec<Cold>,
    /// What never ran and stays all the same: why, and how many bytes.
    pub left: Vec<(Why, usize)>,
    /// Functions in the source; those in cold ones do not count.
    pub functions: usize,
    /// Those of them that ran.
    pub ran: usize,
    /// Bytes of what stays that are values: texts, numbers, patterns.
    pub values: usize,
}

/// Finds the bodies that never ran in a script. One that does not parse without a mistake, or
/// that has an `eval` of its own, is left whole.
pub fn split(source: &str, form: Form, ran: &[Ran]) -> Result<Split, Note> {
    // What is too long to be rewritten could not be rewritten in parts either.
    if source.len() > MAX_SOURCE {
        return Err(Note::TooLong);
    }
    let found = with_stack_for(source, || {
        let mut result = Err(Note::Syntax(String::new()));
        for goal in form.goals() {
            result = split_as(source, goal(), ran);
            if result.is_ok() {
                break;
            }
        }
        result
    });
    found.unwrap_or(Err(Note::TooDeep))
}

fn split_as(source: &str, goal: SourceType, ran: &[Ran]) -> Result<Split, Note> {
    let options = ParseOptions {
        allow_return_outside_function: true,
        ..ParseOptions::default()
    };
    let allocator = Allocator::default();
    let parsed = Parser::new(&allocator, source, goal)
        .with_options(options)
        .parse();
    if parsed.panicked || !parsed.diagnostics.is_empty() {
        let words = parsed.diagnostics.first().map(ToString::to_string);
        return Err(Note::Syntax(words.unwrap_or_default()));
    }
    Ok(Functions::of(&parsed.program, Map::new(source, ran)))
}

/// A script without its cold bodies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hot {
    /// Its text.
    pub text: String,
    /// Where the stubs stand in it, one for each cold body.
    pub stubs: Vec<Range<usize>>,
}

impl Split {
    /// The script without its cold bodies, with stubs that evaluate [`restored`] ones. `restore`
    /// gives an expression that does it, by the number of the body; or a [`Mark`] for it.
    pub fn hot(&self, source: &str, restore: &dyn Fn(usize) -> String) -> Hot {
        let mut text = String::with_capacity(source.len() / 2);
        let mut stubs = Vec::with_capacity(self.cold.len());
        let mut copied = 0;
        for (number, cold) in self.cold.iter().enumerate() {
            text.push_str(&source[copied..cold.body.start]);
            let start = text.len();
            match cold.stub {
                Stub::Comment(gap) => text.push_str(gap),
                _ => {
                    text.push_str(cold.before_value());
                    text.push_str(&restore(number));
                    text.push_str(cold.after_value());
                }
            }
            stubs.push(start..text.len());
            copied = cold.body.end;
        }
        text.push_str(&source[copied..]);
        Hot { text, stubs }
    }
}

impl Cold {
    /// Whether it is a comment, which nobody calls: there is nothing to be restored.
    pub fn is_comment(&self) -> bool {
        matches!(self.stub, Stub::Comment(_))
    }

    /// Whether it is a branch of a function that ran.
    pub fn is_branch(&self) -> bool {
        matches!(self.stub, Stub::Value | Stub::Statement | Stub::Return)
    }

    /// What a stub says before the value that it gives. One of a branch evaluates it in a function
    /// of its own: direct `eval` makes all variables slow that the function around it sees by name.
    fn before_value(&self) -> &'static str {
        let Manner {
            is_expression,
            is_generator,
            ..
        } = self.manner;
        match (self.stub, is_expression, is_generator) {
            (Stub::Value, ..) => "(()=>",
            // After an end of a line a parenthesis would go on with what stands before it.
            (Stub::Statement, ..) => "!(()=>",
            (Stub::Return, ..) => "return(()=>",
            // So that it can be told from a branch in a function of its own.
            (_, true, _) => "(",
            (Stub::AfterDirectives, _, false) => ";return ",
            (Stub::AfterDirectives, _, true) => ";return yield*",
            (_, _, false) => "return ",
            (_, _, true) => "return yield*",
        }
    }

    /// What it says after that.
    fn after_value(&self) -> &'static str {
        match (self.is_branch(), self.manner.is_expression) {
            (true, _) => ")()",
            (false, true) => ")",
            (false, false) => "",
        }
    }
}

/// What a stub evaluates.
pub fn restored(body: &str, manner: Manner) -> String {
    let word = if manner.is_async { "async" } else { "" };
    // A comment may be the last thing in it.
    match (manner.is_expression, manner.is_generator) {
        (true, _) => format!("({word}()=>({body}\n))()"),
        (false, false) => format!("({word}()=>{{{body}\n}})()"),
        (false, true) => format!("(function*(){{{body}\n}}).call(this)"),
    }
}

#[cfg(test)]
mod tests;
