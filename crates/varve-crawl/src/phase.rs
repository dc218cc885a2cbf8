//! Phases: what was decided about a page where the crawl decides.

use varve_memo::Why;

/// What was decided about a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Phase {
    /// It has no scripts, or none that could ask for anything: reading it is enough.
    Read,
    /// What its scripts ask for is known from other pages.
    Foretold,
    /// It has a new script, but seems to need no browser.
    Guessed,
    /// It was visited, since nothing else would do.
    Browser(Why),
    /// It was visited, since pages with scripts are in this crawl.
    Scripted,
}

impl Phase {
    /// A stable word.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Phase::Read => "read",
            Phase::Foretold => "foretold",
            Phase::Guessed => "guessed",
            Phase::Browser(_) | Phase::Scripted => "browser",
        }
    }

    /// Why it was visited, in a stable word.
    pub(crate) fn why(self) -> Option<&'static str> {
        match self {
            Phase::Read | Phase::Foretold | Phase::Guessed => None,
            Phase::Browser(why) => Some(why.name()),
            Phase::Scripted => Some("scripts"),
        }
    }
}
