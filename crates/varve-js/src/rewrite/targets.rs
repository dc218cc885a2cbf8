//! What is assigned to: `location = x`, `x.location = y`, `var location = x`.

use oxc_ast::ast::{
    AssignmentExpression, AssignmentTargetPropertyIdentifier, BindingPattern, Expression,
    ForStatementLeft, SimpleAssignmentTarget, VariableDeclaration,
};
use oxc_ast_visit::{Visit, walk};
use oxc_span::{GetSpan, Span};
use oxc_syntax::operator::AssignmentOperator;

use super::emitted;
use super::members::Member;
use super::visitor::Rewriter;

impl Rewriter<'_> {
    pub(super) fn assignment(&mut self, it: &AssignmentExpression<'_>) {
        let member = it.left.as_member_expression().map(Member::of);
        if it.operator != AssignmentOperator::Assign {
            walk::walk_assignment_expression(self, it);
        } else if let Some(member) = member.filter(is_location) {
            self.set_location(it, &member);
        } else {
            self.visit_assignment_target(&it.left);
            self.initialiser(self.target_takes(&it.left), &it.right);
        }
    }

    /// `x.location = v` becomes `__varve.setLocation(x,v)`: `x` first, then `v`, as before.
    fn set_location(&mut self, it: &AssignmentExpression<'_>, member: &Member<'_, '_>) {
        // The target may stand in parentheses, which go.
        let head = Span::new(it.span.start, member.object.span().start);
        self.edits.replace(head, emitted::SET_LOCATION);
        self.visit_expression(member.object);
        let middle = Span::new(member.object.span().end, it.right.span().start);
        self.edits.replace_tokens(middle, ",", self.comments);
        self.visit_expression(&it.right);
        self.edits.insert(it.right.span().end, ")");
    }

    /// A target of anything but a plain assignment to a member: a name, a compound assignment,
    /// `++`, a place in a pattern, the head of a loop.
    pub(super) fn target(&mut self, it: &SimpleAssignmentTarget<'_>) {
        match it {
            SimpleAssignmentTarget::AssignmentTargetIdentifier(name) => {
                if name.name == "location" && self.is_free("location") {
                    self.edits.replace(name.span, emitted::LOCATION);
                }
            }
            _ => match it.as_member_expression().map(Member::of) {
                Some(member) if is_location(&member) => self.location_target(&member),
                Some(member) => self.member_in_place(member),
                None => walk::walk_simple_assignment_target(self, it),
            },
        }
    }

    /// `window.location += x`. Of other objects it is left alone.
    fn location_target(&mut self, member: &Member<'_, '_>) {
        if self.is_window(member.object) || self.is_document(member.object) {
            self.visit_expression(member.object);
            self.by_key(member, "[__varve.key(\"location\")]");
        } else {
            self.member_in_place(*member);
        }
    }

    /// `({ location } = x)`.
    pub(super) fn shorthand_target(&mut self, it: &AssignmentTargetPropertyIdentifier<'_>) {
        if it.binding.name == "location" && self.is_free("location") {
            self.edits.insert(it.binding.span.end, ":__varve.location");
        }
        if let Some(init) = &it.init {
            self.visit_expression(init);
        }
    }

    pub(super) fn declaration(&mut self, it: &VariableDeclaration<'_>) {
        for declarator in &it.declarations {
            let Some(init) = &declarator.init else {
                self.visit_binding_pattern(&declarator.id);
                continue;
            };
            if it.kind.is_var() && self.assigns_location(&declarator.id) {
                self.assigning_declarator(declarator.id.span(), init);
            } else {
                self.visit_binding_pattern(&declarator.id);
                self.initialiser(self.takes(&declarator.id), init);
            }
        }
    }

    /// Whether a `var` is the window's location, so that its initialiser navigates.
    fn assigns_location(&self, pattern: &BindingPattern<'_>) -> bool {
        pattern
            .get_binding_identifier()
            .is_some_and(|name| name.name == "location")
            && self.at_window_level()
            && self.is_free("location")
    }

    /// `var location = x` becomes `var {}=[__varve.location = x]`: a declaration of nothing.
    fn assigning_declarator(&mut self, name: Span, init: &Expression<'_>) {
        self.edits.replace(name, "{}=[__varve.location");
        self.visit_expression(init);
        self.edits.insert(init.span().end, "]");
    }

    /// `for (var location of x)` on the top level; tells whether it was that.
    pub(super) fn loop_over_location(&mut self, it: &ForStatementLeft<'_>) -> bool {
        let ForStatementLeft::VariableDeclaration(it) = it else {
            return false;
        };
        let [declarator] = it.declarations.as_slice() else {
            return false;
        };
        let found =
            it.kind.is_var() && declarator.init.is_none() && self.assigns_location(&declarator.id);
        if found {
            self.edits.replace(it.span, emitted::LOCATION);
        }
        found
    }
}

fn is_location(member: &Member<'_, '_>) -> bool {
    member.name == Some("location") && member.may_be_windows()
}
