//! The first walk: what every scope declares, and which names are assigned to.

use std::cell::Cell;
use std::collections::HashMap;

use oxc_ast::ast::{
    AssignmentTargetPropertyIdentifier, BindingPattern, CallExpression, CatchParameter, Class,
    Expression, ForStatementLeft, FormalParameterRest, FormalParameters, Function, FunctionBody,
    IdentifierReference, ImportDeclarationSpecifier, Program, SimpleAssignmentTarget,
    VariableDeclaration,
};
use oxc_ast_visit::{Visit, walk};
use oxc_syntax::scope::{ScopeFlags, ScopeId};

use super::bindings::{Bindings, Event, Frame, Manner, Meaning, Symbol};
use super::meaning::Here;

/// Collects declarations.
#[derive(Default)]
pub(super) struct Declarations<'a> {
    names: HashMap<&'a str, u32>,
    declared: Vec<(Frame, Symbol)>,
    events: Vec<Event>,
    scopes: usize,
    /// The open frames.
    frames: Vec<Frame>,
    /// Those of them where `var` ends up.
    functions: Vec<Frame>,
    /// How many functions and classes are open that have a `this` of their own.
    owners: usize,
    /// What the function that comes next is called with.
    given: Vec<Meaning>,
    /// The declaration that comes next gets its values from a loop.
    by_loop: bool,
}

impl<'a> Declarations<'a> {
    pub(super) fn over(program: &Program<'a>) -> Declarations<'a> {
        let mut declarations = Declarations::default();
        declarations.visit_program(program);
        declarations
    }

    pub(super) fn into_bindings(self) -> Bindings<'a> {
        Bindings::new(self.names, self.scopes, self.declared, &self.events)
    }

    fn number(&mut self, name: &'a str) -> u32 {
        let next = self.names.len() as u32;
        *self.names.entry(name).or_insert(next)
    }

    fn declare(&mut self, frame: Option<Frame>, name: &'a str, meaning: Meaning, manner: Manner) {
        let name = self.number(name);
        if let Some(frame) = frame {
            let symbol = Symbol {
                name,
                meaning,
                manner,
            };
            self.declared.push((frame, symbol));
        }
    }

    /// `let`, `const`, `class`, parameters, imports.
    fn lexical(&mut self, name: &'a str, meaning: Meaning) {
        self.declare(self.frames.last().copied(), name, meaning, Manner::Other);
    }

    /// `var`, and functions.
    fn hoisted(&mut self, name: &'a str, meaning: Meaning, manner: Manner) {
        self.declare(self.functions.last().copied(), name, meaning, manner);
    }

    /// All names of a pattern, of which nothing is known.
    fn pattern(&mut self, pattern: &BindingPattern<'a>) {
        for name in pattern.get_binding_identifiers() {
            self.lexical(name.name.as_str(), Meaning::Unknown);
        }
    }

    fn enter(&mut self, frame: Frame) {
        self.frames.push(frame);
        self.events.push(Event::Enter(frame));
    }

    fn leave(&mut self) {
        if let Some(frame) = self.frames.pop() {
            self.events.push(Event::Leave(frame));
            if self.functions.last() == Some(&frame) {
                self.functions.pop();
            }
        }
    }

    fn assigned(&mut self, name: &IdentifierReference<'a>) {
        let name = self.number(name.name.as_str());
        self.events.push(Event::Assign(name));
    }

    fn meaning(&self, expression: &Expression<'_>) -> Meaning {
        let here = Here {
            declared: &|_| None,
            this_is_window: self.owners == 0,
        };
        here.meaning(expression)
    }

    /// What the parameters of a function that is called where it stands are.
    fn note_given(&mut self, call: &CallExpression<'a>) {
        // A function with a name may be called from within, with something else.
        let once = match &call.callee {
            Expression::FunctionExpression(function) => function.id.is_none(),
            Expression::ArrowFunctionExpression(_) => true,
            _ => return,
        };
        let arguments = call.arguments.iter();
        let given = arguments.map(|argument| match argument.as_expression() {
            Some(argument) => match self.meaning(argument) {
                meaning if once || meaning == Meaning::Window => meaning,
                _ => Meaning::Unknown,
            },
            None => Meaning::Unknown,
        });
        self.given = given.collect();
    }
}

