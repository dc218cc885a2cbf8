//! Parse a wild source and look at its syntax tree: the one way in for those who only look.

use oxc_allocator::Allocator;
use oxc_ast::ast::Program;
use oxc_parser::{ParseOptions, Parser};
use oxc_span::SourceType;

use crate::stack::with_stack_for;
use crate::{Goal, Note};

/// Longest source that is looked into.
pub(crate) const MAX_SOURCE: usize = 16 << 20;

/// What `look` makes of the program that the source is; or why there is none.
pub(crate) fn program<T: Send>(
    source: &str,
    goal: Goal,
    look: impl FnOnce(&Program<'_>) -> T + Send,
) -> Result<T, Note> {
    if source.len() > MAX_SOURCE {
        return Err(Note::TooLong);
    }
    with_stack_for(source, || parse(source, goal, look)).unwrap_or(Err(Note::TooDeep))
}

fn parse<T>(source: &str, goal: Goal, look: impl FnOnce(&Program<'_>) -> T) -> Result<T, Note> {
    let source_type = match goal {
        Goal::Script => SourceType::script(),
        Goal::Module => SourceType::mjs(),
        Goal::Either => SourceType::unambiguous(),
    };
    let options = ParseOptions {
        preserve_parens: false,
        allow_return_outside_function: true,
        ..ParseOptions::default()
    };
    let allocator = Allocator::default();
    let parsed = Parser::new(&allocator, source, source_type)
        .with_options(options)
        .parse();
    if parsed.panicked {
        let words = parsed.diagnostics.first().map(ToString::to_string);
        return Err(Note::Syntax(words.unwrap_or_default()));
    }
    Ok(look(&parsed.program))
}
