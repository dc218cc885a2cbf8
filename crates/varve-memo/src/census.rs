//! A census of values: which places in pages hold one of a few, and which hold anything.
//!
//! What a script does may depend on a value that its page gives it. Where the pages of a site have
//! one of a few values, visiting each value once is enough; where each page has its own, no visit
//! says anything about the others.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A place with more values than this holds anything.
const MAX_VALUES: usize = 64;
/// Most places that are counted.
const MAX_SLOTS: usize = 20_000;
/// So few pages say little: a place holds one of a few if any two of them agree.
const FEW_PAGES: u32 = 6;

/// How often which values were seen, by place.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Census(BTreeMap<String, Slot>);

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Slot {
    pages: u32,
    values: BTreeMap<String, u32>,
}

impl Slot {
    /// On average a value is on two pages.
    fn is_choice(&self) -> bool {
        let values = u32::try_from(self.values.len()).unwrap_or(u32::MAX);
        match self.pages {
            _ if self.values.len() > MAX_VALUES => false,
            pages if pages <= FEW_PAGES => values < pages,
            pages => values.saturating_mul(2) <= pages,
        }
    }
}

impl Census {
    /// Counts the values of a page.
    pub(crate) fn count(&mut self, slots: &BTreeMap<String, String>) {
        for (name, value) in slots {
            if self.0.len() >= MAX_SLOTS && !self.0.contains_key(name) {
                continue;
            }
            let slot = self.0.entry(name.clone()).or_default();
            slot.pages = slot.pages.saturating_add(1);
            if slot.values.len() <= MAX_VALUES {
                *slot.values.entry(value.clone()).or_default() += 1;
            }
        }
    }

    /// Whether a place holds one of a few values.
    pub(crate) fn is_choice(&self, name: &str) -> bool {
        self.0.get(name).is_some_and(Slot::is_choice)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn census(values: &[&str]) -> Census {
        let mut census = Census::default();
        for value in values {
            census.count(&[("skin".to_owned(), (*value).to_owned())].into());
        }
        census
    }

    #[test]
    fn values_that_come_again_are_a_choice() {
        for (values, expected) in [
            (&["a"][..], false),
            (&["a", "a"], true),
            (&["a", "b"], false),
            (&["a", "b", "a"], true),
            (&["a", "b", "c", "d", "e", "f", "a", "b"], false),
            (&["a", "b", "a", "b", "a", "b", "c", "c"], true),
        ] {
            assert_eq!(census(values).is_choice("skin"), expected, "{values:?}");
        }
        assert!(!census(&["a", "a"]).is_choice("other"));
    }

    #[test]
    fn too_many_values_are_no_choice() {
        let values: Vec<String> = (0..80).flat_map(|n| vec![format!("{n}"); 3]).collect();
        let values: Vec<&str> = values.iter().map(String::as_str).collect();
        assert!(!census(&values).is_choice("skin"));
    }
}
