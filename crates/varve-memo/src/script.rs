//! What can be known of a script without running it.

use crate::classify::ScriptCounts;
use varve_js::{Identity, Literal, Triage, chunks, identity, triage};
use varve_page::{Page, ScriptForm, ScriptSource};

pub(crate) use varve_js::ChunkUrl;
pub use varve_js::Goal;

/// Most selectors of a script that are kept.
const MAX_SELECTORS: usize = 500;
/// A script with no more code than this, and nothing to fetch with, is data for others.
const MAX_CODE: usize = 1024;
/// Most values of such a script that are kept; many pages share them.
const MAX_VALUES: usize = 300;

/// What can be known of a script without running it. The same for all pages that have it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ScriptFacts {
    /// Its name: a digest of what it says, without its values if these are kept apart.
    pub name: String,
    /// It can cause no request and leaves nothing for others.
    pub is_inert: bool,
    /// It cannot cause a request by itself; what others do with what it gives them is theirs.
    pub is_mild: bool,
    /// What it does when a page comes, and what it could do when somebody touches the page.
    pub deeds: Deeds,
    /// What it looks for in pages, as far as it says so.
    pub selectors: Vec<String>,
    /// What its bundler can load.
    pub chunks: Vec<ChunkUrl>,
    /// The values in it, if it is known without them.
    pub values: Vec<Literal>,
    /// What it says, in numbers.
    pub counts: ScriptCounts,
}

/// What a script can do about its page: ask for something, go elsewhere, change how it looks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Deeds {
    /// By itself.
    acts: bool,
    /// When somebody clicks, points, types or chooses.
    acts_when_asked: bool,
    /// It can pretend that somebody did.
    triggers: bool,
}

impl Deeds {
    fn of(triage: &Triage) -> Deeds {
        let is_unknown = triage.dynamic_code || triage.computed_globals || triage.note.is_some();
        Deeds {
            acts: triage.acts || is_unknown,
            acts_when_asked: triage.acts_when_asked,
            triggers: triage.triggers,
        }
    }

    /// Whether scripts do nothing about a page that nobody touches, all of them together.
    pub(crate) fn are_harmless(all: impl Iterator<Item = Deeds>) -> bool {
        let all = all.fold(Deeds::default(), |sum, it| Deeds {
            acts: sum.acts || it.acts,
            acts_when_asked: sum.acts_when_asked || it.acts_when_asked,
            triggers: sum.triggers || it.triggers,
        });
        let do_something = all.acts || (all.acts_when_asked && all.triggers);
        !do_something
    }
}

impl ScriptFacts {
    /// Looks into a script that has this name. One that is hardly more than data is known by its
    /// code alone: with other data it is the same script.
    pub fn of(name: String, source: &str, goal: Goal) -> ScriptFacts {
        let facts = ScriptFacts::named(name, source, goal);
        if !facts.is_mild {
            return facts;
        }
        let mut identity = identity(source, goal);
        identity.literals.truncate(MAX_VALUES);
        match identity.note.is_none() && identity.code_bytes <= MAX_CODE {
            true => facts.without_values(identity),
            false => facts,
        }
    }

    /// Looks into the scripts that are written into a page: their values are the page's.
    pub fn inline(page: &Page) -> Vec<ScriptFacts> {
        let inline = page
            .scripts
            .iter()
            .filter_map(|script| match &script.source {
                ScriptSource::Inline(text) => Some((text, script.form)),
                ScriptSource::External(_) => None,
            });
        let facts = inline.map(|(text, form)| {
            let goal = match form {
                ScriptForm::Classic => Goal::Script,
                ScriptForm::Module => Goal::Module,
            };
            let facts = ScriptFacts::named(String::new(), text, goal);
            facts.without_values(identity(text, goal))
        });
        facts.collect()
    }

    fn named(name: String, source: &str, goal: Goal) -> ScriptFacts {
        let triage = triage(source, goal);
        ScriptFacts {
            name,
            is_inert: triage.is_inert(),
            is_mild: !triage.can_fetch(),
            deeds: Deeds::of(&triage),
            counts: ScriptCounts::of(source, &triage),
            selectors: triage.selectors.into_iter().take(MAX_SELECTORS).collect(),
            chunks: chunks(source, goal),
            values: Vec::new(),
        }
    }

    fn without_values(self, identity: Identity) -> ScriptFacts {
        ScriptFacts {
            name: format!("code:{:032x}", identity.code),
            values: identity.literals,
            ..self
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(source: &str) -> ScriptFacts {
        ScriptFacts::of(source.to_owned(), source, Goal::Script)
    }

    #[test]
    fn scripts_of_data_are_the_same_with_other_data() {
        let one = of("listItems({'struct': ['Drain', 'Iter'], 'fn': ['swap']})");
        let other = of("listItems({'struct': ['Entry'], 'fn': []})");
        assert_eq!(one.name, other.name);
        assert!(one.is_mild && !one.is_inert);
        assert_ne!(one.values, other.values);
    }

    #[test]
    fn scripts_that_can_fetch_are_others_with_other_data() {
        let one = of("fetch('/a.json')");
        assert_eq!(one.name, "fetch('/a.json')");
        assert!(!one.is_mild && one.values.is_empty());
    }

    #[test]
    fn scripts_with_much_code_are_known_by_all_of_it() {
        let long = "function a(b) { return b + 1 }\n".repeat(100);
        assert_eq!(of(&long).name, long);
    }
}
