//! The walk that finds values, and words for where they stand.

use oxc_ast::ast::{
    Argument, ArrayExpression, AssignmentExpression, AssignmentTarget, BindingPattern,
    CallExpression, ComputedMemberExpression, ExportAllDeclaration, ExportFromDeclaration,
    Expression, ImportDeclaration, NewExpression, ObjectExpression, ObjectPropertyKind, Program,
    PropertyKey, StringLiteral, TemplateLiteral, VariableDeclarator,
};
use oxc_ast_visit::{Visit, walk};
use oxc_span::{GetSpan, Span};
use serde_json::Value;

use super::MAX_CODE_KEYS;
use super::literals::{Literals, MAX_PATH, below};
use crate::data;
use crate::names::{dotted, dotted_member};

/// Where module specifiers stand.
const IMPORT: &str = "import";

/// Marks values on its way through a program.
pub(super) struct Walk<'s> {
    source: &'s str,
    marks: Vec<Span>,
    literals: Literals,
    /// Words for the place of the expression that comes next.
    place: Option<String>,
}

impl<'s> Walk<'s> {
    /// The spans of values, in order, and the values.
    pub(super) fn over(source: &'s str, program: &Program<'_>) -> (Vec<Span>, Literals) {
        let mut walk = Walk {
            source,
            marks: Vec::new(),
            literals: Literals::default(),
            place: None,
        };
        walk.visit_program(program);
        (walk.marks, walk.literals)
    }

    fn mark(&mut self, span: Span, place: Option<String>, value: &Value) {
        let slot = u32::try_from(self.marks.len()).unwrap_or(u32::MAX);
        self.marks.push(span);
        let place = place.unwrap_or_else(|| format!("#{slot}"));
        self.literals.add(slot, &place, value);
    }

    /// Visits an expression of which it is known where it stands.
    fn visit_at(&mut self, place: Option<String>, expression: &Expression<'_>) {
        self.place = place;
        self.visit_expression(expression);
        self.place = None;
    }

    fn object(&mut self, place: Option<&str>, object: &ObjectExpression<'_>) {
        for property in &object.properties {
            match property {
                ObjectPropertyKind::ObjectProperty(property) => {
                    self.visit_property_key(&property.key);
                    let key = property.key.static_name();
                    let place = place.zip(key).and_then(|(place, key)| below(place, &key));
                    self.visit_at(place, &property.value);
                }
                ObjectPropertyKind::SpreadProperty(spread) => self.visit_spread_element(spread),
            }
        }
    }

    fn array(&mut self, place: Option<&str>, array: &ArrayExpression<'_>) {
        for (index, element) in array.elements.iter().enumerate() {
            match element.as_expression() {
                Some(element) => {
                    let place = place.and_then(|place| below(place, &index.to_string()));
                    self.visit_at(place, element);
                }
                None => self.visit_array_expression_element(element),
            }
        }
    }

    fn template(&mut self, template: &TemplateLiteral<'_>) {
        for (index, quasi) in template.quasis.iter().enumerate() {
            if !quasi.value.raw.is_empty() {
                let text = Value::String(quasi.value.raw.to_string());
                self.mark(quasi.span, None, &text);
            }
            if let Some(expression) = template.expressions.get(index) {
                self.visit_expression(expression);
            }
        }
    }

    fn call(&mut self, place: Option<String>, call: &CallExpression<'_>) {
        if let Some((span, json)) = data::parsed_json(call) {
            self.mark(span, place, &json);
            return;
        }
        self.visit_expression(&call.callee);
        self.arguments(dotted(&call.callee), &call.arguments);
    }

    fn new_object(&mut self, new: &NewExpression<'_>) {
        self.visit_expression(&new.callee);
        let name = dotted(&new.callee).map(|name| format!("new {name}"));
        self.arguments(name, &new.arguments);
    }

