//! What a page's scripts read, and which URLs they asked for: on what their requests may depend.
//!
//! A script of ours (`scripts/reads.js`) runs in every document before the page's own and stands
//! before the functions that read. What it notes arrives here through a binding that it alone has,
//! while the page runs, so that nothing has to be fetched from a page that has gone meanwhile.
//!
//! Not seen are `location` (take it as read), workers, and what is read by names that pages choose,
//! such as `localStorage.theme` or `document.forms.search`.

mod asked;
mod notes;

use std::hash::{BuildHasher, RandomState};

use serde::Serialize;
use serde_json::{Value, json};

pub use asked::Asked;
pub(super) use notes::{Called, ReadLog};

const READS: &str = include_str!("scripts/reads.js");
const ASKS: &str = include_str!("scripts/asks.js");

/// What the scripts of a page and of its frames read, each thing once.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Reads {
    /// What they looked for in documents.
    pub selectors: Vec<SelectorRead>,
    /// Which attributes they read.
    pub attributes: Vec<AttributeRead>,
    /// By which properties they read addresses, such as `document.referrer`; `location` is not told.
    pub urls: Vec<String>,
    /// Whether they read cookies.
    pub cookies: bool,
    /// What they looked for in local storage and that of the session; `*` is all of it.
    pub storage_keys: Vec<String>,
    /// The media queries that they asked.
    pub media: Vec<String>,
    /// What they read of their visitor, such as `navigator.language` or `innerWidth`.
    pub environment: Vec<String>,
    /// What they used that is another at each visit: `Math.random`, `Date`, `performance.now`,
    /// `crypto`.
    pub nondeterminism: Vec<String>,
    /// The URLs that they named where something is fetched.
    pub asked: Vec<Asked>,
    /// Whether there was more than is told.
    pub cut: bool,
}

/// Something that scripts looked for in a document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SelectorRead {
    /// A CSS selector, also for `getElementById` and the like.
    pub selector: String,
    /// Whether there was anything when it was looked for first, in any of the documents.
    pub matched: bool,
}

/// An attribute that scripts read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct AttributeRead {
    /// The element's name, such as `meta`.
    pub element: String,
    /// The attribute's name; `*` is all of them, `#text` what is in the element.
    pub name: String,
}

/// The binding through which the notes of one visit come.
pub(super) struct Binding {
    name: String,
}

impl Binding {
    /// One with a name that nobody can guess.
    pub(super) fn new() -> Binding {
        let chance = RandomState::new().hash_one(std::process::id());
        Binding {
            name: format!("_{chance:016x}"),
        }
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// The calls after which the documents of a page or frame tell. (Workers have no documents.)
    pub(super) fn calls(&self) -> [(&'static str, Value); 2] {
        let source = format!("({READS})({:?}, {ASKS})", self.name);
        [
            ("Runtime.addBinding", json!({"name": self.name})),
            (
                "Page.addScriptToEvaluateOnNewDocument",
                json!({"source": source}),
            ),
        ]
    }
}
