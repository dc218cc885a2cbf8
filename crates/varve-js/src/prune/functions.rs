//! The walk over all functions of a script.

use super::branches;
use super::comments::comments;
use super::found::{Body, Found, why_not};
use super::ran::{Idle, Map};
use super::{Cold, Split, Stub};
use oxc_ast::ast::{
    ArrowFunctionBody, ArrowFunctionExpression, AssignmentExpression, AssignmentTarget,
    BindingIdentifier, BlockStatement, ConditionalExpression, Expression, ExpressionStatement,
    Function, FunctionBody, LogicalExpression, NumericLiteral, Program, RegExpLiteral,
    ReturnStatement, StaticMemberExpression, StringLiteral, TemplateElement, ThrowStatement,
    VariableDeclarator, WithStatement,
};
use oxc_ast_visit::{Visit, walk};
use oxc_span::{GetSpan, Span};
use oxc_syntax::scope::ScopeFlags;
use std::ops::Range;

/// Collects functions, and branches of those that stay, on its way through a program.
pub(super) struct Functions<'s> {
    source: &'s str,
    ran: Map,
    split: Split,
    /// The functions around.
    around: Vec<Around>,
    /// What of the script itself never ran.
    script: Idle,
    /// Bodies that stay, and have nothing in them but comments, perhaps.
    empty: Vec<Range<usize>>,
    /// `eval` is something else than it should be.
    has_own_eval: bool,
    /// Some function wants to know who called it.
    asks_callers: bool,
    is_module: bool,
}

/// A function that stays, around others.
#[derive(Clone, Copy)]
struct Around {
    /// Where it begins.
    start: u32,
    /// What of it never ran.
    idle: Idle,
}

