//! What is to be changed in a source, by what the parser says.

use oxc_allocator::Allocator;
use oxc_parser::{ParseOptions, Parser};
use oxc_span::{SourceType, Span};

use super::Form;
use super::edits::Edits;
use super::outline::Outline;
use super::scopes::Scopes;
use super::visitor::Rewriter;
use crate::nesting::{self, Look};
use crate::requests::Note;
use crate::stack::{MAX_DEPTH, with_stack};

/// What is to be changed in a source.
pub(super) struct Plan {
    pub(super) form: Form,
    pub(super) edits: Edits,
    /// The string literals of static imports, and their values.
    pub(super) specifiers: Vec<(Span, String)>,
    /// Whether the parser found no errors.
    pub(super) clean: bool,
}

impl Plan {
    /// The plan by the outline of a source if that has no errors, else by the whole.
    pub(super) fn of(source: &str, form: Form) -> Result<Plan, Note> {
        let look = nesting::look(source, MAX_DEPTH).ok_or(Note::TooDeep)?;
        match by_outline(source, form, &look) {
            Some(plan) => Ok(plan),
            None => by_whole(source, form, &look),
        }
    }

    /// The plan for a source, made for its outline.
    fn unfolded(self, outline: &Outline) -> Plan {
        let place = |span| outline.original(span);
        let specifiers = self.specifiers.into_iter();
        Plan {
            edits: self.edits.moved(place),
            specifiers: specifiers
                .map(|(span, value)| (place(span), value))
                .collect(),
            ..self
        }
    }
}

fn by_outline(source: &str, form: Form, look: &Look) -> Option<Plan> {
    let outline = Outline::of(source, &look.quiet)?;
    let plan = with_stack(look.outline_depth, || plan(outline.text(), form));
    let plan = plan.ok()?.ok().filter(|plan| plan.clean)?;
    Some(plan.unfolded(&outline))
}

pub(super) fn by_whole(source: &str, form: Form, look: &Look) -> Result<Plan, Note> {
    with_stack(look.depth, || plan(source, form)).unwrap_or(Err(Note::TooDeep))
}

/// The plan by the first goal under which the source has no errors, else by the first under which
/// it can be read at all.
fn plan(source: &str, form: Form) -> Result<Plan, Note> {
    let mut best = Err(Note::Syntax(String::new()));
    for goal in form.goals() {
        let plan = plan_as(source, form, goal());
        let clean = plan.as_ref().is_ok_and(|plan| plan.clean);
        if clean || best.is_err() {
            best = plan;
        }
        if clean {
            break;
        }
    }
    best
}

/// The plan by one goal.
fn plan_as(source: &str, form: Form, goal: SourceType) -> Result<Plan, Note> {
    let options = ParseOptions {
        // Parentheses decide where a span ends and whether an optional chain does.
        preserve_parens: true,
        allow_return_outside_function: true,
        ..ParseOptions::default()
    };
    let allocator = Allocator::default();
    let parsed = Parser::new(&allocator, source, goal)
        .with_options(options)
        .parse();
    if parsed.panicked {
        let words = parsed.diagnostics.first().map(ToString::to_string);
        return Err(Note::Syntax(words.unwrap_or_default()));
    }
    let form = form.decided(parsed.program.source_type);
    let scopes = Scopes::of(&parsed.program, form.top_level());
    let (edits, specifiers) = Rewriter::rewrite(&parsed.program, form, scopes);
    Ok(Plan {
        form,
        edits,
        specifiers,
        clean: parsed.diagnostics.is_empty(),
    })
}
