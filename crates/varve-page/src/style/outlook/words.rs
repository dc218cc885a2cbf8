//! Words: what a selector cannot do without, and whether the text of a page has it.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use selectors::attr::AttrSelectorOperator;
use selectors::parser::{Component, Selector};

use crate::selector::{Grammar, Name, PseudoClass};

/// The beginning of a hash, and what it is multiplied by for every letter.
const BASIS: u32 = 0x811c_9dc5;
const PRIME: u32 = 0x0100_0193;

/// Elements that a page has without naming them.
const IMPLIED: [&str; 10] = [
    "html", "head", "body", "tbody", "tr", "colgroup", "p", "br", "img", "template",
];

/// What letters of words are in lower case; 0 for what stands between words. Letters beyond ASCII
/// are all alike.
const LETTERS: [u8; 256] = {
    let mut letters = [0; 256];
    let mut at = 0;
    while at < 256 {
        let byte = at as u8;
        letters[at] = match byte {
            b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_' | 0x80.. => byte,
            b'A'..=b'Z' => byte.to_ascii_lowercase(),
            _ => 0,
        };
        at += 1;
    }
    letters
};

/// The hashes of the words in a text, in order.
fn each(text: &str, mut tell: impl FnMut(u32)) {
    let mut hash = BASIS;
    for byte in text.bytes() {
        match LETTERS[usize::from(byte)] {
            0 if hash == BASIS => {}
            0 => {
                tell(hash);
                hash = BASIS;
            }
            letter => hash = (hash ^ u32::from(letter)).wrapping_mul(PRIME),
        }
    }
    if hash != BASIS {
        tell(hash);
    }
}

/// The words without which nothing in a page matches a selector, as hashes. `None` if nothing
/// matches it at all.
pub(super) fn needed(selector: &Selector<Grammar>) -> Option<Vec<u32>> {
    let mut words = Vec::new();
    gather(selector, &mut words)?;
    words.sort_unstable();
    words.dedup();
    Some(words)
}

fn gather(selector: &Selector<Grammar>, words: &mut Vec<u32>) -> Option<()> {
    for component in selector.iter_raw_match_order() {
        match component {
            Component::LocalName(name) => {
                let name: &str = &name.lower_name.name;
                if !IMPLIED.contains(&name) {
                    add(name, words);
                }
            }
            Component::ID(name) | Component::Class(name) => add(name.text(), words),
            Component::AttributeInNoNamespaceExists { local_name, .. } => {
                add(&local_name.name, words);
            }
            Component::AttributeInNoNamespace {
                local_name,
                operator,
                value,
                ..
            } => {
                add(&local_name.name, words);
                if is_whole(*operator) {
                    add(Name::text(value), words);
                }
            }
            Component::NonTSPseudoClass(PseudoClass::Never) => return None,
            Component::Is(list) | Component::Where(list) => {
                if let [only] = list.slice() {
                    gather(only, words)?;
                }
            }
            _ => {}
        }
    }
    Some(())
}

/// Whether an attribute has the value as words of its own.
fn is_whole(operator: AttrSelectorOperator) -> bool {
    matches!(
        operator,
        AttrSelectorOperator::Equal | AttrSelectorOperator::Includes
    )
}

/// Adds the words of a name. Those that could be spelt in other ways are not asked for.
fn add(name: &str, words: &mut Vec<u32>) {
    if name.is_ascii() {
        each(name, |word| words.push(word));
    }
}

/// Words that some selector needs, each with a number.
#[derive(Debug, Default)]
pub(super) struct Vocabulary(HashMap<u32, u32, BuildHasherDefault<Itself>>);

impl Vocabulary {
    /// Words as their numbers.
    pub(super) fn said(&mut self, words: &[u32]) -> Said {
        let mut said = Said::default();
        for word in words {
            let next = self.0.len() as u32;
            said.add(*self.0.entry(*word).or_insert(next));
        }
        said
    }

    /// The words of texts that are of it.
    pub(super) fn read<'t>(&self, texts: impl Iterator<Item = &'t str>) -> Said {
        let mut said = Said::default();
        for text in texts {
            each(text, |word| {
                if let Some(number) = self.0.get(&word) {
                    said.add(*number);
                }
            });
        }
        said
    }
}

/// A set of words of a vocabulary.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Said(Vec<u64>);

impl Said {
    fn add(&mut self, number: u32) {
        let at = (number / 64) as usize;
        if self.0.len() <= at {
            self.0.resize(at + 1, 0);
        }
        self.0[at] |= 1 << (number % 64);
    }

    /// Whether all of these are among them.
    pub(super) fn has(&self, words: &Said) -> bool {
        words.0.iter().enumerate().all(|(at, words)| {
            let own = self.0.get(at).copied().unwrap_or_default();
            own & words == *words
        })
    }

    /// Those that are among these as well.
    pub(super) fn common(&self, words: &Said) -> Said {
        Said(self.0.iter().zip(&words.0).map(|(a, b)| a & b).collect())
    }

    /// Takes in others.
    pub(super) fn extend(&mut self, words: &Said) {
        self.0.resize(self.0.len().max(words.0.len()), 0);
        for (own, other) in self.0.iter_mut().zip(&words.0) {
            *own |= other;
        }
    }
}

/// Hashes are hashes already.
#[derive(Debug, Default)]
struct Itself(u64);

impl Hasher for Itself {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 << 8) | u64::from(*byte);
        }
    }

    fn write_u32(&mut self, number: u32) {
        // Tables look at both ends.
        self.0 = u64::from(number).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::selector;

    #[test]
    fn words_that_selectors_cannot_do_without() {
        for (selector, text, expected) in [
            (".a .b", "<p class='b a'>", true),
            (".a .b", "<p class='a'>", false),
            (".a", "<p class='ab a-b _a aé'>", false),
            (".Big", "<p class=BIG>", true),
            ("p", "", true),
            ("em", "<EM>", true),
            ("em", "<p>", false),
            (".md\\:w-1\\/2", "<p class='md:w-1/2'>", true),
            (".md\\:w-1\\/2", "<p class='md:w-1'>", false),
            ("[data-x=dark]", "<p data-x=light>", false),
            ("[data-x=dark]", "<p data-x='dark'>", true),
            ("[data-x^=da]", "<p data-x='dark'>", true),
            (".é", "", true),
            ("#i:is(.a, .b)", "<p id=i>", true),
            ("#i:is(.a)", "<p id=i>", false),
            ("#i:not(.a)", "<p id=i>", true),
            ("p:has(.a)", "<p>", true),
            ("p:hover .a", "<p class=a>", false),
            ("p:not(:hover)", "<p>", true),
        ] {
            let parsed = selector::parse(selector, false).unwrap();
            let mut vocabulary = Vocabulary::default();
            let found = needed(&parsed.slice()[0]).is_some_and(|words| {
                let words = vocabulary.said(&words);
                vocabulary.read([text].into_iter()).has(&words)
            });
            assert_eq!(found, expected, "{selector} in {text}");
        }
    }
}
