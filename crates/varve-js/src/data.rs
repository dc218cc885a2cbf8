//! Which expressions are data, and what they say.

use oxc_ast::ast::{
    ArrayExpression, ArrayExpressionElement, CallExpression, Expression, ObjectExpression,
    ObjectPropertyKind, PropertyKind,
};
use oxc_span::{GetSpan, Span};
use oxc_syntax::operator::UnaryOperator;
use serde_json::{Map, Value};

use crate::names::text;

/// Deepest data. Asking whether an expression is data costs as much as it holds, and is done again
/// on each level where it is not, so there must not be many.
const MAX_LEVELS: usize = 24;

/// Whether an expression is made of literals only.
pub(crate) fn is_data(expression: &Expression<'_>) -> bool {
    is_data_within(expression, MAX_LEVELS)
}

/// What an expression that [`is_data`] says. Scalars are strings here: their own words.
pub(crate) fn value(source: &str, expression: &Expression<'_>) -> Value {
    match expression {
        Expression::ArrayExpression(array) => elements(source, array),
        Expression::ObjectExpression(object) => properties(source, object),
        _ => Value::String(scalar(source, expression).unwrap_or_default()),
    }
}

/// What an expression says if it is data, or JSON that is parsed: `JSON.parse("...")`.
pub(crate) fn parsed(source: &str, expression: &Expression<'_>) -> Option<Value> {
    if let Expression::CallExpression(call) = expression {
        return parsed_json(call).map(|(_, value)| value);
    }
    is_data(expression).then(|| value(source, expression))
}

/// `JSON.parse("...")`: the span of the string, and what is in it.
pub(crate) fn parsed_json(call: &CallExpression<'_>) -> Option<(Span, Value)> {
    let [argument] = call.arguments.as_slice() else {
        return None;
    };
    if !call.callee.is_specific_member_access("JSON", "parse") {
        return None;
    }
    let json = text(argument.as_expression()?)?;
    let value = serde_json::from_str(json).ok()?;
    Some((argument.span(), value))
}

/// The value of a literal that is neither an array nor an object.
pub(crate) fn scalar(source: &str, expression: &Expression<'_>) -> Option<String> {
    match expression {
        Expression::StringLiteral(_) | Expression::TemplateLiteral(_) => {
            text(expression).map(str::to_owned)
        }
        Expression::UnaryExpression(unary) => match (unary.operator, &unary.argument) {
            (UnaryOperator::UnaryNegation, Expression::NumericLiteral(number)) => {
                Some(format!("-{}", words(source, number.span)))
            }
            // As minifiers write booleans.
            (UnaryOperator::LogicalNot, Expression::NumericLiteral(number)) => {
                Some((number.value == 0.0).to_string())
            }
            _ => None,
        },
        Expression::BooleanLiteral(_)
        | Expression::NullLiteral(_)
        | Expression::NumericLiteral(_)
        | Expression::BigIntLiteral(_) => Some(words(source, expression.span()).to_owned()),
        _ => None,
    }
}

fn words(source: &str, span: Span) -> &str {
    source
        .get(span.start as usize..span.end as usize)
        .unwrap_or_default()
}

fn is_data_within(expression: &Expression<'_>, levels: usize) -> bool {
    match expression {
        Expression::ArrayExpression(array) => {
            levels > 0
                && array.elements.iter().all(|element| match element {
                    ArrayExpressionElement::Elision(_) => true,
                    element => element
                        .as_expression()
                        .is_some_and(|element| is_data_within(element, levels - 1)),
                })
        }
        Expression::ObjectExpression(object) => {
            levels > 0
                && object.properties.iter().all(|property| {
                    plain(property).is_some_and(|(_, value)| is_data_within(value, levels - 1))
                })
        }
        _ => is_scalar(expression),
    }
}

/// Whether [`scalar`] has a value for it.
fn is_scalar(expression: &Expression<'_>) -> bool {
    match expression {
        Expression::TemplateLiteral(template) => template.expressions.is_empty(),
        Expression::UnaryExpression(unary) => {
            matches!(
                unary.operator,
                UnaryOperator::UnaryNegation | UnaryOperator::LogicalNot
            ) && matches!(unary.argument, Expression::NumericLiteral(_))
        }
        Expression::StringLiteral(_)
        | Expression::BooleanLiteral(_)
        | Expression::NullLiteral(_)
        | Expression::NumericLiteral(_)
        | Expression::BigIntLiteral(_) => true,
        _ => false,
    }
}

/// The name and value of a property as JSON has them.
fn plain<'e, 'a>(property: &'e ObjectPropertyKind<'a>) -> Option<(String, &'e Expression<'a>)> {
    match property {
        ObjectPropertyKind::ObjectProperty(property)
            if property.kind == PropertyKind::Init && !property.method && !property.computed =>
        {
            Some((property.key.static_name()?.into_owned(), &property.value))
        }
        _ => None,
    }
}

fn elements(source: &str, array: &ArrayExpression<'_>) -> Value {
    let element = |element: &ArrayExpressionElement<'_>| match element.as_expression() {
        Some(expression) => value(source, expression),
        None => Value::Null,
    };
    Value::Array(array.elements.iter().map(element).collect())
}

fn properties(source: &str, object: &ObjectExpression<'_>) -> Value {
    let properties = object.properties.iter().filter_map(plain);
    let map: Map<String, Value> = properties
        .map(|(name, expression)| (name, value(source, expression)))
        .collect();
    Value::Object(map)
}
