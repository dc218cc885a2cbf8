//! The walk over the syntax tree.

use std::ops::Range;

use oxc_ast::ast::{
    Argument, CallExpression, ExportAllDeclaration, ExportFromDeclaration, Expression,
    ImportAttributeKey, ImportDeclaration, ImportExpression, NewExpression, ObjectPropertyKind,
    Program, StringLiteral, WithClause,
};
use oxc_ast_visit::{Visit, walk};
use oxc_span::{GetSpan, Span};

use super::{Base, Request, RequestKind, Wanted};

/// Collects requests on its way through a program.
pub(super) struct Finder {
    requests: Vec<Request>,
    limit: usize,
    full: bool,
}

impl Finder {
    /// The requests of a program, and whether there were more than `limit`.
    pub(super) fn find(program: &Program<'_>, limit: usize) -> (Vec<Request>, bool) {
        let mut finder = Finder {
            requests: Vec::new(),
            limit,
            full: false,
        };
        finder.visit_program(program);
        (finder.requests, finder.full)
    }

    fn push(&mut self, literal: Literal<'_>, kind: RequestKind, base: Base, wanted: Wanted) {
        if self.requests.len() >= self.limit {
            self.full = true;
            return;
        }
        self.requests.push(Request {
            specifier: literal.value.to_owned(),
            kind,
            base,
            wanted,
            span: literal.span,
        });
    }

    fn import(
        &mut self,
        source: &StringLiteral<'_>,
        with: Option<&WithClause<'_>>,
        kind: RequestKind,
    ) {
        let literal = Literal {
            value: source.value.as_str(),
            span: range(source.span),
        };
        self.push(literal, kind, Base::Module, wanted_by(with));
    }

    /// `new Worker("x")` or `new Worker(new URL("x", import.meta.url))`.
    fn worker(&mut self, kind: RequestKind, arguments: &[Argument<'_>]) {
        let Some(first) = arguments.first().and_then(Argument::as_expression) else {
            return;
        };
        let options = arguments.get(1).and_then(Argument::as_expression);
        let wanted = match options.and_then(|options| property(options, "type")) {
            Some("module") => Wanted::Module,
            _ => Wanted::Script,
        };
        if let Some(literal) = literal(first) {
            self.push(literal, kind, Base::Page, wanted);
        } else if let Some(literal) = url_of_module(first) {
            self.push(literal, kind, Base::Script, wanted);
        }
    }
}

impl<'a> Visit<'a> for Finder {
    fn visit_import_declaration(&mut self, it: &ImportDeclaration<'a>) {
        self.import(&it.source, it.with_clause.as_deref(), RequestKind::Import);
    }

    fn visit_export_all_declaration(&mut self, it: &ExportAllDeclaration<'a>) {
        self.import(
            &it.source,
            it.with_clause.as_deref(),
            RequestKind::ExportFrom,
        );
    }

    fn visit_export_from_declaration(&mut self, it: &ExportFromDeclaration<'a>) {
        self.import(
            &it.source,
            it.with_clause.as_deref(),
            RequestKind::ExportFrom,
        );
    }

    fn visit_import_expression(&mut self, it: &ImportExpression<'a>) {
        if let Some(literal) = literal(&it.source) {
            let with = it
                .options
                .as_ref()
                .and_then(|options| object_property(options, "with"));
            let wanted = match with.and_then(|with| property(with, "type")) {
                Some("json") => Wanted::Json,
                Some("css") => Wanted::Style,
                _ => Wanted::Module,
            };
            self.push(literal, RequestKind::DynamicImport, Base::Module, wanted);
        }
        walk::walk_import_expression(self, it);
    }

    fn visit_new_expression(&mut self, it: &NewExpression<'a>) {
        match global_name(&it.callee) {
            Some("Worker") => self.worker(RequestKind::Worker, &it.arguments),
            Some("SharedWorker") => self.worker(RequestKind::SharedWorker, &it.arguments),
            Some("URL") => {
                let workers_own = |request: &Request| range_contains(it.span, &request.span);
                if !self.requests.last().is_some_and(workers_own)
                    && let Some(literal) = url_arguments(&it.arguments)
                {
                    self.push(literal, RequestKind::Url, Base::Script, Wanted::Unknown);
                }
            }
            _ => {}
        }
        walk::walk_new_expression(self, it);
    }

