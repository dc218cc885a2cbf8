//! `Filter`: decides about scripts.

use crate::list::{List, Rule, why};
use crate::site::is_same_site;
use adblock::Engine;
use adblock::lists::{FilterSet, ParseOptions, RuleTypes};
use adblock::request::Request;
use adblock::sourcemap::FilterRuleDebugInfo;
use std::fmt;
use std::sync::Arc;
use url::Url;

/// Decides which scripts are not worth keeping.
pub struct Filter {
    engine: Engine,
    lists: Vec<Arc<str>>,
}

/// What was decided about a script, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decision {
    /// It belongs to the page's own site: no rule counts.
    Own,
    /// No rule is against it.
    Unknown,
    /// A rule is against it, but another excepts it.
    Excepted {
        /// The rule against it.
        rule: Rule,
        /// The exception.
        by: Rule,
    },
    /// A rule is against it.
    Blocked(Rule),
}

impl Decision {
    /// The rule by which a script is not fetched.
    pub fn blocked(self) -> Option<Rule> {
        match self {
            Decision::Blocked(rule) => Some(rule),
            _ => None,
        }
    }
}

impl fmt::Debug for Filter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Filter").field(&self.lists).finish()
    }
}

impl Filter {
    /// A filter by these lists. Exceptions in one list hold for the rules of all. What is no rule
    /// for requests is passed over, as browsers do.
    pub fn new(lists: Vec<List>) -> Filter {
        let mut set = FilterSet::new(true);
        let mut names = Vec::new();
        for List { name, text } in lists {
            let options = ParseOptions {
                rule_types: RuleTypes::NetworkOnly,
                ..ParseOptions::default()
            };
            set.add_filter_list(text, options);
            names.push(name.into());
        }
        Filter {
            // Rules that were fused to save time could not be told apart.
            engine: Engine::new_with_filter_set_no_optimize(set),
            lists: names,
        }
    }

    /// What its lists are called.
    pub fn lists(&self) -> impl Iterator<Item = &str> {
        self.lists.iter().map(|name| &**name)
    }

    /// Decides about a script of a page.
    pub fn decide(&self, script: &Url, page: &Url) -> Decision {
        if is_same_site(script, page) {
            return Decision::Own;
        }
        let Ok(request) = Request::new(script.as_str(), page.as_str(), "script", "GET") else {
            return Decision::Unknown;
        };
        let result = self.engine.check_network_request(&request);
        let exception = result.exception.filter(|_| !result.important);
        match (result.filter, exception) {
            (None, _) => Decision::Unknown,
            (Some(rule), None) => Decision::Blocked(self.rule(rule)),
            (Some(rule), Some(by)) => Decision::Excepted {
                rule: self.rule(rule),
                by: self.rule(by),
            },
        }
    }

    fn rule(&self, found: FilterRuleDebugInfo) -> Rule {
        let place = found.source_location.unwrap_or_default();
        let list = self.lists.get(place.source_index as usize).cloned();
        let list = list.unwrap_or_else(|| "?".into());
        let line = place.line_number as usize + 1;
        Rule {
            why: why(&list, line),
            list,
            line,
            text: found.raw_line.unwrap_or_default(),
        }
    }
}

#[cfg(test)]
mod tests;
