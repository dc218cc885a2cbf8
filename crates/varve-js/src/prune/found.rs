//! A function that was found, and why its body stays where it is.

use super::{MIN_BODY, Manner, Why, branches};
use oxc_ast::ast::{
    ArrowFunctionExpression, AwaitExpression, BindingPattern, CallExpression, Expression,
    ForOfStatement, FormalParameters, Function, FunctionBody, IdentifierReference,
    ImportExpression, ImportMeta, Super, TaggedTemplateExpression, VariableDeclaration,
};
use oxc_ast_visit::{Visit, walk};
use oxc_span::{GetSpan, Span};
use oxc_syntax::scope::ScopeFlags;
use std::collections::HashSet;
use std::ops::Range;

/// What a function does.
#[derive(Clone, Copy)]
pub(super) enum Body<'f, 'a> {
    Statements(&'f FunctionBody<'a>),
    /// An arrow function's value.
    Value(&'f Expression<'a>),
}

impl Body<'_, '_> {
    /// Whether it does nothing.
    fn is_empty(self) -> bool {
        matches!(self, Body::Statements(body) if body.statements.is_empty())
    }

    /// Whether it is a value that ends its line by itself, as its stub does not.
    fn ends_line(self, source: &str) -> bool {
        let Body::Value(value) = self else {
            return false;
        };
        let Span { start, end, .. } = value.span();
        let text = source.get(start as usize..end as usize).unwrap_or_default();
        let ends = ["}", "++", "--"].iter().any(|end| text.ends_with(end));
        ends && !branches::is_ended(source, end as usize)
    }

    /// Where what can be taken out stands, and whether directives stand before it.
    pub(super) fn place(self) -> (Range<usize>, bool) {
        match self {
            Body::Value(value) => {
                let span = value.span();
                (span.start as usize..span.end as usize, false)
            }
            Body::Statements(body) => {
                let directives = body.directives.last();
                let start = directives.map_or(body.span.start + 1, |last| last.span.end) as usize;
                let end = body.span.end as usize - 1;
                (start..end.max(start), directives.is_some())
            }
        }
    }
}

/// A function, as far as it matters here.
pub(super) struct Found<'f, 'a> {
    pub(super) span: Span,
    pub(super) parameters: &'f FormalParameters<'a>,
    pub(super) body: Body<'f, 'a>,
    pub(super) is_async: bool,
    pub(super) is_generator: bool,
}

/// Why a body is not taken out, if it is not.
pub(super) fn why_not(found: &Found<'_, '_>, source: &str, is_module: bool) -> Result<Manner, Why> {
    let (place, _) = found.body.place();
    if place.len() < MIN_BODY || found.body.is_empty() {
        return Err(Why::Tiny);
    }
    let mut inside = Inside {
        taken: names(found.parameters),
        redeclares: false,
        has_import_meta: false,
        has_template: false,
        waits: false,
        asks_function: false,
        is_module,
        depth: 0,
        functions: 0,
    };
    match found.body {
        Body::Statements(body) => inside.visit_function_body(body),
        Body::Value(value) => inside.visit_expression(value),
    }
    let is_tied = found.is_generator && (found.is_async || inside.asks_function);
    let reasons = [
        (is_tied, Why::Generator),
        (inside.redeclares, Why::Redeclares),
        (inside.has_import_meta, Why::ImportMeta),
        (
            branches::reads_otherwise(source, &place, is_module),
            Why::ImportMeta,
        ),
        (found.body.ends_line(source), Why::Unended),
        (inside.has_template, Why::Template),
    ];
    let reason = reasons.into_iter().find(|(is_so, _)| *is_so);
    match reason {
        Some((_, why)) => Err(why),
        None => Ok(Manner {
            // Its stub is in an asynchronous function already.
            is_async: found.is_async && inside.waits,
            is_expression: matches!(found.body, Body::Value(_)),
            is_generator: found.is_generator,
        }),
    }
}

