//! What scripts look for in documents.

use oxc_ast::ast::{Argument, Expression};

use super::Triage;
use super::visitor::Visitor;
use crate::names::{named, text};

impl<'a> Visitor<'_, 'a> {
    /// Notes the selector of a call that looks for something.
    pub(super) fn note_selector(&mut self, callee: &Expression<'a>, arguments: &[Argument<'a>]) {
        let first = arguments.first().and_then(Argument::as_expression);
        let Some(sought) = first.and_then(text) else {
            return;
        };
        let selector = match callee {
            Expression::Identifier(name) if matches!(name.name.as_str(), "$" | "jQuery") => {
                css(sought)
            }
            Expression::StaticMemberExpression(member) => {
                of_method(&member.property.name, &member.object, sought)
            }
            _ => None,
        };
        if let Some(selector) = selector {
            let found = &mut self.found;
            Triage::note_name(&mut found.selectors, &selector, &mut found.note);
        }
    }
}

/// The selector of `object.method("sought")`.
fn of_method(method: &str, object: &Expression<'_>, sought: &str) -> Option<String> {
    match method {
        "querySelector" | "querySelectorAll" | "closest" | "matches" => css(sought),
        "$" | "jQuery" => css(sought),
        // jQuery's; arrays are given functions.
        "find" | "children" | "parents" | "siblings" | "is" => css(sought),
        "getElementById" => one(sought).then(|| by("#", "id", sought)),
        "getElementsByClassName" => {
            let classes: Vec<String> = sought
                .split_ascii_whitespace()
                .map(|class| by(".", "class", class))
                .collect();
            (!classes.is_empty()).then(|| classes.concat())
        }
        "hasClass" => one(sought).then(|| by(".", "class", sought)),
        "contains" if named(object) == Some("classList") => {
            one(sought).then(|| by(".", "class", sought))
        }
        "getElementsByTagName" => {
            let tag = sought == "*" || is_plain(sought);
            tag.then(|| sought.to_ascii_lowercase())
        }
        "getElementsByName" => one(sought).then(|| format!("[name=\"{}\"]", escaped(sought))),
        _ => None,
    }
}

/// A selector as it was written; HTML and nothing are none.
fn css(sought: &str) -> Option<String> {
    let sought = sought.trim();
    (!sought.is_empty() && !sought.contains('<')).then(|| sought.to_owned())
}

fn one(sought: &str) -> bool {
    !sought.is_empty() && !sought.contains(char::is_whitespace)
}

/// `#id` or `.class`; by the attribute where that would have to be escaped.
fn by(mark: &str, attribute: &str, value: &str) -> String {
    if is_plain(value) && !value.starts_with(|first: char| first.is_ascii_digit() || first == '-') {
        return format!("{mark}{value}");
    }
    let operator = if attribute == "id" { "=" } else { "~=" };
    format!("[{attribute}{operator}\"{}\"]", escaped(value))
}

fn is_plain(word: &str) -> bool {
    !word.is_empty()
        && word
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_' || !c.is_ascii())
}

fn escaped(value: &str) -> String {
    value.replace('\\', "\\\\").replace('"', "\\\"")
}
