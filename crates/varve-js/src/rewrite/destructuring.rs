//! Patterns that take `location` or `top` out of an initialiser: `const { location } = window`.

use oxc_ast::ast::{
    AssignmentTarget, AssignmentTargetProperty, BindingPattern, Expression, PropertyKey,
};
use oxc_ast_visit::Visit;

use super::emitted;
use super::visitor::{Rewriter, is_ours};

impl Rewriter<'_> {
    /// The initialiser of a pattern that takes one of the names or not.
    pub(super) fn initialiser(&mut self, takes: bool, init: &Expression<'_>) {
        if takes && !is_ours(init, "view") {
            self.enclose(emitted::VIEW, init, ")");
        } else {
            self.visit_expression(init);
        }
    }

    /// Whether a pattern has `location` or `top` among its own properties.
    pub(super) fn takes(&self, pattern: &BindingPattern<'_>) -> bool {
        match pattern {
            BindingPattern::ObjectPattern(pattern) => pattern
                .properties
                .iter()
                .any(|property| self.is_taken(&property.key)),
            _ => false,
        }
    }

    /// The same for a pattern that is assigned to.
    pub(super) fn target_takes(&self, target: &AssignmentTarget<'_>) -> bool {
        match target {
            AssignmentTarget::ObjectAssignmentTarget(pattern) => {
                pattern.properties.iter().any(|property| match property {
                    AssignmentTargetProperty::AssignmentTargetPropertyIdentifier(it) => {
                        self.is_name(&it.binding.name)
                    }
                    AssignmentTargetProperty::AssignmentTargetPropertyProperty(it) => {
                        self.is_taken(&it.name)
                    }
                })
            }
            _ => false,
        }
    }

    fn is_taken(&self, key: &PropertyKey<'_>) -> bool {
        key.static_name().is_some_and(|name| self.is_name(&name))
    }

    fn is_name(&self, name: &str) -> bool {
        name == "location" || (name == "top" && self.has_top())
    }
}
