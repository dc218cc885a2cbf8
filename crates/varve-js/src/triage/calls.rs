//! What calls do, by the words they are made of.

use oxc_ast::ast::{Argument, Expression};
use oxc_syntax::operator::BinaryOperator;

use super::Sink;
use super::visitor::{Callee, Visitor};
use super::words::{self, Effect};
use crate::names::{named, text};

impl<'a> Visitor<'_, 'a> {
    /// Counts what a call does.
    pub(super) fn call(&mut self, callee: &Callee<'_, 'a>, arguments: &[Argument<'a>]) {
        match callee {
            Callee::Global(name) => self.call_global(name, arguments),
            Callee::Method(object, name) => self.call_method(object, name, arguments),
            Callee::Local(_) | Callee::Own | Callee::Other => {}
        }
    }

    fn call_global(&mut self, name: &str, arguments: &[Argument<'a>]) {
        match name {
            // The mention of `fetch` is counted already.
            "fetch" => self.ask(None),
            "axios" => self.ask(Some(Sink::Xhr)),
            "open" => self.apply(Effect::Navigation),
            "addEventListener" => self.apply(Effect::Listener),
            "setTimeout" | "setInterval" => self.found.dynamic_code |= is_code(arguments.first()),
            "Function" | "execScript" => self.found.dynamic_code = true,
            _ => {}
        }
    }

    fn call_method(&mut self, object: &Expression<'a>, name: &str, arguments: &[Argument<'a>]) {
        let first = arguments.first().and_then(Argument::as_expression);
        let second = arguments.get(1).and_then(Argument::as_expression);
        match name {
            _ if is_library(object) && words::is_ajax(name) => self.ask(Some(Sink::Xhr)),
            "fetch" => self.ask(None),
            "createElement" => self.make(first),
            "createElementNS" => self.make(second),
            "setAttribute" => self.set_attribute(first),
            "setAttributeNS" => self.set_attribute(second),
            "open" => {
                if first.and_then(text).is_some_and(is_http_method) && second.is_some() {
                    self.ask(Some(Sink::Xhr));
                }
            }
            "load" => {
                let jquery = matches!(object, Expression::CallExpression(_));
                if jquery && first.and_then(text).is_some() {
                    self.ask(Some(Sink::Xhr));
                }
            }
            "assign" | "replace" | "reload" if named(object) == Some("location") => {
                self.apply(Effect::Navigation);
            }
            "back" | "forward" | "go" if named(object) == Some("history") => {
                self.apply(Effect::Navigation);
            }
            "register" if named(object) == Some("serviceWorker") => {
                self.apply(Effect::Sink(Sink::Worker));
            }
            "setProperty" if first.and_then(text).is_none_or(has_style_url) => {
                self.apply(Effect::Sink(Sink::Style));
            }
            "setProperty" => self.apply(Effect::Dom),
            "add" | "toggle" | "replace" if named(object) == Some("classList") => {
                self.apply(Effect::Dom);
            }
            "constructor" => self.found.dynamic_code |= is_code(arguments.first()),
            _ => self.call_named(name, arguments),
        }
    }

    /// Methods that need no second look, except at how they are called.
    fn call_named(&mut self, name: &str, arguments: &[Argument<'a>]) {
        let Some(first) = arguments.first() else {
            // Without arguments these only tell.
            if !matches!(
                name,
                "html" | "css" | "attr" | "prop" | "on" | "one" | "bind"
            ) {
                words::method(name)
                    .into_iter()
                    .for_each(|effect| self.apply(effect));
            }
            return;
        };
        let first = first.as_expression();
        let literal = first.and_then(text);
        let tells = literal.is_some() && arguments.len() == 1;
        match name {
            "css" | "attr" | "prop" if tells => {}
            "attr" | "prop" => self.set_attribute(first),
            // Functions have a `bind` too.
            "on" | "one" | "bind" | "delegate" | "live" if literal.is_none() => {}
            _ if words::listens_with_argument(name) => self.apply(Effect::Listener),
            _ => words::method(name)
                .into_iter()
                .for_each(|effect| self.apply(effect)),
        }
    }

    /// A server is asked.
    fn ask(&mut self, sink: Option<Sink>) {
        self.found.requests_ajax = self.found.requests_ajax.saturating_add(1);
        sink.into_iter()
            .for_each(|sink| self.apply(Effect::Sink(sink)));
    }

    /// An element is made.
    fn make(&mut self, tag: Option<&Expression<'a>>) {
        match tag.and_then(text) {
            Some(tag) => words::element(tag)
                .into_iter()
                .for_each(|sink| self.apply(Effect::Sink(sink))),
            None => self.apply(Effect::Sink(Sink::Element)),
        }
    }

    fn set_attribute(&mut self, name: Option<&Expression<'a>>) {
        self.apply(Effect::Dom);
        let sink = match name.and_then(text) {
            Some(name) => words::attribute(name),
            None => Some(Sink::Element),
        };
        sink.into_iter()
            .for_each(|sink| self.apply(Effect::Sink(sink)));
    }
}

/// Whether a timer is given a text to run.
fn is_code(argument: Option<&Argument<'_>>) -> bool {
    match argument.and_then(Argument::as_expression) {
        Some(Expression::StringLiteral(_) | Expression::TemplateLiteral(_)) => true,
        Some(Expression::BinaryExpression(it)) => it.operator == BinaryOperator::Addition,
        _ => false,
    }
}

fn is_http_method(text: &str) -> bool {
    ["GET", "POST", "HEAD", "PUT", "DELETE", "PATCH", "OPTIONS"]
        .iter()
        .any(|method| method.eq_ignore_ascii_case(text))
}

/// `background-image` as `backgroundImage`.
fn has_style_url(property: &str) -> bool {
    // What a custom property is used for is not known here.
    property.starts_with("--") || words::style_with_url(&property.replace('-', ""))
}

/// `$`, `jQuery` and `axios`, whoever declared them.
fn is_library(object: &Expression<'_>) -> bool {
    matches!(named(object), Some("$" | "jQuery" | "axios"))
}
