//! Which rules may be about an element: by the rightmost id, class, name or attribute in their
//! selectors.

use std::collections::HashMap;

use precomputed_hash::PrecomputedHash;
use selectors::parser::{Component, Selector};

use super::sheet::Rule;
use crate::selector::Grammar;

/// Rules by what an element must have.
#[derive(Debug, Default)]
pub(crate) struct Index {
    ids: HashMap<u32, Vec<u32>>,
    classes: HashMap<u32, Vec<u32>>,
    names: HashMap<u32, Vec<u32>>,
    attributes: HashMap<u32, Vec<u32>>,
    /// Those that may be about any element.
    any: Vec<u32>,
}

/// What a selector asks of an element, at its most telling.
enum Key {
    Id(u32),
    Class(u32),
    Name(u32),
    Attribute(u32),
    Any,
}

impl Index {
    pub(crate) fn of(rules: &[Rule]) -> Index {
        let mut index = Index::default();
        for (at, rule) in rules.iter().enumerate() {
            let list = match key(&rule.selector) {
                Key::Id(hash) => index.ids.entry(hash).or_default(),
                Key::Class(hash) => index.classes.entry(hash).or_default(),
                Key::Name(hash) => index.names.entry(hash).or_default(),
                Key::Attribute(hash) => index.attributes.entry(hash).or_default(),
                Key::Any => &mut index.any,
            };
            list.push(at as u32);
        }
        index
    }

    /// Tells of all rules that may be about an element with these names, by their hashes.
    pub(crate) fn each(
        &self,
        name: u32,
        id: Option<u32>,
        classes: impl Iterator<Item = u32>,
        attributes: impl Iterator<Item = u32>,
        mut tell: impl FnMut(u32),
    ) {
        let by_id = id.and_then(|id| self.ids.get(&id));
        let by_class = classes.filter_map(|class| self.classes.get(&class));
        let lists = by_id.into_iter().chain(by_class);
        let lists = lists.chain(self.names.get(&name)).chain([&self.any]);
        lists.flatten().for_each(|rule| tell(*rule));
        // Most sheets have none of these.
        if !self.attributes.is_empty() {
            let lists = attributes.filter_map(|name| self.attributes.get(&name));
            lists.flatten().for_each(|rule| tell(*rule));
        }
    }
}

fn key(selector: &Selector<Grammar>) -> Key {
    let mut iter = selector.iter();
    let mut best = Key::Any;
    loop {
        for component in iter.by_ref() {
            best = match (component, best) {
                (Component::ID(id), _) => return Key::Id(id.precomputed_hash()),
                (Component::Class(class), _) => Key::Class(class.precomputed_hash()),
                (Component::LocalName(name), Key::Any | Key::Attribute(_)) => {
                    Key::Name(name.lower_name.precomputed_hash())
                }
                (Component::AttributeInNoNamespace { local_name, .. }, Key::Any)
                | (Component::AttributeInNoNamespaceExists { local_name, .. }, Key::Any) => {
                    Key::Attribute(local_name.precomputed_hash())
                }
                (_, best) => best,
            };
        }
        // What stands before a pseudo-element is about the element that has it.
        match iter.next_sequence() {
            Some(combinator) if combinator.is_pseudo_element() => {}
            _ => return best,
        }
    }
}
