//! The walk over a source that may list chunks.

use memchr::memmem;
use oxc_ast::ast::{
    Argument, ArrowFunctionExpression, AssignmentExpression, AssignmentTarget, BindingPattern,
    CallExpression, Expression, FormalParameters, Function, ImportExpression, ObjectExpression,
    ObjectProperty, ObjectPropertyKind, Program, Statement, VariableDeclarator,
};
use oxc_ast_visit::{Visit, walk};
use oxc_span::GetSpan;
use oxc_syntax::operator::BinaryOperator;
use oxc_syntax::scope::ScopeFlags;

use super::file_names::{ANY, MAX_STEPS, ROOT, file_names};
use super::named::{self, Pages};
use super::scan::{Branch, Scan, branches, literal_key};
use super::{ChunkBase, ChunkUrl, List, MAX_CHUNKS, is_file};
use crate::names::{named, text};

/// Most functions that make names from any key.
const MAX_PATTERNS: usize = 8;

/// Collects chunks.
pub(super) struct Visitor<'s> {
    source: &'s str,
    hints: Hints,
    list: List,
    /// File names by webpack, some with [`ROOT`].
    names: Vec<String>,
    /// Such names with [`ANY`] in them.
    patterns: Vec<String>,
    /// Chunks that this source itself asks webpack for.
    asked: Vec<String>,
    public_path: Option<PublicPath>,
    /// Lists by Vite, and what it puts before them.
    files: Vec<String>,
    vite_base: Option<String>,
    /// Tables by VitePress.
    pages: Pages,
    /// The key of the table whose value is open: of a function that only loads something.
    key: Option<String>,
    /// The path of the object that is open, if it is a route.
    route: Option<String>,
    /// Where the expression ends that was last looked at as a whole.
    looked_to: u32,
    steps: usize,
}

/// Words that occur somewhere in the source.
struct Hints {
    /// It asks where it comes from itself.
    own_url: bool,
    vite_lists: bool,
    vite_preloads: bool,
}

impl Hints {
    fn of(source: &str) -> Hints {
        let has = |word: &str| memmem::find(source.as_bytes(), word.as_bytes()).is_some();
        Hints {
            own_url: has("currentScript") || has("import.meta.url"),
            vite_lists: has("__vite__mapDeps"),
            vite_preloads: has("modulepreload"),
        }
    }
}

/// What webpack puts before file names.
enum PublicPath {
    Literal(String),
    /// The directory of the script, and this.
    OfScript(String),
}

impl<'s> Visitor<'s> {
    pub(super) fn over(source: &'s str, program: &Program<'_>) -> Vec<ChunkUrl> {
        let mut visitor = Visitor {
            source,
            hints: Hints::of(source),
            list: List::default(),
            names: Vec::new(),
            patterns: Vec::new(),
            asked: Vec::new(),
            public_path: None,
            files: Vec::new(),
            vite_base: None,
            pages: Pages::default(),
            key: None,
            route: None,
            looked_to: 0,
            steps: MAX_STEPS,
        };
        visitor.visit_program(program);
        visitor.into_chunks()
    }

    fn into_chunks(mut self) -> Vec<ChunkUrl> {
        for pattern in &self.patterns {
            let names = self.asked.iter().map(|id| pattern.replace(ANY, id));
            self.names.extend(names);
        }
        for name in std::mem::take(&mut self.names) {
            self.push_webpack(name.trim_start_matches(ROOT));
        }
        for file in std::mem::take(&mut self.files) {
            self.push_vite(file);
        }
        self.pages.push_to(&mut self.list);
        self.list.chunks
    }

    fn push_webpack(&mut self, name: &str) {
        if !is_file(name) {
            return;
        }
        let (url, base) = match &self.public_path {
            _ if is_absolute(name) => (name.to_owned(), ChunkBase::Page),
            Some(PublicPath::Literal(path)) => (format!("{path}{name}"), ChunkBase::Page),
            Some(PublicPath::OfScript(path)) => (format!("{path}{name}"), ChunkBase::Script),
            None => (name.to_owned(), ChunkBase::PublicPath),
        };
        self.list.push(url, base, None);
    }

    fn push_vite(&mut self, file: String) {
        let (url, base) = match &self.vite_base {
            _ if is_absolute(&file) => (file, ChunkBase::Page),
            _ if file.starts_with('.') => (file, ChunkBase::Script),
            Some(path) => (format!("{path}{file}"), ChunkBase::Page),
            None => (file, ChunkBase::PublicPath),
        };
        self.list.push(url, base, None);
    }

