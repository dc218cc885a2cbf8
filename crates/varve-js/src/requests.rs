//! What a script asks for: the literal requests in its text.

use std::ops::Range;

use memchr::memmem;

use self::visitor::Finder;
use crate::parse;

mod visitor;

/// Most requests that are reported for one source.
const MAX_REQUESTS: usize = 20_000;

/// How a source is to be parsed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Goal {
    /// A classic script.
    Script,
    /// An ECMAScript module.
    Module,
    /// Not known: a module if it has `import` or `export`, otherwise a script.
    Either,
}

/// Something that the source asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// The literal as the script would see it, escapes resolved.
    pub specifier: String,
    /// By which construct.
    pub kind: RequestKind,
    /// What it is resolved against.
    pub base: Base,
    /// What is expected to come back.
    pub wanted: Wanted,
    /// Where the literal stands in the source, in bytes, quotes included.
    pub span: Range<usize>,
}

/// The construct that asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RequestKind {
    /// `import ... from "x"` or `import "x"`.
    Import,
    /// `export ... from "x"`.
    ExportFrom,
    /// `import("x")`.
    DynamicImport,
    /// `new URL("x", import.meta.url)`.
    Url,
    /// `new Worker("x")`.
    Worker,
    /// `new SharedWorker("x")`.
    SharedWorker,
    /// `importScripts("x")`.
    ImportScripts,
    /// `navigator.serviceWorker.register("x")`.
    ServiceWorker,
}

/// What a specifier is resolved against.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Base {
    /// The script's own URL and the page's import map.
    Module,
    /// The script's own URL.
    Script,
    /// The base URL of the page (or worker) that runs the script.
    Page,
}

/// What a request is expected to bring.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Wanted {
    /// A module.
    Module,
    /// A classic script.
    Script,
    /// JSON (`with { type: "json" }`).
    Json,
    /// A style sheet (`with { type: "css" }`).
    Style,
    /// Anything.
    Unknown,
}

/// Why a source gave less than it might hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Note {
    /// The source is longer than the limit; it was not parsed.
    TooLong,
    /// The source nests more deeply than the limit, or so that parsing would take too long; it was
    /// not parsed.
    TooDeep,
    /// The source is not JavaScript; the parser's words.
    Syntax(String),
    /// There are more requests than the limit; the first ones are given.
    TooMany,
}

/// What was found in a source.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// In the order of the source.
    pub requests: Vec<Request>,
    /// What kept us from finding more.
    pub note: Option<Note>,
}

/// Finds what a script or module asks for statically.
///
/// A source that cannot contain any of the constructs by its words is not parsed, and so gets no
/// note either.
pub fn requests(source: &str, goal: Goal) -> Found {
    if !may_ask(source, goal) {
        return Found::default();
    }
    match parse::program(source, goal, |program| Finder::find(program, MAX_REQUESTS)) {
        Ok((requests, full)) => Found {
            requests,
            note: full.then_some(Note::TooMany),
        },
        Err(note) => Found {
            requests: Vec::new(),
            note: Some(note),
        },
    }
}

/// Whether any of the constructs may occur. Most inline scripts have none.
fn may_ask(source: &str, goal: Goal) -> bool {
    let source = source.as_bytes();
    // What may stand between a word and its parenthesis: spaces and comments.
    let called = |word: &str| {
        memmem::find_iter(source, word.as_bytes()).any(|at| {
            let rest = source[at + word.len()..].trim_ascii_start();
            matches!(rest.first(), Some(b'(' | b'/'))
        })
    };
    let has = |word: &str| memmem::find(source, word.as_bytes()).is_some();
    let in_module = goal != Goal::Script && (has("import") || has("export"));
    in_module
        || called("import")
        || called("importScripts")
        || called("Worker")
        || has("serviceWorker")
}

#[cfg(test)]
mod tests;
