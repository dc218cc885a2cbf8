//! The walk over all functions of a script.

use super::comments::comments;
use super::ran::Map;
use super::{Cold, MIN_BODY, Manner, Split, Stub, Why};
use oxc_ast::ast::{
    ArrowFunctionBody, ArrowFunctionExpression, BindingIdentifier, BindingPattern, Expression,
    FormalParameters, Function, FunctionBody, IdentifierReference, ImportExpression, ImportMeta,
    Program, Super, VariableDeclaration,
};
use oxc_ast_visit::{Visit, walk};
use oxc_span::{GetSpan, Span};
use oxc_syntax::scope::ScopeFlags;
use std::collections::HashSet;
use std::ops::Range;

/// Collects functions on its way through a program.
pub(super) struct Functions {
    ran: Map,
    split: Split,
    /// Where the functions around begin.
    around: Vec<u32>,
    /// Bodies that stay, and have nothing in them but comments, perhaps.
    empty: Vec<Range<usize>>,
    /// `eval` is something else than it should be.
    has_own_eval: bool,
    is_module: bool,
}

/// What a function does.
#[derive(Clone, Copy)]
enum Body<'f, 'a> {
    Statements(&'f FunctionBody<'a>),
    /// An arrow function's value.
    Value(&'f Expression<'a>),
}

impl Body<'_, '_> {
    /// Whether it does nothing.
    fn is_empty(self) -> bool {
        matches!(self, Body::Statements(body) if body.statements.is_empty())
    }

    /// Where what can be taken out stands, and whether directives stand before it.
    fn place(self) -> (Range<usize>, bool) {
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
struct Found<'f, 'a> {
    span: Span,
    parameters: &'f FormalParameters<'a>,
    body: Body<'f, 'a>,
    is_async: bool,
    is_generator: bool,
}

impl Functions {
    pub(super) fn of(program: &Program<'_>, ran: Map) -> Split {
        let mut functions = Functions {
            ran,
            split: Split::default(),
            around: Vec::new(),
            empty: Vec::new(),
            has_own_eval: false,
            is_module: program.source_type.is_module(),
        };
        functions.visit_program(program);
        let mut split = functions.split;
        if functions.has_own_eval {
            split.cold.clear();
        }
        // Functions in parameters are found after the body.
        split.cold.sort_by_key(|cold| cold.body.start);
        functions.empty.sort_by_key(|body| body.start);
        let comments = comments(program, &split.cold, &functions.empty);
        split.cold.extend(comments);
        split.cold.sort_by_key(|cold| cold.body.start);
        split
    }

    /// Whether a function is taken out; if not, what is in it is looked at.
    fn takes_out(&mut self, found: &Found<'_, '_>) -> bool {
        self.split.functions += 1;
        if self.ran.has(found.span, self.around.last().copied()) {
            self.split.ran += 1;
            return false;
        }
        let (body, after_directives) = found.body.place();
        match why_not(found, body.len(), self.is_module) {
            Some(why) => {
                self.split.left.push((why, body.len()));
                false
            }
            None => {
                self.split.cold.push(Cold {
                    body,
                    manner: Manner {
                        is_async: found.is_async,
                        is_expression: matches!(found.body, Body::Value(_)),
                        is_generator: found.is_generator,
                    },
                    stub: match after_directives {
                        true => Stub::AfterDirectives,
                        false => Stub::Body,
                    },
                });
                true
            }
        }
    }

    fn within(&mut self, span: Span, walk: impl FnOnce(&mut Functions)) {
        self.around.push(span.start);
        walk(self);
        self.around.pop();
    }
}

impl<'a> Visit<'a> for Functions {
    fn visit_function(&mut self, it: &Function<'a>, flags: ScopeFlags) {
        // The name of a declaration belongs to the scope around, and is seen by all.
        if let Some(name) = &it.id {
            self.visit_binding_identifier(name);
        }
        if let Some(body) = &it.body {
            let found = Found {
                span: it.span,
                parameters: &it.params,
                body: Body::Statements(body),
                is_async: it.r#async,
                is_generator: it.generator,
            };
            if self.takes_out(&found) {
                return self.within(it.span, |functions| {
                    functions.visit_formal_parameters(&it.params);
                });
            }
        }
        self.within(it.span, |functions| {
            walk::walk_function(functions, it, flags)
        });
    }

    fn visit_arrow_function_expression(&mut self, it: &ArrowFunctionExpression<'a>) {
        let body = match &it.body {
            ArrowFunctionBody::FunctionBody(body) => Some(Body::Statements(body)),
            body => body.as_expression().map(Body::Value),
        };
        let found = body.map(|body| Found {
            span: it.span,
            parameters: &it.params,
            body,
            is_async: it.r#async,
            is_generator: false,
        });
        if found.is_some_and(|found| self.takes_out(&found)) {
            return self.within(it.span, |functions| {
                functions.visit_formal_parameters(&it.params);
            });
        }
        self.within(it.span, |functions| {
            walk::walk_arrow_function_expression(functions, it);
        });
    }

    fn visit_function_body(&mut self, it: &FunctionBody<'a>) {
        if it.statements.is_empty() {
            (self.empty).push(it.span.start as usize..it.span.end as usize);
        }
        walk::walk_function_body(self, it);
    }

    fn visit_binding_identifier(&mut self, it: &BindingIdentifier<'a>) {
        self.has_own_eval |= it.name == "eval";
    }
}

/// Why a body is not taken out, if it is not.
fn why_not(found: &Found<'_, '_>, length: usize, is_module: bool) -> Option<Why> {
    if length < MIN_BODY || found.body.is_empty() {
        return Some(Why::Tiny);
    }
    let mut inside = Inside {
        taken: names(found.parameters),
        redeclares: false,
        has_import_meta: false,
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
    match (is_tied, inside.redeclares, inside.has_import_meta) {
        (true, ..) => Some(Why::Generator),
        (_, true, _) => Some(Why::Redeclares),
        (_, _, true) => Some(Why::ImportMeta),
        _ => None,
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

/// Looks into one body, and into functions in it only for `import.meta`.
struct Inside<'a> {
    taken: HashSet<&'a str>,
    redeclares: bool,
    has_import_meta: bool,
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

    fn visit_import_expression(&mut self, it: &ImportExpression<'a>) {
        self.has_import_meta |= self.is_module;
        walk::walk_import_expression(self, it);
    }
}
