//! What a script can do, by its words: what it reads and writes of what all scripts share, and by
//! which ways it could fetch something.
//!
//! Nothing is run. Words are counted wherever they stand, whether they would be reached or not,
//! and what is not understood counts against a script: only a script of which everything is
//! understood can be inert ([`Triage::is_inert`]).

use std::collections::BTreeSet;

use self::bindings::Bindings;
use self::visitor::Visitor;
use crate::parse;
use crate::{Goal, Note};

mod bindings;
mod calls;
mod declarations;
mod known;
mod meaning;
mod plain;
mod selectors;
mod visitor;
mod waiting;
mod words;
mod writes;

pub use waiting::is_deed;

/// Most names that a set holds.
const MAX_NAMES: usize = 512;

/// Longest name or selector that is kept.
const MAX_NAME: usize = 256;

/// A way to cause a fetch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Sink {
    /// `fetch`.
    Fetch,
    /// `XMLHttpRequest`, also through jQuery.
    Xhr,
    /// `new Image`, `.src =` and attributes like it, of whatever element.
    Image,
    /// A `script` element, or `importScripts`.
    Script,
    /// A `link` element, or `.href =` of whatever element.
    Link,
    /// An `iframe` element and its like.
    Frame,
    /// An element whose tag is not known.
    Element,
    /// `innerHTML`, `document.write` and whatever else takes HTML.
    Markup,
    /// `import()`.
    Import,
    /// Workers of all kinds, and worklets.
    Worker,
    /// `navigator.sendBeacon`.
    Beacon,
    /// `WebSocket` and other connections.
    Socket,
    /// `EventSource`.
    EventSource,
    /// Styles that may have URLs: `.style.background`, `insertRule`, a `style` element.
    Style,
    /// Audio and video.
    Media,
}

impl Sink {
    /// All kinds.
    pub const ALL: [Sink; 15] = [
        Sink::Fetch,
        Sink::Xhr,
        Sink::Image,
        Sink::Script,
        Sink::Link,
        Sink::Frame,
        Sink::Element,
        Sink::Markup,
        Sink::Import,
        Sink::Worker,
        Sink::Beacon,
        Sink::Socket,
        Sink::EventSource,
        Sink::Style,
        Sink::Media,
    ];
}

/// How often a script mentions each way to fetch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sinks([u32; Sink::ALL.len()]);

impl Sinks {
    /// How often this one.
    pub fn of(&self, sink: Sink) -> u32 {
        self.0[sink as usize]
    }

    /// How often any of them.
    pub fn total(&self) -> u32 {
        self.0
            .iter()
            .fold(0, |sum, count| sum.saturating_add(*count))
    }

    fn add(&mut self, sink: Sink) {
        let count = &mut self.0[sink as usize];
        *count = count.saturating_add(1);
    }
}

/// What a script can do.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Triage {
    /// Globals that it mentions, without those of the language. `window.a` is `a`.
    pub globals_read: BTreeSet<String>,
    /// Globals that it declares, assigns to, or assigns to a property of.
    pub globals_written: BTreeSet<String>,
    /// Ways to fetch.
    pub sinks: Sinks,
    /// It can run what is not in its text: `eval`, `new Function`, timers with strings.
    pub dynamic_code: bool,
    /// It may do something else the next time: random numbers, clocks.
    pub nondeterminism: bool,
    /// It reaches globals by names that it computes: `window[x]`, `with`.
    pub computed_globals: bool,
    /// Ways to go elsewhere: `location`, `history`, forms.
    pub navigation: u32,
    /// Mentions of storage.
    pub storage: u32,
    /// Mentions of cookies.
    pub cookies: u32,
    /// Ways to change the document.
    pub dom_modifications: u32,
    /// Ways to listen to events.
    pub listeners: u32,
    /// Calls that ask a server: `fetch`, `XMLHttpRequest`, `$.ajax`, `axios`.
    pub requests_ajax: u32,
    /// It has ways to fetch something, to go elsewhere or to change the document that need nobody
    /// to do anything.
    pub acts: bool,
    /// It has some in functions that wait for somebody to click, point, type or choose.
    pub acts_when_asked: bool,
    /// It can pretend that somebody did.
    pub triggers: bool,
    /// What it looks for in the document, as CSS selectors.
    pub selectors: BTreeSet<String>,
    /// Calls and assignments of which is not known what they reach.
    pub unknown: u32,
    /// Why it could not be looked into, or that there are more names than are listed.
    pub note: Option<Note>,
}

impl Triage {
    /// Whether the script can cause no fetch and leaves nothing behind that others could read.
    /// What it imports statically is known without it ([`crate::requests`]) and does not count.
    pub fn is_inert(&self) -> bool {
        let counts = [
            self.sinks.total(),
            self.navigation,
            self.storage,
            self.cookies,
            self.dom_modifications,
            self.unknown,
        ];
        self.note.is_none()
            && self.globals_written.is_empty()
            && !self.dynamic_code
            && !self.computed_globals
            && counts.iter().all(|count| *count == 0)
    }

    /// Whether the script has a way to fetch something by itself, as far as its words tell; what
    /// other scripts do with what it gives them is theirs. One that is not understood has.
    pub fn can_fetch(&self) -> bool {
        let is_unknown = self.dynamic_code || self.computed_globals || self.note.is_some();
        is_unknown || self.sinks.total() > 0 || self.navigation > 0
    }

    fn note_name(names: &mut BTreeSet<String>, name: &str, note: &mut Option<Note>) {
        if names.contains(name) {
            return;
        }
        if names.len() < MAX_NAMES && name.len() <= MAX_NAME {
            names.insert(name.to_owned());
        } else {
            *note = Some(Note::TooMany);
        }
    }
}

/// Looks what a script can do.
pub fn triage(source: &str, goal: Goal) -> Triage {
    let looked = parse::program(source, goal, |program| {
        let bindings = Bindings::of(program);
        Visitor::over(program, &bindings)
    });
    looked.unwrap_or_else(|note| Triage {
        note: Some(note),
        ..Triage::default()
    })
}

#[cfg(test)]
mod tests;
