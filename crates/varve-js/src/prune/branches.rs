//! Branches of functions that ran, which never ran themselves: blocks, and values that stand for
//! themselves. They are evaluated within an arrow function, which has the `this`, `arguments`,
//! `super` and `new.target` of the one around; so all that it cannot do, they must not do.

use super::{Cold, Manner, Stub};
use oxc_ast::ast::{
    ArrowFunctionExpression, AwaitExpression, BlockStatement, BreakStatement, CallExpression,
    ContinueStatement, DoWhileStatement, Expression, ForInStatement, ForOfStatement, ForStatement,
    Function, ImportExpression, ImportMeta, ReturnStatement, Statement, SwitchStatement,
    TaggedTemplateExpression, VariableDeclaration, WhileStatement, YieldExpression,
};
use oxc_ast_visit::{Visit, walk};
use oxc_span::{GetSpan, Span};
use oxc_syntax::scope::ScopeFlags;
use std::ops::Range;

/// Shorter ones are not worth a stub.
const MIN_BRANCH: usize = 32;
/// What may follow a value: all else could go on with its stub, where a new line ended the value.
const ENDS: [char; 9] = [';', ',', ')', '}', ']', ':', '|', '&', '?'];

/// A block without its braces, if it can be taken out.
pub(super) fn block(source: &str, block: &BlockStatement<'_>, is_module: bool) -> Option<Cold> {
    let body = block.span.start as usize + 1..block.span.end as usize - 1;
    let is_unfit = begins_with_words(block) || reads_otherwise(source, &body, is_module);
    if body.len() < MIN_BRANCH || is_unfit {
        return None;
    }
    let mut tied = Tied::new(is_module);
    tied.visit_block_statement(block);
    let is_left = matches!(
        block.body.last(),
        Some(Statement::ReturnStatement(_) | Statement::ThrowStatement(_))
    );
    let stub = match (tied.returns, is_left) {
        (false, _) => Stub::Statement,
        // Whichever way it goes, it leaves the function.
        (true, true) => Stub::Return,
        (true, false) => return None,
    };
    (!tied.is_tied && !block.body.is_empty()).then_some(Cold {
        body,
        manner: Manner::default(),
        stub,
    })
}

/// A value, if it can be taken out: as a statement of its own, or where its value is needed.
pub(super) fn value(
    source: &str,
    value: &Expression<'_>,
    is_statement: bool,
    is_module: bool,
) -> Option<Cold> {
    let Span { start, end, .. } = value.span();
    let body = start as usize..end as usize;
    if body.len() < MIN_BRANCH
        || !is_ended(source, body.end)
        || reads_otherwise(source, &body, is_module)
    {
        return None;
    }
    let mut tied = Tied::new(is_module);
    tied.visit_expression(value);
    (!tied.is_tied).then_some(Cold {
        body,
        manner: Manner {
            is_expression: true,
            ..Manner::default()
        },
        stub: match is_statement {
            true => Stub::Statement,
            false => Stub::Value,
        },
    })
}

/// Whether something follows here that ends whatever stands before it.
pub(super) fn is_ended(source: &str, at: usize) -> bool {
    let after = source.get(at..).unwrap_or_default().trim_start();
    after.is_empty() || after.starts_with(ENDS)
}

/// Whether it says something else where it is evaluated: only there, not in modules, these begin
/// comments.
pub(super) fn reads_otherwise(source: &str, part: &Range<usize>, is_module: bool) -> bool {
    let text = source.get(part.clone()).unwrap_or_default();
    is_module && (text.contains("<!--") || text.contains("-->"))
}

/// Whether a variable gives its name to this value.
pub(super) fn is_named_by_variable(value: &Expression<'_>) -> bool {
    matches!(
        value.without_parentheses(),
        Expression::FunctionExpression(_)
            | Expression::ArrowFunctionExpression(_)
            | Expression::ClassExpression(_)
    )
}

/// At the start of a function a string would be a directive.
fn begins_with_words(block: &BlockStatement<'_>) -> bool {
    let Some(Statement::ExpressionStatement(first)) = block.body.first() else {
        return false;
    };
    matches!(first.expression, Expression::StringLiteral(_))
}