    fn arguments(&mut self, called: Option<String>, arguments: &[Argument<'_>]) {
        let called = called.filter(|name| name.len() < MAX_PATH);
        for (index, argument) in arguments.iter().enumerate() {
            match argument.as_expression() {
                Some(argument) => {
                    let place = called.as_ref().map(|name| format!("{name}({index})"));
                    self.visit_at(place, argument);
                }
                None => self.visit_argument(argument),
            }
        }
    }

    fn assignment(&mut self, assignment: &AssignmentExpression<'_>) {
        self.visit_assignment_target(&assignment.left);
        self.visit_at(name_of_target(&assignment.left), &assignment.right);
    }

    fn specifier(&mut self, specifier: &StringLiteral<'_>) {
        let value = Value::String(specifier.value.to_string());
        self.mark(specifier.span, Some(IMPORT.to_owned()), &value);
    }
}

impl<'a> Visit<'a> for Walk<'_> {
    fn visit_expression(&mut self, it: &Expression<'a>) {
        let place = self.place.take();
        if let Some(value) = data::scalar(self.source, it) {
            self.mark(it.span(), place, &Value::String(value));
            return;
        }
        if is_whole(it) {
            let value = data::value(self.source, it);
            self.mark(it.span(), place, &value);
            return;
        }
        match it {
            Expression::ObjectExpression(object) => self.object(place.as_deref(), object),
            Expression::ArrayExpression(array) => self.array(place.as_deref(), array),
            Expression::TemplateLiteral(template) => self.template(template),
            Expression::CallExpression(call) => self.call(place, call),
            Expression::NewExpression(new) => self.new_object(new),
            Expression::AssignmentExpression(assignment) => self.assignment(assignment),
            // `x = x || {...}`
            Expression::LogicalExpression(logical) => {
                self.visit_expression(&logical.left);
                self.visit_at(place, &logical.right);
            }
            _ => walk::walk_expression(self, it),
        }
    }

    fn visit_variable_declarator(&mut self, it: &VariableDeclarator<'a>) {
        self.visit_binding_pattern(&it.id);
        if let Some(init) = &it.init {
            let place = match &it.id {
                BindingPattern::BindingIdentifier(name) => Some(name.name.to_string()),
                _ => None,
            };
            self.visit_at(place.filter(|name| name.len() < MAX_PATH), init);
        }
    }

    fn visit_computed_member_expression(&mut self, it: &ComputedMemberExpression<'a>) {
        self.visit_expression(&it.object);
        // The name of a property is code.
        if !it.expression.is_literal() {
            self.visit_expression(&it.expression);
        }
    }

    fn visit_property_key(&mut self, it: &PropertyKey<'a>) {
        if it.static_name().is_none() {
            walk::walk_property_key(self, it);
        }
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
}

/// Whether an expression is one value with all that it holds: an array of data, or a map.
fn is_whole(expression: &Expression<'_>) -> bool {
    match expression {
        Expression::ArrayExpression(_) => data::is_data(expression),
        Expression::ObjectExpression(object) => {
            let is_map = object.properties.len() > MAX_CODE_KEYS || holds_lists(object);
            is_map && data::is_data(expression)
        }
        _ => false,
    }
}

/// Whether an object holds lists and nothing else.
fn holds_lists(object: &ObjectExpression<'_>) -> bool {
    let is_list = |property: &ObjectPropertyKind<'_>| match property {
        ObjectPropertyKind::ObjectProperty(property) => {
            matches!(property.value, Expression::ArrayExpression(_))
        }
        ObjectPropertyKind::SpreadProperty(_) => false,
    };
    !object.properties.is_empty() && object.properties.iter().all(is_list)
}

fn name_of_target(target: &AssignmentTarget<'_>) -> Option<String> {
    let name = match target {
        AssignmentTarget::AssignmentTargetIdentifier(name) => Some(name.name.to_string()),
        AssignmentTarget::StaticMemberExpression(member) => dotted_member(member),
        _ => None,
    };
    name.filter(|name| name.len() < MAX_PATH)
}
