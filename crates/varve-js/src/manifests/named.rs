//! Manifests that are known by the names of their globals.

use std::collections::HashMap;

use oxc_ast::ast::{
    Argument, ArrayExpressionElement, BindingPattern, Expression, FormalParameters,
    ObjectExpression, ObjectPropertyKind, Statement,
};
use serde_json::{Map, Value};

use super::{ChunkBase, List, MAX_CHUNKS, MAX_URL, is_file};
use crate::data;
use crate::names::text;

/// The table of VitePress: the hash of every page.
#[derive(Default)]
pub(super) struct Pages {
    hashes: Vec<(String, String)>,
    base: Option<String>,
}

impl Pages {
    /// `__VP_HASH_MAP__`
    pub(super) fn note_hashes(&mut self, source: &str, value: &Expression<'_>) {
        if let Some(Value::Object(map)) = data::parsed(source, value) {
            for (page, hash) in map.into_iter().take(MAX_CHUNKS) {
                if let Value::String(hash) = hash {
                    self.hashes.push((page, hash));
                }
            }
        }
    }

    /// `__VP_SITE_DATA__`
    pub(super) fn note_base(&mut self, source: &str, value: &Expression<'_>) {
        if let Some(Value::Object(map)) = data::parsed(source, value)
            && let Some(base) = map.get("base").and_then(Value::as_str)
        {
            self.base = Some(base.to_owned());
        }
    }

    /// A page has two chunks: a lean one where its HTML is there already.
    pub(super) fn push_to(&self, list: &mut List) {
        let (path, base) = match &self.base {
            Some(path) => (path.as_str(), ChunkBase::Page),
            None => ("", ChunkBase::PublicPath),
        };
        for (page, hash) in &self.hashes {
            for end in ["lean.js", "js"] {
                list.push(
                    format!("{path}assets/{page}.{hash}.{end}"),
                    base,
                    Some(page),
                );
            }
        }
    }
}

/// `__BUILD_MANIFEST` of Next: the files of every route, some by the parameters of a function that
/// is called where it stands.
pub(super) fn next(value: &Expression<'_>, list: &mut List) {
    let (object, given) = match value {
        Expression::ObjectExpression(object) => (&**object, HashMap::new()),
        Expression::CallExpression(call) => match &call.callee {
            Expression::FunctionExpression(function) => {
                let statements = function
                    .body
                    .as_ref()
                    .map(|body| body.statements.as_slice());
                let Some(object) = statements.and_then(returned_object) else {
                    return;
                };
                (object, given(&function.params, &call.arguments))
            }
            _ => return,
        },
        _ => return,
    };
    for property in &object.properties {
        if let ObjectPropertyKind::ObjectProperty(property) = property
            && let Expression::ArrayExpression(files) = &property.value
        {
            let route = property.key.static_name();
            for element in &files.elements {
                if let Some(file) = element_text(element, &given).filter(|file| is_file(file)) {
                    let url = format!("_next/{file}");
                    list.push(url, ChunkBase::PublicPath, route.as_deref());
                }
            }
        }
    }
}

fn returned_object<'e, 'a>(statements: &'e [Statement<'a>]) -> Option<&'e ObjectExpression<'a>> {
    statements.iter().find_map(|statement| match statement {
        Statement::ReturnStatement(it) => match it.argument.as_ref()? {
            Expression::ObjectExpression(object) => Some(&**object),
            _ => None,
        },
        _ => None,
    })
}

fn given<'e>(
    parameters: &'e FormalParameters<'_>,
    arguments: &'e [Argument<'_>],
) -> HashMap<&'e str, &'e str> {
    let pairs = parameters.items.iter().zip(arguments);
    let pairs = pairs.filter_map(|(parameter, argument)| match &parameter.pattern {
        BindingPattern::BindingIdentifier(name) => {
            Some((name.name.as_str(), argument.as_expression().and_then(text)?))
        }
        _ => None,
    });
    pairs.collect()
}

