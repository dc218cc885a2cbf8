//! The second walk: what names and members are read, written, called and made.

use std::cell::Cell;

use oxc_ast::ast::{
    Argument, AssignmentExpression, AssignmentTargetPropertyIdentifier, CallExpression, Class,
    ComputedMemberExpression, Expression, Function, FunctionBody, IdentifierReference,
    ImportExpression, NewExpression, Program, SimpleAssignmentTarget, StaticMemberExpression,
    TaggedTemplateExpression, UnaryExpression,
};
use oxc_ast_visit::{Visit, walk};
use oxc_syntax::operator::UnaryOperator;
use oxc_syntax::scope::{ScopeFlags, ScopeId};

use super::bindings::{Bindings, Frame, Manner, Meaning, Open};
use super::meaning::Here;
use super::plain;
use super::waiting::{is_function, is_waiting_place};
use super::words::{self, Effect};
use super::{Sink, Triage};
use crate::names::is_window;

/// Fills in a [`Triage`].
pub(super) struct Visitor<'b, 'a> {
    pub(super) found: Triage,
    open: Open<'b, 'a>,
    frames: Vec<Frame>,
    /// How many functions are open that wait for somebody to do something.
    pub(super) waiting: usize,
    /// How many functions and classes are open that have a `this` of their own.
    owners: usize,
    /// What the outermost scope declares is seen by other scripts.
    classic: bool,
}

