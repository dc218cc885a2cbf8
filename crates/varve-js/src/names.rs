//! Names as they are written in scripts: `mw.config.set`, with the window left out.

use oxc_ast::ast::{Expression, StaticMemberExpression};

/// Longest chain of names that counts as one.
const MAX_PARTS: usize = 8;

/// The name that an expression is: `a`, `a.b.c`, `this.a`. `window.a` is `a`.
pub(crate) fn dotted(expression: &Expression<'_>) -> Option<String> {
    let mut parts = Vec::new();
    let mut next = expression;
    while let Expression::StaticMemberExpression(member) = next {
        if parts.len() >= MAX_PARTS {
            return None;
        }
        parts.push(member.property.name.as_str());
        next = &member.object;
    }
    match next {
        Expression::Identifier(name) if !parts.is_empty() && is_window(&name.name) => {}
        Expression::Identifier(name) => parts.push(name.name.as_str()),
        Expression::ThisExpression(_) => parts.push("this"),
        _ => return None,
    }
    parts.reverse();
    Some(parts.join("."))
}

/// The same of a member.
pub(crate) fn dotted_member(member: &StaticMemberExpression<'_>) -> Option<String> {
    let property = member.property.name.as_str();
    match &member.object {
        Expression::Identifier(name) if is_window(&name.name) => Some(property.to_owned()),
        object => dotted(object).map(|object| format!("{object}.{property}")),
    }
}

/// Names of the global object.
pub(crate) fn is_window(name: &str) -> bool {
    matches!(name, "window" | "self" | "globalThis")
}

/// The last of the names that an expression is: `location` in `a.location` and `location`.
pub(crate) fn named<'e>(expression: &'e Expression<'_>) -> Option<&'e str> {
    match expression {
        Expression::Identifier(name) => Some(name.name.as_str()),
        Expression::StaticMemberExpression(member) => Some(member.property.name.as_str()),
        _ => None,
    }
}

/// A string that stands in the source: a literal, or a template without expressions.
pub(crate) fn text<'e>(expression: &'e Expression<'_>) -> Option<&'e str> {
    match expression {
        Expression::StringLiteral(string) => Some(string.value.as_str()),
        Expression::TemplateLiteral(template) if template.expressions.is_empty() => {
            Some(template.quasis.first()?.value.cooked.as_ref()?.as_str())
        }
        _ => None,
    }
}