/// Whether something is tied to the function in which it stands.
struct Tied {
    is_tied: bool,
    returns: bool,
    is_module: bool,
    /// Functions around, within it.
    functions: usize,
    /// Loops around, and what else `break` leaves.
    loops: usize,
    breakable: usize,
}

impl Tied {
    fn new(is_module: bool) -> Tied {
        Tied {
            is_tied: false,
            returns: false,
            is_module,
            functions: 0,
            loops: 0,
            breakable: 0,
        }
    }

    /// What counts only outside of functions in it.
    fn ties(&mut self, is_so: bool) {
        self.is_tied |= is_so && self.functions == 0;
    }

    fn in_function(&mut self, walk: impl FnOnce(&mut Self)) {
        self.functions += 1;
        walk(self);
        self.functions -= 1;
    }

    fn in_loop(&mut self, walk: impl FnOnce(&mut Self)) {
        self.loops += 1;
        self.breakable += 1;
        walk(self);
        self.breakable -= 1;
        self.loops -= 1;
    }
}

impl<'a> Visit<'a> for Tied {
    fn visit_function(&mut self, it: &Function<'a>, flags: ScopeFlags) {
        // Seen in the whole function, perhaps.
        self.ties(it.is_declaration());
        self.in_function(|tied| walk::walk_function(tied, it, flags));
    }

    fn visit_arrow_function_expression(&mut self, it: &ArrowFunctionExpression<'a>) {
        self.in_function(|tied| walk::walk_arrow_function_expression(tied, it));
    }

    fn visit_variable_declaration(&mut self, it: &VariableDeclaration<'a>) {
        self.ties(it.kind.is_var() || it.kind.is_await());
        walk::walk_variable_declaration(self, it);
    }

    fn visit_return_statement(&mut self, it: &ReturnStatement<'a>) {
        self.returns |= self.functions == 0;
        walk::walk_return_statement(self, it);
    }

    fn visit_break_statement(&mut self, it: &BreakStatement<'a>) {
        self.ties(it.label.is_some() || self.breakable == 0);
    }

    fn visit_continue_statement(&mut self, it: &ContinueStatement<'a>) {
        self.ties(it.label.is_some() || self.loops == 0);
    }

    fn visit_switch_statement(&mut self, it: &SwitchStatement<'a>) {
        self.breakable += 1;
        walk::walk_switch_statement(self, it);
        self.breakable -= 1;
    }

    fn visit_while_statement(&mut self, it: &WhileStatement<'a>) {
        self.in_loop(|tied| walk::walk_while_statement(tied, it));
    }

    fn visit_do_while_statement(&mut self, it: &DoWhileStatement<'a>) {
        self.in_loop(|tied| walk::walk_do_while_statement(tied, it));
    }

    fn visit_for_statement(&mut self, it: &ForStatement<'a>) {
        self.in_loop(|tied| walk::walk_for_statement(tied, it));
    }

    fn visit_for_in_statement(&mut self, it: &ForInStatement<'a>) {
        self.in_loop(|tied| walk::walk_for_in_statement(tied, it));
    }

    fn visit_for_of_statement(&mut self, it: &ForOfStatement<'a>) {
        self.ties(it.r#await);
        self.in_loop(|tied| walk::walk_for_of_statement(tied, it));
    }

    fn visit_call_expression(&mut self, it: &CallExpression<'a>) {
        // What it declares, the whole function sees.
        self.ties(it.callee.is_specific_id("eval"));
        walk::walk_call_expression(self, it);
    }

    fn visit_await_expression(&mut self, it: &AwaitExpression<'a>) {
        self.ties(true);
        walk::walk_await_expression(self, it);
    }

    fn visit_yield_expression(&mut self, it: &YieldExpression<'a>) {
        self.ties(true);
        walk::walk_yield_expression(self, it);
    }

    fn visit_import_meta(&mut self, _: &ImportMeta) {
        self.is_tied = true;
    }

    fn visit_tagged_template_expression(&mut self, _: &TaggedTemplateExpression<'a>) {
        self.is_tied = true;
    }

    fn visit_import_expression(&mut self, it: &ImportExpression<'a>) {
        self.is_tied |= self.is_module;
        walk::walk_import_expression(self, it);
    }
}
