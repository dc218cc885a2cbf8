//! What the classifier counts in one script: the same for all pages that have it.

use serde::{Deserialize, Serialize};
use varve_js::{Sink, Triage};

/// Most bytes of a script that are looked through for names of files.
const MAX_TEXT: usize = 4 << 20;

/// Endings of names that scripts load.
const ENDINGS: [&str; 14] = [
    ".json", ".js", ".mjs", ".css", ".html", ".md", ".xml", ".txt", ".svg", ".png", ".jpg",
    ".webp", ".wasm", ".woff2",
];

/// What a script says, in numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScriptCounts {
    /// Its length.
    pub bytes: u32,
    /// Calls that ask a server.
    pub ajax: u32,
    /// Ways to load more code and styles: scripts, `import()`, links, workers.
    pub loads: u32,
    /// Ways to load pictures, films and backgrounds.
    pub pictures: u32,
    /// Ways to make elements of which is not known what they load: markup, frames, any tag.
    pub markup: u32,
    /// `import()`.
    pub imports: u32,
    /// Connections and beacons.
    pub connections: u32,
    /// Ways to change the document.
    pub changes: u32,
    /// Ways to listen to events.
    pub listeners: u32,
    /// Ways to go elsewhere.
    pub navigation: u32,
    /// Mentions of storage and cookies.
    pub storage: u32,
    /// What is not understood.
    pub unknown: u32,
    /// Strings that end like names of files.
    pub names: u32,
    /// It can run what is not in its text.
    pub dynamic: bool,
    /// It can do nothing that matters.
    pub inert: bool,
    /// It cannot be parsed.
    pub opaque: bool,
}

impl ScriptCounts {
    /// Counts in a script.
    pub fn of(source: &str, triage: &Triage) -> ScriptCounts {
        let sum = |sinks: &[Sink]| {
            let counts = sinks.iter().map(|sink| triage.sinks.of(*sink));
            counts.fold(0, u32::saturating_add)
        };
        ScriptCounts {
            bytes: u32::try_from(source.len()).unwrap_or(u32::MAX),
            ajax: triage.requests_ajax,
            loads: sum(&[Sink::Script, Sink::Import, Sink::Link, Sink::Worker]),
            pictures: sum(&[Sink::Image, Sink::Media, Sink::Style]),
            markup: sum(&[Sink::Markup, Sink::Frame, Sink::Element]),
            imports: triage.sinks.of(Sink::Import),
            connections: sum(&[Sink::Beacon, Sink::Socket, Sink::EventSource]),
            changes: triage.dom_modifications,
            listeners: triage.listeners,
            navigation: triage.navigation,
            storage: triage.storage.saturating_add(triage.cookies),
            unknown: triage.unknown,
            names: names(source),
            dynamic: triage.dynamic_code,
            inert: triage.is_inert(),
            opaque: triage.note.is_some(),
        }
    }
}

/// How many strings end like names of files, with or without a query.
fn names(source: &str) -> u32 {
    let bytes = &source.as_bytes()[..source.len().min(MAX_TEXT)];
    let ends = |ending: &str| {
        memchr::memmem::find_iter(bytes, ending)
            .filter(|at| {
                let next = bytes.get(at + ending.len());
                next.is_some_and(|next| b"\"'`?".contains(next))
            })
            .count()
    };
    let count: usize = ENDINGS.iter().map(|ending| ends(ending)).sum();
    u32::try_from(count).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use varve_js::{Goal, triage};

    fn counts(source: &str) -> ScriptCounts {
        ScriptCounts::of(source, &triage(source, Goal::Script))
    }

    #[test]
    fn what_scripts_say_is_counted() {
        let loading =
            counts("fetch('/a.json?x=1').then(r => import(`./b.js`)); new Image().src = u");
        assert!(loading.ajax >= 1 && loading.imports == 1 && loading.pictures >= 1);
        assert_eq!(loading.names, 2);
        assert!(!loading.inert && !loading.opaque);
        assert!(counts("(").opaque);
        assert!(counts("(function(){ var a = 1; })()").inert);
    }
}