    fn visit_call_expression(&mut self, it: &CallExpression<'a>) {
        if global_name(&it.callee) == Some("importScripts") {
            for argument in it.arguments.iter().filter_map(Argument::as_expression) {
                if let Some(literal) = literal(argument) {
                    self.push(
                        literal,
                        RequestKind::ImportScripts,
                        Base::Script,
                        Wanted::Script,
                    );
                }
            }
        } else if is_register(&it.callee) {
            self.worker(RequestKind::ServiceWorker, &it.arguments);
        }
        walk::walk_call_expression(self, it);
    }
}

/// A string that stands in the source.
struct Literal<'a> {
    value: &'a str,
    span: Range<usize>,
}

fn range(span: Span) -> Range<usize> {
    span.start as usize..span.end as usize
}

fn range_contains(outer: Span, inner: &Range<usize>) -> bool {
    range(outer).start <= inner.start && inner.end <= range(outer).end
}

/// A string literal, or a template without expressions.
fn literal<'e>(expression: &'e Expression<'_>) -> Option<Literal<'e>> {
    let value = match expression {
        Expression::StringLiteral(string) => string.value.as_str(),
        Expression::TemplateLiteral(template) if template.expressions.is_empty() => {
            template.quasis.first()?.value.cooked.as_ref()?.as_str()
        }
        _ => return None,
    };
    Some(Literal {
        value,
        span: range(expression.span()),
    })
}

/// `new URL("x", import.meta.url)`.
fn url_of_module<'e>(expression: &'e Expression<'_>) -> Option<Literal<'e>> {
    match expression {
        Expression::NewExpression(new) if global_name(&new.callee) == Some("URL") => {
            url_arguments(&new.arguments)
        }
        _ => None,
    }
}

fn url_arguments<'e>(arguments: &'e [Argument<'_>]) -> Option<Literal<'e>> {
    let [url, base] = arguments else { return None };
    let Expression::StaticMemberExpression(member) = base.as_expression()? else {
        return None;
    };
    let own = matches!(member.object, Expression::ImportMeta(_)) && member.property.name == "url";
    if own {
        literal(url.as_expression()?)
    } else {
        None
    }
}

/// The name of a global, also when reached through `self`, `window` or `globalThis`.
fn global_name<'e>(callee: &'e Expression<'_>) -> Option<&'e str> {
    match callee {
        Expression::Identifier(name) => Some(name.name.as_str()),
        Expression::StaticMemberExpression(member) => match &member.object {
            Expression::Identifier(object)
                if matches!(object.name.as_str(), "self" | "window" | "globalThis") =>
            {
                Some(member.property.name.as_str())
            }
            _ => None,
        },
        _ => None,
    }
}

/// `navigator.serviceWorker.register`, however the container was reached.
fn is_register(callee: &Expression<'_>) -> bool {
    let Expression::StaticMemberExpression(member) = callee else {
        return false;
    };
    let container = match &member.object {
        Expression::StaticMemberExpression(object) => object.property.name.as_str(),
        Expression::Identifier(name) => name.name.as_str(),
        _ => return false,
    };
    member.property.name == "register" && container == "serviceWorker"
}

/// The value of a property of an object literal.
fn object_property<'e, 'a>(object: &'e Expression<'a>, name: &str) -> Option<&'e Expression<'a>> {
    let Expression::ObjectExpression(object) = object else {
        return None;
    };
    object
        .properties
        .iter()
        .find_map(|property| match property {
            ObjectPropertyKind::ObjectProperty(property)
                if property.key.is_specific_static_name(name) =>
            {
                Some(&property.value)
            }
            _ => None,
        })
}

fn property<'e>(object: &'e Expression<'_>, name: &str) -> Option<&'e str> {
    literal(object_property(object, name)?).map(|literal| literal.value)
}

fn wanted_by(with: Option<&WithClause<'_>>) -> Wanted {
    let attribute = with.and_then(|with| {
        with.with_entries.iter().find(|entry| match &entry.key {
            ImportAttributeKey::Identifier(name) => name.name == "type",
            ImportAttributeKey::StringLiteral(name) => name.value == "type",
        })
    });
    match attribute.map(|entry| entry.value.value.as_str()) {
        Some("json") => Wanted::Json,
        Some("css") => Wanted::Style,
        _ => Wanted::Module,
    }
}
