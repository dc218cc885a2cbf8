//! The walk that finds what is to be changed.
//!
//! Every edit opens before the inner parts are walked and closes after, so that nested ones come
//! out in order. Members are in [`super::members`], what is assigned to in [`super::targets`],
//! patterns in [`super::destructuring`].

use std::cell::Cell;

use oxc_ast::ast::{
    AssignmentExpression, AssignmentPattern, AssignmentTargetPropertyIdentifier,
    AssignmentTargetWithDefault, CallExpression, ChainExpression, ComputedMemberExpression,
    ExportAllDeclaration, ExportFromDeclaration, ExportNamedDeclaration, Expression,
    ForStatementLeft, FormalParameter, FunctionBody, IdentifierReference, ImportDeclaration,
    ImportExpression, NewExpression, ObjectProperty, PrivateFieldExpression, Program,
    SimpleAssignmentTarget, StaticBlock, StaticMemberExpression, StringLiteral,
    TaggedTemplateExpression, UnaryExpression, VariableDeclaration,
};
use oxc_ast_visit::{Visit, walk};
use oxc_span::{GetSpan, Span};
use oxc_syntax::operator::UnaryOperator;
use oxc_syntax::scope::{ScopeFlags, ScopeId};

use super::Form;
use super::edits::{Comments, Edits};
use super::emitted;
use super::members::{Member, is_own_url, member_of};
use super::scopes::{Names, Scopes, TopLevel};

/// Collects edits on its way through a program.
pub(super) struct Rewriter<'s> {
    pub(super) form: Form,
    pub(super) scopes: Scopes,
    pub(super) edits: Edits,
    pub(super) comments: Comments<'s>,
    specifiers: Vec<(Span, String)>,
    /// The optional chains around: where each starts, and where its innermost `?.` link ends.
    pub(super) chains: Vec<(u32, u32)>,
    /// Where the callees of the `new` expressions around start.
    pub(super) news: Vec<u32>,
    /// Function bodies around.
    pub(super) functions: usize,
}

impl<'s> Rewriter<'s> {
    /// The edits of a program, and the specifiers of its static imports.
    pub(super) fn rewrite(
        program: &'s Program<'_>,
        form: Form,
        scopes: Scopes,
    ) -> (Edits, Vec<(Span, String)>) {
        let mut rewriter = Rewriter {
            form,
            scopes,
            edits: Edits::default(),
            comments: Comments {
                source: program.source_text,
                list: &program.comments,
            },
            specifiers: Vec::new(),
            chains: Vec::new(),
            news: Vec::new(),
            functions: 0,
        };
        rewriter.visit_program(program);
        (rewriter.edits, rewriter.specifiers)
    }

    /// Whether a name means the window's property here.
    pub(super) fn is_free(&self, name: &str) -> bool {
        !self.scopes.shadowed().meets(Names::of(name))
    }

    /// Whether `top` means anything where the script runs.
    pub(super) fn has_top(&self) -> bool {
        !self.form.is_worker()
    }

    /// Whether `var` declares properties of the window here.
    pub(super) fn at_window_level(&self) -> bool {
        self.functions == 0 && self.form.top_level() == TopLevel::Window
    }

