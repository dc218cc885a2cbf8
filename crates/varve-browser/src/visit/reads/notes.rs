//! Notes of the script that watches, taken down as [`Reads`].

use std::collections::HashMap;

use serde::Deserialize;
use serde_json::Value;

use super::asked::{Asked, Named};
use super::{AttributeRead, Reads, SelectorRead};
use crate::visit::clip;

/// Notes that are kept of all documents of a visit, and bytes of each. (A page has no hold of the
/// binding, but may have any number of frames.)
const MAX_NOTES: usize = 20_000;
const MAX_TEXT: usize = 2_000;
/// Bytes of notes that come at once; more are not looked at.
const MAX_PAYLOAD: usize = 16 << 20;

/// A call of a binding.
#[derive(Deserialize)]
pub(in crate::visit) struct Called {
    name: String,
    payload: String,
}

/// What was told so far.
#[derive(Default)]
pub(in crate::visit) struct ReadLog {
    binding: String,
    reads: Reads,
    /// What is known already, by kind and text; of selectors, where they are.
    known: HashMap<(Kind, String), usize>,
}

/// What a note is about.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Kind {
    Selector,
    Attribute,
    Url,
    Key,
    Media,
    Environment,
    Chance,
    Ask,
}

impl ReadLog {
    /// A log of what comes through the binding of this name.
    pub(in crate::visit) fn new(binding: &str) -> ReadLog {
        ReadLog {
            binding: binding.to_owned(),
            ..ReadLog::default()
        }
    }

    pub(in crate::visit) fn called(&mut self, call: &Called) {
        if call.name != self.binding {
            return;
        }
        let notes: Vec<Vec<Value>> = match call.payload.len() <= MAX_PAYLOAD {
            true => serde_json::from_str(&call.payload).unwrap_or_default(),
            false => Vec::new(),
        };
        self.reads.cut |= notes.is_empty();
        notes.iter().for_each(|note| self.note(note));
    }

    pub(in crate::visit) fn into_reads(self) -> Reads {
        self.reads
    }

    fn note(&mut self, note: &[Value]) {
        let text = |at: usize| note.get(at).and_then(Value::as_str).unwrap_or_default();
        let (first, second) = (text(1), text(2));
        match text(0) {
            "selector" => self.selector(first, note.get(2) == Some(&Value::Bool(true))),
            "attribute" => self.attribute(first, &attribute_name(second)),
            "url" => self.word(Kind::Url, first),
            "cookie" => self.reads.cookies = true,
            "key" => self.word(Kind::Key, first),
            "media" => self.word(Kind::Media, first),
            "environment" => self.word(Kind::Environment, first),
            "chance" => self.word(Kind::Chance, first),
            "ask" => self.ask(first, second, text(3), note.get(4)),
            _ => self.reads.cut = true,
        }
    }

    /// Whether something is new and there is room for it.
    fn is_new(&mut self, kind: Kind, text: String, place: usize) -> bool {
        let name = (kind, text);
        if self.known.contains_key(&name) {
            return false;
        }
        let fits = self.known.len() < MAX_NOTES;
        match fits {
            true => drop(self.known.insert(name, place)),
            false => self.reads.cut = true,
        }
        fits
    }

    fn selector(&mut self, selector: &str, matched: bool) {
        let selector = clip(selector, MAX_TEXT);
        let place = self.reads.selectors.len();
        if self.is_new(Kind::Selector, selector.clone(), place) {
            self.reads
                .selectors
                .push(SelectorRead { selector, matched });
        } else if let Some(&place) = self.known.get(&(Kind::Selector, selector))
            && let Some(read) = self.reads.selectors.get_mut(place)
        {
            read.matched |= matched;
        }
    }

    fn attribute(&mut self, element: &str, name: &str) {
        let (element, name) = (clip(element, MAX_TEXT), clip(name, MAX_TEXT));
        if self.is_new(Kind::Attribute, format!("{element} {name}"), 0) {
            self.reads.attributes.push(AttributeRead { element, name });
        }
    }

    fn word(&mut self, kind: Kind, word: &str) {
        let word = clip(word, MAX_TEXT);
        if !self.is_new(kind, word.clone(), 0) {
            return;
        }
        let words = match kind {
            Kind::Url => &mut self.reads.urls,
            Kind::Key => &mut self.reads.storage_keys,
            Kind::Media => &mut self.reads.media,
            Kind::Environment => &mut self.reads.environment,
            Kind::Chance => &mut self.reads.nondeterminism,
            Kind::Selector | Kind::Attribute | Kind::Ask => return,
        };
        words.push(word);
    }

    fn ask(&mut self, api: &str, given: &str, base: &str, stack: Option<&Value>) {
        for asked in Asked::of(Named { api, given, base }, stack) {
            let name = format!("{} {}", asked.api, asked.url);
            if self.is_new(Kind::Ask, name, 0) {
                self.reads.asked.push(asked);
            }
        }
    }
}

/// The name of an attribute, also if it is told as that of a dataset's property: `data-*fooBar` is
/// `data-foo-bar`.
fn attribute_name(told: &str) -> String {
    let Some(property) = told.strip_prefix("data-*") else {
        return told.to_owned();
    };
    let mut name = "data-".to_owned();
    for letter in property.chars() {
        if letter.is_ascii_uppercase() {
            name.push('-');
        }
        name.push(letter.to_ascii_lowercase());
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(payloads: &[&str]) -> Reads {
        let mut log = ReadLog::new("ours");
        for payload in payloads {
            let (name, payload) = ("ours".to_owned(), (*payload).to_owned());
            log.called(&Called { name, payload });
        }
        log.into_reads()
    }

    #[test]
    fn the_same_is_told_once() {
        let reads = told(&[
            r##"[["selector","#a",false],["key","theme"],["cookie","document.cookie"]]"##,
            r##"[["selector","#a",true],["key","theme"],["attribute","p","data-*fooBar"]]"##,
        ]);
        let selector = "#a".to_owned();
        assert_eq!(
            reads.selectors,
            [SelectorRead {
                selector,
                matched: true
            }],
            "two documents looked for it, one had it"
        );
        assert_eq!(reads.storage_keys, ["theme"]);
        assert_eq!(reads.attributes[0].name, "data-foo-bar");
        assert!(reads.cookies && !reads.cut);
    }

    #[test]
    fn what_nobody_says_is_cut() {
        for payload in ["", "[]", "{", r#"[["other"]]"#, "[[]]", "[[1]]", "[1]"] {
            assert!(told(&[payload]).cut, "{payload}");
        }
    }

    #[test]
    fn there_is_room_for_so_many() {
        let note = |n: usize| format!(r#"[["media","(width: {n}px)"]]"#);
        let notes: Vec<String> = (0..MAX_NOTES + 10).map(note).collect();
        let notes: Vec<&str> = notes.iter().map(String::as_str).collect();
        let reads = told(&notes);
        assert_eq!((reads.media.len(), reads.cut), (MAX_NOTES, true));
    }

    #[test]
    fn other_bindings_are_none_of_its_business() {
        let mut log = ReadLog::new("ours");
        let (name, payload) = ("theirs".to_owned(), "nonsense".to_owned());
        log.called(&Called { name, payload });
        assert_eq!(log.into_reads(), Reads::default());
    }
}
