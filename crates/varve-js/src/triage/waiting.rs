//! Functions that wait for somebody to click, point, type or choose. A page that nobody touches
//! runs none of them, unless a script pretends that somebody did.

use oxc_ast::ast::{Argument, AssignmentTarget, Expression};
use oxc_ast_visit::Visit;

use super::visitor::{Callee, Visitor};
use super::words;
use crate::names::text;

impl<'a> Visitor<'_, 'a> {
    /// Visits the arguments of a call, those apart that wait.
    pub(super) fn visit_arguments(&mut self, callee: &Callee<'_, 'a>, arguments: &[Argument<'a>]) {
        let waits = match callee {
            Callee::Global("addEventListener") => waits_for(arguments),
            Callee::Method(_, "addEventListener" | "on" | "one" | "bind" | "delegate" | "live") => {
                waits_for(arguments)
            }
            Callee::Method(_, name) => words::listens_with_argument(name) && is_deed(name),
            _ => false,
        };
        if let Callee::Method(_, name) = callee {
            self.found.triggers |= triggers(name, arguments);
        }
        for argument in arguments {
            self.visit_waiting(waits && is_function(argument.as_expression()), |it| {
                it.visit_argument(argument);
            });
        }
    }

    /// Visits something that may wait.
    pub(super) fn visit_waiting(&mut self, waits: bool, visit: impl FnOnce(&mut Self)) {
        self.waiting += usize::from(waits);
        visit(self);
        self.waiting -= usize::from(waits);
    }
}

/// Whether a function that is assigned to this waits.
pub(super) fn is_waiting_place(target: &AssignmentTarget<'_>) -> bool {
    let AssignmentTarget::StaticMemberExpression(member) = target else {
        return false;
    };
    let event = member.property.name.strip_prefix("on");
    event.is_some_and(is_deed)
}

/// Whether an expression is a function that stands here: nobody else has it.
pub(super) fn is_function(expression: Option<&Expression<'_>>) -> bool {
    matches!(
        expression,
        Some(Expression::FunctionExpression(_) | Expression::ArrowFunctionExpression(_))
    )
}

/// Whether the first argument names events, all of which somebody must bring about.
fn waits_for(arguments: &[Argument<'_>]) -> bool {
    let events = arguments.first().and_then(Argument::as_expression);
    let mut events = events.and_then(text).unwrap_or("").split_ascii_whitespace();
    // Libraries have names of their own after a full stop: `click.menu`.
    let first = events.next();
    let mut all = first.into_iter().chain(events);
    first.is_some() && all.all(|event| event.split('.').next().is_some_and(is_deed))
}

/// Whether an event is one that somebody must bring about: a click, a key, a choice.
pub fn is_deed(event: &str) -> bool {
    const DEVICES: [&str; 6] = ["mouse", "pointer", "touch", "key", "drag", "click"];
    const DEEDS: [&str; 15] = [
        "dblclick",
        "contextmenu",
        "submit",
        "reset",
        "change",
        "input",
        "focus",
        "blur",
        "focusin",
        "focusout",
        "select",
        "copy",
        "cut",
        "paste",
        "hover",
    ];
    DEVICES.iter().any(|device| event.starts_with(device)) || DEEDS.contains(&event)
}

/// Whether a call pretends that somebody did something.
fn triggers(name: &str, arguments: &[Argument<'_>]) -> bool {
    match name {
        "trigger" | "triggerHandler" | "dispatchEvent" | "fireEvent" => true,
        _ => arguments.is_empty() && is_deed(name),
    }
}
