//! What the names of a program mean: which are declared in it, where, and as what.
//!
//! A first walk notes what every scope declares. Whoever walks the program again opens and closes
//! the scopes on the way ([`Open`]) and asks for names; each answer takes the same time however
//! deep the scopes are nested, since for every name the declarations that can be seen are kept on
//! a stack. Names that no scope declares are global.

use std::collections::HashMap;

use oxc_ast::ast::Program;
use oxc_syntax::scope::ScopeId;

use super::declarations::Declarations;

/// As far as is known what a declared name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    /// A function or class of this program.
    Function,
    /// An array or value that this program made: its functions are known by their names.
    Fresh,
    /// An object that this program made, with functions of any kind.
    Object,
    /// Something of the platform: its functions are known by their names.
    Platform,
    /// The global object.
    Window,
    /// Anything.
    Unknown,
}

/// How a name was declared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Manner {
    /// By `var`: another script may have declared it as well.
    Var,
    /// In any other way.
    Other,
}

/// A declared name.
#[derive(Clone, Copy, Debug)]
pub(super) struct Symbol {
    pub(super) name: u32,
    pub(super) meaning: Meaning,
    pub(super) manner: Manner,
}

impl Symbol {
    /// The same name, declared twice in one scope.
    fn or(self, other: Symbol) -> Symbol {
        Symbol {
            name: self.name,
            meaning: if self.meaning == other.meaning {
                self.meaning
            } else {
                Meaning::Unknown
            },
            manner: if self.manner == other.manner {
                self.manner
            } else {
                Manner::Var
            },
        }
    }
}

/// A scope, or the body of the function whose scope it is: parameters do not see what is declared
/// there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Frame(u32);

impl Frame {
    /// The scope itself.
    pub(super) fn head(scope: ScopeId) -> Frame {
        Frame(scope.index() as u32 * 2)
    }

    /// The body of the function whose head this is.
    pub(super) fn body(self) -> Frame {
        Frame(self.0 | 1)
    }

    fn index(self) -> usize {
        self.0 as usize
    }
}

/// Something that happens to names on a walk.
pub(super) enum Event {
    Enter(Frame),
    Leave(Frame),
    Assign(u32),
}

/// All names that a program declares.
pub(super) struct Bindings<'a> {
    names: HashMap<&'a str, u32>,
    /// In the order of their frames.
    symbols: Vec<Symbol>,
    /// Where the symbols of each frame begin; one more than there are frames.
    starts: Vec<u32>,
}

impl<'a> Bindings<'a> {
    /// Walks a program for its declarations, and numbers its scopes.
    pub(super) fn of(program: &Program<'a>) -> Bindings<'a> {
        Declarations::over(program).into_bindings()
    }

    /// Sorts declarations into their frames.
    pub(super) fn new(
        names: HashMap<&'a str, u32>,
        scopes: usize,
        mut declared: Vec<(Frame, Symbol)>,
        events: &[Event],
    ) -> Bindings<'a> {
        declared.sort_by_key(|(frame, symbol)| (frame.index(), symbol.name));
        declared.dedup_by(|again, first| {
            let same = again.0 == first.0 && again.1.name == first.1.name;
            if same {
                first.1 = first.1.or(again.1);
            }
            same
        });
        let mut starts = vec![0; scopes * 2 + 1];
        for (frame, _) in &declared {
            if let Some(count) = starts.get_mut(frame.index() + 1) {
                *count += 1;
            }
        }
        for index in 1..starts.len() {
            starts[index] += starts[index - 1];
        }
        let mut bindings = Bindings {
            names,
            symbols: declared.into_iter().map(|(_, symbol)| symbol).collect(),
            starts,
        };
        bindings.forget_assigned(events);
        bindings
    }

    /// What is assigned to later may be anything.
    fn forget_assigned(&mut self, events: &[Event]) {
        let mut assigned = Vec::new();
        let mut open = Open::new(self);
        for event in events {
            match event {
                Event::Enter(frame) => open.enter(*frame),
                Event::Leave(frame) => open.leave(*frame),
                Event::Assign(name) => assigned.extend(open.seen(*name)),
            }
        }
        for index in assigned {
            self.symbols[index as usize].meaning = Meaning::Unknown;
        }
    }

    /// The names of the outermost scope.
    pub(super) fn top_level(&self) -> impl Iterator<Item = &'a str> {
        let of_symbols = self.range(Frame(0));
        let mut wanted = vec![false; self.names.len()];
        for symbol in &self.symbols[of_symbols] {
            wanted[symbol.name as usize] = true;
        }
        let names = self.names.iter();
        names
            .filter(move |(_, index)| wanted[**index as usize])
            .map(|(name, _)| *name)
    }

    fn range(&self, frame: Frame) -> std::ops::Range<usize> {
        let at = |index: usize| self.starts.get(index).map_or(0, |start| *start as usize);
        at(frame.index())..at(frame.index() + 1)
    }
}

/// The scopes that are open at a point of a walk.
pub(super) struct Open<'b, 'a> {
    bindings: &'b Bindings<'a>,
    /// By name: the symbols of the open scopes, innermost last.
    visible: Vec<Vec<u32>>,
}

/// What a name is at a point of the program.
#[derive(Clone, Copy, Debug)]
pub(super) struct Local {
    pub(super) symbol: Symbol,
    /// It was declared in the outermost scope.
    pub(super) at_top: bool,
}

impl<'b, 'a> Open<'b, 'a> {
    pub(super) fn new(bindings: &'b Bindings<'a>) -> Open<'b, 'a> {
        Open {
            bindings,
            visible: vec![Vec::new(); bindings.names.len()],
        }
    }

    pub(super) fn enter(&mut self, frame: Frame) {
        for index in self.bindings.range(frame) {
            let name = self.bindings.symbols[index].name as usize;
            self.visible[name].push(index as u32);
        }
    }

    pub(super) fn leave(&mut self, frame: Frame) {
        for index in self.bindings.range(frame) {
            let name = self.bindings.symbols[index].name as usize;
            self.visible[name].pop();
        }
    }

    /// What a name means here; `None` if it is global.
    pub(super) fn local(&self, name: &str) -> Option<Local> {
        let index = self.seen(*self.bindings.names.get(name)?)?;
        Some(Local {
            symbol: *self.bindings.symbols.get(index as usize)?,
            at_top: self.bindings.range(Frame(0)).contains(&(index as usize)),
        })
    }

    fn seen(&self, name: u32) -> Option<u32> {
        self.visible.get(name as usize)?.last().copied()
    }
}
