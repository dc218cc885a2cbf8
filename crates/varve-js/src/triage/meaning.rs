//! What an expression is, as far as its words tell.

use oxc_ast::ast::{CallExpression, ChainElement, Expression};

use super::bindings::Meaning;
use super::plain;
use crate::names::is_window;

/// How far into an expression is looked. Each level of a chain of calls is asked about again, so
/// it must not be far.
const MAX_STEPS: usize = 12;

/// What each branch of `a || b` costs.
const STEPS_PER_BRANCH: usize = 4;

/// What is known where an expression stands.
pub(super) struct Here<'l> {
    /// What a declared name means; `None` for others.
    pub(super) declared: &'l dyn Fn(&str) -> Option<Meaning>,
    /// Whether `this` is the global object.
    pub(super) this_is_window: bool,
}

impl Here<'_> {
    /// What an expression stands for.
    pub(super) fn meaning(&self, expression: &Expression<'_>) -> Meaning {
        self.within(expression, MAX_STEPS)
    }

    fn within(&self, expression: &Expression<'_>, steps: usize) -> Meaning {
        let Some(steps) = steps.checked_sub(1) else {
            return Meaning::Unknown;
        };
        match expression {
            Expression::Identifier(name) => self.name(&name.name),
            Expression::ThisExpression(_) if self.this_is_window => Meaning::Window,
            Expression::FunctionExpression(_)
            | Expression::ArrowFunctionExpression(_)
            | Expression::ClassExpression(_) => Meaning::Function,
            Expression::StaticMemberExpression(member) => {
                self.member(&member.object, &member.property.name, steps)
            }
            Expression::ComputedMemberExpression(member) => {
                match self.within(&member.object, steps) {
                    Meaning::Platform => Meaning::Platform,
                    _ => Meaning::Unknown,
                }
            }
            Expression::CallExpression(call) => self.result(call, steps),
            Expression::ChainExpression(chain) => match &chain.expression {
                ChainElement::CallExpression(call) => self.result(call, steps),
                ChainElement::StaticMemberExpression(member) => {
                    self.member(&member.object, &member.property.name, steps)
                }
                _ => Meaning::Unknown,
            },
            Expression::NewExpression(new) => match &new.callee {
                Expression::Identifier(name) if self.is_plain_class(&name.name) => Meaning::Fresh,
                _ => Meaning::Unknown,
            },
            Expression::LogicalExpression(it) => self.either(&it.left, &it.right, steps),
            Expression::ConditionalExpression(it) => {
                self.either(&it.consequent, &it.alternate, steps)
            }
            Expression::ObjectExpression(_) => Meaning::Object,
            _ if is_value(expression) => Meaning::Fresh,
            _ => Meaning::Unknown,
        }
    }

    fn name(&self, name: &str) -> Meaning {
        match (self.declared)(name) {
            Some(meaning) => meaning,
            None if is_window(name) => Meaning::Window,
            None if plain::is_platform(name) => Meaning::Platform,
            None => Meaning::Unknown,
        }
    }

    fn member(&self, object: &Expression<'_>, property: &str, steps: usize) -> Meaning {
        match self.within(object, steps) {
            Meaning::Window if is_window(property) => Meaning::Window,
            Meaning::Window if plain::is_platform(property) => Meaning::Platform,
            Meaning::Platform => Meaning::Platform,
            _ => Meaning::Unknown,
        }
    }

    /// What a call returns.
    fn result(&self, call: &CallExpression<'_>, steps: usize) -> Meaning {
        let Expression::StaticMemberExpression(member) = &call.callee else {
            return Meaning::Unknown;
        };
        let method = member.property.name.as_str();
        match self.within(&member.object, steps) {
            Meaning::Platform | Meaning::Fresh if plain::makes_value(method) => Meaning::Fresh,
            Meaning::Platform if plain::only_reads(method) => Meaning::Platform,
            _ => Meaning::Unknown,
        }
    }

    fn either(&self, one: &Expression<'_>, other: &Expression<'_>, steps: usize) -> Meaning {
        let steps = steps.saturating_sub(STEPS_PER_BRANCH);
        let meaning = self.within(one, steps);
        if meaning == self.within(other, steps) {
            meaning
        } else {
            Meaning::Unknown
        }
    }

    fn is_plain_class(&self, name: &str) -> bool {
        (self.declared)(name).is_none()
            && (plain::is_plain_class(name) || plain::is_calling_class(name))
    }
}

/// Whether an expression makes a value of its own.
fn is_value(expression: &Expression<'_>) -> bool {
    expression.is_literal()
        || matches!(
            expression,
            Expression::ArrayExpression(_)
                | Expression::TemplateLiteral(_)
                | Expression::UnaryExpression(_)
                | Expression::BinaryExpression(_)
                | Expression::UpdateExpression(_)
        )
}
