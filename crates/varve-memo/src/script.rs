//! What can be known of a script without running it.

use varve_js::{chunks, triage};

pub(crate) use varve_js::ChunkUrl;
pub use varve_js::Goal;

/// Most selectors of a script that are kept.
const MAX_SELECTORS: usize = 500;

/// What can be known of a script without running it. The same for all pages that have it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ScriptFacts {
    /// Its name: a digest of what it says.
    pub name: String,
    /// It can cause no request and leaves nothing for others.
    pub is_inert: bool,
    /// What it looks for in pages, as far as it says so.
    pub selectors: Vec<String>,
    /// What its bundler can load.
    pub chunks: Vec<ChunkUrl>,
}

impl ScriptFacts {
    /// Looks into a script.
    pub fn of(name: String, source: &str, goal: Goal) -> ScriptFacts {
        let triage = triage(source, goal);
        ScriptFacts {
            name,
            is_inert: triage.is_inert(),
            selectors: triage.selectors.into_iter().take(MAX_SELECTORS).collect(),
            chunks: chunks(source, goal),
        }
    }
}