    /// What takes the place of a name that is read.
    fn instead_of(&self, name: &str) -> Option<&'static str> {
        let new = match name {
            "location" => emitted::LOCATION,
            "top" if self.has_top() => emitted::TOP,
            "eval" => emitted::EVAL,
            _ => return None,
        };
        self.is_free(name).then_some(new)
    }

    /// Walks an expression between two inserted texts.
    pub(super) fn enclose(
        &mut self,
        open: &'static str,
        expression: &Expression<'_>,
        close: &'static str,
    ) {
        self.edits.insert(expression.span().start, open);
        self.visit_expression(expression);
        self.edits.insert(expression.span().end, close);
    }

    /// Walks a callee, a tag or what is deleted: as `this` or the reference itself matters, a
    /// member stays one.
    fn visit_reference(&mut self, it: &Expression<'_>) {
        match it {
            Expression::ParenthesizedExpression(inner) => self.visit_reference(&inner.expression),
            Expression::ChainExpression(chain) => match chain.expression.as_member_expression() {
                Some(member) => {
                    self.enter_chain(chain);
                    self.member_in_use(Member::of(member));
                    self.chains.pop();
                }
                None => self.visit_chain_expression(chain),
            },
            _ => match member_of(it) {
                Some(member) => self.member_in_use(member),
                None => self.visit_expression(it),
            },
        }
    }

    fn specifier(&mut self, literal: &StringLiteral<'_>) {
        self.specifiers
            .push((literal.span, literal.value.to_string()));
    }

    /// `x.postMessage(...)` and `postMessage(...)`: windows of other origins cannot be patched, so
    /// the call itself is. What may short-circuit is left alone.
    fn posts(&mut self, it: &CallExpression<'_>) -> bool {
        if it.optional || self.form.is_worker() {
            return false;
        }
        if it.callee.is_specific_id("postMessage") && self.is_free("postMessage") {
            self.edits.replace(it.callee.span(), emitted::POST_HERE);
            self.visit_arguments(&it.arguments);
            return true;
        }
        let Some(member) = member_of(&it.callee) else {
            return false;
        };
        let fits = member.name == Some("postMessage") && member.may_be_windows();
        if !fits || member.optional || self.may_short_circuit(&member) {
            return false;
        }
        self.wrap(&member, emitted::POST, |rewriter| {
            rewriter.object_of(&member)
        });
        self.visit_arguments(&it.arguments);
        true
    }

    /// `import.meta.resolve(x)` tells an archived URL.
    fn resolves(&mut self, it: &CallExpression<'_>) -> bool {
        let resolve = is_resolve(it);
        if resolve {
            self.edits.insert(it.span.start, emitted::ORIGINAL);
            self.visit_arguments(&it.arguments);
            self.edits.insert(it.span.end, ")");
        }
        resolve
    }

    /// `eval(text)`, which sees the names around it.
    fn direct_eval(&mut self, it: &CallExpression<'_>) {
        // Of the text only so much is known: what `location` means in it must not depend on here.
        let plain = !self
            .scopes
            .shadowed()
            .meets(Names::LOCATION.and(Names::TOP));
        let mut arguments = it.arguments.iter();
        if plain && let Some(text) = it.arguments.first().and_then(|text| text.as_expression()) {
            arguments.next();
            if is_ours(text, "code") || is_ours(text, "cold") {
                self.visit_expression(text);
            } else {
                self.enclose(emitted::CODE, text, ")");
            }
        }
        for argument in arguments {
            self.visit_argument(argument);
        }
    }
}

/// Whether an expression calls something of ours.
pub(super) fn is_ours(expression: &Expression<'_>, name: &str) -> bool {
    match expression {
        Expression::CallExpression(call) => our_callee(call) == Some(name),
        _ => false,
    }
}

/// Whether a call is `import.meta.resolve(...)`. What may short-circuit is left alone.
fn is_resolve(call: &CallExpression<'_>) -> bool {
    let resolve = member_of(&call.callee).is_some_and(|member| {
        let of_module = matches!(member.object, Expression::ImportMeta(_));
        of_module && member.name == Some("resolve") && !member.optional
    });
    resolve && !call.optional
}

fn our_callee<'e>(call: &'e CallExpression<'_>) -> Option<&'e str> {
    match &call.callee {
        Expression::StaticMemberExpression(member)
            if member.object.is_specific_id(emitted::GLOBAL) =>
        {
            Some(member.property.name.as_str())
        }
        _ => None,
    }
}