    /// Names that an expression or a function makes.
    fn look_at<'e>(&mut self, branches: &[Branch<'e, '_>], name: Option<&'e str>) {
        let Some(scan) = Scan::of(branches, name) else {
            return;
        };
        let found = file_names(branches, &scan, &mut self.steps);
        let room = MAX_CHUNKS.saturating_sub(self.names.len());
        self.names.extend(found.names.into_iter().take(room));
        // Only for functions is it known who calls them.
        if name.is_some() && self.patterns.len() < MAX_PATTERNS {
            self.patterns.extend(found.any);
        }
    }

    /// `r.u = id => ...`
    fn file_name_function(&mut self, function: &Expression<'_>) {
        match function {
            Expression::FunctionExpression(it) => {
                let statements = it.body.as_ref().map(|body| &body.statements);
                if let Some(branches) = statements.and_then(|it| branches(it)) {
                    self.look_at(&branches, parameter(&it.params));
                }
            }
            Expression::ArrowFunctionExpression(it) => {
                let name = parameter(&it.params);
                match it.body.as_expression() {
                    Some(value) => self.look_at(&[Branch { test: None, value }], name),
                    None => {
                        let body = it.body.as_function_body();
                        if let Some(branches) = body.and_then(|it| branches(&it.statements)) {
                            self.look_at(&branches, name);
                        }
                    }
                }
            }
            _ => return,
        }
        self.looked_to = self.looked_to.max(function.span().end);
    }

    /// `r.p = "/"`
    fn note_public_path(&mut self, value: &Expression<'_>) {
        let found = match value {
            Expression::LogicalExpression(it) => text(&it.right).and_then(literal_path),
            Expression::BinaryExpression(it) if it.operator == BinaryOperator::Addition => {
                text(&it.right).and_then(|it| self.path_of_script(it))
            }
            Expression::Identifier(_) | Expression::CallExpression(_) => self.path_of_script(""),
            _ => text(value).and_then(literal_path),
        };
        self.public_path = self.public_path.take().or(found);
    }

    fn path_of_script(&self, more: &str) -> Option<PublicPath> {
        self.hints
            .own_url
            .then(|| PublicPath::OfScript(more.to_owned()))
    }

    /// `e => "/base/" + e`, with which Vite makes URLs of files.
    fn note_vite_base(&mut self, parameters: &FormalParameters<'_>, value: &Expression<'_>) {
        let Expression::BinaryExpression(it) = value else {
            return;
        };
        let (Some(path), Expression::Identifier(name)) = (text(&it.left), &it.right) else {
            return;
        };
        let whole = it.operator == BinaryOperator::Addition && path.ends_with('/');
        let own = parameter(parameters) == Some(name.name.as_str());
        if whole && own && is_absolute(path) && self.hints.vite_preloads {
            self.vite_base.get_or_insert_with(|| path.to_owned());
        }
    }

    fn note_files(&mut self, value: &Expression<'_>) {
        if let Expression::ArrayExpression(array) = value
            && self.hints.vite_lists
        {
            let elements = array.elements.iter();
            let files = elements.filter_map(|element| element.as_expression().and_then(text));
            let files = files.filter(|file| is_file(file)).take(MAX_CHUNKS);
            self.files.extend(files.map(str::to_owned));
        }
    }

    fn assigned(&mut self, name: &str, value: &Expression<'_>) {
        match name {
            "u" | "miniCssF" | "k" => self.file_name_function(value),
            "p" => self.note_public_path(value),
            "f" | "viteFileDeps" => self.note_files(value),
            "__VP_HASH_MAP__" => self.pages.note_hashes(self.source, value),
            "__VP_SITE_DATA__" => self.pages.note_base(self.source, value),
            "__BUILD_MANIFEST" => named::next(value, &mut self.list),
            "___chunkMapping" => named::gatsby(self.source, value, &mut self.list),
            "__remixManifest" | "__reactRouterManifest" => {
                named::remix(self.source, value, &mut self.list);
            }
            _ => {}
        }
    }

    fn called(&mut self, object: &Expression<'_>, method: &str, arguments: &[Argument<'_>]) {
        match (method, arguments) {
            ("e", [only]) => {
                let id = only.as_expression().and_then(literal_key);
                let room = self.asked.len() < MAX_CHUNKS;
                self.asked.extend(id.filter(|_| room));
            }
            ("register", arguments) if named(object) == Some("System") => {
                named::system(arguments, &mut self.list);
            }
            ("register", [_, files]) => named::parcel(self.source, files, &mut self.list),
            ("push", [pushed]) if named(object) == Some("__next_f") => {
                named::next_flight(pushed, &mut self.list);
            }
            _ => {}
        }
    }
}

