//! Which calls are understood: those of functions that stand in the script, and those of functions
//! of the platform that fetch and change nothing.

use oxc_ast::ast::{Argument, Expression};

use super::bindings::Meaning;
use super::plain;
use super::visitor::{Callee, Visitor};
use super::words;

impl<'a> Visitor<'_, 'a> {
    /// Whether it is known what a call does, beyond what is counted.
    pub(super) fn is_known_call(&self, callee: &Callee<'_, 'a>, given: &[Argument<'a>]) -> bool {
        match callee {
            Callee::Own => true,
            Callee::Local(meaning) => *meaning == Meaning::Function,
            Callee::Global(name) => {
                plain::is_plain_function(name)
                    || (plain::is_calling_function(name) && self.are_known(given))
            }
            Callee::Method(object, "call" | "apply" | "bind") => self.is_known_function(object),
            Callee::Method(object, name) => {
                self.is_known_method(object, name)
                    && (!plain::calls_given(name) || self.are_known(given))
            }
            Callee::Other => false,
        }
    }

    /// The same of `new`.
    pub(super) fn is_known_class(&self, callee: &Callee<'_, 'a>, given: &[Argument<'a>]) -> bool {
        match callee {
            Callee::Own => true,
            Callee::Local(meaning) => *meaning == Meaning::Function,
            Callee::Global(name) => {
                plain::is_plain_class(name)
                    || words::global(name).is_some()
                    || (plain::is_calling_class(name) && self.are_known(given))
            }
            Callee::Method(..) | Callee::Other => false,
        }
    }

    fn is_known_method(&self, object: &Expression<'a>, name: &str) -> bool {
        match self.meaning(object) {
            Meaning::Fresh => plain::only_reads(name) || plain::changes_own(name),
            Meaning::Platform => plain::only_reads(name),
            Meaning::Object => name == "hasOwnProperty",
            Meaning::Window | Meaning::Function | Meaning::Unknown => false,
        }
    }

    /// A function whose own methods are called: `f.call(x)`, `[].slice.call(x)`.
    fn is_known_function(&self, function: &Expression<'a>) -> bool {
        match function {
            Expression::StaticMemberExpression(member) => {
                let name = member.property.name.as_str();
                plain::makes_value(name)
                    && !plain::calls_given(name)
                    && self.is_known_method(&member.object, name)
            }
            _ => self.meaning(function) == Meaning::Function,
        }
    }

    /// Whether calling what is given does nothing that is not known.
    fn are_known(&self, given: &[Argument<'a>]) -> bool {
        given.iter().all(|argument| match argument.as_expression() {
            Some(Expression::Identifier(name)) if self.is_global(&name.name) => {
                plain::is_plain_function(&name.name)
            }
            Some(argument) => self.meaning(argument) != Meaning::Unknown,
            None => false,
        })
    }
}
