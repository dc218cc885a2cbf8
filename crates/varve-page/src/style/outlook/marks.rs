//! What a selector cannot do without, and whether a page has it.

use std::collections::HashMap;

use selectors::attr::AttrSelectorOperator;
use selectors::parser::{Component, Selector};

use crate::marks::{self, Mark, Marks};
use crate::selector::{Grammar, PseudoClass};

/// The marks without which nothing in a page matches a selector. `None` if nothing matches it at
/// all.
pub(super) fn needed(selector: &Selector<Grammar>) -> Option<Vec<Mark>> {
    let mut found = Vec::new();
    gather(selector, &mut found)?;
    found.sort_unstable();
    found.dedup();
    Some(found)
}

fn gather(selector: &Selector<Grammar>, found: &mut Vec<Mark>) -> Option<()> {
    for component in selector.iter_raw_match_order() {
        match component {
            Component::LocalName(name) => found.extend(marks::element(&name.lower_name.name)),
            Component::ID(name) => found.push(marks::id(name.text())),
            Component::Class(name) => found.push(marks::class(name.text())),
            Component::AttributeInNoNamespaceExists { local_name, .. } => {
                found.push(marks::attribute(&local_name.name));
            }
            Component::AttributeInNoNamespace {
                local_name,
                operator,
                value,
                ..
            } => {
                found.push(marks::attribute(&local_name.name));
                if *operator == AttrSelectorOperator::Equal {
                    found.extend(marks::value(&local_name.name, value.text()));
                }
            }
            Component::NonTSPseudoClass(PseudoClass::Never) => return None,
            Component::Is(list) | Component::Where(list) => {
                if let [only] = list.slice() {
                    gather(only, found)?;
                }
            }
            _ => {}
        }
    }
    Some(())
}

/// Marks that some selector needs, each with a number.
#[derive(Debug, Default)]
pub(super) struct Vocabulary(HashMap<Mark, u32>);

/// What something takes: the numbers of marks.
pub(super) type Needed = Box<[u32]>;

impl Vocabulary {
    /// Marks as their numbers.
    pub(super) fn numbers(&mut self, marks: &[Mark]) -> Needed {
        let number = |mark: &Mark| {
            let next = self.0.len() as u32;
            *self.0.entry(*mark).or_insert(next)
        };
        marks.iter().map(number).collect()
    }

    /// Those of a page that are among them.
    pub(super) fn read(&self, marks: &Marks) -> Said {
        let mut said = Said::default();
        for (mark, number) in &self.0 {
            if marks.has(*mark) {
                said.add(*number);
            }
        }
        said
    }
}

/// The marks of a page that are in a vocabulary.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Said(Vec<u64>);

impl Said {
    pub(super) fn add(&mut self, number: u32) {
        let at = (number / 64) as usize;
        if self.0.len() <= at {
            self.0.resize(at + 1, 0);
        }
        self.0[at] |= 1 << (number % 64);
    }

    /// Whether all of these are among them.
    pub(super) fn has(&self, needed: &[u32]) -> bool {
        needed.iter().all(|number| {
            let own = self.0.get((number / 64) as usize);
            own.is_some_and(|own| own >> (number % 64) & 1 == 1)
        })
    }

    /// Those that are among these as well.
    pub(super) fn common(&self, others: &Said) -> Said {
        let common = self.0.iter().zip(&others.0).map(|(a, b)| a & b);
        let mut common: Vec<u64> = common.collect();
        // The same set is the same whoever looked.
        while common.last() == Some(&0) {
            common.pop();
        }
        Said(common)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::selector;

    #[test]
    fn what_selectors_cannot_do_without() {
        for (selector, html, expected) in [
            (".a .b", "<p class='b a'>", true),
            (".a .b", "<p class='a'>b", false),
            (".a", "<p class='ab a-b' id=a>", false),
            (".Big", "<p class=BIG>", true),
            ("p tbody", "<i>", true),
            ("em", "<EM>", true),
            (
                "em",
                "<p class=em><!-- <em> --><script>'<em>'</script>",
                false,
            ),
            (".md\\:w-1\\/2", "<p class='md:w-1/2'>", true),
            (".a\\&b", "<p class='a&amp;b'>", true),
            ("#é", "<p id=é>", true),
            ("[data-x=dark]", "<p data-x=light>", false),
            ("[data-x=dark]", "<p Data-X='dark'>", true),
            ("[data-x^=da]", "<p data-x='dark'>", true),
            ("[data-x^=da]", "<p data-y='dark'>", false),
            ("#i:is(.a, .b)", "<p id=i>", true),
            ("#i:is(.a)", "<p id=i>", false),
            ("#i:not(.a)", "<p id=i>", true),
            ("p:has(.a)", "<p>", true),
            ("p:hover .a", "<p class=a>", false),
            ("p:not(:hover)", "<p>", true),
            ("lineargradient", "<svg><linearGradient>", true),
        ] {
            let parsed = selector::parse(selector, false).unwrap();
            let mut vocabulary = Vocabulary::default();
            let found = needed(&parsed.slice()[0]).is_some_and(|needed| {
                let needed = vocabulary.numbers(&needed);
                vocabulary.read(&Marks::of(html).unwrap()).has(&needed)
            });
            assert_eq!(found, expected, "{selector} in {html}");
        }
    }
}