impl<'a> Visit<'a> for Declarations<'a> {
    fn enter_scope(&mut self, flags: ScopeFlags, scope: &Cell<Option<ScopeId>>) {
        let id = ScopeId::from_usize(self.scopes);
        self.scopes += 1;
        scope.set(Some(id));
        let frame = Frame::head(id);
        self.enter(frame);
        if flags.intersects(ScopeFlags::Top | ScopeFlags::ClassStaticBlock) {
            self.functions.push(frame);
        }
    }

    fn leave_scope(&mut self) {
        self.leave();
    }

    fn visit_function_body(&mut self, it: &FunctionBody<'a>) {
        if let Some(head) = self.frames.last() {
            let frame = head.body();
            self.enter(frame);
            self.functions.push(frame);
        }
        walk::walk_function_body(self, it);
        self.leave();
    }

    fn visit_function(&mut self, it: &Function<'a>, flags: ScopeFlags) {
        let name = it.id.as_ref().map(|id| id.name.as_str());
        if let (true, Some(name)) = (it.is_declaration(), name) {
            if self.frames.last() != self.functions.last() {
                self.lexical(name, Meaning::Function);
            }
            self.hoisted(name, Meaning::Function, Manner::Other);
        }
        self.owners += 1;
        walk::walk_function(self, it, flags);
        self.owners -= 1;
        if let (true, Some(name), Some(scope)) = (it.is_expression(), name, it.scope_id.get()) {
            let own = Some(Frame::head(scope));
            self.declare(own, name, Meaning::Function, Manner::Other);
        }
    }

    fn visit_class(&mut self, it: &Class<'a>) {
        let name = it.id.as_ref().map(|id| id.name.as_str());
        if let (true, Some(name)) = (it.is_declaration(), name) {
            self.lexical(name, Meaning::Function);
        }
        self.owners += 1;
        walk::walk_class(self, it);
        self.owners -= 1;
        if let (Some(name), Some(scope)) = (name, it.scope_id.get()) {
            let own = Some(Frame::head(scope));
            self.declare(own, name, Meaning::Function, Manner::Other);
        }
    }

    fn visit_variable_declaration(&mut self, it: &VariableDeclaration<'a>) {
        let by_loop = std::mem::take(&mut self.by_loop);
        for declarator in &it.declarations {
            let meaning = match (&declarator.id, &declarator.init) {
                (BindingPattern::BindingIdentifier(_), None) if !by_loop => Meaning::Fresh,
                (BindingPattern::BindingIdentifier(_), Some(init)) => self.meaning(init),
                _ => Meaning::Unknown,
            };
            for name in declarator.id.get_binding_identifiers() {
                if it.kind.is_var() {
                    self.hoisted(name.name.as_str(), meaning, Manner::Var);
                } else {
                    self.lexical(name.name.as_str(), meaning);
                }
            }
        }
        walk::walk_variable_declaration(self, it);
    }

    fn visit_for_statement_left(&mut self, it: &ForStatementLeft<'a>) {
        self.by_loop = matches!(it, ForStatementLeft::VariableDeclaration(_));
        walk::walk_for_statement_left(self, it);
    }

    fn visit_call_expression(&mut self, it: &CallExpression<'a>) {
        self.note_given(it);
        walk::walk_call_expression(self, it);
    }

    fn visit_formal_parameters(&mut self, it: &FormalParameters<'a>) {
        let given = std::mem::take(&mut self.given);
        for (index, parameter) in it.items.iter().enumerate() {
            match (&parameter.pattern, given.get(index)) {
                (BindingPattern::BindingIdentifier(name), Some(meaning)) => {
                    self.lexical(name.name.as_str(), *meaning);
                }
                (pattern, _) => self.pattern(pattern),
            }
        }
        walk::walk_formal_parameters(self, it);
    }

    fn visit_formal_parameter_rest(&mut self, it: &FormalParameterRest<'a>) {
        self.pattern(&it.rest.argument);
        walk::walk_formal_parameter_rest(self, it);
    }

    fn visit_catch_parameter(&mut self, it: &CatchParameter<'a>) {
        self.pattern(&it.pattern);
        walk::walk_catch_parameter(self, it);
    }

    fn visit_import_declaration_specifier(&mut self, it: &ImportDeclarationSpecifier<'a>) {
        self.lexical(it.local().name.as_str(), Meaning::Unknown);
    }

    fn visit_simple_assignment_target(&mut self, it: &SimpleAssignmentTarget<'a>) {
        if let SimpleAssignmentTarget::AssignmentTargetIdentifier(name) = it {
            self.assigned(name);
        }
        walk::walk_simple_assignment_target(self, it);
    }

    fn visit_assignment_target_property_identifier(
        &mut self,
        it: &AssignmentTargetPropertyIdentifier<'a>,
    ) {
        self.assigned(&it.binding);
        walk::walk_assignment_target_property_identifier(self, it);
    }
}
