//! A lesson: what a browser asked for on one page, beside what the page shows without one.

use crate::sketch::Sketch;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use url::Url;

/// What a browser asked for, and got.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Asked {
    /// What it asked for.
    pub url: Url,
    /// What for: a word of the Fetch standard, such as `script` or `image`.
    pub what_for: String,
    /// How many bytes came.
    pub bytes: u64,
    /// The scripts that caused it, by their names, the nearest first. None if nobody knows.
    pub causes: Vec<String>,
}

/// What a visit in a browser told about a page.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Lesson {
    /// What the page shows without a browser.
    pub sketch: Sketch,
    /// What the browser asked for that reading the page does not find.
    pub asked: Vec<Asked>,
    /// What scripts looked for in it.
    pub selectors: BTreeSet<String>,
    /// What of all that the site's scripts look for the page has.
    pub shown: BTreeSet<String>,
    /// Whether it loaded what its bundlers name.
    pub uses_chunks: bool,
    /// Where scripts let it lead, within its site.
    pub links: BTreeSet<String>,
    /// Bytes of everything that the browser asked for.
    pub bytes: u64,
}

/// A visit to a page, beside what the page shows without one.
#[derive(Clone, Debug)]
pub struct Teaching {
    /// What the page shows without being visited.
    pub sketch: Sketch,
    /// All that the browser asked for and got.
    pub asked: Vec<Asked>,
    /// What reading the page tells to fetch.
    pub read: BTreeSet<Url>,
    /// What scripts looked for.
    pub selectors: BTreeSet<String>,
    /// Where scripts let the page lead, within its site.
    pub links: BTreeSet<String>,
}

impl Lesson {
    /// Whether scripts fetched something that reading the page does not find.
    pub(crate) fn is_deferred(&self) -> bool {
        self.uses_chunks || !self.asked.is_empty()
    }

    /// Whether a script did.
    pub(crate) fn caused(&self, script: &str) -> bool {
        let mut causes = self.asked.iter().flat_map(|asked| &asked.causes);
        causes.any(|cause| cause == script)
    }

    /// Whether the page has a script.
    pub(crate) fn has(&self, script: &str) -> bool {
        self.sketch.scripts.contains(script)
    }
}