impl<'a> Visit<'a> for Visitor<'_> {
    fn visit_expression(&mut self, it: &Expression<'a>) {
        let made = match it {
            Expression::BinaryExpression(it) => it.operator == BinaryOperator::Addition,
            Expression::TemplateLiteral(it) => !it.expressions.is_empty(),
            _ => false,
        };
        let end = it.span().end;
        if made && end > self.looked_to {
            self.looked_to = end;
            let whole = Branch {
                test: None,
                value: it,
            };
            self.look_at(&[whole], None);
        }
        walk::walk_expression(self, it);
    }

    fn visit_assignment_expression(&mut self, it: &AssignmentExpression<'a>) {
        match &it.left {
            AssignmentTarget::AssignmentTargetIdentifier(name) => {
                self.assigned(&name.name, &it.right);
            }
            AssignmentTarget::StaticMemberExpression(member) => {
                self.assigned(&member.property.name, &it.right);
            }
            _ => {}
        }
        walk::walk_assignment_expression(self, it);
    }

    fn visit_variable_declarator(&mut self, it: &VariableDeclarator<'a>) {
        if let (BindingPattern::BindingIdentifier(name), Some(init)) = (&it.id, &it.init)
            && name.name.starts_with("__")
        {
            self.assigned(&name.name, init);
        }
        walk::walk_variable_declarator(self, it);
    }

    fn visit_call_expression(&mut self, it: &CallExpression<'a>) {
        if let Expression::StaticMemberExpression(member) = &it.callee {
            self.called(&member.object, &member.property.name, &it.arguments);
        }
        walk::walk_call_expression(self, it);
    }

    fn visit_function(&mut self, it: &Function<'a>, flags: ScopeFlags) {
        let statements = it.body.as_ref().map(|body| body.statements.as_slice());
        if let Some([Statement::ReturnStatement(returned)]) = statements
            && let Some(value) = &returned.argument
        {
            self.note_vite_base(&it.params, value);
        }
        walk::walk_function(self, it, flags);
    }

    fn visit_arrow_function_expression(&mut self, it: &ArrowFunctionExpression<'a>) {
        if let Some(value) = it.body.as_expression() {
            self.note_vite_base(&it.params, value);
        }
        walk::walk_arrow_function_expression(self, it);
    }

    fn visit_object_expression(&mut self, it: &ObjectExpression<'a>) {
        let own = it.properties.iter().find_map(route);
        let outer = std::mem::replace(&mut self.route, own);
        walk::walk_object_expression(self, it);
        self.route = outer;
    }

    fn visit_object_property(&mut self, it: &ObjectProperty<'a>) {
        let own = match (&it.value, it.key.static_name()) {
            (Expression::ArrowFunctionExpression(function), Some(name))
                if function.body.as_expression().is_some() =>
            {
                self.route.clone().or(Some(name.into_owned()))
            }
            _ => None,
        };
        let outer = std::mem::replace(&mut self.key, own);
        walk::walk_object_property(self, it);
        self.key = outer;
    }

    fn visit_import_expression(&mut self, it: &ImportExpression<'a>) {
        if let Some(specifier) = text(&it.source)
            && (specifier.starts_with('.') || is_absolute(specifier))
        {
            let key = self.key.take();
            self.list
                .push(specifier.to_owned(), ChunkBase::Script, key.as_deref());
            self.key = key;
        }
        walk::walk_import_expression(self, it);
    }
}

fn literal_path(path: &str) -> Option<PublicPath> {
    let whole = path.is_empty() || path.ends_with('/');
    whole.then(|| PublicPath::Literal(path.to_owned()))
}

/// The name of the only parameter.
fn parameter<'e>(parameters: &'e FormalParameters<'_>) -> Option<&'e str> {
    match parameters.items.as_slice() {
        [only] => match &only.pattern {
            BindingPattern::BindingIdentifier(name) => Some(name.name.as_str()),
            _ => None,
        },
        _ => None,
    }
}

/// `path: "/about"`
fn route(property: &ObjectPropertyKind<'_>) -> Option<String> {
    match property {
        ObjectPropertyKind::ObjectProperty(it) if it.key.is_specific_static_name("path") => {
            text(&it.value).map(str::to_owned)
        }
        _ => None,
    }
}

/// Whether a URL is not relative to a directory.
fn is_absolute(url: &str) -> bool {
    url.starts_with('/') || url.starts_with("https://") || url.starts_with("http://")
}
