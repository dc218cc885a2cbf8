//! Who a script is when its data is set aside: the same code with other values is the same script.
//!
//! Servers write scripts into pages, and values into those scripts: the page's name, a list of
//! modules, the state of the application. [`identity`] takes literals out and hashes what is left,
//! without whitespace and comments; the literals are listed beside the hash, each with a path that
//! means the same on every page. [`json_values`] lists the values of a block of JSON likewise.
//!
//! Strings, numbers, booleans, `null` and whole arrays of such are *values*: in the code there is
//! only a *slot* in their place. Keys of objects are code, unless there are so many of them that
//! they must be data ([`MAX_CODE_KEYS`]), or they all name lists of data. Property names in brackets, regular expressions and
//! directives are code.

use oxc_ast::ast::Program;
use serde_json::Value;

use self::literals::Literals;
use self::walk::Walk;
use crate::parse;
use crate::{Goal, Note};

mod canon;
mod literals;
mod walk;

/// Longest source or text that is taken apart. Longer ones are one piece of code.
const MAX_TEXT: usize = 4 << 20;

/// Objects of data with more keys than this are maps: their keys are data too.
const MAX_CODE_KEYS: usize = 32;

/// The parts of a script: what is the same on many pages, and what is not.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Identity {
    /// A hash of the code without its literals.
    pub code: u128,
    /// How many bytes of code there are beside the literals.
    pub code_bytes: usize,
    /// The values that stood in it, in the order of the source.
    pub literals: Vec<Literal>,
    /// Why it could not be taken apart (then all of it is code), or that literals were left out.
    pub note: Option<Note>,
}

/// A value that stands in a script or in JSON.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Literal {
    /// Which of the slots in the code it fills; the values of one array or map share theirs. JSON
    /// is a single slot.
    pub slot: u32,
    /// Where it stands in words: `RLCONF.wgPageName`, `gtag(1)`, `props.pageProps.id`, or `#7` for
    /// the slot where there are no words. No two literals of a script have the same path.
    pub path: String,
    /// The value: strings without quotes, short arrays joined by commas. Long ones are cut and
    /// end in a hash, so that they stay different.
    pub value: String,
}

/// Takes a script apart into code and values.
pub fn identity(source: &str, goal: Goal) -> Identity {
    let taken = if source.len() > MAX_TEXT {
        Err(Note::TooLong)
    } else {
        parse::program(source, goal, |program| take_apart(source, program))
    };
    taken.unwrap_or_else(|note| Identity {
        code: canon::hash_of_text(source),
        code_bytes: source.len(),
        literals: Vec::new(),
        note: Some(note),
    })
}

/// The values in a block of JSON, by their paths; none if it is not JSON.
pub fn json_values(text: &str) -> Vec<Literal> {
    if text.len() > MAX_TEXT {
        return Vec::new();
    }
    let mut literals = Literals::default();
    if let Ok(value) = serde_json::from_str::<Value>(text) {
        literals.add(0, "", &value);
    }
    literals.into_parts().0
}

fn take_apart(source: &str, program: &Program<'_>) -> Identity {
    let (marks, literals) = Walk::over(source, program);
    let comments = program.comments.iter().map(|comment| comment.span);
    let (code, code_bytes) = canon::hash_of_code(source, &marks, comments);
    let (literals, full) = literals.into_parts();
    Identity {
        code,
        code_bytes,
        literals,
        note: full.then_some(Note::TooMany),
    }
}

#[cfg(test)]
mod tests;
