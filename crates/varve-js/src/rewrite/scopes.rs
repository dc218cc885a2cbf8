//! Which of the names that matter are declared where: scopes, as far as the rewriter needs them.
//!
//! A first walk over the tree notes for every scope which names of a small set it declares, as
//! bits; the second, which rewrites, carries the union of the open scopes along, so that asking
//! for a name costs nothing however deep the scopes are nested.
//!
//! What `eval` declares at run time is not seen. The body of a `with` statement counts as
//! declaring everything: only the run time knows what its names mean.

use std::cell::Cell;

use oxc_ast::ast::{
    BindingPattern, CatchParameter, Class, FormalParameter, FormalParameterRest, Function,
    FunctionBody, ImportDeclarationSpecifier, Program, VariableDeclaration,
};
use oxc_ast_visit::{Visit, walk};
use oxc_syntax::scope::{ScopeFlags, ScopeId};

/// A set of the names that matter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Names(u16);

impl Names {
    pub(super) const NONE: Names = Names(0);
    pub(super) const LOCATION: Names = Names(1);
    pub(super) const TOP: Names = Names(1 << 1);
    const WINDOW: Names = Names(1 << 3);
    const DOCUMENT: Names = Names(1 << 4);
    const ALL: Names = Names(u16::MAX);
    /// Properties of the window that cannot be redefined: a `var` of theirs on the top level of a
    /// classic script declares nothing.
    const UNFORGEABLE: Names =
        Names(Names::LOCATION.0 | Names::TOP.0 | Names::WINDOW.0 | Names::DOCUMENT.0);

    /// The set of this name alone; empty if it is of no interest.
    pub(super) fn of(name: &str) -> Names {
        match name {
            "location" => Names::LOCATION,
            "top" => Names::TOP,
            "eval" => Names(1 << 2),
            "window" => Names::WINDOW,
            "document" => Names::DOCUMENT,
            "self" => Names(1 << 5),
            "globalThis" => Names(1 << 6),
            "parent" => Names(1 << 7),
            "frames" => Names(1 << 8),
            "postMessage" => Names(1 << 9),
            _ => Names::NONE,
        }
    }

    pub(super) fn and(self, other: Names) -> Names {
        Names(self.0 | other.0)
    }

    pub(super) fn without(self, other: Names) -> Names {
        Names(self.0 & !other.0)
    }

    pub(super) fn meets(self, other: Names) -> bool {
        self.0 & other.0 != 0
    }
}

/// What `var` and `function` on the top level of a program declare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TopLevel {
    /// Properties of the window: a classic script.
    Window,
    /// Names of their own: a module, or the body of a function.
    Own,
}

/// What each scope declares.
pub(super) struct Scopes {
    /// By scope: what it declares itself, and what the body of its function does. Parameters and
    /// their defaults do not see the latter.
    declared: Vec<[Names; 2]>,
    /// The union of the open scopes at each level.
    open: Vec<(Option<ScopeId>, Names)>,
}

impl Scopes {
    /// Walks a program for its declarations.
    pub(super) fn of(program: &Program<'_>, top_level: TopLevel) -> Scopes {
        let mut declarations = Declarations {
            declared: Vec::new(),
            frames: Vec::new(),
            top_level,
        };
        declarations.visit_program(program);
        Scopes {
            declared: declarations.declared,
            open: Vec::new(),
        }
    }

    pub(super) fn enter(&mut self, scope: Option<ScopeId>) {
        self.open_up(scope, Part::Head);
    }

    /// The body of the function whose scope is open.
    pub(super) fn enter_body(&mut self) {
        let scope = self.open.last().and_then(|(scope, _)| *scope);
        self.open_up(scope, Part::Body);
    }

    pub(super) fn leave(&mut self) {
        self.open.pop();
    }

    /// The names of the set that are declared here or around.
    pub(super) fn shadowed(&self) -> Names {
        self.open.last().map_or(Names::NONE, |(_, names)| *names)
    }

    fn open_up(&mut self, scope: Option<ScopeId>, part: Part) {
        let own = scope
            .and_then(|scope| self.declared.get(scope.index()))
            .map_or(Names::NONE, |declared| declared[part as usize]);
        let names = self.shadowed().and(own);
        self.open.push((scope, names));
    }
}

#[derive(Clone, Copy)]
enum Part {
    Head = 0,
    Body = 1,
}

/// A scope that is being walked.
struct Frame {
    scope: usize,
    part: Part,
    kind: FrameKind,
}

#[derive(Clone, Copy, PartialEq)]
enum FrameKind {
    Block,
    /// Where `var` ends up.
    Function,
    Program,
}

struct Declarations {
    declared: Vec<[Names; 2]>,
    frames: Vec<Frame>,
    top_level: TopLevel,
}