impl<'a> Visit<'a> for Rewriter<'_> {
    fn enter_scope(&mut self, _flags: ScopeFlags, scope: &Cell<Option<ScopeId>>) {
        self.scopes.enter(scope.get());
    }

    fn leave_scope(&mut self) {
        self.scopes.leave();
    }

    fn visit_function_body(&mut self, it: &FunctionBody<'a>) {
        self.scopes.enter_body();
        self.functions += 1;
        walk::walk_function_body(self, it);
        self.functions -= 1;
        self.scopes.leave();
    }

    fn visit_static_block(&mut self, it: &StaticBlock<'a>) {
        self.functions += 1;
        walk::walk_static_block(self, it);
        self.functions -= 1;
    }

    fn visit_identifier_reference(&mut self, it: &IdentifierReference<'a>) {
        if let Some(new) = self.instead_of(&it.name) {
            self.edits.replace(it.span, new);
        }
    }

    fn visit_object_property(&mut self, it: &ObjectProperty<'a>) {
        match &it.value {
            Expression::Identifier(name) if it.shorthand => {
                if let Some(new) = self.instead_of(&name.name) {
                    self.edits.insert(it.span.end, format!(":{new}"));
                }
            }
            _ => walk::walk_object_property(self, it),
        }
    }

    fn visit_static_member_expression(&mut self, it: &StaticMemberExpression<'a>) {
        self.member(Member::of_static(it));
    }

    fn visit_computed_member_expression(&mut self, it: &ComputedMemberExpression<'a>) {
        self.member(Member::of_computed(it));
    }

    fn visit_private_field_expression(&mut self, it: &PrivateFieldExpression<'a>) {
        self.member_in_place(Member::of_private(it));
    }

    fn visit_chain_expression(&mut self, it: &ChainExpression<'a>) {
        self.enter_chain(it);
        walk::walk_chain_expression(self, it);
        self.chains.pop();
    }

    fn visit_unary_expression(&mut self, it: &UnaryExpression<'a>) {
        match it.argument.without_parentheses() {
            Expression::Identifier(_) if it.operator == UnaryOperator::Delete => {}
            _ if it.operator == UnaryOperator::Delete => self.visit_reference(&it.argument),
            _ => walk::walk_unary_expression(self, it),
        }
    }

    fn visit_call_expression(&mut self, it: &CallExpression<'a>) {
        if let Some("original" | "importing") = our_callee(it) {
            // `import.meta.url` stands there as it is meant to.
            for argument in &it.arguments {
                match argument.as_expression() {
                    Some(url) if is_own_url(url) => {}
                    Some(Expression::CallExpression(call)) if is_resolve(call) => {
                        self.visit_arguments(&call.arguments);
                    }
                    _ => self.visit_argument(argument),
                }
            }
            return;
        }
        let eval = it.callee.without_parentheses().is_specific_id("eval");
        if eval && !it.optional && self.is_free("eval") {
            self.direct_eval(it);
            return;
        }
        if self.posts(it) || self.resolves(it) {
            return;
        }
        self.visit_reference(&it.callee);
        self.visit_arguments(&it.arguments);
    }

    fn visit_new_expression(&mut self, it: &NewExpression<'a>) {
        self.news.push(it.callee.span().start);
        self.visit_reference(&it.callee);
        self.news.pop();
        self.visit_arguments(&it.arguments);
    }

    fn visit_tagged_template_expression(&mut self, it: &TaggedTemplateExpression<'a>) {
        self.visit_reference(&it.tag);
        self.visit_template_literal(&it.quasi);
    }

    fn visit_import_expression(&mut self, it: &ImportExpression<'a>) {
        if is_ours(&it.source, "importing") {
            self.visit_expression(&it.source);
        } else if self.form.is_module() {
            self.enclose(emitted::IMPORTING, &it.source, ",import.meta.url)");
        } else {
            self.enclose(emitted::IMPORTING, &it.source, ")");
        }
        if let Some(options) = &it.options {
            self.visit_expression(options);
        }
    }

    fn visit_assignment_expression(&mut self, it: &AssignmentExpression<'a>) {
        self.assignment(it);
    }

    fn visit_simple_assignment_target(&mut self, it: &SimpleAssignmentTarget<'a>) {
        self.target(it);
    }

    fn visit_assignment_target_property_identifier(
        &mut self,
        it: &AssignmentTargetPropertyIdentifier<'a>,
    ) {
        self.shorthand_target(it);
    }

    fn visit_for_statement_left(&mut self, it: &ForStatementLeft<'a>) {
        if !self.loop_over_location(it) {
            walk::walk_for_statement_left(self, it);
        }
    }

    fn visit_variable_declaration(&mut self, it: &VariableDeclaration<'a>) {
        self.declaration(it);
    }

    fn visit_formal_parameter(&mut self, it: &FormalParameter<'a>) {
        self.visit_binding_pattern(&it.pattern);
        if let Some(initializer) = &it.initializer {
            self.initialiser(self.takes(&it.pattern), initializer);
        }
    }

    fn visit_assignment_pattern(&mut self, it: &AssignmentPattern<'a>) {
        self.visit_binding_pattern(&it.left);
        self.initialiser(self.takes(&it.left), &it.right);
    }

    fn visit_assignment_target_with_default(&mut self, it: &AssignmentTargetWithDefault<'a>) {
        self.visit_assignment_target(&it.binding);
        self.initialiser(self.target_takes(&it.binding), &it.init);
    }

    fn visit_import_declaration(&mut self, it: &ImportDeclaration<'a>) {
        self.specifier(&it.source);
    }

    fn visit_export_all_declaration(&mut self, it: &ExportAllDeclaration<'a>) {
        self.specifier(&it.source);
    }

    fn visit_export_from_declaration(&mut self, it: &ExportFromDeclaration<'a>) {
        self.specifier(&it.source);
    }

    fn visit_export_named_declaration(&mut self, _: &ExportNamedDeclaration<'a>) {
        // The names of declarations, not references.
    }
}
