//! Scripts changed for replay: what would tell the truth about the replay's own URLs asks the
//! client script instead.
//!
//! Archived scripts run with the real window. Of its properties that cannot be redefined only
//! `location` and `top` say something untrue in replay, so these are what the rewriter is after,
//! together with code made at run time (`eval`), `import()`, `import.meta.url` and
//! `import.meta.resolve()`, `postMessage()`, whose origins are archived ones, and the specifiers of
//! static imports. [`emitted`](EMITTED) lists what takes their place.
//!
//! The parser finds the spans, the text around them stays byte for byte; a source in which
//! nothing changes is given back as it is, and one that does not parse as well, with a note.
//! Rewriting what has been rewritten changes nothing. Of most sources only an [`outline`] is
//! parsed; a mistake in a function that holds nothing to rewrite is then left to the browser.
//!
//! What is left alone on purpose:
//! - names in the body of `with`, which only the run time can resolve;
//! - `x.location()`, `delete x.location`, `x.location += y` and `[x.location] = y`, unless `x` is
//!   a window by its name: their value cannot be the window's location, or does not matter;
//! - `x?.postMessage()`;
//! - assignments to `top`, which do nothing;
//! - patterns without an initialiser (`({ location }) => ...`), and a `var` pattern on the top
//!   level that would assign to `location`;
//! - `import.meta` as a whole.

use std::borrow::Cow;
use std::ops::Range;

use oxc_span::SourceType;

use self::plan::Plan;
use self::scopes::TopLevel;
use crate::requests::Note;

pub(crate) use self::emitted::COLD;
pub use self::emitted::{EMITTED, GLOBAL};

mod destructuring;
mod edits;
mod emitted;
mod members;
mod outline;
mod plan;
mod scopes;
mod targets;
mod visitor;
pub(crate) mod words;

/// Changes whenever the same source may be rewritten to another text than before, so that what
/// was kept of the earlier rules is not used any more.
pub const RULES: u32 = 3;

/// Longest source that is rewritten.
pub(crate) const MAX_SOURCE: usize = 16 << 20;

/// What a script is run as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Form {
    /// A classic script of a page.
    Classic,
    /// A module of a page.
    Module,
    /// A classic script of a worker, where there is no `top`.
    ClassicWorker,
    /// A module of a worker.
    ModuleWorker,
    /// The text of an `on*` attribute or a `javascript:` URL, or the body of a function made at
    /// run time.
    Handler,
    /// A text for `eval`.
    Eval,
    /// Not known: a module if it has `import`, `export` or `import.meta`, or if it parses as a
    /// module only, otherwise a classic script.
    Unknown,
}

impl Form {
    fn is_module(self) -> bool {
        matches!(self, Form::Module | Form::ModuleWorker)
    }

    fn is_worker(self) -> bool {
        matches!(self, Form::ClassicWorker | Form::ModuleWorker)
    }

    fn top_level(self) -> TopLevel {
        match self {
            Form::Classic | Form::ClassicWorker | Form::Unknown => TopLevel::Window,
            Form::Module | Form::ModuleWorker | Form::Handler | Form::Eval => TopLevel::Own,
        }
    }

    /// What to parse it as, in the order of trying.
    pub(crate) fn goals(self) -> &'static [fn() -> SourceType] {
        match self {
            Form::Classic | Form::ClassicWorker => &[SourceType::script],
            Form::Module | Form::ModuleWorker => &[SourceType::mjs],
            // A module's goal knows `await`, which the body of an async function may hold.
            Form::Handler | Form::Eval => &[SourceType::script, SourceType::mjs],
            Form::Unknown => &[SourceType::unambiguous, SourceType::mjs],
        }
    }

    /// What it is once the parser has seen it as `parsed`.
    fn decided(self, parsed: SourceType) -> Form {
        match self {
            Form::Unknown if parsed.is_module() => Form::Module,
            Form::Unknown => Form::Classic,
            known => known,
        }
    }
}

/// A script as it is to be served.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rewritten<'s> {
    /// The text; borrowed if nothing changed.
    pub text: Cow<'s, str>,
    /// What it was rewritten as; never [`Form::Unknown`].
    pub form: Form,
    /// Why it was left as it is although it may hold something to rewrite.
    pub note: Option<Note>,
}

/// Rewrites one source for replay.
///
/// `specifier` is asked for each specifier of a static `import` or `export ... from`, in the order
/// of the source, and gives what is to take its place, if anything.
pub fn rewrite<'s>(
    source: &'s str,
    form: Form,
    specifier: &mut dyn FnMut(&str) -> Option<String>,
) -> Rewritten<'s> {
    let as_it_is = |form: Form, note| Rewritten {
        text: Cow::Borrowed(source),
        form: form.decided(SourceType::script()),
        note,
    };
    if !needs_parsing(source, form) {
        return as_it_is(form, None);
    }
    if source.len() > MAX_SOURCE {
        return as_it_is(form, Some(Note::TooLong));
    }
    let mut plan = match Plan::of(source, form) {
        Ok(plan) => plan,
        Err(note) => return as_it_is(form, Some(note)),
    };
    for (span, value) in plan.specifiers {
        if let Some(new) = specifier(&value).filter(|new| *new != value) {
            let quote = if span.source_text(source).starts_with('\'') {
                '\''
            } else {
                '"'
            };
            plan.edits.replace(span, edits::quoted(&new, quote));
        }
    }
    let text = if plan.edits.is_empty() {
        Cow::Borrowed(source)
    } else {
        Cow::Owned(plan.edits.apply(source))
    };
    Rewritten {
        text,
        form: plan.form,
        note: None,
    }
}

/// A part of a source as [`rewrite`] would change it with all that is around: all that stands
/// between two braces, or a value.
pub fn rewrite_part(
    source: &str,
    form: Form,
    part: Range<usize>,
    is_value: bool,
) -> Option<String> {
    let text = source.get(part.clone())?;
    if !words::may_matter(text) || source.len() > MAX_SOURCE {
        return Some(text.to_owned());
    }
    if !is_value {
        let edits = Plan::of(source, form).ok()?.edits;
        return Some(edits.within(&part).apply(text));
    }
    // Between parentheses of its own, so that nothing that is around it ends where it ends.
    let (before, after) = (&source[..part.start], &source[part.end..]);
    let apart = format!("{before}({text}){after}");
    let edits = Plan::of(&apart, form).ok()?.edits;
    Some(edits.within(&(part.start + 1..part.end + 1)).apply(text))
}

fn needs_parsing(source: &str, form: Form) -> bool {
    let may_be_module = form.is_module() || form == Form::Unknown;
    words::may_matter(source) || (may_be_module && words::may_be_module(source))
}

#[cfg(test)]
mod tests;