impl Declarations {
    fn declare(&mut self, names: Names, frame: Option<usize>) {
        if let Some(frame) = frame.and_then(|frame| self.frames.get(frame)) {
            let declared = &mut self.declared[frame.scope][frame.part as usize];
            *declared = declared.and(names);
        }
    }

    /// `let`, `const`, `class`, parameters, imports.
    fn lexical(&mut self, names: Names) {
        self.declare(names, self.frames.len().checked_sub(1));
    }

    /// `var`, and in sloppy code the functions of blocks.
    fn hoisted(&mut self, names: Names) {
        if names == Names::NONE {
            return;
        }
        let frame = self
            .frames
            .iter()
            .rposition(|frame| frame.kind != FrameKind::Block);
        let at_top = frame.is_some_and(|frame| self.frames[frame].kind == FrameKind::Program);
        let names = if at_top && self.top_level == TopLevel::Window {
            names.without(Names::UNFORGEABLE)
        } else {
            names
        };
        self.declare(names, frame);
    }

    fn enter_frame(&mut self, scope: usize, part: Part, kind: FrameKind) {
        self.frames.push(Frame { scope, part, kind });
    }
}

fn names_of(pattern: &BindingPattern<'_>) -> Names {
    let mut names = Names::NONE;
    pattern.all_binding_identifiers(&mut |identifier| {
        names = names.and(Names::of(identifier.name.as_str()));
        true
    });
    names
}

impl<'a> Visit<'a> for Declarations {
    fn enter_scope(&mut self, flags: ScopeFlags, scope: &Cell<Option<ScopeId>>) {
        let index = self.declared.len();
        scope.set(Some(ScopeId::from_usize(index)));
        let with = flags.contains(ScopeFlags::With);
        self.declared
            .push([if with { Names::ALL } else { Names::NONE }; 2]);
        let kind = match flags {
            _ if flags.contains(ScopeFlags::Top) => FrameKind::Program,
            _ if flags.contains(ScopeFlags::ClassStaticBlock) => FrameKind::Function,
            _ => FrameKind::Block,
        };
        self.enter_frame(index, Part::Head, kind);
    }

    fn leave_scope(&mut self) {
        self.frames.pop();
    }

    fn visit_function_body(&mut self, it: &FunctionBody<'a>) {
        if let Some(scope) = self.frames.last().map(|frame| frame.scope) {
            self.enter_frame(scope, Part::Body, FrameKind::Function);
        }
        walk::walk_function_body(self, it);
        self.frames.pop();
    }

    fn visit_function(&mut self, it: &Function<'a>, flags: ScopeFlags) {
        let name = it.id.as_ref().map_or(Names::NONE, |id| Names::of(&id.name));
        if it.is_declaration() {
            let in_block = self
                .frames
                .last()
                .is_some_and(|frame| frame.kind == FrameKind::Block);
            if in_block {
                self.lexical(name);
            }
            self.hoisted(name);
        }
        walk::walk_function(self, it, flags);
        if let (true, Some(scope)) = (it.is_expression(), it.scope_id.get()) {
            let declared = &mut self.declared[scope.index()][Part::Head as usize];
            *declared = declared.and(name);
        }
    }

    fn visit_class(&mut self, it: &Class<'a>) {
        let name = it.id.as_ref().map_or(Names::NONE, |id| Names::of(&id.name));
        if it.is_declaration() {
            self.lexical(name);
        }
        walk::walk_class(self, it);
        if let Some(scope) = it.scope_id.get() {
            let declared = &mut self.declared[scope.index()][Part::Head as usize];
            *declared = declared.and(name);
        }
    }

    fn visit_variable_declaration(&mut self, it: &VariableDeclaration<'a>) {
        for declarator in &it.declarations {
            let names = names_of(&declarator.id);
            if it.kind.is_var() {
                self.hoisted(names);
            } else {
                self.lexical(names);
            }
        }
        walk::walk_variable_declaration(self, it);
    }

    fn visit_formal_parameter(&mut self, it: &FormalParameter<'a>) {
        self.lexical(names_of(&it.pattern));
        walk::walk_formal_parameter(self, it);
    }

    fn visit_formal_parameter_rest(&mut self, it: &FormalParameterRest<'a>) {
        self.lexical(names_of(&it.rest.argument));
        walk::walk_formal_parameter_rest(self, it);
    }

    fn visit_catch_parameter(&mut self, it: &CatchParameter<'a>) {
        self.lexical(names_of(&it.pattern));
        walk::walk_catch_parameter(self, it);
    }

    fn visit_import_declaration_specifier(&mut self, it: &ImportDeclarationSpecifier<'a>) {
        self.lexical(Names::of(&it.local().name));
    }
}