/// The names that a body must not declare again.
fn names<'a>(parameters: &FormalParameters<'a>) -> HashSet<&'a str> {
    let mut names = HashSet::from(["arguments"]);
    let mut add = |pattern: &BindingPattern<'a>| {
        pattern.all_binding_identifiers(&mut |identifier| {
            names.insert(identifier.name.as_str());
            true
        });
    };
    for parameter in &parameters.items {
        add(&parameter.pattern);
    }
    if let Some(rest) = &parameters.rest {
        add(&rest.rest.argument);
    }
    names
}

/// Looks into one body, and into functions in it only for `import.meta` and templates.
struct Inside<'a> {
    taken: HashSet<&'a str>,
    redeclares: bool,
    has_import_meta: bool,
    has_template: bool,
    /// It has an `await` of its own.
    waits: bool,
    /// It says `arguments` or `super`, which belong to its function.
    asks_function: bool,
    is_module: bool,
    /// Functions around, within the body.
    depth: usize,
    /// Those of them that are not arrow functions.
    functions: usize,
}

impl Inside<'_> {
    fn deeper(&mut self, walk: impl FnOnce(&mut Self)) {
        self.depth += 1;
        walk(self);
        self.depth -= 1;
    }
}

impl<'a> Visit<'a> for Inside<'a> {
    fn visit_function(&mut self, it: &Function<'a>, flags: ScopeFlags) {
        let name = it.id.as_ref().filter(|_| it.is_declaration());
        let is_taken = name.is_some_and(|name| self.taken.contains(name.name.as_str()));
        self.redeclares |= self.depth == 0 && is_taken;
        self.functions += 1;
        self.deeper(|inside| walk::walk_function(inside, it, flags));
        self.functions -= 1;
    }

    fn visit_call_expression(&mut self, it: &CallExpression<'a>) {
        // What it says and declares belongs to its function.
        let is_eval = it.callee.is_specific_id("eval");
        self.asks_function |= is_eval && self.functions == 0;
        self.redeclares |= is_eval && self.depth == 0;
        walk::walk_call_expression(self, it);
    }

    fn visit_await_expression(&mut self, it: &AwaitExpression<'a>) {
        self.waits |= self.depth == 0;
        walk::walk_await_expression(self, it);
    }

    fn visit_for_of_statement(&mut self, it: &ForOfStatement<'a>) {
        self.waits |= self.depth == 0 && it.r#await;
        walk::walk_for_of_statement(self, it);
    }

    fn visit_super(&mut self, _: &Super) {
        self.asks_function |= self.functions == 0;
    }

    fn visit_identifier_reference(&mut self, it: &IdentifierReference<'a>) {
        self.asks_function |= self.functions == 0 && it.name == "arguments";
    }

    fn visit_arrow_function_expression(&mut self, it: &ArrowFunctionExpression<'a>) {
        self.deeper(|inside| walk::walk_arrow_function_expression(inside, it));
    }

    fn visit_variable_declaration(&mut self, it: &VariableDeclaration<'a>) {
        self.waits |= self.depth == 0 && it.kind.is_await();
        if self.depth == 0 && it.kind.is_var() {
            for declarator in &it.declarations {
                declarator.id.all_binding_identifiers(&mut |identifier| {
                    self.redeclares |= self.taken.contains(identifier.name.as_str());
                    true
                });
            }
        }
        walk::walk_variable_declaration(self, it);
    }

    fn visit_import_meta(&mut self, _: &ImportMeta) {
        self.has_import_meta = true;
    }

    fn visit_tagged_template_expression(&mut self, it: &TaggedTemplateExpression<'a>) {
        self.has_template = true;
        walk::walk_tagged_template_expression(self, it);
    }

    fn visit_import_expression(&mut self, it: &ImportExpression<'a>) {
        self.has_import_meta |= self.is_module;
        walk::walk_import_expression(self, it);
    }
}