/// What is called.
pub(super) enum Callee<'e, 'a> {
    Global(&'e str),
    Local(Meaning),
    Method(&'e Expression<'a>, &'e str),
    /// A function that stands here.
    Own,
    Other,
}

impl<'b, 'a> Visitor<'b, 'a> {
    pub(super) fn over(program: &Program<'a>, bindings: &'b Bindings<'a>) -> Triage {
        let mut visitor = Visitor {
            found: Triage::default(),
            open: Open::new(bindings),
            frames: Vec::new(),
            waiting: 0,
            owners: 0,
            classic: !program.source_type.is_module(),
        };
        if visitor.classic {
            for name in bindings.top_level() {
                visitor.note_written(name);
            }
        }
        visitor.visit_program(program);
        visitor.found
    }

    pub(super) fn apply(&mut self, effect: Effect) {
        let found = &mut self.found;
        if matches!(effect, Effect::Sink(_) | Effect::Navigation | Effect::Dom) {
            match self.waiting {
                0 => found.acts = true,
                _ => found.acts_when_asked = true,
            }
        }
        let count = match effect {
            Effect::Sink(sink) => {
                found.sinks.add(sink);
                if !matches!(sink, Sink::Markup | Sink::Style) {
                    return;
                }
                &mut found.dom_modifications
            }
            Effect::Navigation => &mut found.navigation,
            Effect::Storage => &mut found.storage,
            Effect::Cookie => &mut found.cookies,
            Effect::Dom => &mut found.dom_modifications,
            Effect::Listener => &mut found.listeners,
            Effect::Chance => {
                found.nondeterminism = true;
                return;
            }
        };
        *count = count.saturating_add(1);
    }

    pub(super) fn unknown(&mut self) {
        self.found.unknown = self.found.unknown.saturating_add(1);
    }

    pub(super) fn note_written(&mut self, name: &str) {
        let found = &mut self.found;
        Triage::note_name(&mut found.globals_written, name, &mut found.note);
    }

    pub(super) fn meaning(&self, expression: &Expression<'_>) -> Meaning {
        let here = Here {
            declared: &|name| self.meaning_of_name(name),
            this_is_window: self.this_is_window(),
        };
        here.meaning(expression)
    }

    fn this_is_window(&self) -> bool {
        self.classic && self.owners == 0
    }

    pub(super) fn is_global(&self, name: &str) -> bool {
        self.open.local(name).is_none()
    }

    /// What a declared name stands for.
    pub(super) fn meaning_of_name(&self, name: &str) -> Option<Meaning> {
        self.open.local(name).map(|local| local.symbol.meaning)
    }

    /// Whether an expression is the global object.
    pub(super) fn is_window(&self, expression: &Expression<'_>) -> bool {
        match expression {
            Expression::Identifier(name) => match self.open.local(&name.name) {
                Some(local) => local.symbol.meaning == Meaning::Window,
                None => is_window(&name.name),
            },
            Expression::ThisExpression(_) => self.this_is_window(),
            Expression::StaticMemberExpression(member) => {
                is_window(&member.property.name) && self.meaning(expression) == Meaning::Window
            }
            _ => false,
        }
    }

    /// A global is mentioned.
    fn global(&mut self, name: &str) {
        if let Some(effect) = words::global(name) {
            self.apply(effect);
        }
        self.found.dynamic_code |= name == "eval";
        if !plain::is_language(name) {
            let found = &mut self.found;
            Triage::note_name(&mut found.globals_read, name, &mut found.note);
        }
    }

    /// A member of something is mentioned.
    fn member(&mut self, object: &Expression<'a>, name: &str) {
        if self.is_window(object) {
            self.global(name);
            return;
        }
        match (name, words::global(name)) {
            ("cookie", _) => self.apply(Effect::Cookie),
            ("random", _) => self.apply(Effect::Chance),
            // The object may be the window by another name.
            (_, Some(effect)) if effect != Effect::Chance => self.apply(effect),
            _ => {}
        }
        self.visit_expression(object);
    }

    fn computed_member(&mut self, it: &ComputedMemberExpression<'a>) {
        match &it.expression {
            Expression::StringLiteral(name) => self.member(&it.object, &name.value),
            key => {
                self.found.computed_globals |= self.is_window(&it.object);
                self.visit_expression(&it.object);
                self.visit_expression(key);
            }
        }
    }

    fn callee<'e>(&self, expression: &'e Expression<'a>) -> Callee<'e, 'a> {
        let (object, name) = match expression {
            Expression::Identifier(name) => {
                return match self.open.local(&name.name) {
                    Some(local) => Callee::Local(local.symbol.meaning),
                    None => Callee::Global(name.name.as_str()),
                };
            }
            Expression::FunctionExpression(_)
            | Expression::ArrowFunctionExpression(_)
            | Expression::ClassExpression(_) => return Callee::Own,
            Expression::StaticMemberExpression(it) => (&it.object, it.property.name.as_str()),
            Expression::ComputedMemberExpression(it) => match &it.expression {
                Expression::StringLiteral(name) => (&it.object, name.value.as_str()),
                _ => return Callee::Other,
            },
            _ => return Callee::Other,
        };
        if self.is_window(object) {
            Callee::Global(name)
        } else {
            Callee::Method(object, name)
        }
    }

    /// Visits what is called; a method that is called is not one that is taken away.
    fn visit_callee(&mut self, callee: &Expression<'a>) {
        match callee {
            Expression::StaticMemberExpression(it) => self.member(&it.object, &it.property.name),
            Expression::ComputedMemberExpression(it) => self.computed_member(it),
            _ => self.visit_expression(callee),
        }
    }

    fn visit_all(&mut self, arguments: &[Argument<'a>]) {
        for argument in arguments {
            self.visit_argument(argument);
        }
    }

    fn write_name(&mut self, name: &IdentifierReference<'a>) {
        if self.is_global(&name.name) {
            self.write_global(&name.name);
        }
    }
}

impl<'a> Visit<'a> for Visitor<'_, 'a> {
    fn enter_scope(&mut self, flags: ScopeFlags, scope: &Cell<Option<ScopeId>>) {
        self.found.computed_globals |= flags.contains(ScopeFlags::With);
        if let Some(scope) = scope.get() {
            let frame = Frame::head(scope);
            self.open.enter(frame);
            self.frames.push(frame);
        }
    }

    fn leave_scope(&mut self) {
        if let Some(frame) = self.frames.pop() {
            self.open.leave(frame);
        }
    }

    fn visit_function_body(&mut self, it: &FunctionBody<'a>) {
        let body = self.frames.last().map(|head| head.body());
        body.into_iter().for_each(|body| self.open.enter(body));
        walk::walk_function_body(self, it);
        body.into_iter().for_each(|body| self.open.leave(body));
    }

    fn visit_function(&mut self, it: &Function<'a>, flags: ScopeFlags) {
        self.owners += 1;
        walk::walk_function(self, it, flags);
        self.owners -= 1;
    }

    fn visit_class(&mut self, it: &Class<'a>) {
        let parent = it.heritage.as_ref().map(|heritage| &heritage.expression);
        if parent.is_some_and(|parent| self.meaning(parent) != Meaning::Function) {
            self.unknown();
        }
        self.owners += 1;
        walk::walk_class(self, it);
        self.owners -= 1;
    }

    fn visit_identifier_reference(&mut self, it: &IdentifierReference<'a>) {
        match self.open.local(&it.name) {
            // `var x = x || {}` goes on with what another script left.
            Some(local) if self.classic && local.at_top && local.symbol.manner == Manner::Var => {
                self.global(&it.name);
            }
            Some(_) => {}
            None => self.global(&it.name),
        }
    }

    fn visit_static_member_expression(&mut self, it: &StaticMemberExpression<'a>) {
        if words::method(&it.property.name).is_some() {
            self.unknown();
        }
        self.member(&it.object, &it.property.name);
    }

    fn visit_computed_member_expression(&mut self, it: &ComputedMemberExpression<'a>) {
        self.computed_member(it);
    }

    fn visit_call_expression(&mut self, it: &CallExpression<'a>) {
        let callee = self.callee(&it.callee);
        if !self.is_known_call(&callee, &it.arguments) {
            self.unknown();
        }
        self.call(&callee, &it.arguments);
        self.note_selector(&it.callee, &it.arguments);
        self.visit_callee(&it.callee);
        self.visit_arguments(&callee, &it.arguments);
    }

    fn visit_new_expression(&mut self, it: &NewExpression<'a>) {
        let callee = self.callee(&it.callee);
        if !self.is_known_class(&callee, &it.arguments) {
            self.unknown();
        }
        self.found.dynamic_code |= matches!(callee, Callee::Global("Function"));
        self.visit_callee(&it.callee);
        self.visit_all(&it.arguments);
    }

    fn visit_tagged_template_expression(&mut self, it: &TaggedTemplateExpression<'a>) {
        self.unknown();
        walk::walk_tagged_template_expression(self, it);
    }

    fn visit_import_expression(&mut self, it: &ImportExpression<'a>) {
        self.apply(Effect::Sink(Sink::Import));
        walk::walk_import_expression(self, it);
    }

    fn visit_assignment_expression(&mut self, it: &AssignmentExpression<'a>) {
        self.visit_assignment_target(&it.left);
        let waits = is_waiting_place(&it.left) && is_function(Some(&it.right));
        self.visit_waiting(waits, |visitor| visitor.visit_expression(&it.right));
    }

    fn visit_unary_expression(&mut self, it: &UnaryExpression<'a>) {
        match &it.argument {
            Expression::StaticMemberExpression(member) if it.operator == UnaryOperator::Delete => {
                self.write_member(&member.object, Some(&member.property.name));
                self.visit_expression(&member.object);
            }
            Expression::ComputedMemberExpression(member)
                if it.operator == UnaryOperator::Delete =>
            {
                self.write_computed(member);
            }
            _ => walk::walk_unary_expression(self, it),
        }
    }

    fn visit_simple_assignment_target(&mut self, it: &SimpleAssignmentTarget<'a>) {
        match it {
            SimpleAssignmentTarget::AssignmentTargetIdentifier(name) => self.write_name(name),
            SimpleAssignmentTarget::StaticMemberExpression(member) => {
                self.write_member(&member.object, Some(&member.property.name));
                self.visit_expression(&member.object);
            }
            SimpleAssignmentTarget::ComputedMemberExpression(member) => {
                self.write_computed(member);
            }
            _ => walk::walk_simple_assignment_target(self, it),
        }
    }

    fn visit_assignment_target_property_identifier(
        &mut self,
        it: &AssignmentTargetPropertyIdentifier<'a>,
    ) {
        self.write_name(&it.binding);
        if let Some(init) = &it.init {
            self.visit_expression(init);
        }
    }
}
