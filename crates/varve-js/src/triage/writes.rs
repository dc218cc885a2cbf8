//! What is assigned to, and who could notice.

use oxc_ast::ast::{ComputedMemberExpression, Expression};
use oxc_ast_visit::Visit;

use super::Sink;
use super::bindings::Meaning;
use super::plain;
use super::visitor::Visitor;
use super::words::{self, Effect};
use crate::names::named;

/// How many members deep the object is looked for that an assignment changes.
const MAX_STEPS: usize = 12;

impl<'a> Visitor<'_, 'a> {
    /// A global is assigned to.
    pub(super) fn write_global(&mut self, name: &str) {
        if let Some(effect @ (Effect::Navigation | Effect::Listener)) = words::written(name) {
            self.apply(effect);
        }
        self.note_written(name);
    }

    /// A member is assigned to; `None` if its name is not known.
    pub(super) fn write_member(&mut self, object: &Expression<'a>, name: Option<&str>) {
        match name {
            Some(name) if self.is_window(object) => return self.write_global(name),
            None if self.is_window(object) => self.found.computed_globals = true,
            Some(name) => self.write_property(object, name),
            None => {}
        }
        self.write_root(object);
    }

    pub(super) fn write_computed(&mut self, member: &ComputedMemberExpression<'a>) {
        match &member.expression {
            Expression::StringLiteral(name) => {
                self.write_member(&member.object, Some(&name.value));
            }
            key => {
                self.write_member(&member.object, None);
                self.visit_expression(key);
            }
        }
        self.visit_expression(&member.object);
    }

    fn write_property(&mut self, object: &Expression<'a>, name: &str) {
        match named(object) {
            Some("location") => self.apply(Effect::Navigation),
            Some("style") if words::style_with_url(name) => self.apply(Effect::Sink(Sink::Style)),
            Some("style" | "dataset" | "classList") => self.apply(Effect::Dom),
            _ => words::written(name)
                .into_iter()
                .for_each(|effect| self.apply(effect)),
        }
    }

    /// Notes whose property is assigned to.
    fn write_root(&mut self, object: &Expression<'a>) {
        let mut root = object;
        for step in 0..MAX_STEPS {
            let (inner, name) = match root {
                Expression::StaticMemberExpression(it) => {
                    (&it.object, Some(it.property.name.as_str()))
                }
                Expression::ComputedMemberExpression(it) => (&it.object, None),
                Expression::Identifier(name) => return self.write_root_name(&name.name, step),
                _ => break,
            };
            if let (Some(name), true) = (name, self.is_window(inner)) {
                return self.note_written(name);
            }
            root = inner;
        }
        self.unknown();
    }

    /// A property of a name is assigned to, or so many steps below that.
    fn write_root_name(&mut self, name: &str, step: usize) {
        if self.is_global(name) {
            if plain::is_platform(name) {
                self.unknown();
            } else {
                self.note_written(name);
            }
            return;
        }
        let own = match self.meaning_of_name(name) {
            Some(Meaning::Fresh | Meaning::Object) => step == 0,
            // `f.prototype.x = ...`
            Some(Meaning::Function) => step <= 1,
            _ => false,
        };
        if !own {
            self.unknown();
        }
    }
}