fn element_text<'e>(
    element: &'e ArrayExpressionElement<'_>,
    given: &HashMap<&'e str, &'e str>,
) -> Option<&'e str> {
    match element.as_expression()? {
        Expression::Identifier(name) => given.get(name.name.as_str()).copied(),
        expression => text(expression),
    }
}

/// What Next pushes to `__next_f`: text in which chunks are mentioned.
pub(super) fn next_flight(pushed: &Argument<'_>, list: &mut List) {
    let Argument::ArrayExpression(array) = pushed else {
        return;
    };
    let texts = array.elements.iter().filter_map(|it| it.as_expression());
    for flight in texts.filter_map(text) {
        for start in ["static/chunks/", "static/css/"] {
            for (at, _) in flight.match_indices(start) {
                let rest = &flight[at..flight.floor_char_boundary(at + MAX_URL)];
                let end = rest.find(['"', '\\', '\'', ',', ' ']).unwrap_or(rest.len());
                if is_file(&rest[..end]) {
                    let url = format!("_next/{}", &rest[..end]);
                    list.push(url, ChunkBase::PublicPath, None);
                }
            }
        }
    }
}

/// `___chunkMapping` of Gatsby: the files of every component, as an object or as JSON.
pub(super) fn gatsby(source: &str, value: &Expression<'_>, list: &mut List) {
    let map = match text(value) {
        Some(json) => serde_json::from_str(json).ok(),
        None => data::parsed(source, value),
    };
    for (component, files) in object(map) {
        for file in files.as_array().into_iter().flatten() {
            push_file(file, &component, list);
        }
    }
}

/// The manifest of Remix and React Router: modules and their imports by route.
pub(super) fn remix(source: &str, value: &Expression<'_>, list: &mut List) {
    let mut manifest = object(data::parsed(source, value));
    for (id, route) in object(manifest.remove("routes")) {
        let route = object(Some(route));
        for file in [
            "module",
            "clientActionModule",
            "clientLoaderModule",
            "hydrateFallbackModule",
        ] {
            push_file(route.get(file).unwrap_or(&Value::Null), &id, list);
        }
        for more in ["imports", "css"] {
            let files = route.get(more).and_then(Value::as_array);
            for file in files.into_iter().flatten() {
                push_file(file, &id, list);
            }
        }
    }
}

fn push_file(file: &Value, key: &str, list: &mut List) {
    if let Some(file) = file.as_str().filter(|file| is_file(file)) {
        list.push(file.to_owned(), ChunkBase::Page, Some(key));
    }
}

fn object(value: Option<Value>) -> Map<String, Value> {
    match value {
        Some(Value::Object(map)) => map,
        _ => Map::new(),
    }
}

/// `System.register(["./a.js"], ...)`
pub(super) fn system(arguments: &[Argument<'_>], list: &mut List) {
    let lists = arguments
        .iter()
        .take(2)
        .filter_map(|argument| match argument {
            Argument::ArrayExpression(array) => Some(array),
            _ => None,
        });
    for element in lists.flat_map(|array| &array.elements) {
        if let Some(file) = element
            .as_expression()
            .and_then(text)
            .filter(|file| is_file(file))
        {
            list.push(file.to_owned(), ChunkBase::Script, None);
        }
    }
}

/// What Parcel registers: files by id, as an object or in turns.
pub(super) fn parcel(source: &str, files: &Argument<'_>, list: &mut List) {
    let files = files.as_expression();
    let files: Vec<Value> = match files.and_then(|files| data::parsed(source, files)) {
        Some(Value::Object(map)) => map.into_iter().map(|(_, file)| file).collect(),
        Some(Value::Array(turns)) => turns.into_iter().skip(1).step_by(2).collect(),
        _ => return,
    };
    for file in files.iter().filter_map(Value::as_str) {
        if is_file(file) {
            list.push(file.to_owned(), ChunkBase::Script, None);
        }
    }
}