impl<'s> Functions<'s> {
    pub(super) fn of(program: &Program<'s>, ran: Map) -> Split {
        let mut functions = Functions {
            source: program.source_text,
            // Modules may wait as well.
            script: match program.source_type.is_module() {
                true => Idle::Nothing,
                false => ran.script(),
            },
            ran,
            split: Split::default(),
            around: Vec::new(),
            empty: Vec::new(),
            has_own_eval: false,
            asks_callers: false,
            is_module: program.source_type.is_module(),
        };
        functions.visit_program(program);
        let mut split = functions.split;
        if functions.has_own_eval || functions.asks_callers {
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

    /// What of a function that stays never ran; nothing if it is taken out. What is in one that
    /// stays is looked at.
    fn staying(&mut self, found: &Found<'_, '_>) -> Option<Idle> {
        self.split.functions += 1;
        let around = self.around.last().map(|around| around.start);
        if let Some(idle) = self.ran.function(found.span, around) {
            self.split.ran += 1;
            // V8 may take for idle what runs after a function that waited.
            let waits = found.is_async || found.is_generator;
            return Some(if waits { Idle::Nothing } else { idle });
        }
        let (body, after_directives) = found.body.place();
        match why_not(found, self.source, self.is_module) {
            Err(why) => {
                self.split.left.push((why, body.len()));
                Some(Idle::All)
            }
            Ok(manner) => {
                self.split.cold.push(Cold {
                    body,
                    manner,
                    stub: match after_directives {
                        true => Stub::AfterDirectives,
                        false => Stub::Body,
                    },
                });
                None
            }
        }
    }

    fn within(&mut self, span: Span, idle: Idle, walk: impl FnOnce(&mut Self)) {
        let start = span.start;
        self.around.push(Around { start, idle });
        walk(self);
        self.around.pop();
    }

    /// Whether something never ran of the function in which it stands.
    fn is_idle(&self, span: Span) -> bool {
        let idle = self.around.last().map_or(self.script, |around| around.idle);
        self.ran.is_idle(idle, span)
    }

    fn value(&mut self, span: Span) {
        self.split.values += span.size() as usize;
    }

    /// Looks at a value, unless it never ran and is taken out.
    fn branch(&mut self, value: &Expression<'s>, is_statement: bool) {
        let cold = self
            .is_idle(value.span())
            .then(|| branches::value(self.source, value, is_statement, self.is_module));
        match cold.flatten() {
            Some(cold) => self.split.cold.push(cold),
            None => self.visit_expression(value),
        }
    }
}

impl<'a> Visit<'a> for Functions<'a> {
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
            return match self.staying(&found) {
                Some(idle) => self.within(it.span, idle, |functions| {
                    walk::walk_function(functions, it, flags);
                }),
                None => self.within(it.span, Idle::Nothing, |functions| {
                    functions.visit_formal_parameters(&it.params);
                }),
            };
        }
        walk::walk_function(self, it, flags);
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
        let staying = match found {
            Some(found) => self.staying(&found),
            None => Some(Idle::Nothing),
        };
        match staying {
            Some(idle) => self.within(it.span, idle, |functions| {
                walk::walk_arrow_function_expression(functions, it);
            }),
            None => self.within(it.span, Idle::Nothing, |functions| {
                functions.visit_formal_parameters(&it.params);
            }),
        }
    }

    fn visit_block_statement(&mut self, it: &BlockStatement<'a>) {
        let cold = self
            .is_idle(it.span)
            .then(|| branches::block(self.source, it, self.is_module));
        match cold.flatten() {
            Some(cold) => self.split.cold.push(cold),
            None => walk::walk_block_statement(self, it),
        }
    }

    fn visit_expression_statement(&mut self, it: &ExpressionStatement<'a>) {
        self.branch(&it.expression, true);
    }

    fn visit_return_statement(&mut self, it: &ReturnStatement<'a>) {
        if let Some(value) = &it.argument {
            self.branch(value, false);
        }
    }

    fn visit_throw_statement(&mut self, it: &ThrowStatement<'a>) {
        self.branch(&it.argument, false);
    }

    fn visit_conditional_expression(&mut self, it: &ConditionalExpression<'a>) {
        self.visit_expression(&it.test);
        self.branch(&it.consequent, false);
        self.branch(&it.alternate, false);
    }

    fn visit_logical_expression(&mut self, it: &LogicalExpression<'a>) {
        self.visit_expression(&it.left);
        self.branch(&it.right, false);
    }

    fn visit_variable_declarator(&mut self, it: &VariableDeclarator<'a>) {
        match &it.init {
            Some(value) if !branches::is_named_by_variable(value) => {
                self.visit_binding_pattern(&it.id);
                self.branch(value, false);
            }
            _ => walk::walk_variable_declarator(self, it),
        }
    }

    fn visit_string_literal(&mut self, it: &StringLiteral<'a>) {
        self.value(it.span);
    }

    fn visit_template_element(&mut self, it: &TemplateElement<'a>) {
        self.value(it.span);
    }

    fn visit_numeric_literal(&mut self, it: &NumericLiteral<'a>) {
        self.value(it.span);
    }

    fn visit_reg_exp_literal(&mut self, it: &RegExpLiteral<'a>) {
        self.value(it.span);
    }

    fn visit_function_body(&mut self, it: &FunctionBody<'a>) {
        if it.statements.is_empty() {
            (self.empty).push(it.span.start as usize..it.span.end as usize);
        }
        walk::walk_function_body(self, it);
    }

    fn visit_assignment_expression(&mut self, it: &AssignmentExpression<'a>) {
        self.has_own_eval |= match &it.left {
            AssignmentTarget::AssignmentTargetIdentifier(it) => it.name == "eval",
            AssignmentTarget::StaticMemberExpression(it) => {
                it.property.name == "eval" && may_be_window(&it.object)
            }
            _ => false,
        };
        walk::walk_assignment_expression(self, it);
    }

    fn visit_with_statement(&mut self, it: &WithStatement<'a>) {
        // Its object may have one.
        self.has_own_eval = true;
        walk::walk_with_statement(self, it);
    }

    fn visit_static_member_expression(&mut self, it: &StaticMemberExpression<'a>) {
        // Who asks who called would find the stubs.
        self.asks_callers |= it.property.name == "caller";
        walk::walk_static_member_expression(self, it);
    }

    fn visit_binding_identifier(&mut self, it: &BindingIdentifier<'a>) {
        self.has_own_eval |= it.name == "eval";
    }
}

/// Whether this is the window, by one of its own names.
fn may_be_window(object: &Expression<'_>) -> bool {
    const NAMES: [&str; 7] = [
        "window",
        "self",
        "globalThis",
        "top",
        "parent",
        "frames",
        "global",
    ];
    match object.without_parentheses() {
        Expression::ThisExpression(_) => true,
        Expression::Identifier(it) => NAMES.contains(&it.name.as_str()),
        Expression::StaticMemberExpression(it) => NAMES.contains(&it.property.name.as_str()),
        _ => false,
    }
}
