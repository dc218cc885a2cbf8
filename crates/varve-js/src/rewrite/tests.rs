#![allow(clippy::unwrap_used)]

use std::borrow::Cow;

use oxc_allocator::Allocator;
use oxc_parser::{ParseOptions, Parser};

use super::{Form, Rewritten};
use crate::requests::Note;
use crate::stack::with_stack_for;

mod chains;
mod code;
mod destructuring;
mod emitted;
mod forms;
mod hostile;
mod members;
mod messages;
mod modules;
mod names;
mod outlines;
mod properties;
mod semantics;
mod tables;
mod targets;
mod windows;

fn rewrite(source: &str, form: Form) -> Rewritten<'_> {
    super::rewrite(source, form, &mut |_| None)
}

/// Checks what a source becomes, and that it then stays so and parses.
#[track_caller]
fn check_as(form: Form, source: &str, expected: &str) {
    let rewritten = rewrite(source, form);
    assert_eq!(rewritten.note, None, "{source}");
    assert_eq!(rewritten.text, expected, "{source}");
    assert!(
        source != expected || matches!(rewritten.text, Cow::Borrowed(_)),
        "borrowed: {source}"
    );
    assert_eq!(parses(expected, form), Ok(()), "{expected}");
    assert_eq!(rewrite(expected, form).text, expected, "again: {source}");
}

/// Checks a table of classic scripts.
#[track_caller]
fn check(table: &[(&str, &str)]) {
    for (source, expected) in table {
        check_as(Form::Classic, source, expected);
    }
}

/// Checks that classic scripts stay as they are.
#[track_caller]
fn same(sources: &[&str]) {
    for source in sources {
        check_as(Form::Classic, source, source);
    }
}

/// Whether the parser has nothing to say against a text.
fn parses(text: &str, form: Form) -> Result<(), String> {
    with_stack_for(text, || parse(text, form)).unwrap_or(Err("too deep".to_owned()))
}

fn parse(text: &str, form: Form) -> Result<(), String> {
    let options = ParseOptions {
        allow_return_outside_function: true,
        ..ParseOptions::default()
    };
    let mut words = String::new();
    for goal in form.goals() {
        let allocator = Allocator::default();
        let parsed = Parser::new(&allocator, text, goal())
            .with_options(options)
            .parse();
        if !parsed.panicked && parsed.diagnostics.is_empty() {
            return Ok(());
        }
        words = format!("{:?}", parsed.diagnostics);
    }
    Err(words)
}

#[test]
fn what_does_not_parse_stays_with_a_note() {
    for source in ["location = (", "top }", "import from location"] {
        let rewritten = rewrite(source, Form::Classic);
        assert!(matches!(rewritten.text, Cow::Borrowed(text) if text == source));
        assert!(matches!(rewritten.note, Some(Note::Syntax(_))), "{source}");
    }
}

#[test]
fn what_has_no_word_that_matters_is_not_even_parsed() {
    let rewritten = rewrite("this is no script )", Form::Classic);
    assert_eq!(rewritten.note, None);
}
